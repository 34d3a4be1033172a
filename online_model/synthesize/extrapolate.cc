#include "online_model/api/extrapolate.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "online_model/parse/parse.h"
#include "online_model/structure/rival_rules.h"
#include "online_model/synthesize/check_directions.h"
#include "online_model/synthesize/check_restarts.h"
#include "online_model/synthesize/check_shares.h"
#include "online_model/synthesize/inputs.h"
#include "online_model/synthesize/mesh_of_laws.h"
#include "online_model/synthesize/message_check.h"
#include "online_model/synthesize/new_sides.h"
#include "online_model/synthesize/node_law.h"
#include "online_model/synthesize/run_searches.h"
#include "online_model/synthesize/same_streams.h"
#include "online_model/synthesize/see_lines.h"
#include "online_model/synthesize/see_peers.h"
#include "online_model/synthesize/symbolic.h"
#include "online_model/synthesize/telling_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

// What laws are searched in: the same by every rule. parse: which of kParses
// made the trees, counted from 1; 0: they are as recorded.
struct Inputs {
  const std::vector<Trace>& traces;
  const ExtrapolationRequest& request;
  RunSearches* searches;  // of these runs, or nullptr
  int parse = 0;
  std::vector<SeenPeers> peers = SeePeers(traces);
  Shapes lines = SeeLines(traces);
};

// Where a run is held out, the search in all of them is the second of two.
ExtrapolationRequest SecondOf(const ExtrapolationRequest& request) {
  return request.hold_out ? PartOf(request, 0.5, 0.5) : request;
}

// Where nothing is held out: why all inputs but the largest have no laws by
// this rule, where that was asked before. Such laws need not be certain
// (FindLaws), so that any of all inputs would have been found. OK where it is
// not known.
Status WhyNoneOfFewer(const DimsRule& rule, const Inputs& inputs,
                      uint64_t* found) {
  const auto& [traces, request, searches, parse, peers, lines] = inputs;
  if (request.hold_out || searches == nullptr) return Status::Ok();
  const std::span<const Trace> fewer(traces.data(), traces.size() - 1);
  const auto known = searches->Find(
      {GridsOf(rule, fewer), parse, false, false, request.own_laws});
  if (known == nullptr || known->laws.ok()) return Status::Ok();
  *found = known->found;
  return known->laws.status();
}

// Of all runs but one: laws, and what they predict of that one, compared.
struct Prediction {
  Result<uint64_t> events;           // compared and equal
  std::optional<NodeLaw> laws = {};  // where the run is another
};

// *found: laws before the first that is missing.
Prediction PredictRun(size_t held_out, const DimsRule& rule,
                      const Inputs& inputs, uint64_t* found) {
  const auto& [traces, request, searches, parse, peers, lines] = inputs;
  std::vector<Trace> others;
  std::span<const Trace> known(traces.data(), traces.size() - 1);
  if (held_out + 1 < traces.size()) {
    others.assign(traces.begin(), traces.end());
    others.erase(others.begin() + ptrdiff_t(held_out));
    known = others;
  }
  auto law = KnownOrFoundLaws(searches, known, GridsOf(rule, known),
                              PartOf(request, 0, 0.5), parse, false, found);
  if (!law.ok()) return {law.status()};
  const Trace& run = traces[held_out];
  const auto predicted =
      InstantiateTrace(*law, run, *rule.GridFor(run.meta.ranks));
  auto same = predicted.ok() ? CompareStreams(*predicted, run)
                             : Result<uint64_t>(predicted.status());
  if (same.ok()) return {std::move(same)};
  if (predicted.ok() && same.status().code() == reduction::StatusCode::kNo) {
    same = Status::No("held-out run of " + std::to_string(run.meta.ranks) +
                      " ranks: " + same.status().message() +
                      "; a run of another size may tell more");
  }
  return {std::move(same), std::move(*law)};
}

// Of a grid that no rule gave, or one by some mesh or other, where the laws say
// which mesh it is.
void TakeRuleOfMesh(SymbolicLaws* laws) {
  DimsRule& rule = laws->rule;
  if (rule.kind != DimsRule::Kind::kGiven && !rule.IsByMesh()) return;
  const auto mesh = MeshOfLaws(laws->root, rule.ndims);
  if (!mesh) return;
  const auto rules = RulesOfMesh(*mesh, rule, laws->sizes);
  if (!rules.empty()) rule = rules[0];
}

// Why laws contradict each other at the target: most often a side that all runs
// have alike, so that the ways along it may look the same.
Status WithSide(const Status& contradiction, std::span<const Grid> grids,
                const std::vector<int64_t>& dims) {
  if (contradiction.code() != reduction::StatusCode::kNo) return contradiction;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t only = grids[0].dims[d];
    const bool same =
        std::all_of(grids.begin(), grids.end(),
                    [&](const Grid& g) { return g.dims[d] == only; });
    if (!same || only == dims[d]) continue;
    return Status::No("side " + std::to_string(d) + " of the grid is " +
                      std::to_string(only) + " in all runs and would be " +
                      std::to_string(dims[d]) + ": " + contradiction.message() +
                      "; a run in which that side is another may tell more");
  }
  return WithAdvice(contradiction, "give more or larger inputs");
}

// kNo where what the runs show of what begins again, of shares or of directions
// leaves open what there is on the target.
Status CheckLawsAt(const SymbolicLaws& laws, const Trace& like,
                   std::span<const Grid> runs, const Grid& target) {
  Status told = CheckRestarts(laws.root, like.root, runs, target);
  if (told.ok()) told = CheckShares(laws.root, like.root, runs, target);
  if (told.ok()) told = CheckDirections(laws.root, like.root, runs, target);
  return told;
}

// kNo where what the runs show of their grid, of what begins again or of shares
// does not tell what there is on a grid of these sides.
Status CheckTarget(const SymbolicLaws& laws, std::span<const Trace> traces,
                   std::span<const SeenPeers> peers,
                   const std::vector<int64_t>& dims,
                   const ExtrapolationRequest& request) {
  Status told = CheckSidesTaken(laws.rule, traces, peers, request);
  if (told.ok()) told = CheckHiddenSide(laws.rule, traces, peers, request);
  if (told.ok()) told = CheckSidesUsed(laws, traces, peers, request);
  if (!told.ok()) return told;
  return CheckLawsAt(laws, traces.back(), GridsOf(laws.rule, traces),
                     Grid{dims, laws.rule.order});
}

// The trace, or for a symbolic one the laws, with what is said of it.
Result<Extrapolation> MakeAt(const SymbolicLaws& laws,
                             std::span<const Trace> traces,
                             const std::vector<int64_t>& dims,
                             const ExtrapolationRequest& request) {
  Trace base = traces.back();
  base.meta.job += "-to-" + std::to_string(request.ranks);
  base.meta.laws = {"ranks form a " + laws.rule.ToString()};
  DescribeLaws(laws.root, base.root, base.sites, &base.meta.laws);
  Extrapolation out;
  out.report.held_out_ranks = base.meta.ranks;
  out.report.exact = CountLaws(laws.root);
  auto made = MakeTrace(laws, base, request, &out.report.dims);
  if (!made.ok()) return made.status();
  const Status together =
      CheckTogether(laws, base, request, *made, traces.back());
  if (!together.ok()) {
    return WithSide(together, GridsOf(laws.rule, traces), dims);
  }
  out.report.laws = made->meta.laws;
  out.trace = request.symbolic ? AttachLaws(laws, base) : std::move(*made);
  return out;
}

// Whether a side is one rank long there and longer in all runs.
bool HasNewEmptySide(const Grid& at, std::span<const Grid> runs) {
  for (size_t d = 0; d < at.dims.size(); ++d) {
    const bool is_new =
        at.dims[d] == 1 && std::ranges::all_of(runs, [d](const Grid& run) {
          return run.dims[d] > 1;
        });
    if (is_new) return true;
  }
  return false;
}

// With the least run at which the same is open as at the target, which has
// these sides; where something is.
Status WithRunThatTells(const Status& refusal, const SymbolicLaws& laws,
                        std::span<const Trace> traces,
                        const std::vector<int64_t>& dims,
                        const ExtrapolationRequest& request) {
  if (!AreOpenAlike(refusal, refusal)) return refusal;
  const std::vector<Grid> grids = GridsOf(laws.rule, traces);
  const Trace& like = traces.back();
  const auto is_checked = [&](const Grid& at) {
    return AreOpenAlike(refusal, CheckSides(laws, at.dims)) ||
           AreOpenAlike(refusal, CheckLawsAt(laws, like, grids, at));
  };
  // Else it is a value that the laws give, or do not.
  const bool by_checks = is_checked(Grid{dims, laws.rule.order});
  const auto tells = [&](int64_t ranks) {
    const auto at = laws.rule.GridFor(ranks);
    if (!at || !CheckRankCount(laws, ranks).ok()) return false;
    if (HasNewEmptySide(*at, grids)) return false;
    if (request.stop && !request.stop().ok()) return false;
    if (by_checks) return is_checked(*at);
    return AreOpenAlike(
        refusal, Instantiate(laws.root, like.root, like.sites, *at).status());
  };
  return WithTellingRun(refusal, TellingRun(laws.sizes, request.ranks, tells));
}

struct Made {
  Extrapolation extrapolation;
  SymbolicLaws laws;
  double cost = 0;        // of its laws (CostOf)
  bool doubtful = false;  // another rule may have shorter ones
};

// Laws of all runs but the largest, which they do not predict.
struct OfFewer {
  const NodeLaw& laws;
  bool from_one;  // sides of one rank in all these may be new (new_sides.h)
};

// fewer: those whose laws must be those of all but for what the largest run
// alone shows (new_sides.h); or nullptr. *no_such_size: set where
// there are laws, which hold at no such rank count. *found: laws before the
// first that is missing; kAllLaws where the grid at the target is not certain,
// so that a simpler one may still do. *has_laws: set where there are laws.
constexpr uint64_t kAllLaws = std::numeric_limits<uint64_t>::max() - 1;
Result<Made> Build(const DimsRule& rule, const Inputs& inputs, uint64_t events,
                   const OfFewer* fewer, bool* no_such_size, uint64_t* found,
                   bool* has_laws) {
  const auto& [traces, request, searches, parse, peers, lines] = inputs;
  const Status none = WhyNoneOfFewer(rule, inputs, found);
  if (!none.ok()) return none;
  const std::vector<Grid> grids = GridsOf(rule, traces);
  auto root = KnownOrFoundLaws(searches, traces, grids, SecondOf(request),
                               parse, true, found);
  if (!root.ok()) return root.status();
  if (fewer != nullptr) {
    const Status goes_on = CheckAgainstFewer(*root, fewer->laws, traces.back(),
                                             grids, fewer->from_one);
    if (!goes_on.ok()) return goes_on;
  }
  *has_laws = true;
  SymbolicLaws laws;
  laws.rule = rule;
  laws.root = std::move(*root);
  laws.sizes = SizesOf(traces);
  TakeRuleOfMesh(&laws);
  laws.only_sides = OnlySides(laws.root, traces.back().root, grids);
  laws.powers_of_two = OnlyPowersOfTwo(laws.root, grids);
  const auto dims = TargetDims(laws, traces.back().meta, request);
  if (!dims.ok()) {
    const bool other_rules = CheckRankCount(laws, request.ranks).ok() &&
                             laws.rule.GridFor(request.ranks);
    *no_such_size = !other_rules;
    if (other_rules) *found = kAllLaws;
    return dims.status();
  }
  Status told = CheckTarget(laws, traces, peers, *dims, request);
  if (told.ok() && fewer != nullptr) told = CheckFromOne(grids, *dims);
  if (!told.ok()) {
    *no_such_size = true;
    return WithRunThatTells(told, laws, traces, *dims, request);
  }
  auto made = MakeAt(laws, traces, *dims, request);
  if (!made.ok()) {
    return WithRunThatTells(made.status(), laws, traces, *dims, request);
  }
  made->report.held_out_events = events;
  const double cost = CostOf(laws.root);
  const bool doubtful = ShiftsRanks(laws.root);
  return Made{std::move(*made), std::move(laws), cost, doubtful};
}

Status Stopped(const ExtrapolationRequest& request) {
  return request.stop ? request.stop() : Status::Ok();
}

// Of the rules that fail, the one that explained most gives the reason.
struct Refusal {
  std::string reason = "the rank counts fit no grid";
  uint64_t most = 0;  // laws found, and one
};

// What is known of rules that give no trace.
struct Explained {
  bool runs = false;  // some have laws, which hold at the held-out run
  bool all_but_target = false;  // but not which grid there is at the target
  bool near = false;            // nor that, where all peers are next to a rank
  bool no_such_size = false;    // or at no such rank count
  // Laws of all runs but the largest, which is not as these say.
  std::optional<NodeLaw> fewer = std::nullopt;
};

// By one rule. Where that fails, *refusal may take its reason.
Result<Made> ByRule(const DimsRule& rule, const Inputs& inputs,
                    Refusal* refusal, Explained* explained) {
  uint64_t found = 0, events = 0;
  Status why = Status::Ok();
  if (inputs.request.hold_out) {
    auto predicted = PredictRun(inputs.traces.size() - 1, rule, inputs, &found);
    why = predicted.events.status();
    if (predicted.events.ok()) events = *predicted.events;
    explained->fewer = std::move(predicted.laws);
  }
  if (why.ok()) {
    auto built = Build(rule, inputs, events, nullptr, &explained->no_such_size,
                       &found, &explained->runs);
    if (built.ok() || explained->no_such_size) return built;
    why = built.status();
    explained->all_but_target = found == kAllLaws;
    // No rule whose laws fail at the runs explains as much.
    if (explained->runs) found = kAllLaws;
  }
  if (found >= refusal->most) {
    refusal->most = found + 1;
    refusal->reason = "as a " + rule.ToString() + ": " + why.message();
  }
  return Status::No(refusal->reason);
}

// What shows that a grid is the program's.
enum class ShownBy {
  kNothing,
  kProgram,  // it says so, or cuts its communicators along it
  kPeers,    // all ranks talk to those next to them, and no further
};

ShownBy WhoShows(const DimsRule& rule, const Inputs& inputs) {
  const auto& [traces, request, searches, parse, peers, lines] = inputs;
  if (rule.ndims < 2) return ShownBy::kNothing;
  const bool by_lines =
      !lines.empty() && std::all_of(lines.begin(), lines.end(), [&](auto& l) {
        return rule.DimsFor(l.first) == l.second;
      });
  if (by_lines || IsGridKnown(rule, traces, request)) return ShownBy::kProgram;
  return AreAllNear(rule, peers) && AreAllNextPeers(rule, peers)
             ? ShownBy::kPeers
             : ShownBy::kNothing;
}

// Laws of all runs but the largest, which they do not predict; or of a line
// that these have none.
struct Unpredicted {
  DimsRule rule;
  std::optional<NodeLaw> fewer;
};

// By a rule, where a side of its grid is longer in the largest run than in all
// others, and these do not say how laws go on along it: that run does. One that
// the program shows comes before those that peers show; of several by none.
// Nothing where there is none.
std::optional<Result<Made>> ByLargest(
    const std::vector<Unpredicted>& unpredicted, const Inputs& inputs,
    Explained* explained) {
  for (const ShownBy by : {ShownBy::kProgram, ShownBy::kPeers}) {
    std::optional<Result<Made>> only;
    for (const auto& [rule, fewer] : unpredicted) {
      const bool from_one = by == ShownBy::kProgram;
      const bool may_be = fewer &&
                          HasNewSide(GridsOf(rule, inputs.traces), from_one) &&
                          WhoShows(rule, inputs) == by;
      if (!may_be || !Stopped(inputs.request).ok()) continue;
      uint64_t found = 0;
      Explained of_rule;
      const OfFewer of_fewer{*fewer, from_one};
      auto made = Build(rule, inputs, 0, &of_fewer, &of_rule.no_such_size,
                        &found, &of_rule.runs);
      if (!made.ok() && !of_rule.runs) continue;
      if (only) return std::nullopt;
      of_rule.all_but_target = found == kAllLaws;
      *explained = of_rule;
      if (made.ok()) made->extrapolation.report.by_held_out = true;
      only = std::move(made);
    }
    if (only) return only;
  }
  return std::nullopt;
}

// To find laws on, to choose among these, and to hold out.
constexpr size_t kFewestToChoose = 4;

// By a rule, where laws of all runs but the second largest predict that one:
// the largest alone shows a number that fewer do not tell apart. Of a line, or
// of a grid that something shows: by others it may do so by chance. Nothing
// where that is by none, by several, or where no time was left to look.
std::optional<Result<Made>> ByOthers(
    const std::vector<Unpredicted>& unpredicted, const Inputs& inputs,
    Explained* explained) {
  const auto& [traces, request, searches, parse, peers, lines] = inputs;
  if (request.strict || traces.size() < kFewestToChoose) return std::nullopt;
  const size_t held_out = traces.size() - 2;
  std::optional<Result<Made>> only;
  for (const auto& [rule, fewer] : unpredicted) {
    const bool may_be =
        rule.ndims == 1 || WhoShows(rule, inputs) != ShownBy::kNothing;
    if (!may_be) continue;
    uint64_t found = 0;
    const auto events = PredictRun(held_out, rule, inputs, &found).events;
    if (!events.ok()) continue;
    Explained of_rule;
    auto made = Build(rule, inputs, *events, nullptr, &of_rule.no_such_size,
                      &found, &of_rule.runs);
    if (!made.ok() && !of_rule.runs) continue;
    if (only) return std::nullopt;
    of_rule.all_but_target = found == kAllLaws;
    *explained = of_rule;
    if (made.ok()) {
      ExtrapolationReport& report = made->extrapolation.report;
      report.held_out_ranks = traces[held_out].meta.ranks;
      report.by_all_others = true;
    }
    only = std::move(made);
  }
  if (!Stopped(request).ok()) return std::nullopt;
  return only;
}

// By a grid of more sides along which all peers are next to their ranks, where
// there is one that explains the runs: it is the program's, also where it is
// not told what it is at the target. Nothing where there is none. most_sides:
// of those that are tried.
std::optional<Result<Made>> ByNearerRules(const DimsRule& rule,
                                          const Inputs& inputs, int most_sides,
                                          Explained* explained) {
  const auto& [traces, request, searches, parse, peers, lines] = inputs;
  if (IsGridKnown(rule, traces, request)) return std::nullopt;
  for (const DimsRule& nearer : NearerRules(rule, SizesOf(traces), peers)) {
    if (nearer.ndims > most_sides) continue;
    if (const Status s = Stopped(request); !s.ok()) return s;
    Refusal refusal;
    Explained of_rule;
    auto made = ByRule(nearer, inputs, &refusal, &of_rule);
    if (!made.ok() && !of_rule.runs) continue;
    *explained = of_rule;
    return made;
  }
  return std::nullopt;
}

// By the first rule that all laws can be found with; where these are doubtful,
// by the one with the shortest laws. *explained: of any that gives none.
Result<Made> ByRules(const Inputs& inputs, Explained* explained) {
  Refusal refusal;
  std::optional<Made> best;
  DimsRule best_rule;
  std::vector<Unpredicted> unpredicted;
  // Sides of a grid that explains all, though what it is at the target is not
  // certain. One of more sides explains more by chance.
  int fewest_sides = kMaxDims;
  for (const DimsRule& rule :
       RulesFor(inputs.traces, inputs.peers, inputs.lines,
                inputs.request.input_dims)) {
    if (rule.ndims > fewest_sides) continue;
    // What is doubtful is not taken for want of time.
    if (const Status s = Stopped(inputs.request); !s.ok()) {
      const bool is_said = refusal.reason.ends_with(s.message());
      if (refusal.most == 0) return s;
      return Status::No(refusal.reason + (is_said ? "" : "; " + s.message()));
    }
    Explained of_rule;
    auto made = ByRule(rule, inputs, &refusal, &of_rule);
    explained->runs = explained->runs || of_rule.runs;
    if (of_rule.fewer || (rule.ndims == 1 && !of_rule.runs)) {
      unpredicted.push_back({rule, std::move(of_rule.fewer)});
    }
    if (of_rule.all_but_target) {
      explained->all_but_target = true;
      fewest_sides = rule.ndims;
      explained->near =
          explained->near || (AreAllNear(rule, inputs.peers) &&
                              AreSidesTakenEverywhere(rule, inputs.peers));
    }
    if (of_rule.no_such_size && !best) {
      explained->no_such_size = true;
      return made.status();
    }
    if (!made.ok()) continue;
    if (!best || made->cost < best->cost) {
      best = std::move(*made);
      best_rule = rule;
    }
    if (!best->doubtful) break;
  }
  // A line whose ranks talk two places on is a plane of two columns that was
  // not told apart from others.
  const bool is_plane =
      best && explained->near && !AreAllNear(best_rule, inputs.peers);
  if (!best && !explained->all_but_target) {
    auto by_largest = ByLargest(unpredicted, inputs, explained);
    if (by_largest) return std::move(*by_largest);
    if (!explained->runs) {
      auto by_others = ByOthers(unpredicted, inputs, explained);
      if (by_others) return std::move(*by_others);
    }
  }
  if (!best || is_plane) return Status::No(refusal.reason);
  auto nearer = ByNearerRules(best_rule, inputs, fewest_sides, explained);
  if (nearer && !nearer->ok()) return nearer->status();
  return std::move(nearer ? **nearer : *best);
}

// Ways to parse the traces again, one after the other: each goes by the events
// alone, whatever tree they were in before.
struct Parse {
  TagKinds tags;
  IterationBody body;
  Nesting nesting;
};
constexpr std::array<Parse, 8> kParses{
    {{TagKinds::kFew, IterationBody::kAll, Nesting::kRepeated},
     {TagKinds::kFew, IterationBody::kAllOfRank, Nesting::kRepeated},
     {TagKinds::kFewAndAlways, IterationBody::kAll, Nesting::kRepeated},
     {TagKinds::kFew, IterationBody::kOneChain, Nesting::kRepeated},
     {TagKinds::kFew, IterationBody::kAll, Nesting::kRepeatedAndRuns},
     {TagKinds::kFew, IterationBody::kAll, Nesting::kRepeatedAndInner},
     {TagKinds::kFewAndAlways, IterationBody::kAll, Nesting::kRepeatedAndInner},
     {TagKinds::kFew, IterationBody::kOneChainOfRank, Nesting::kRepeated}}};

// Whether some rule has laws, whatever they leave open.
bool HasLaws(const Explained& explained) {
  return explained.runs || explained.no_such_size || explained.all_but_target;
}

// *traces: the inputs, aligned, in the laws' tree. *has_laws: set where laws
// were found in any tree, though there is no trace.
Result<Made> Search(std::span<const Trace> inputs,
                    const ExtrapolationRequest& request,
                    std::vector<Trace>* traces, bool* has_laws) {
  auto aligned = AlignedInputs(inputs, request.ranks);
  if (!aligned.ok()) return aligned.status();
  *traces = std::move(*aligned);
  const auto searches = SearchesOf(request, *traces);
  Explained explained;
  auto made = ByRules({*traces, request, searches.get()}, &explained);
  *has_laws = HasLaws(explained);
  int parse = 0;
  // What there is at the target no other tree could tell. The first one says it
  // where peers show the grid.
  bool is_said = explained.no_such_size || explained.near;
  for (const auto& [tags, body, nesting] : kParses) {
    ++parse;
    if (made.ok() || is_said || !Stopped(request).ok()) break;
    if (!ParseAgain(*traces, tags, body, nesting).ok()) continue;
    explained = {};
    auto again = ByRules({*traces, request, searches.get(), parse}, &explained);
    *has_laws = *has_laws || HasLaws(explained);
    is_said = explained.no_such_size || explained.all_but_target;
    if (again.ok() || HasLaws(explained)) made = std::move(again);
  }
  return made;
}

// As Search, in all inputs but those on the fewest ranks, where enough are
// left: a program whose rounds are as many as its ranks, but five at most, goes
// another way on four. Nothing where that gives no laws, or for a target that
// may go that way, too: any, where laws are asked for.
std::optional<Result<Made>> SearchWithoutSmallest(
    std::span<const Trace> inputs, const ExtrapolationRequest& request) {
  std::set<int64_t> sizes;
  for (const Trace& t : inputs) sizes.insert(t.meta.ranks);
  if (sizes.size() <= kFewestToChoose || request.symbolic ||
      request.ranks < *std::next(sizes.begin())) {
    return std::nullopt;
  }
  const int64_t smallest = *sizes.begin();
  std::vector<Trace> larger, traces;
  std::ranges::copy_if(
      inputs, std::back_inserter(larger),
      [smallest](const Trace& t) { return t.meta.ranks > smallest; });
  // One doubt is enough.
  ExtrapolationRequest strictly = request;
  strictly.strict = true;
  bool has_laws = false;
  auto made = Search(larger, strictly, &traces, &has_laws);
  if (made.ok()) {
    made->extrapolation.report.left_out_ranks = smallest;
    return made;
  }
  if (!has_laws) return std::nullopt;
  return Status::No(
      "without the run of " + std::to_string(smallest) +
      " ranks, which no law explains: " + made.status().message());
}

}  // namespace

Result<FoundLaws> FindSymbolicLaws(std::span<const Trace> inputs,
                                   const ExtrapolationRequest& request) {
  std::vector<Trace> traces;
  bool has_laws = false;
  auto made = Search(inputs, request, &traces, &has_laws);
  if (!made.ok()) return made.status();
  return FoundLaws{std::move(made->laws), std::move(traces)};
}

Result<Extrapolation> ExtrapolateBy(const SymbolicLaws& laws,
                                    std::span<const Trace> traces,
                                    const ExtrapolationRequest& request) {
  const auto dims = TargetDims(laws, traces.back().meta, request);
  if (!dims.ok()) return dims.status();
  const auto peers = SeePeers(traces);
  const Status told = CheckTarget(laws, traces, peers, *dims, request);
  if (!told.ok()) return told;
  return MakeAt(laws, traces, *dims, request);
}

Result<Extrapolation> Extrapolate(std::span<const Trace> inputs,
                                  const ExtrapolationRequest& request) {
  std::vector<Trace> traces;
  bool has_laws = false;
  auto made = Search(inputs, request, &traces, &has_laws);
  const bool is_open = !made.ok() &&
                       made.status().code() == reduction::StatusCode::kNo &&
                       !has_laws && !request.strict;
  if (is_open && Stopped(request).ok()) {
    auto larger = SearchWithoutSmallest(inputs, request);
    if (larger) made = std::move(*larger);
  }
  if (!made.ok()) return made.status();
  return std::move(made->extrapolation);
}

}  // namespace ranksight::online_model
