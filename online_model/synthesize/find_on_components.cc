#include "online_model/synthesize/find_on_components.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "online_model/structure/evidence.h"
#include "online_model/structure/expression_pool.h"
#include "online_model/structure/find_there.h"
#include "reduction/api/communicators.h"

namespace ranksight::online_model {
namespace {

// By the communicators of a generation.
using DividedByGeneration = std::map<int64_t, DividedRanks>;

DividedByGeneration DividedIn(const reduction::Trace& trace) {
  DividedByGeneration found;
  const auto communicators = reduction::Communicators::Find(trace);
  if (!communicators.ok()) return found;
  for (const auto& c : communicators->all()) {
    if (c->members.empty() || c->is_inter) continue;
    DividedRanks& division = found[c->generation];
    division.places.resize(size_t(trace.meta.ranks));
    const auto size = int64_t(c->members.size());
    for (int64_t place = 0; place < size; ++place) {
      division.places[size_t(c->members[size_t(place)])] = {c->id, place, size};
    }
  }
  return found;
}

// Of ranks that are not divided components say nothing more than the world.
bool IsDivided(const DividedRanks& division) {
  return std::ranges::any_of(
      division.places, [&](const DividedRanks::Place& p) {
        return p.component != division.places[0].component;
      });
}

bool GivesAll(const SequenceLaw& law, std::span<const RankPattern> patterns) {
  return std::ranges::all_of(patterns, [&law](const RankPattern& p) {
    return law.At(p.where, p.rounds, p.lengths) == p.pattern;
  });
}

// Ranks of none are another component: all ranks are on some line of a grid.
bool HasSeveralSizes(const DividedRanks& division) {
  std::set<int64_t> sizes;
  for (const DividedRanks::Place& p : division.places) {
    sizes.insert(p.component >= 0 ? p.size : 0);
  }
  return sizes.size() > 1;
}

// Whether some run has different numbers, unlike the lines of a grid.
bool DifferWithinARun(std::span<const RankPattern> patterns) {
  std::map<const Grid*, const Pattern*> first;
  return std::ranges::any_of(patterns, [&first](const RankPattern& p) {
    const auto at = first.try_emplace(p.where.grid, &p.pattern).first;
    return *at->second != p.pattern;
  });
}

// Ranks of the world as ranks of the component that the context's is of. False
// where some are of another one.
bool ToOwnRanks(const Components& of, const Context& own,
                std::vector<int64_t>* ranks) {
  for (int64_t& r : *ranks) {
    if (r < 0) continue;
    if (r >= own.ranks()) return false;
    const int64_t place = of.rank->At(Context(*own.grid, r));
    if (place == kNotWhole) return false;
    if (of.in_world(ConstantExpression(place))->At(own) != r) return false;
    r = place;
  }
  return true;
}

bool ToComponents(const Components& of, bool in_world,
                  std::vector<ScalarLaw>* laws) {
  for (ScalarLaw& law : *laws) {
    auto on = OnComponents(law, of, in_world);
    if (!on) return false;
    law = std::move(*on);
  }
  return true;
}

// Of a list that follows neighbours there is none.
std::optional<SequenceLaw> OnComponents(SequenceLaw law, const Components& of,
                                        bool in_world) {
  if (law.list != nullptr || law.peers) return std::nullopt;
  if (!ToComponents(of, in_world, &law.prefix) ||
      !ToComponents(of, in_world, &law.values)) {
    return std::nullopt;
  }
  if (law.HasLength()) {
    auto length = OnComponents(law.length, of, false);
    if (!length) return std::nullopt;
    law.length = std::move(*length);
  }
  return law;
}

// What all have alike, as expressions; nothing where they have not, or where
// one run shows it.
std::optional<SequenceLaw> AlikeLaw(std::span<const RankPattern> patterns) {
  const Pattern& first = patterns[0].pattern;
  if (SupportOf(patterns).runs < 2) return std::nullopt;
  if (!std::ranges::all_of(
          patterns, [&](const RankPattern& p) { return p.pattern == first; })) {
    return std::nullopt;
  }
  const auto laws_of = [](const std::vector<int64_t>& values) {
    std::vector<ScalarLaw> laws;
    for (const int64_t v : values) {
      laws.push_back(OfExpression(ConstantExpression(v)));
    }
    return laws;
  };
  SequenceLaw law;
  law.prefix = laws_of(first.prefix);
  law.values = laws_of(first.period);
  return law;
}

// Which component the rank is of, by the conditions in turn.
size_t IndexOf(const Components& of, const Context& c) {
  size_t i = 0;
  while (i < of.conditions.size() && of.conditions[i]->At(c) != 1) ++i;
  return i;
}

// `then` where the condition holds; both have expressions. False where they are
// no laws of one form.
bool SelectEach(const ExpressionPtr& condition,
                const std::vector<ScalarLaw>& then,
                std::vector<ScalarLaw>* otherwise) {
  if (then.size() != otherwise->size()) return false;
  for (size_t i = 0; i < then.size(); ++i) {
    (*otherwise)[i] = OfExpression(SelectExpression(
        condition, then[i].expression, (*otherwise)[i].expression));
  }
  return true;
}

bool Select(const ExpressionPtr& condition, const SequenceLaw& then,
            SequenceLaw* otherwise) {
  if (then.form != otherwise->form || then.loop != otherwise->loop ||
      then.step != otherwise->step || then.falling != otherwise->falling) {
    return false;
  }
  if (then.HasLength()) {
    otherwise->length = OfExpression(SelectExpression(
        condition, then.length.expression, otherwise->length.expression));
  }
  return SelectEach(condition, then.prefix, &otherwise->prefix) &&
         SelectEach(condition, then.values, &otherwise->values);
}

}  // namespace

std::optional<SequenceLaw> ComponentLaws::Find(
    std::span<const RankPattern> patterns, const SearchSpace& space) {
  if (space.partner != nullptr) return std::nullopt;
  return FindOn(patterns, space, false);
}

std::optional<SequenceLaw> ComponentLaws::FindOfPartner(
    std::span<const RankPattern> patterns, const SearchSpace& space) {
  std::map<std::pair<const Grid*, int64_t>, RankPattern> partners;
  for (const RankPattern& p : patterns) {
    const int64_t other = space.partner->At(p.where);
    if (other < 0 || other >= p.where.ranks()) return std::nullopt;
    RankPattern there = p;
    there.where = Context(*p.where.grid, other);
    const auto [at, added] = partners.try_emplace({p.where.grid, other}, there);
    if (!added && at->second.pattern != p.pattern) return std::nullopt;
  }
  std::vector<RankPattern> of_partners;
  for (const auto& [rank, there] : partners) of_partners.push_back(there);
  SearchSpace plain = space;
  plain.partner = nullptr;
  auto law = FindOn(of_partners, plain, false);
  if (!law || law->HasLength() || !law->prefix.empty()) return std::nullopt;
  for (ScalarLaw& value : law->values) {
    const ExpressionPtr e = ExpressionOf(value);
    ExpressionPtr there =
        e == nullptr ? nullptr : AtRank(space.partner, e, space.ndims == 1);
    if (there == nullptr) return std::nullopt;
    value = OfExpression(std::move(there));
  }
  if (!GivesAll(*law, patterns)) return std::nullopt;
  law->support = SupportOf(patterns);
  return law;
}

std::optional<SequenceLaw> ComponentLaws::FindOfOwn(
    std::span<const RankPattern> patterns, const SearchSpace& space) {
  return FindOn(patterns, space, true);
}

const std::vector<ExpressionPtr>& ComponentLaws::Hints() {
  LookOnce();
  return hints_;
}

std::optional<SequenceLaw> ComponentLaws::FindSize(
    std::span<const RankPattern> patterns) {
  if (!DifferWithinARun(patterns)) return std::nullopt;
  LookOnce();
  SequenceLaw law;
  const size_t places = patterns[0].pattern.period.size();
  for (size_t place = 0; place < places; ++place) {
    const auto gives = [&](const Seen& seen) {
      return std::ranges::all_of(patterns, [&](const RankPattern& p) {
        return p.pattern.period.size() == places &&
               seen.laws.size->At(p.where) == p.pattern.period[place];
      });
    };
    const auto seen = std::ranges::find_if(seen_, gives);
    if (seen == seen_.end()) return std::nullopt;
    law.values.push_back(OfExpression(seen->laws.size));
  }
  if (!GivesAll(law, patterns)) return std::nullopt;
  law.support = SupportOf(patterns);
  return law;
}

void ComponentLaws::LookOnce() {
  if (std::exchange(has_looked_, true)) return;
  std::vector<DividedByGeneration> runs;
  for (const reduction::Trace& trace : traces_) {
    runs.push_back(DividedIn(trace));
  }
  for (const auto& [generation, first] : runs[0]) {
    std::vector<DividedRanks> divisions;
    for (const DividedByGeneration& run : runs) {
      const auto at = run.find(generation);
      if (at != run.end()) divisions.push_back(at->second);
    }
    if (divisions.size() < runs.size() ||
        std::ranges::none_of(divisions, IsDivided)) {
      continue;
    }
    if (auto found = FindComponents(divisions, certain_)) {
      const bool is_no_grid = std::ranges::any_of(divisions, HasSeveralSizes);
      if (is_no_grid) {
        hints_.insert(hints_.end(), found->conditions.begin(),
                      found->conditions.end());
        if (!found->conditions.empty()) hints_.push_back(found->size);
      }
      Add(std::move(*found), is_no_grid, true);
    }
  }
  Add(AllButFirst(), true, false);
  Add(AllButLast(), true, false);
}

void ComponentLaws::Add(Components components, bool is_no_grid,
                        bool is_communicator) {
  const auto same = [&components](const Seen& seen) {
    return seen.laws.rank->ToString() == components.rank->ToString() &&
           seen.laws.size->ToString() == components.size->ToString();
  };
  if (std::ranges::any_of(seen_, same)) return;
  if (components.number != nullptr) {
    across_.push_back({{components.number, components.count, nullptr, {}},
                       is_no_grid,
                       is_communicator,
                       std::make_shared<LawCache>(),
                       std::make_shared<PoolCache>()});
  }
  seen_.push_back({std::move(components), is_no_grid, is_communicator,
                   std::make_shared<LawCache>(),
                   std::make_shared<PoolCache>()});
}

std::optional<SequenceLaw> ComponentLaws::FindOn(
    std::span<const RankPattern> patterns, const SearchSpace& space,
    bool of_communicators) {
  if (patterns.empty() || space.levels) return std::nullopt;
  LookOnce();
  for (const Seen& seen : seen_) {
    if (!seen.is_no_grid) continue;
    if (of_communicators && !seen.is_communicator) continue;
    if (auto law = FindAmong(patterns, space, seen)) return law;
    if (auto law = FindForEach(patterns, space, seen)) return law;
  }
  for (const Seen& seen : across_) {
    if (space.ranked || (of_communicators && !seen.is_communicator)) continue;
    if (auto law = FindAcross(patterns, space, seen)) return law;
  }
  return std::nullopt;
}

const Grid& ComponentLaws::Line(int64_t ranks) {
  return lines_.try_emplace(ranks, Grid{{ranks}}).first->second;
}

// As if each component were a rank: what nodes have a share of each.
std::optional<SequenceLaw> ComponentLaws::FindAcross(
    std::span<const RankPattern> patterns, const SearchSpace& space,
    const Seen& seen) {
  std::map<std::pair<int64_t, int64_t>, const Pattern*> known;
  std::vector<RankPattern> across;
  for (const RankPattern& p : patterns) {
    const int64_t number = seen.laws.rank->At(p.where);
    const auto [at, added] =
        known.try_emplace({p.where.ranks(), number}, &p.pattern);
    if (*at->second != p.pattern) return std::nullopt;
    if (!added) continue;
    across.push_back(p);
    across.back().where = Context(Line(seen.laws.size->At(p.where)), number);
  }
  return LawOnLine(across, patterns, space, seen);
}

// As if each component were a run of its own.
std::optional<SequenceLaw> ComponentLaws::FindAmong(
    std::span<const RankPattern> patterns, const SearchSpace& space,
    const Seen& seen) {
  std::vector<RankPattern> among(patterns.begin(), patterns.end());
  for (RankPattern& p : among) {
    const int64_t size = seen.laws.size->At(p.where);
    const int64_t rank = seen.laws.rank->At(p.where);
    if (size == kNotWhole || rank < 0 || rank >= size) return std::nullopt;
    if (space.ranked && (!ToOwnRanks(seen.laws, p.where, &p.pattern.prefix) ||
                         !ToOwnRanks(seen.laws, p.where, &p.pattern.period))) {
      return std::nullopt;
    }
    p.where = Context(Line(size), rank);
  }
  return LawOnLine(among, patterns, space, seen);
}

std::optional<SequenceLaw> ComponentLaws::LawOnLine(
    std::span<const RankPattern> on_lines,
    std::span<const RankPattern> patterns, const SearchSpace& space,
    const Seen& seen) {
  SearchSpace on_line;
  on_line.array = space.array;
  on_line.ranked = space.ranked;
  on_line.counts = space.counts;
  on_line.certain = space.certain;
  on_line.cache = seen.cache;
  on_line.pools = seen.pools;
  on_line.said = std::make_shared<SaidParts>();
  const auto found = FindSequenceLaw(on_lines, on_line, nullptr);
  if (!found) return std::nullopt;
  auto law = OnComponents(*found, seen.laws, space.ranked);
  if (!law || !GivesAll(*law, patterns)) return std::nullopt;
  law->support = SupportOf(patterns);
  return law;
}

// Where each component has its own, as the points that each model has.
std::optional<SequenceLaw> ComponentLaws::FindForEach(
    std::span<const RankPattern> patterns, const SearchSpace& space,
    const Seen& seen) {
  const std::vector<ExpressionPtr>& conditions = seen.laws.conditions;
  std::vector<std::vector<RankPattern>> of(conditions.size() + 1);
  for (const RankPattern& p : patterns) {
    of[IndexOf(seen.laws, p.where)].push_back(p);
  }
  if (conditions.empty() ||
      std::ranges::any_of(of, [](const auto& some) { return some.empty(); })) {
    return std::nullopt;
  }
  // Ranks of none have nothing to follow.
  const auto find = [&](const std::vector<RankPattern>& some) {
    const bool of_none = std::ranges::all_of(some, [&](const RankPattern& p) {
      return seen.laws.size->At(p.where) == 0;
    });
    return of_none ? AlikeLaw(some) : FindAmong(some, space, seen);
  };
  auto law = find(of.back());
  for (size_t i = conditions.size(); law && i-- > 0;) {
    const auto then = find(of[i]);
    if (!then || !Select(conditions[i], *then, &*law)) return std::nullopt;
  }
  if (!law || !GivesAll(*law, patterns)) return std::nullopt;
  law->support = SupportOf(patterns);
  return law;
}

}  // namespace ranksight::online_model
