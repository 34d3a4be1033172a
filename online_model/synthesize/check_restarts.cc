#include "online_model/synthesize/check_restarts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "online_model/structure/rounds.h"
#include "online_model/synthesize/telling_run.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Status;
using Op = Expression::Op;

// Longer ones are not looked through for parts.
constexpr int64_t kLongest = 1 << 20;

Status RestartsOpen(const std::string& what, int64_t length,
                    const std::string& begins, const Grid& target,
                    int64_t around) {
  return OpenAtTarget(what + " in a loop of " + std::to_string(length) +
                          " goes on, or begins anew " + begins +
                          ", and all runs go round in whole",
                      target.ranks(),
                      std::to_string(around) + " of them around, it does not");
}

// The part of a loop of so many that `least` divides and `around` does not;
// 0: there is none.
int64_t PartCut(int64_t length, int64_t least, int64_t around) {
  for (int64_t part = least; part < length; part += least) {
    if (length % part == 0 && part % around != 0) return part;
  }
  return 0;
}

// One rank of a run, or of the target, and what the loops around a node are
// there.
struct SeenRank {
  Context context;
  Rounds rounds;
  bool is_of_target = false;
};

// What is by the iteration of a loop.
class LoopChecker {
 public:
  // The first two ranks and the last show how long loops are.
  LoopChecker(std::span<const Grid> runs, const Grid& target)
      : runs_(runs), target_(target) {
    for (const Grid& g : runs) See(g, false);
    See(target, true);
  }

  Status Check(const NodeLaw& law) {
    Status s = CheckLaw(law.trips);
    const std::vector<SeenRank> outside = seen_;
    // An event that runs several times is a loop of its own (rounds.h).
    for (auto& [context, rounds, is_of_target] : seen_) {
      const Pattern trips = law.trips.At(context, rounds);
      rounds = Around(Within(rounds, trips), trips);
    }
    for (const SequenceLaw& p : law.params) {
      if (s.ok()) s = CheckLaw(p);
    }
    for (const NodeLaw& child : law.children) {
      if (s.ok()) s = Check(child);
    }
    seen_ = outside;
    return s;
  }

 private:
  void See(const Grid& grid, bool is_of_target) {
    const std::set<int64_t> ranks{0, std::min<int64_t>(1, grid.ranks() - 1),
                                  grid.ranks() - 1};
    for (const int64_t r : ranks) {
      seen_.push_back({Context(grid, r), {}, is_of_target});
    }
  }

  Status CheckLaw(const SequenceLaw& law) const {
    Status s = Status::Ok();
    if (law.form != SequenceLaw::Form::kByIteration) return s;
    const auto loop = size_t(law.loop);
    const auto length = LengthOf(loop);
    ForEachScalarLaw(law, [&](const ScalarLaw& v) {
      ForEachExpression(v, [&](const Expression& e) {
        if (s.ok() && length) s = CheckRound(e, *length);
        if (s.ok()) s = CheckTurns(e, loop);
      });
    });
    return s;
  }

  // Of what takes turns of so many iterations: a loop of each run may be
  // several of which each has whole turns, and one of the target's has not.
  Status CheckTurns(const Expression& e, size_t loop) const {
    const bool takes_turns = e.op == Op::kRemainder &&
                             e.b->op == Op::kConstant && e.b->value > 1 &&
                             e.a->Uses(Feature::Kind::kPosition, 0);
    if (!takes_turns) return Status::Ok();
    const int64_t turn = e.b->value;
    std::set<int64_t> of_runs, there;
    int64_t common = 0;
    for (const auto& [context, rounds, is_of_target] : seen_) {
      const int64_t here =
          loop < rounds.size() ? rounds[loop].iterations : int64_t{0};
      if (here <= 0) continue;
      (is_of_target ? there : of_runs).insert(here);
      common = std::gcd(common, here);
    }
    if (of_runs.empty() || common > kLongest) return Status::Ok();
    for (int64_t parts = 2; parts <= common; ++parts) {
      const auto is_whole = [&](int64_t length) {
        return length / parts % turn == 0;
      };
      if (common % parts != 0 || !std::ranges::all_of(of_runs, is_whole)) {
        continue;
      }
      const auto cut = std::ranges::find_if_not(there, is_whole);
      if (cut == there.end()) continue;
      return OpenAtTarget("what takes turns of " + std::to_string(turn) +
                              " in a loop goes on, or begins anew in each of " +
                              std::to_string(parts) +
                              " parts, which have whole turns in all runs",
                          target_.ranks(),
                          std::to_string(*cut / parts) + " have not");
    }
    return Status::Ok();
  }

  // Iterations of that loop around, where they are as many in all runs and at
  // each visit.
  std::optional<int64_t> LengthOf(size_t loop) const {
    int64_t length = 0;
    for (const auto& [context, rounds, is_of_target] : seen_) {
      if (is_of_target) continue;
      const bool differs = loop < rounds.size() && !rounds[loop].visits.empty();
      if (differs) return std::nullopt;
      const int64_t here =
          loop < rounds.size() ? rounds[loop].iterations : int64_t{0};
      if (here <= 0) continue;
      if (length > 0 && here != length) return std::nullopt;
      length = here;
    }
    return length > 0 && length < kLongest ? std::optional(length)
                                           : std::nullopt;
  }

  Status CheckRound(const Expression& e, int64_t length) const {
    if (e.op != Op::kRemainder || !e.a->Uses(Feature::Kind::kPosition, 0)) {
      return Status::Ok();
    }
    int64_t least = 1;  // that all runs go round in whole
    for (const Grid& g : runs_) {
      const int64_t around = e.b->At(Context(g, 0));
      if (around <= 0 || around > length) return Status::Ok();
      least = std::lcm(least, around);
      if (least > length + 1) return Status::Ok();
    }
    const int64_t around = e.b->At(Context(target_, 0));
    if (around <= 0) return Status::Ok();
    const auto ends_open = [&](int64_t whole) {
      return whole % least == 0 && whole % around != 0;
    };
    // What a loop does for all but the first or the last of a whole, too.
    if ((ends_open(length) || ends_open(length + 1)) && IsFromEnd(*e.a)) {
      return OpenAtTarget(
          "what goes round " + e.b->ToString() + " ranks in a loop of " +
              std::to_string(length) +
              " counts from its begin, or from its end, and all runs go round "
              "in whole",
          target_.ranks(),
          std::to_string(around) + " of them around, it does not");
    }
    const int64_t part = PartCut(length, least, around);
    if (part == 0) return Status::Ok();
    return RestartsOpen("what goes round " + e.b->ToString() + " ranks", length,
                        "every " + std::to_string(part), target_, around);
  }

  // Whether ranks come the other way round as iterations go on, though the law
  // does not count these from the end.
  bool IsFromEnd(const Expression& place) const {
    using Kind = Feature::Kind;
    if (place.Uses(Kind::kLength, 0) || place.Uses(Kind::kBack, 0)) {
      return false;
    }
    const auto several = std::ranges::find_if(
        runs_, [](const Grid& g) { return g.ranks() > 1; });
    if (several == runs_.end()) return false;
    Context c(*several, 0);
    c.position = 1;
    const int64_t first = place.At(c);
    c.position = 2;
    const int64_t next = place.At(c);
    Context other(*several, 1);
    other.position = 1;
    const int64_t of_next_rank = place.At(other);
    const int64_t by_iteration = next - first, by_rank = of_next_rank - first;
    return by_rank == 0 ? by_iteration < 0
                        : (by_iteration < 0) == (by_rank < 0);
  }

  std::span<const Grid> runs_;
  const Grid& target_;
  std::vector<SeenRank> seen_;
};

// How often an iteration takes from a list, and how long that list is there.
using Taken = std::pair<int64_t, int64_t>;

// Of a list that begins again whenever it is at its end, on some ranks: what
// iterations take, by loop around.
struct Cycle {
  std::map<size_t, std::set<Taken>> taken;
};

// Whether all iterations take whole lists.
bool AreWhole(const std::set<Taken>& taken) {
  return std::ranges::all_of(
      taken, [](const Taken& t) { return t.first % t.second == 0; });
}

// By the list's law.
using Cycles = std::map<const SequenceLaw*, Cycle>;

void NoteCycle(const SequenceLaw& list, const Context& c, const Rounds& rounds,
               Cycles* cycles) {
  const int64_t around = list.length.At(c);
  if (around <= 0 || around > kLongest) return;
  Cycle& cycle = (*cycles)[&list];
  for (size_t loop = 0; loop < rounds.size(); ++loop) {
    const Round& round = rounds[loop];
    for (int64_t k = 0; k < round.iterations; ++k) {
      const int64_t runs = round.RunsAt(k);
      if (runs <= 0) continue;
      cycle.taken[loop].emplace(runs, around);
      if (round.runs.empty()) break;
    }
  }
}

void CollectCycles(const NodeLaw& law, const Node& like, const Context& c,
                   const Rounds& rounds, Cycles* cycles) {
  const Pattern trips = law.trips.At(c, rounds);
  const Rounds inner = Around(Within(rounds, trips), trips);
  const auto params = like.is_event() ? reduction::Info(like.call).params
                                      : std::span<const reduction::Param>();
  for (size_t i = 0; i < law.params.size() && i < params.size(); ++i) {
    const bool cycles_here =
        law.params[i].form == SequenceLaw::Form::kByElement &&
        !reduction::IsArray(params[i]);
    if (cycles_here) NoteCycle(law.params[i], c, inner, cycles);
  }
  for (size_t i = 0; i < law.children.size(); ++i) {
    CollectCycles(law.children[i], like.children[i], c, inner, cycles);
  }
}

// On the first and last ranks, where a run has more.
Cycles CyclesOn(const Grid& grid, const NodeLaw& root, const Node& like) {
  constexpr int64_t kFirst = 48, kLast = 16;
  Cycles cycles;
  for (int64_t r = 0; r < grid.ranks(); ++r) {
    if (r == kFirst) r = std::max(r, grid.ranks() - kLast);
    for (size_t i = 0; i < root.children.size(); ++i) {
      CollectCycles(root.children[i], like.children[i], Context(grid, r), {},
                    &cycles);
    }
  }
  return cycles;
}

// Whether as much is taken, of lists of whatever length.
bool AreTakenAlike(const std::set<Taken>& a, const std::set<Taken>& b) {
  const auto lengths = [](const std::set<Taken>& taken) {
    std::set<int64_t> of;
    for (const auto& [length, around] : taken) of.insert(length);
    return of;
  };
  return lengths(a) == lengths(b);
}

// Whether loops of the runs take whole lists only, and those of the target do
// not, or, where they are as long, may be some loops in a row.
Status CheckCycle(const std::vector<const Cycle*>& runs, const Cycle& there,
                  const Grid& target) {
  for (const auto& [loop, taken] : there.taken) {
    int64_t least = 1;
    bool whole = true, same = true;
    for (const Cycle* run : runs) {
      const auto it = run->taken.find(loop);
      whole = whole && it != run->taken.end() && AreWhole(it->second);
      if (!whole) break;
      same = same && AreTakenAlike(it->second, taken);
      for (const auto& [length, around] : it->second) {
        if (least <= kLongest) least = std::lcm(least, around);
      }
    }
    if (!whole || least == 1) continue;
    for (const auto& [length, around] : taken) {
      const std::string what =
          "a list of " + std::to_string(around) + " values that is taken";
      if (length % around != 0) {
        return RestartsOpen(what, length, "at each visit", target, around);
      }
      const int64_t part = same ? PartCut(length, least, around) : 0;
      if (part == 0) continue;
      return RestartsOpen(what, length, "every " + std::to_string(part), target,
                          around);
    }
  }
  return Status::Ok();
}

Status CheckCycles(const NodeLaw& root, const Node& like,
                   std::span<const Grid> runs, const Grid& target) {
  std::vector<Cycles> of_runs;
  for (const Grid& run : runs) of_runs.push_back(CyclesOn(run, root, like));
  for (const auto& [list, there] : CyclesOn(target, root, like)) {
    std::vector<const Cycle*> same;
    for (const Cycles& cycles : of_runs) {
      const auto it = cycles.find(list);
      if (it != cycles.end()) same.push_back(&it->second);
    }
    if (same.size() < runs.size()) continue;
    Status s = CheckCycle(same, there, target);
    if (!s.ok()) return s;
  }
  return Status::Ok();
}

}  // namespace

Status CheckRestarts(const NodeLaw& root, const Node& like,
                     std::span<const Grid> runs, const Grid& target) {
  LoopChecker checker(runs, target);
  for (const NodeLaw& child : root.children) {
    Status s = checker.Check(child);
    if (!s.ok()) return s;
  }
  return CheckCycles(root, like, runs, target);
}

}  // namespace ranksight::online_model
