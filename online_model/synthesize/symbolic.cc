#include "online_model/synthesize/symbolic.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "online_model/structure/rival_rules.h"
#include "online_model/synthesize/carried_laws.h"
#include "online_model/synthesize/check_directions.h"
#include "online_model/synthesize/inputs.h"
#include "online_model/synthesize/mesh_of_laws.h"
#include "online_model/synthesize/message_check.h"
#include "online_model/synthesize/telling_run.h"
#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

Result<std::vector<int64_t>> DimsBy(const DimsRule& rule,
                                    const ExtrapolationRequest& request) {
  if (request.dims.empty()) {
    const auto grid = rule.GridFor(request.ranks);
    if (grid) return grid->dims;
    if (rule.kind == DimsRule::Kind::kGiven) {
      return Status::No("the ranks form a " + rule.ToString() +
                        ": --dims says which grid " +
                        std::to_string(request.ranks) + " ranks are");
    }
    std::string near;
    for (const int64_t n : NearbySizes(rule, request.ranks, 2)) {
      near += (near.empty() ? "" : ", ") + std::to_string(n);
    }
    return Status::No(std::to_string(request.ranks) + " ranks do not form a " +
                      rule.ToString() + "; sizes near it that do: " + near);
  }
  int64_t product = 1;
  for (const int64_t d : request.dims) product *= d;
  if (product != request.ranks) {
    return Status::Usage("--dims do not multiply to the rank count");
  }
  if (int(request.dims.size()) != rule.ndims) {
    return Status::No("the inputs form a " + rule.ToString() + ", --dims has " +
                      std::to_string(request.dims.size()) + " dimensions");
  }
  if (!IsOrdered(request.dims, rule.order)) {
    return Status::No("the inputs form a " + rule.ToString() +
                      ", which --dims cannot be");
  }
  return request.dims;
}

// Nobody ran it, on no machine.
void MarkAsMade(reduction::Meta* meta) {
  meta->origin = reduction::Origin::kExtrapolated;
  meta->host_cores = meta->host_ranks = 0;
  meta->launch = {};
  meta->memory = {};
}

// The sides whose lengths laws work with, as bits.
unsigned SidesUsed(const NodeLaw& root, int ndims) {
  using Kind = Feature::Kind;
  unsigned sides = 0;
  ForEachScalarLaw(root, [&](const ScalarLaw& law) {
    for (int d = 0; d < ndims; ++d) {
      const bool uses = law.Uses(Kind::kDim, d) || law.Uses(Kind::kLog2Dim, d);
      sides |= uses ? 1u << d : 0;
    }
  });
  return sides;
}

using Dims = std::vector<int64_t>;

// Says that the target may have any of these shapes.
void TellShapes(const ExtrapolationRequest& request,
                const std::vector<Dims>& shapes) {
  if (request.tell_shapes) request.tell_shapes(shapes);
}

// So many ranks as that many sides, the longest first: as near one another as
// can be, of two sides also less so. At most kMostFree.
std::vector<Dims> FreeSides(int64_t ranks, int sides) {
  constexpr size_t kMostFree = 3;
  std::vector<Dims> all{DimsCreate(ranks, sides)};
  for (int64_t last = all[0].back() - 1; sides == 2 && last > 1; --last) {
    if (ranks % last != 0) continue;
    if (all.size() == kMostFree) break;
    all.push_back({ranks / last, last});
  }
  return all;
}

// So many ranks with all sides as in the runs that are the same there, the
// likeliest first: of the others the longest is as it is in `shape`. Empty
// where there is no such grid.
std::vector<Dims> WithSidesKept(const SymbolicLaws& laws, const Dims& shape) {
  Dims kept = shape;
  std::vector<size_t> others;
  int64_t ranks = 1, given = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    ranks *= shape[d];
    const int64_t only = d < laws.only_sides.size() ? laws.only_sides[d] : 0;
    if (only == 0) {
      others.push_back(d);
    } else {
      kept[d] = only;
      given *= only;
    }
  }
  std::vector<Dims> all;
  if (others.empty() || ranks % given != 0) return all;
  std::ranges::stable_sort(others, std::greater<>(),
                           [&](size_t d) { return shape[d]; });
  for (const Dims& free : FreeSides(ranks / given, int(others.size()))) {
    for (size_t i = 0; i < others.size(); ++i) kept[others[i]] = free[i];
    if (IsOrdered(kept, laws.rule.order)) all.push_back(kept);
  }
  return all;
}

// what: is seen of the rule's grid.
Status CheckRival(const std::string& what, const DimsRule& rule,
                  const std::optional<DimsRule>& rival,
                  const ExtrapolationRequest& request) {
  if (!rival) return Status::Ok();
  const int64_t ranks = request.ranks;
  const std::string at = std::to_string(ranks) + " ranks would be ";
  const Dims shape = *rule.DimsFor(ranks), of_rival = *rival->DimsFor(ranks);
  const std::string one = DimsText(shape), other = DimsText(of_rival);
  if (one != other) TellShapes(request, {shape, of_rival});
  if (one == other) {
    return Status::No(what + rule.ToString() +
                      " alone, which are as long as others of them in all "
                      "runs; " +
                      at + one + ": a run of another size may tell");
  }
  return Status::No(what + rule.ToString() + " alone, which a " +
                    rival->ToString() + " has in all runs as well; " + at +
                    one + " or " + other +
                    ": --dims says which, a run of another size may tell");
}

// Those that the trace carries.
Result<SymbolicLaws> LawsOf(const Trace& symbolic, const OwnLaws& own) {
  const auto numbers = CarriedLaws(symbolic);
  if (!numbers.ok()) return numbers.status();
  return DecodeLaws(*numbers, symbolic.root, own);
}

}  // namespace

namespace {

// Whether two sides were as long as one another in all runs.
bool AreAlikeInRuns(const SymbolicLaws& laws, size_t one, size_t other) {
  return !laws.sizes.empty() &&
         std::ranges::all_of(laws.sizes, [&](int64_t ranks) {
           const auto dims = laws.rule.DimsFor(ranks);
           return dims && (*dims)[one] == (*dims)[other];
         });
}

// On squares alone each side may be meant where the other is.
Status CheckSidesAlike(const SymbolicLaws& laws, const Dims& dims) {
  const unsigned used = SidesUsed(laws.root, laws.rule.ndims);
  for (size_t d = 0; d < dims.size(); ++d) {
    for (size_t e = d + 1; e < dims.size(); ++e) {
      const bool may_be_either = dims[d] != dims[e] &&
                                 ((used >> d | used >> e) & 1) != 0 &&
                                 AreAlikeInRuns(laws, d, e);
      if (!may_be_either) continue;
      return OpenAtTarget("sides " + std::to_string(d) + " and " +
                              std::to_string(e) +
                              " of the grid are as long as one another in all "
                              "runs, so that laws may take one for the other",
                          Grid{dims}.ranks(),
                          "they would be " + std::to_string(dims[d]) + " and " +
                              std::to_string(dims[e]));
    }
  }
  return Status::Ok();
}

}  // namespace

// N divided by such a side, or what is left for the other sides, may as well be
// divided by that number.
Status CheckSides(const SymbolicLaws& laws, const std::vector<int64_t>& dims) {
  for (size_t d = 0; d < laws.only_sides.size(); ++d) {
    const int64_t only = laws.only_sides[d];
    if (only == 0 || only == dims[d]) continue;
    return OpenAtTarget(
        "side " + std::to_string(d) + " of the grid is " +
            std::to_string(only) +
            " in all runs, so that laws may take it for a number",
        Grid{dims}.ranks(), "it would be " + std::to_string(dims[d]));
  }
  return CheckSidesAlike(laws, dims);
}

void MarkAsMadeAt(int64_t ranks, reduction::Meta* meta) {
  MarkAsMade(meta);
  meta->ranks = ranks;
  meta->elapsed = {};
  meta->polls.clear();
  meta->made_dims.reset();
}

Status CheckRankCount(const SymbolicLaws& laws, int64_t ranks) {
  if (!laws.powers_of_two || IsPowerOfTwo(ranks)) return Status::Ok();
  int64_t below = 1;
  while (2 * below < ranks) below *= 2;
  return Status::No(std::to_string(ranks) +
                    " ranks: the laws work on bits of ranks and all inputs "
                    "are powers of two; sizes near it that are: " +
                    std::to_string(below) + ", " + std::to_string(2 * below));
}

Status CheckOtherRules(const DimsRule& rule, std::span<const DimsRule> others,
                       std::span<const int64_t> sizes,
                       const ExtrapolationRequest& request) {
  const int64_t ranks = request.ranks;
  const auto dims = rule.DimsFor(ranks);
  if (!dims) return Status::Ok();
  std::vector<Dims> shapes{*dims};
  for (const DimsRule& other : others) {
    const auto shape = other.DimsFor(ranks);
    const bool is_new = shape && std::find(shapes.begin(), shapes.end(),
                                           *shape) == shapes.end();
    if (is_new) shapes.push_back(*shape);
  }
  if (shapes.size() > 1) TellShapes(request, shapes);
  for (const DimsRule& other : others) {
    const auto shape = other.DimsFor(ranks);
    if (!shape || *shape == *dims) continue;
    const int64_t telling = TellingRun(sizes, ranks, [&](int64_t n) {
      const auto one = rule.DimsFor(n), another = other.DimsFor(n);
      return one && another && *one != *another;
    });
    return Status::No(
        "the runs form a " + rule.ToString() + ", and as well a " +
        other.ToString() + "; " + std::to_string(ranks) + " ranks would be " +
        DimsText(*dims) + " or " + DimsText(*shape) + ": --dims says which" +
        (telling == 0
             ? ""
             : ", a run of " + std::to_string(telling) + " ranks may tell"));
  }
  return Status::Ok();
}

bool IsGridKnown(const DimsRule& rule, std::span<const Trace> traces,
                 const ExtrapolationRequest& request) {
  return !request.dims.empty() || rule.ndims == 1 ||
         rule.kind == DimsRule::Kind::kGiven ||
         IsGridStated(traces, request.input_dims) ||
         WhoMade(traces.back().meta, rule) == MadeBy::kMpi;
}

Status CheckSidesTaken(const DimsRule& rule, std::span<const Trace> traces,
                       std::span<const SeenPeers> peers,
                       const ExtrapolationRequest& request) {
  const bool is_line = rule.ndims == 1 && request.dims.empty();
  if (!is_line && IsGridKnown(rule, traces, request)) return Status::Ok();
  const auto of_line = RivalOfLine(rule, peers, SizesOf(traces), request.ranks);
  if (of_line) {
    const bool are_members = std::ranges::any_of(peers, [](const SeenPeers& p) {
      return p.are_members && !p.pairs.empty();
    });
    TellShapes(request, {*rule.DimsFor(request.ranks),
                         *of_line->DimsFor(request.ranks)});
    return Status::No(
        std::string(are_members
                        ? "all communicators are blocks of some ranks in a "
                          "row, or the first of each block"
                        : "all messages are within blocks of some ranks in a "
                          "row, or go half of all ranks on, or another part") +
        ", which is a side of a " + of_line->ToString() +
        " in all runs as well; " + std::to_string(request.ranks) +
        " ranks would be " + DimsText(*of_line->DimsFor(request.ranks)) +
        " there: --dims says which, a run of another size may tell");
  }
  if (is_line) return Status::Ok();
  if (MayBeInMortonOrder(rule, SizesOf(traces), request.ranks)) {
    return Status::No(
        "ranks of a " + rule.ToString() +
        " are numbered row by row, and in Morton order as well, in "
        "all runs; " +
        std::to_string(request.ranks) +
        " ranks would not be: a run of another size may tell");
  }
  const unsigned taken = SidesTaken(rule, peers);
  if (taken == (1u << rule.ndims) - 1) return Status::Ok();
  return CheckRival(
      "messages go along some sides of a ", rule,
      RivalAlong(rule, taken, SideSeen::kRanks, SizesOf(traces), request.ranks),
      request);
}

Status CheckHiddenSide(const DimsRule& rule, std::span<const Trace> traces,
                       std::span<const SeenPeers> peers,
                       const ExtrapolationRequest& request) {
  const bool own_in_all = std::all_of(
      peers.begin(), peers.end(), [](const SeenPeers& s) { return s.has_own; });
  if (!own_in_all || IsGridKnown(rule, traces, request)) return Status::Ok();
  const auto hidden = RuleOfHiddenSide(rule, SizesOf(traces), request.ranks);
  if (!hidden) return Status::Ok();
  TellShapes(request,
             {*rule.DimsFor(request.ranks), *hidden->DimsFor(request.ranks)});
  return Status::No(
      "all ranks are their own neighbours, or have none, along a side that is "
      "one rank long in all runs; " +
      std::to_string(request.ranks) + " ranks would be " +
      DimsText(*rule.DimsFor(request.ranks)) + " or " +
      DimsText(*hidden->DimsFor(request.ranks)) +
      ": --dims says which, a run of another size may tell");
}

Status CheckSidesUsed(const SymbolicLaws& laws, std::span<const Trace> traces,
                      std::span<const SeenPeers> peers,
                      const ExtrapolationRequest& request) {
  const DimsRule& rule = laws.rule;
  if (IsGridKnown(rule, traces, request)) return Status::Ok();
  const unsigned unseen =
      SidesUsed(laws.root, rule.ndims) & ~SidesTaken(rule, peers, true);
  return CheckRival(
      "laws count by some sides of a ", rule,
      RivalAlong(rule, unseen, SideSeen::kLength, laws.sizes, request.ranks),
      request);
}

Result<std::vector<int64_t>> TargetDims(const SymbolicLaws& laws,
                                        const reduction::Meta& about,
                                        const ExtrapolationRequest& request) {
  const Status allowed = CheckRankCount(laws, request.ranks);
  if (!allowed.ok()) return allowed;
  auto dims = DimsBy(laws.rule, request);
  if (!dims.ok() || !request.dims.empty()) return dims;
  const MadeBy made_by = WhoMade(about, laws.rule);
  if (made_by == MadeBy::kMpi) return dims;
  const std::vector<int64_t> mesh =
      MeshOfLaws(laws.root, laws.rule.ndims).value_or(std::vector<int64_t>());
  const Status others = CheckOtherRules(
      laws.rule,
      OtherRules(laws.rule, laws.sizes, mesh, made_by, request.ranks),
      laws.sizes, request);
  if (!others.ok()) return others;
  return dims;
}

Result<Trace> MakeTrace(const SymbolicLaws& laws, const Trace& base,
                        const ExtrapolationRequest& request,
                        std::vector<int64_t>* dims) {
  auto shape = TargetDims(laws, base.meta, request);
  if (!shape.ok()) return shape.status();
  *dims = *shape;
  const Status sides = CheckSides(laws, *shape);
  if (!sides.ok()) {
    std::vector<Dims> shapes = WithSidesKept(laws, *shape);
    if (request.dims.empty() && !shapes.empty()) {
      shapes.insert(shapes.begin(), *shape);
      TellShapes(request, shapes);
    }
    return sides;
  }
  auto root = Instantiate(laws.root, base.root, base.sites,
                          Grid{*shape, laws.rule.order});
  if (!root.ok()) return root.status();
  Trace made;
  made.meta = base.meta;
  MarkAsMadeAt(request.ranks, &made.meta);
  if (!made.meta.laws.empty()) made.meta.laws[0] += ": " + DimsText(*shape);
  made.sites = base.sites;
  made.root = std::move(*root);
  ScaleTimes(laws.times, base, &made);
  return made;
}

Status CheckTogether(const SymbolicLaws& laws, const Trace& base,
                     const ExtrapolationRequest& request, const Trace& made,
                     const Trace& recorded) {
  uint64_t left = kMostChecked;
  if (CountEvents(made) <= left) return CheckMessages(made, recorded);
  bool checked = false;
  // Twice as many, and as many as the sides of any grid double to.
  for (int64_t times = 2; times <= int64_t{1} << kMaxDims; times *= 2) {
    ExtrapolationRequest nearer = request;
    nearer.dims.clear();
    nearer.tell_shapes = {};
    nearer.ranks = times * base.meta.ranks;
    if (nearer.ranks >= request.ranks) break;
    std::vector<int64_t> dims;
    const auto trace = MakeTrace(laws, base, nearer, &dims);
    // Not every size is a square or a cube.
    if (!trace.ok()) continue;
    const uint64_t events = CountEvents(*trace);
    // The nearest is, however large the inputs are.
    if (checked && events > left) break;
    const Status together = CheckMessages(*trace, recorded);
    if (!together.ok()) return together;
    checked = true;
    left -= std::min(left, events);
  }
  const bool near = request.ranks <= 2 * base.meta.ranks;
  return checked || !near ? Status::Ok() : CheckMessages(made, recorded);
}

Trace AttachLaws(const SymbolicLaws& laws, const Trace& base) {
  Trace out = base;
  MarkAsMade(&out.meta);
  out.law_code = EncodeLaws(laws, base.root);
  return out;
}

Status SetLadder(TimeLadder ladder, const OwnLaws& own, Trace* symbolic) {
  auto laws = LawsOf(*symbolic, own);
  if (!laws.ok()) return laws.status();
  laws->times = std::move(ladder);
  symbolic->law_code = EncodeLaws(*laws, symbolic->root);
  return Status::Ok();
}

Result<std::vector<int64_t>> LadderSteps(const Trace& symbolic,
                                         const OwnLaws& own,
                                         std::vector<int64_t> measured,
                                         int64_t most) {
  const auto laws = LawsOf(symbolic, own);
  if (!laws.ok()) return laws.status();
  for (int64_t n = 2 * symbolic.meta.ranks; n <= most; n *= 2) {
    const std::vector<int64_t> near = laws->rule.GridFor(n)
                                          ? std::vector<int64_t>{n}
                                          : NearbySizes(laws->rule, n, 1);
    measured.insert(measured.end(), near.begin(), near.end());
  }
  std::ranges::sort(measured);
  measured.erase(std::unique(measured.begin(), measured.end()), measured.end());
  return measured;
}

bool IsSymbolic(const Trace& trace) { return CarriesLaws(trace); }

std::span<const std::string> ReadableLaws(const Trace& trace) {
  return LinesToRead(trace);
}

Result<Extrapolation> FromLaws(const Trace& symbolic,
                               const ExtrapolationRequest& request) {
  auto laws = LawsOf(symbolic, request.own_laws);
  if (!laws.ok()) return laws.status();
  Trace base = symbolic;
  DropCarriedLaws(&base);
  Extrapolation out;
  auto made = MakeTrace(*laws, base, request, &out.report.dims);
  if (!made.ok()) return made.status();
  std::vector<Grid> runs;
  for (const int64_t n : laws->sizes) {
    if (auto grid = laws->rule.GridFor(n)) runs.push_back(std::move(*grid));
  }
  // Laws of the first codings do not say of which runs they are.
  if (!runs.empty()) {
    const Status told = CheckDirections(
        laws->root, base.root, runs, Grid{out.report.dims, laws->rule.order});
    if (!told.ok()) return told;
  }
  const Status together =
      WithAdvice(CheckTogether(*laws, base, request, *made, base),
                 "attach laws of more or larger runs");
  if (!together.ok()) return together;
  out.report.held_out_ranks = symbolic.meta.ranks;
  out.report.exact = CountLaws(laws->root);
  out.report.laws = made->meta.laws;
  out.trace = std::move(*made);
  return out;
}

}  // namespace ranksight::online_model
