#include "online_model/api/twin.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "online_model/synthesize/inputs.h"
#include "online_model/synthesize/message_check.h"
#include "online_model/synthesize/node_name.h"
#include "online_model/synthesize/symbolic.h"
#include "online_model/synthesize/time_ladder.h"
#include "online_model/twin/laws_that_hold.h"
#include "online_model/twin/plan.h"
#include "reduction/api/condense.h"
#include "reduction/api/folder.h"
#include "reduction/api/losses.h"
#include "reduction/api/merge.h"

namespace ranksight::online_model {
namespace {

using reduction::Event;
using reduction::Param;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

// Lengths of messages whose receivers are told how much comes: what each
// receive between two ranks and with one tag gets, in order.
class SentAmounts {
 public:
  void Send(int64_t from, int64_t to, int64_t tag, int64_t bytes) {
    sent_[{from, to, tag}].push_back(bytes);
  }
  // -1: nothing was sent.
  int64_t Receive(int64_t from, int64_t to, int64_t tag) {
    auto& left = sent_[{from, to, tag}];
    if (left.empty()) return -1;
    const int64_t bytes = left.front();
    left.pop_front();
    return bytes;
  }

 private:
  std::map<std::tuple<int64_t, int64_t, int64_t>, std::deque<int64_t>> sent_;
};

class TwinMaker {
 public:
  TwinMaker(const TwinPlan& plan, const Trace& like, const Grid& grid)
      : plan_(plan), like_(like), grid_(grid) {}

  // Of the sites of exchanges, once it is made or measured.
  const TrafficBySite& traffic() const { return traffic_; }

  // Counts alone.
  Status Measure() {
    for (int64_t rank = 0; rank < plan_.ranks; ++rank) {
      const Status s =
          ForEvents(rank, SameSites(), [&](const TwinEvent& from, Event* e) {
            CountTraffic(rank, from, *e);
          });
      if (!s.ok()) return s;
    }
    return Status::Ok();
  }

  Result<Trace> Make() {
    if (Status s = CollectAmounts(); !s.ok()) return s;
    events_ = 0;
    std::vector<Trace> parts;  // of ever more ranks to the left
    for (int64_t rank = 0; rank < plan_.ranks; ++rank) {
      auto part = OneRank(rank);
      if (!part.ok()) return part;
      parts.push_back(std::move(*part));
      for (int64_t n = rank + 1; n % 2 == 0; n /= 2) {
        if (Status s = JoinLast(&parts); !s.ok()) return s;
      }
    }
    while (parts.size() > 1) {
      if (Status s = JoinLast(&parts); !s.ok()) return s;
    }
    reduction::Canonicalize(&parts[0]);
    reduction::Condense(&parts[0]);
    return std::move(parts[0]);
  }

 private:
  static Status JoinLast(std::vector<Trace>* parts) {
    Trace right = std::move(parts->back());
    parts->pop_back();
    auto both = reduction::Merge(std::move(parts->back()), std::move(right));
    if (!both.ok()) return both.status();
    parts->back() = std::move(*both);
    return Status::Ok();
  }

  void CountTraffic(int64_t rank, const TwinEvent& from, const Event& e) {
    if (from.exchange < 0) return;
    const MessageEnd end = CountedEnd(MessageParamsOf(e.call()));
    const int64_t other = At(e, end.other, -1);
    if (other < 0) return;
    const SiteKey site = SiteOf(*plan_.tree->nodes[from.node].like);
    SiteTraffic& traffic = traffic_[site];
    traffic.messages += 1;
    traffic.bytes += double(At(e, end.count, 0)) * double(At(e, end.size, 1));
    const auto pair = uint64_t(rank) << 32 | uint64_t(other);
    traffic.partners += pairs_[site].insert(pair).second;
  }

  bool OnlyAmounts(const TwinEvent& e) const {
    return e.exchange >= 0 && !plan_.exchanges[size_t(e.exchange)].is_drawn;
  }

  static int64_t At(const Event& e, int param, int64_t fallback) {
    return param < 0 ? fallback : e.ValuesAt(param)[0];
  }

  Status CollectAmounts() {
    const bool any = std::any_of(plan_.exchanges.begin(), plan_.exchanges.end(),
                                 [](const auto& e) { return !e.is_drawn; });
    for (int64_t rank = 0; any && rank < plan_.ranks; ++rank) {
      const Status s =
          ForEvents(rank, SameSites(), [&](const TwinEvent& from, Event* e) {
            if (!OnlyAmounts(from)) return;
            const MessageParams p = MessageParamsOf(e->call());
            const int64_t to = At(*e, p.to, -1);
            if (to < 0) return;
            sent_.Send(rank, to, At(*e, p.send_tag, 0),
                       At(*e, p.send_count, 0) * At(*e, p.send_size, 1));
          });
      if (!s.ok()) return s;
    }
    return Status::Ok();
  }

  std::vector<uint32_t> SameSites() const {
    std::vector<uint32_t> same(like_.sites.sites.size());
    for (size_t i = 0; i < same.size(); ++i) same[i] = uint32_t(i);
    return same;
  }

  template <class F>
  Status ForEvents(int64_t rank, const std::vector<uint32_t>& sites, F f) {
    BadLaw bad;
    const auto law = RunByLaw(*plan_.tree, grid_, rank, &bad);
    if (!law.ok()) return law.status();
    const TwinStream stream(plan_, rank, *law);
    events_ += stream.events().size();
    if (events_ > kMostTwinEvents) {
      return Status::No("a twin of " + std::to_string(plan_.ranks) +
                        " ranks would have more than " +
                        std::to_string(kMostTwinEvents) + " events");
    }
    for (const TwinEvent& from : stream.events()) {
      Event e = stream.EventOf(from, sites);
      f(from, &e);
    }
    return Status::Ok();
  }

  // A receive of an exchange gets as much as was sent.
  void TakeAmount(int64_t rank, const TwinEvent& from, Event* e) {
    if (!OnlyAmounts(from)) return;
    const MessageParams p = MessageParamsOf(e->call());
    const int64_t source = At(*e, p.from, -1);
    if (source < 0) return;
    const int64_t bytes = sent_.Receive(source, rank, At(*e, p.recv_tag, 0));
    const int64_t size = At(*e, p.recv_size, 1);
    const auto& law = *plan_.tree->nodes[from.node].law;
    if (bytes < 0 || size <= 0 || !law.missing[size_t(p.recv_count)]) return;
    e->MutableValues()[e->offsets()[size_t(p.recv_count)]] = bytes / size;
  }

  Result<Trace> OneRank(int64_t rank) {
    reduction::Folder folder(reduction::Folder::Prediction::kOff);
    for (const auto& module : like_.sites.modules) folder.AddModule(module);
    std::vector<uint32_t> sites;
    for (const auto& site : like_.sites.sites) {
      sites.push_back(folder.AddSite(site));
    }
    bool complete = true;
    const Status s =
        ForEvents(rank, sites, [&](const TwinEvent& from, Event* e) {
          TakeAmount(rank, from, e);
          CountTraffic(rank, from, *e);
          complete = complete && e->Complete();
          if (complete) folder.Push(*e, 0, 0);
        });
    if (!s.ok()) return s;
    if (!complete) return Status::Internal("a drawn event lacks a parameter");
    return folder.Snapshot(rank, plan_.ranks);
  }

  const TwinPlan& plan_;
  const Trace& like_;
  const Grid& grid_;
  SentAmounts sent_;
  TrafficBySite traffic_;
  std::map<SiteKey, std::unordered_set<uint64_t>> pairs_;
  uint64_t events_ = 0;  // of the pass over the ranks at hand
};

// How far a drawn exchange may be from the held-out one: beyond it is no
// estimate.
constexpr double kMostOff = 0.5;

double Off(double drawn, double is) {
  return is == 0 ? (drawn == 0 ? 0 : 1) : std::abs(drawn - is) / is;
}

// Relative errors of an exchange at the held-out size.
struct HeldOut {
  double messages = 0, bytes = 0, partners = 0;
  double Worst() const { return std::max({messages, bytes, partners}); }
};

std::string TrafficText(const SiteTraffic& t) {
  return std::to_string(int64_t(t.messages)) + " messages of " +
         std::to_string(int64_t(t.bytes)) + " bytes in all between " +
         std::to_string(int64_t(t.partners)) + " pairs";
}

// Draws the largest input from the others, which `smaller` are.
Result<std::map<SiteKey, HeldOut>> DrawHeldOut(
    const TwinTree& tree, const Trace& last, const InputRun& is,
    const Grid& grid, std::vector<InputRun>* smaller, uint64_t seed) {
  EdgeStore store;
  const auto plan =
      PlanTwin(tree, last.sites, smaller, last.meta.ranks, seed, &store);
  if (!plan.ok()) return plan.status();
  TwinMaker maker(*plan, last, grid);
  if (Status s = maker.Measure(); !s.ok()) return s;
  std::map<SiteKey, HeldOut> off;
  for (const DrawnExchange& e : plan->exchanges) {
    for (const auto& [site, real] : TrafficOf(tree, e.exchange, is)) {
      const auto it = maker.traffic().find(site);
      const SiteTraffic drawn =
          it == maker.traffic().end() ? SiteTraffic() : it->second;
      off[site] = {Off(drawn.messages, real.messages),
                   Off(drawn.bytes, real.bytes),
                   Off(drawn.partners, real.partners)};
      if (off[site].Worst() <= kMostOff) continue;
      return Status::No(
          "of " + NameOfSite(tree, site, last.sites) + " the held-out run of " +
          std::to_string(last.meta.ranks) + " ranks has " + TrafficText(real) +
          ", and was drawn with " + TrafficText(drawn));
    }
  }
  return off;
}

// Half the width that the fit says, or what the held-out run was off.
double Width(const Fitted& fit, double value, double off) {
  return std::max(fit.half_width, off * value);
}

// Of every call site of which something has no law.
std::vector<reduction::SiteEstimate> Estimates(
    const TwinTree& tree, const TwinPlan& plan,
    std::span<const InputRun> inputs, const reduction::Sites& sites,
    const TrafficBySite& drawn, const std::map<SiteKey, HeldOut>& off) {
  std::map<SiteKey, reduction::SiteEstimate> found;
  for (const auto& item : tree.nodes) {
    if (!item.like->is_event()) continue;
    const bool open =
        item.copied ||
        std::any_of(item.law->missing.begin(), item.law->missing.end(),
                    [](bool missing) { return missing; });
    if (open) found[SiteOf(*item.like)];
  }
  for (const DrawnExchange& e : plan.exchanges) {
    for (const auto& [site, fit] :
         FitSites(tree, e.exchange, inputs, plan.ranks)) {
      const auto it = drawn.find(site);
      const SiteTraffic is = it == drawn.end() ? SiteTraffic() : it->second;
      const auto by = off.find(site);
      const HeldOut h = by == off.end() ? HeldOut() : by->second;
      found[site] = {"",          "",
                     is.messages, Width(fit.messages, is.messages, h.messages),
                     is.bytes,    Width(fit.bytes, is.bytes, h.bytes),
                     is.partners, Width(fit.partners, is.partners, h.partners)};
    }
  }
  std::vector<reduction::SiteEstimate> estimates;
  for (auto& [site, e] : found) {
    e.call = reduction::Info(site.first).name;
    e.site = reduction::ToString(sites, site.second);
    estimates.push_back(std::move(e));
  }
  return estimates;
}

// Sites numbered as in the tree that it was made from.
void NumberSitesAs(const reduction::Sites& sites, Trace* made) {
  std::vector<uint32_t> mine, theirs;
  const reduction::Sites both =
      reduction::Unite(made->sites, sites, &mine, &theirs);
  if (!(both == sites)) return;
  ForEachEvent(made->root, [&](reduction::Node& n) { n.site = mine[n.site]; });
  made->sites = sites;
}

std::vector<InputRun> ReadInputs(const std::vector<Trace>& traces,
                                 const TwinTree& tree) {
  std::vector<InputRun> inputs;
  for (const Trace& t : traces) {
    inputs.push_back(ReadInput(t, tree));
    MatchTalks(tree, &inputs.back());
  }
  return inputs;
}

// Messages of more events than this are not read one by one: about 2 GB.
constexpr uint64_t kMostRead = 8'000'000;

}  // namespace

Result<Extrapolation> MakeTwin(std::span<const Trace> inputs,
                               const ExtrapolationRequest& request) {
  auto aligned = AlignedInputs(inputs, request.ranks);
  if (!aligned.ok()) return aligned.status();
  const std::vector<Trace>& traces = *aligned;
  const Trace& base = traces.back();
  if (CountEvents(base) > kMostRead) {
    return Status::No("the largest input has more than " +
                      std::to_string(kMostRead) +
                      " events, too many to draw others like them");
  }
  auto laws = FindLawsThatHold(traces, request);
  if (!laws.ok()) return laws.status();
  const TwinTree tree = TreeOf(base.root, laws->root);
  std::vector<InputRun> runs = ReadInputs(traces, tree);
  InputRun held_out = std::move(runs.back());
  runs.pop_back();
  const auto off = DrawHeldOut(tree, base, held_out, laws->grids.back(), &runs,
                               request.seed);
  if (!off.ok()) return off.status();
  runs.push_back(std::move(held_out));
  EdgeStore store;
  const auto plan =
      PlanTwin(tree, base.sites, &runs, request.ranks, request.seed, &store);
  if (!plan.ok()) return plan.status();
  TwinMaker maker(*plan, base, laws->target);
  auto made = maker.Make();
  if (!made.ok()) return made.status();
  NumberSitesAs(base.sites, &*made);
  Extrapolation out;
  out.trace = std::move(*made);
  out.trace.meta = base.meta;
  out.trace.meta.job += "-to-" + std::to_string(request.ranks);
  MarkAsMadeAt(request.ranks, &out.trace.meta);
  ScaleTimes(
      MeasureLadder(inputs, traces, base, {base.meta.ranks, request.ranks}),
      base, &out.trace);
  if (Status s = CheckMessages(out.trace, base); !s.ok()) return s;
  out.trace.meta.estimates =
      Estimates(tree, *plan, runs, base.sites, maker.traffic(), *off);
  out.trace.meta.losses[reduction::kLossByEstimates] =
      out.trace.meta.estimates.size();
  out.trace.meta.laws = {"ranks form a grid: " + DimsText(laws->target.dims)};
  DescribeLaws(laws->root, base.root, base.sites, &out.trace.meta.laws);
  out.report.laws = out.trace.meta.laws;
  out.report.estimates = out.trace.meta.estimates;
  out.report.held_out_ranks = base.meta.ranks;
  out.report.dims = laws->target.dims;
  out.report.exact = laws->exact;
  out.report.estimated = laws->missing;
  return out;
}

}  // namespace ranksight::online_model
