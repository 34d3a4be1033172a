#include "online_model/api/twin.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "online_model/synthesize/inputs.h"
#include "online_model/synthesize/message_check.h"
#include "online_model/synthesize/symbolic.h"
#include "online_model/synthesize/time_ladder.h"
#include "online_model/twin/held_out.h"
#include "online_model/twin/join_ranks.h"
#include "online_model/twin/laws_that_hold.h"
#include "online_model/twin/match_talks.h"
#include "online_model/twin/twin_trace.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

// recorded: the runs as they were, of one size maybe more than one.
std::vector<InputRun> ReadInputs(const std::vector<Trace>& traces,
                                 std::span<const Trace> recorded) {
  // Who talks to whom is the same whatever laws there are.
  const NodeLaw no_laws = NoLawsFor(traces.back().root);
  const TwinTree tree = TreeOf(traces.back().root, no_laws);
  std::vector<InputRun> inputs;
  for (const Trace& t : traces) {
    inputs.push_back(ReadInput(t, tree));
    const auto run = std::ranges::find(
        recorded, t.meta.ranks, [](const Trace& r) { return r.meta.ranks; });
    MatchTalks(tree, *run, &inputs.back());
  }
  return inputs;
}

// All that a draw of the largest input depends on: on which grids laws were
// found, and what of them does not hold at the target.
using DrawKey = std::vector<int64_t>;

void AppendMissing(const NodeLaw& law, DrawKey* key) {
  key->push_back(law.trips_missing);
  key->insert(key->end(), law.missing.begin(), law.missing.end());
  for (const NodeLaw& child : law.children) AppendMissing(child, key);
}

DrawKey DrawKeyOf(const LawsThatHold& found) {
  DrawKey key;
  for (const Grid& grid : found.grids) {
    key.push_back(int64_t(grid.order));
    key.push_back(int64_t(grid.dims.size()));
    key.insert(key.end(), grid.dims.begin(), grid.dims.end());
  }
  AppendMissing(found.root, &key);
  for (const auto& [node, param] : found.rounded) {
    key.push_back(node);
    key.push_back(param);
  }
  return key;
}

// Or frees them.
bool MakesComms(const reduction::Node& root) {
  bool any = false;
  ForEachEvent(root, [&any](const reduction::Node& n) {
    any = any || reduction::Info(n.call).makes_comm ||
          n.call == reduction::Call::MPI_Comm_free_;
  });
  return any;
}

// What parts of the ranks call together, which some of them may not be in.
bool CallsOfParts(const reduction::Node& root) {
  bool any = false;
  ForEachEvent(root, [&any](const reduction::Node& n) {
    const auto& info = reduction::Info(n.call);
    const int comm = reduction::ParamPlace(n.call, reduction::Param::kComm);
    if (comm < 0 || info.family != reduction::Family::kCollective) return;
    for (const auto& [ranks, values] : n.params[size_t(comm)].ByRank()) {
      any = any || !values.IsConstant() || values.At(0) != 0;
    }
  });
  return any;
}

// Laws on what has none count as none, but for one number for all; how many
// did.
uint64_t ForgetBelow(NodeLaw* law) {
  uint64_t forgotten = 0;
  for (size_t i = 0; i < law->params.size(); ++i) {
    if (law->absent[i] || law->missing[i] || law->params[i].IsOneNumber())
      continue;
    law->missing[i] = true;
    ++forgotten;
  }
  for (NodeLaw& child : law->children) {
    forgotten += !child.trips_missing && !child.trips.IsOneNumber();
    child.trips_missing |= !child.trips.IsOneNumber();
    forgotten += ForgetBelow(&child);
  }
  return forgotten;
}

// How often communicators are made, and the loops around that, has no law
// unless it is one number for all: of those that are drawn each rank has as
// many as its like. of_parts: so it is of what parts of the ranks call.
uint64_t ForgetMakers(const reduction::Node& node, bool of_parts,
                      NodeLaw* law) {
  uint64_t forgotten = 0;
  for (size_t c = 0; c < node.children.size(); ++c) {
    const reduction::Node& child = node.children[c];
    NodeLaw* of = &law->children[c];
    if (!of->trips_missing && !of->trips.IsOneNumber() &&
        (MakesComms(child) || (of_parts && CallsOfParts(child)))) {
      of->trips_missing = true;
      forgotten += 1 + ForgetBelow(of);
    } else {
      forgotten += ForgetMakers(child, of_parts, of);
    }
  }
  return forgotten;
}

// Parameters that have a law, of calls that are drawn all the same.
uint64_t LawsPassedOver(const TwinTree& tree) {
  uint64_t laws = 0;
  for (const TwinTree::Item& item : tree.nodes) {
    if (!item.is_drawn) continue;
    for (size_t i = 0; i < item.law->params.size(); ++i) {
      laws += !item.law->absent[i] && !item.law->missing[i];
    }
  }
  return laws;
}

// Messages of more events than this are not read one by one: about 2 GB.
constexpr uint64_t kMostRead = 8'000'000;

}  // namespace

struct TwinMaker::Impl {
  std::vector<Trace> traces;  // by size
  std::optional<LawsByGrid> laws;
  std::vector<InputRun> runs;
  std::map<DrawKey, Result<HeldOutBySite>> held_out;
  bool draws_all = false;  // messages, whatever laws these have
  bool draws_together = false;
  bool draws_collectives = false;  // what ranks give in them
  bool sets_apart = false;         // what blocks
  bool likens_callers = false;     // of what parts of the ranks call

  const Trace& base() const { return traces.back(); }
  // How many laws count as none then.
  uint64_t Forget(LawsThatHold* laws) const {
    const uint64_t forgotten =
        ForgetMakers(base().root, likens_callers, &laws->root);
    laws->exact -= std::min(laws->exact, forgotten);
    laws->missing += forgotten;
    return forgotten;
  }
  // The tree of all, with these laws; the runs then stand on their grids.
  TwinTree TreeFor(const LawsThatHold& found, bool draws_all) {
    for (size_t i = 0; i < runs.size(); ++i) {
      runs[i].sides = found.grids[i].dims;
    }
    TwinTree tree = TreeOf(base().root, found.root);
    tree.draws_together = draws_together;
    tree.draws_lists = draws_collectives;
    tree.sets_apart = sets_apart;
    for (TwinTree::Item& item : tree.nodes) {
      item.vanishes =
          item.like->is_event() && found.vanishing.contains(SiteOf(*item.like));
      item.is_drawn = draws_all && item.like->is_event() &&
                      reduction::MessageKindOf(item.like->call) !=
                          reduction::MessageKind::kNone;
    }
    for (const auto& [node, param] : found.rounded) {
      tree.nodes[size_t(node)].is_rounded = true;
    }
    return tree;
  }
  // Drawn once for what it depends on, whatever is drawn by it.
  const Result<HeldOutBySite>& HoldOut(const TwinTree& tree,
                                       const LawsThatHold& found,
                                       bool draws_all) {
    DrawKey key = DrawKeyOf(found);
    key.push_back(draws_all);
    key.push_back(draws_together);
    key.push_back(draws_collectives);
    key.push_back(sets_apart);
    const auto known = held_out.find(key);
    if (known != held_out.end()) return known->second;
    return held_out.emplace(std::move(key), OffAtLargest(tree, found))
        .first->second;
  }
  // The first so many runs without the last of them, which is drawn.
  Result<DrawnHeldOut> DrawLastOf(size_t count, const TwinTree& tree,
                                  const LawsThatHold& found) {
    std::vector<InputRun> rest;
    std::move(runs.begin() + ptrdiff_t(count), runs.end(),
              std::back_inserter(rest));
    InputRun is = std::move(runs[count - 1]);
    runs.resize(count - 1);
    // Of one seed, so that no other gets through by chance.
    auto drawn = DrawHeldOut(tree, traces[count - 1], is,
                             found.grids[count - 1], &runs, 1);
    runs.push_back(std::move(is));
    std::move(rest.begin(), rest.end(), std::back_inserter(runs));
    return drawn;
  }
  Result<HeldOutBySite> OffAtLargest(const TwinTree& tree,
                                     const LawsThatHold& found);
  Result<Trace> MakeHeldOut(const TwinTree& tree, const Grid& grid,
                            uint64_t seed);
  // *contradicts: whether ends of messages do not go together.
  Result<Extrapolation> Make(const LawsThatHold& found,
                             const ExtrapolationRequest& request,
                             bool draws_all, bool* contradicts);
  // passed_over: parameters that have a law and are drawn all the same.
  void Finish(const LawsThatHold& found, uint64_t passed_over,
              Extrapolation* out) const;
};

// The largest run may be the first to show something, a side of the grid that
// is cut or a branch of the program. Where the one before it is about as it is
// drawn, such programs have an estimate: as wide as the largest run was off.
Result<HeldOutBySite> TwinMaker::Impl::OffAtLargest(const TwinTree& tree,
                                                    const LawsThatHold& found) {
  const auto largest = DrawLastOf(runs.size(), tree, found);
  if (!largest.ok()) return largest.status();
  if (!largest->parts.ok()) return largest->parts;
  if (largest->messages.ok()) return largest->off;
  if (runs.size() < 4) return largest->messages;
  const auto before = DrawLastOf(runs.size() - 1, tree, found);
  const bool is_near =
      before.ok() && before->parts.ok() && before->messages.ok();
  if (!is_near) return largest->messages;
  return largest->off;
}

Result<Trace> TwinMaker::Impl::MakeHeldOut(const TwinTree& tree,
                                           const Grid& grid, uint64_t seed) {
  const InputRun held_out = std::move(runs.back());
  runs.pop_back();
  EdgeStore store;
  const auto plan = PlanTwin(tree, base().sites, &runs, grid, seed, &store);
  auto made =
      plan.ok() ? MakeTwinTrace(*plan, base(), grid, false) : plan.status();
  runs.push_back(held_out);
  if (!made.ok()) return made.status();
  Trace& trace = made->trace;
  NumberSitesAs(base().sites, &trace);
  trace.meta = base().meta;
  ScaleTimes({}, base(), &trace);
  return std::move(trace);
}

// Meta, times and report of a trace that has its events.
void TwinMaker::Impl::Finish(const LawsThatHold& found, uint64_t passed_over,
                             Extrapolation* out) const {
  Trace& made = out->trace;
  SetMetaOfTwin(base(), found.target.ranks(), out);
  made.meta.laws = {"ranks form a grid: " + DimsText(found.target.dims)};
  DescribeLaws(found.root, base().root, base().sites, &made.meta.laws);
  out->report.laws = made.meta.laws;
  out->report.held_out_ranks = base().meta.ranks;
  out->report.dims = found.target.dims;
  out->report.exact = found.exact - std::min(found.exact, passed_over);
  out->report.estimated = found.missing + passed_over;
}

Result<Extrapolation> TwinMaker::Impl::Make(const LawsThatHold& found,
                                            const ExtrapolationRequest& request,
                                            bool draws_all, bool* contradicts) {
  const TwinTree tree = TreeFor(found, draws_all);
  const Result<HeldOutBySite>& off = HoldOut(tree, found, draws_all);
  if (!off.ok()) return off.status();
  EdgeStore store;
  const auto plan =
      PlanTwin(tree, base().sites, &runs, found.target, request.seed, &store);
  if (!plan.ok()) return plan.status();
  auto made = MakeTwinTrace(*plan, base(), found.target,
                            request.own_laws.empty(), request.tell_twin);
  if (!made.ok()) return made.status();
  if (request.tell_twin) request.tell_twin(TwinStep::kComparing, 0);
  const Status together = WithAdvice(CheckMessages(made->trace, base()),
                                     "give more or larger inputs");
  *contradicts = together.code() == reduction::StatusCode::kNo;
  if (!together.ok()) return together;
  Extrapolation out;
  out.trace = std::move(made->trace);
  out.report.estimates = EstimatesOf(tree, *plan, runs, base().sites, *made,
                                     *off, found.vanishing);
  Finish(found, LawsPassedOver(tree) + plan->by_like.size(), &out);
  return out;
}

TwinMaker::TwinMaker(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TwinMaker::TwinMaker(TwinMaker&&) noexcept = default;
TwinMaker& TwinMaker::operator=(TwinMaker&&) noexcept = default;
TwinMaker::~TwinMaker() = default;

Result<TwinMaker> TwinMaker::Of(std::span<const Trace> inputs,
                                const ExtrapolationRequest& request) {
  auto aligned = AlignedInputs(inputs, 1);
  if (!aligned.ok()) return aligned.status();
  auto impl = std::make_unique<Impl>();
  impl->traces = std::move(*aligned);
  if (CountEvents(impl->base()) > kMostRead) {
    return Status::No("the largest input has more than " +
                      std::to_string(kMostRead) +
                      " events, too many to draw others like them");
  }
  impl->laws.emplace(impl->traces, request);
  impl->runs = ReadInputs(impl->traces, inputs);
  return TwinMaker(std::move(impl));
}

Result<Extrapolation> TwinMaker::Make(const ExtrapolationRequest& request) {
  if (request.ranks < 1) return Status::Usage("the target needs a rank");
  const auto& found = impl_->laws->At(request);
  if (!found.ok()) return found.status();
  bool contradicts = false;
  LawsThatHold fewer = *found;
  const uint64_t forgotten = impl_->Forget(&fewer);
  const LawsThatHold& first = impl_->likens_callers ? fewer : *found;
  auto made = impl_->Make(first, request, impl_->draws_all, &contradicts);
  if (!contradicts) return made;
  // Laws that do not go together say less than a draw of both ends.
  if (!impl_->draws_all) {
    auto drawn = impl_->Make(first, request, true, &contradicts);
    if (drawn.ok()) return drawn;
  }
  // Nor can ranks have more communicators than those that they are like, or
  // hear from others in loops that they do not run.
  const bool was_apart = impl_->sets_apart;
  for (const bool apart : {was_apart, true}) {
    impl_->sets_apart = apart;
    for (const bool draws_all : {impl_->draws_all, true}) {
      const bool was_tried =
          (forgotten == 0 || impl_->likens_callers) && apart == was_apart;
      if (was_tried) continue;
      auto drawn = impl_->Make(fewer, request, draws_all, &contradicts);
      if (drawn.ok()) return drawn;
      if (draws_all) break;
    }
    if (was_apart) break;
  }
  impl_->sets_apart = was_apart;
  return made;
}

bool TwinMaker::HasGridFor(const ExtrapolationRequest& request) const {
  return impl_->laws->HasGridFor(request);
}
void TwinMaker::DrawAllMessages() { impl_->draws_all = true; }
void TwinMaker::DrawCollectives() { impl_->draws_collectives = true; }
void TwinMaker::SetApart(bool apart) { impl_->sets_apart = apart; }
void TwinMaker::LikenCallers() { impl_->likens_callers = true; }
void TwinMaker::DrawTogether(bool together) {
  impl_->draws_together = together;
}

Result<Trace> TwinMaker::MakeHeldOut(uint64_t seed) {
  ExtrapolationRequest request;
  request.ranks = impl_->base().meta.ranks;
  const auto& found = impl_->laws->At(request);
  if (!found.ok()) return found.status();
  LawsThatHold laws = *found;
  if (impl_->likens_callers) impl_->Forget(&laws);
  const TwinTree tree = impl_->TreeFor(laws, impl_->draws_all);
  return impl_->MakeHeldOut(tree, laws.grids.back(), seed);
}

Result<Extrapolation> MakeTwin(std::span<const Trace> inputs,
                               const ExtrapolationRequest& request) {
  auto maker = TwinMaker::Of(inputs, request);
  if (!maker.ok()) return maker.status();
  return maker->Make(request);
}

}  // namespace ranksight::online_model
