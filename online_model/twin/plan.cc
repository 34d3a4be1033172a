#include "online_model/twin/plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "online_model/synthesize/node_name.h"
#include "online_model/twin/shifts.h"
#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using reduction::MessageKind;
using reduction::Node;
using reduction::Result;
using reduction::Status;

// Between neighbours in a rank's list of calls within an iteration, how often
// it goes up to another partner, or to any, and how often to another site.
struct Steps {
  uint64_t up = 0, partners = 0, sites = 0;
};

int64_t PartnerOf(const InputRun& input, const Talk& t) {
  const int64_t other = t.taken_by >= 0 ? t.taken_by : t.sent_by;
  return other < 0 ? -1 : int64_t(input.talks[size_t(other)].rank);
}

Steps StepsOf(const TwinTree& tree, const Exchange& exchange,
              const InputRun& input) {
  Steps steps;
  const Talk* before = nullptr;
  for (const Talk& t : input.talks) {
    if (!IsOf(exchange, tree, t)) continue;
    const bool together = before != nullptr && before->rank == t.rank &&
                          before->iteration == t.iteration;
    if (together) {
      const bool other_site = SiteOf(*tree.nodes[before->node].like) !=
                              SiteOf(*tree.nodes[t.node].like);
      const int64_t was = PartnerOf(input, *before), is = PartnerOf(input, t);
      steps.sites += other_site;
      if (!other_site) {
        steps.partners += was != is;
        steps.up += was < is;
      }
    }
    before = &t;
  }
  return steps;
}

bool HasBlockingSend(const Exchange& exchange) {
  return std::any_of(
      exchange.sites.begin(), exchange.sites.end(), [](const SiteKey& site) {
        return MessageParamsOf(site.first).kind != MessageKind::kReceive &&
               BlocksAlone(site.first);
      });
}

// Rounds, so that no rank has two edges in one: then blocking calls in the
// order of rounds never wait for one another in a circle.
std::vector<uint32_t> RoundsOf(const std::vector<DrawnEdge>& edges,
                               int64_t ranks) {
  std::vector<std::set<uint32_t>> busy(static_cast<size_t>(ranks));
  std::vector<uint32_t> rounds;
  for (const DrawnEdge& e : edges) {
    const auto &a = busy[size_t(e.u)], &b = busy[size_t(e.v)];
    uint32_t round = 0;
    while (a.count(round) > 0 || b.count(round) > 0) ++round;
    busy[size_t(e.u)].insert(round);
    busy[size_t(e.v)].insert(round);
    rounds.push_back(round);
  }
  return rounds;
}

void PutInOrder(bool ascending, int64_t ranks, DrawnExchange* drawn) {
  drawn->of_rank.resize(size_t(ranks));
  for (uint32_t i = 0; i < drawn->edges.size(); ++i) {
    const DrawnEdge& e = drawn->edges[i];
    drawn->of_rank[size_t(e.u)].push_back(i);
    if (e.u != e.v) drawn->of_rank[size_t(e.v)].push_back(i);
  }
  if (!ascending && !HasBlockingSend(drawn->exchange)) return;
  const std::vector<uint32_t> rounds =
      ascending ? std::vector<uint32_t>() : RoundsOf(drawn->edges, ranks);
  for (int64_t r = 0; r < ranks; ++r) {
    const auto key = [&](uint32_t i) {
      const DrawnEdge& e = drawn->edges[i];
      return ascending ? (e.u == r ? e.v : e.u) : int64_t(rounds[i]);
    };
    auto& mine = drawn->of_rank[size_t(r)];
    std::stable_sort(mine.begin(), mine.end(),
                     [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  }
}

// Of shifts, round by round.
void PutInRounds(int64_t ranks, DrawnExchange* drawn) {
  drawn->by_round = true;
  drawn->of_rank.resize(size_t(ranks));
  for (uint32_t i = 0; i < drawn->edges.size(); ++i) {
    const DrawnEdge& e = drawn->edges[i];
    drawn->of_rank[size_t(e.u)].push_back(i);
    if (e.u != e.v) drawn->of_rank[size_t(e.v)].push_back(i);
  }
  for (auto& mine : drawn->of_rank) {
    std::stable_sort(mine.begin(), mine.end(), [&](uint32_t a, uint32_t b) {
      return drawn->edges[a].round < drawn->edges[b].round;
    });
  }
}

// In the order in which they stand in the tree; of blocking receives those that
// send first.
std::vector<SiteKey> SitesInOrder(const TwinTree& tree,
                                  const Exchange& exchange) {
  std::vector<SiteKey> order;
  for (const bool waits : {false, true}) {
    for (const auto& item : tree.nodes) {
      if (!item.like->is_event()) continue;
      const SiteKey site = SiteOf(*item.like);
      const bool is_blocking_receive =
          MessageParamsOf(site.first).kind == MessageKind::kReceive &&
          BlocksAlone(site.first);
      if (is_blocking_receive != waits) continue;
      if (std::find(exchange.sites.begin(), exchange.sites.end(), site) ==
              exchange.sites.end() ||
          std::find(order.begin(), order.end(), site) != order.end()) {
        continue;
      }
      order.push_back(site);
    }
  }
  return order;
}

// Of the sites that send.
SiteTraffic Together(const TrafficBySite& by_site) {
  SiteTraffic sum;
  for (const auto& [site, t] : by_site) {
    if (MessageParamsOf(site.first).to < 0) continue;
    sum.messages += t.messages;
    sum.bytes += t.bytes;
  }
  return sum;
}

// What the sites of an exchange that send do together, size by size.
struct TrafficSeries {
  std::vector<SizedValue> messages, bytes, lengths;
};

TrafficSeries SeriesOf(const TwinTree& tree, const Exchange& exchange,
                       std::span<const InputRun> inputs) {
  TrafficSeries series;
  for (const InputRun& input : inputs) {
    const SiteTraffic t = Together(TrafficOf(tree, exchange, input));
    series.messages.push_back({input.ranks, t.messages, input.sides});
    series.bytes.push_back({input.ranks, t.bytes, input.sides});
    if (t.messages > 0) {
      series.lengths.push_back({input.ranks, t.bytes / t.messages});
    }
  }
  return series;
}

double LengthFitted(const TrafficSeries& series, const WantedSize& wanted) {
  const double messages = FitBySides(series.messages, wanted).value;
  const double bytes = FitBySides(series.bytes, wanted).value;
  if (messages > 0 && bytes >= 0) return bytes / messages;
  return series.lengths.empty() ? 0
                                : FitMean(series.lengths, wanted.ranks).value;
}

// By how much messages get longer, from their like ones.
double AmountScale(double fitted, double like) {
  // More than this by a fit over small runs is no forecast.
  constexpr double kMost = 8;
  if (like <= 0 || fitted <= 0) return 1;
  return std::clamp(fitted / like, 1 / kMost, kMost);
}

uint32_t FirstNodeOf(const TwinTree& tree, const Exchange& exchange) {
  const auto it = std::ranges::find_if(tree.nodes, [&](const auto& item) {
    return item.like->is_event() &&
           std::ranges::count(exchange.sites, SiteOf(*item.like)) > 0;
  });
  return uint32_t(it - tree.nodes.begin());
}

// Of those that drawn edges are like.
double LikeMessages(const DrawnExchange& drawn) {
  double messages = 0;
  for (const DrawnEdge& e : drawn.edges) messages += double(e.like->messages);
  return messages;
}

// How many messages an edge has against its like: so that all are as many as
// the grid's sides tell, or as the mean of all.
double MessageScale(const TwinTree& tree, const DrawnExchange& drawn,
                    std::span<const InputRun> inputs,
                    std::span<const EdgeList> edges, const WantedSize& wanted) {
  const Exchange& exchange = drawn.exchange;
  const double by_sides =
      FitBySides(SeriesOf(tree, exchange, inputs).messages, wanted).value;
  const double like = LikeMessages(drawn);
  if (by_sides >= 0 && like > 0) {
    const double scale = AmountScale(by_sides, like);
    return std::abs(scale - 1) < 0.005 ? 1 : scale;
  }
  std::vector<SizedValue> each;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (edges[i].edges.empty()) continue;
    const double messages =
        Together(TrafficOf(tree, exchange, inputs[i])).messages;
    each.push_back({inputs[i].ranks, messages / double(edges[i].edges.size())});
  }
  if (each.empty()) return 1;
  const double scale =
      AmountScale(FitMean(each, wanted.ranks).value, each.back().value);
  return std::abs(scale - 1) < 0.02 ? 1 : scale;
}

void DrawExchange(const TwinTree& tree, std::vector<InputRun>* inputs,
                  const WantedSize& wanted, uint64_t seed, DrawnExchange* drawn,
                  std::vector<EdgeList>* edges) {
  for (InputRun& input : *inputs) {
    CountIterations(tree, drawn->exchange.loop, &input);
  }
  const EdgeForm form = FormOf(tree, drawn->exchange, inputs->back());
  for (const InputRun& input : *inputs) {
    edges->push_back(EdgesOf(tree, drawn->exchange, form, input));
  }
  const bool keep = drawn->exchange.exact_sends && form != EdgeForm::kBothWays;
  drawn->is_drawn = true;
  drawn->first_node = FirstNodeOf(tree, drawn->exchange);
  if (form == EdgeForm::kShift) {
    drawn->edges = DrawShifts(*edges, wanted, keep, seed);
    PutInRounds(wanted.ranks, drawn);
    return;
  }
  drawn->edges = DrawEdges(*edges, wanted, keep, seed);
  drawn->seed = seed;
  if (!keep) {
    drawn->message_scale = MessageScale(tree, *drawn, *inputs, *edges, wanted);
  }
  const Steps steps = StepsOf(tree, drawn->exchange, inputs->back());
  drawn->by_edge = steps.sites > steps.partners;
  PutInOrder(10 * steps.up >= 9 * steps.partners, wanted.ranks, drawn);
  drawn->order = SitesInOrder(tree, drawn->exchange);
}

// How many ranks of `ranks` are like each of `known`.
std::vector<double> TimesTaken(int64_t ranks, int64_t known) {
  std::vector<double> times(size_t(known), 0);
  for (int64_t r = 0; r < ranks; ++r) ++times[size_t(DonorOf(r, ranks, known))];
  return times;
}

// What ranks of `ranks` send that send what their like ones do.
SiteTraffic LikeTraffic(const TwinTree& tree, const Exchange& exchange,
                        const InputRun& last, int64_t ranks) {
  const std::vector<double> times = TimesTaken(ranks, last.ranks);
  SiteTraffic sum;
  for (const Talk& t : last.talks) {
    if (!IsOf(exchange, tree, t)) continue;
    const MessageParams p = MessageParamsOf(tree.nodes[t.node].like->call);
    if (ParamOf(last, t, p.to, -1) < 0) continue;
    sum.messages += times[t.rank];
    sum.bytes += times[t.rank] * double(ParamOf(last, t, p.send_count, 0)) *
                 double(ParamOf(last, t, p.send_size, 1));
  }
  return sum;
}

void ScaleAmounts(const TwinTree& tree, std::span<const InputRun> inputs,
                  const WantedSize& wanted, DrawnExchange* drawn) {
  SiteTraffic like;
  if (drawn->is_drawn) {
    like.messages = LikeMessages(*drawn);
    for (const DrawnEdge& e : drawn->edges) like.bytes += e.like->bytes;
  } else {
    like = LikeTraffic(tree, drawn->exchange, inputs.back(), wanted.ranks);
  }
  if (like.messages == 0) return;
  drawn->amount_scale =
      AmountScale(LengthFitted(SeriesOf(tree, drawn->exchange, inputs), wanted),
                  like.bytes / like.messages);
}

// Of the ranks that say whether a law gives all ranks the same; more would cost
// more and say little.
constexpr int64_t kAsked = 16;

// What the laws give some of the ranks.
std::vector<RankRun> SomeRuns(const TwinTree& tree, const Grid& grid) {
  std::vector<RankRun> runs;
  const int64_t step = std::max<int64_t>(1, grid.ranks() / kAsked);
  for (int64_t rank = 0; rank < grid.ranks(); rank += step) {
    BadLaw bad;
    auto run = RunByLaw(tree, grid, rank, &bad);
    if (run.ok()) runs.push_back(std::move(*run));
  }
  return runs;
}

bool DiffersByRank(const std::vector<RankRun>& runs, size_t node,
                   size_t param) {
  std::optional<int64_t> one;
  for (const RankRun& run : runs) {
    const auto& single = run.nodes[node].single;
    if (param >= single.size()) continue;  // it never comes here
    if (!single[param]) return true;
    if (one.value_or(*single[param]) != *single[param]) return true;
    one = single[param];
  }
  return false;
}

void ChooseByLike(const TwinTree& tree, const Grid& grid,
                  DrawnExchange* drawn) {
  const std::vector<RankRun> runs = SomeRuns(tree, grid);
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.like->is_event() ||
        std::ranges::count(drawn->exchange.sites, SiteOf(*item.like)) == 0) {
      continue;
    }
    const auto params = reduction::Info(item.like->call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      const bool is_size = params[i] == reduction::Param::kTypeSize ||
                           params[i] == reduction::Param::kRecvTypeSize;
      const bool is_amount = is_size || reduction::IsAmount(params[i]);
      if (item.law->absent[i] || (!is_amount && !IsTag(params[i]))) continue;
      if (!item.law->missing[i] && !DiffersByRank(runs, n, i)) continue;
      (is_amount ? drawn->amounts_by_like : drawn->tags_by_like) = true;
    }
  }
}

bool IsOnWorld(const TwinTree::Item& item) {
  const auto params = reduction::Info(item.like->call).params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (params[i] != reduction::Param::kComm) continue;
    const auto comms = item.like->params[i].ByRank();
    return std::all_of(comms.begin(), comms.end(), [](const auto& c) {
      return c.second.IsConstant() && c.second.At(0) == 0;
    });
  }
  return false;
}

// An amount over all ranks; of what is no list, of those to whom it means
// something.
struct AmountSum {
  double sum = 0, count = 0;
};

AmountSum SumAmount(const Node& node, size_t param) {
  double sum = 0, count = 0;
  const bool is_list =
      reduction::IsArray(reduction::Info(node.call).params[param]);
  for (const auto& [rank, values] : node.params[param].ByRank()) {
    const double of_rank = double(values.Sum());
    sum += of_rank;
    if (is_list || of_rank > 0) count += double(values.size());
  }
  return {sum, count};
}

// The sum over all ranks of `ranks` that have an amount as their like ones do.
double LikeAmount(const InputRun& last, size_t node, size_t param,
                  int64_t ranks) {
  const std::vector<double> times = TimesTaken(ranks, last.ranks);
  double sum = 0;
  for (int64_t r = 0; r < last.ranks; ++r) {
    const auto& params = last.runs[size_t(r)].nodes[node].params;
    if (param >= params.size()) continue;
    const ValueList& values = params[param];
    const Node& like = *last.nodes[node];
    const size_t by = LengthIndexOf(like.call, param);
    // A list with a place for each rank is stretched as the ranks are.
    const bool of_ranks = by < params.size() && params[by].IsConstant() &&
                          params[by].size() > 0 &&
                          params[by].At(0) == last.ranks;
    for (uint64_t k = 0; k < values.size(); ++k) {
      const double place =
          of_ranks ? times[size_t(k % uint64_t(last.ranks))] : 1;
      sum += times[size_t(r)] * place * double(values.At(k));
    }
  }
  return sum;
}

// Of an amount over all ranks, as the sides of the grid tell it, against what
// their like ones have; nothing where they do not.
std::optional<double> ScaleBySides(size_t node, size_t param,
                                   std::span<const InputRun> inputs,
                                   const TwinPlan& plan) {
  std::vector<SizedValue> totals;
  for (const InputRun& input : inputs) {
    double sum = 0;
    for (const auto& [rank, values] :
         input.nodes[node]->params[param].ByRank()) {
      sum += double(values.Sum());
    }
    totals.push_back({input.ranks, sum, input.sides});
  }
  const double told = FitBySides(totals, {plan.ranks, plan.sides}).value;
  if (told <= 0) return std::nullopt;
  return AmountScale(told, LikeAmount(inputs.back(), node, param, plan.ranks));
}

// Amounts of collectives get longer or shorter together, so that what one rank
// gives is what another takes.
void ScaleCollective(const TwinTree& tree, size_t n, size_t param,
                     std::span<const InputRun> inputs, TwinPlan* plan) {
  const TwinTree::Item& item = tree.nodes[n];
  std::vector<SizedValue> means, sums, counts;
  for (const InputRun& input : inputs) {
    const AmountSum all = SumAmount(*input.nodes[n], param);
    sums.push_back({input.ranks, all.sum, input.sides});
    counts.push_back({input.ranks, all.count, input.sides});
    if (all.count > 0) means.push_back({input.ranks, all.sum / all.count});
  }
  if (means.empty()) return;
  const WantedSize wanted{plan->ranks, plan->sides};
  const double sum = FitBySides(sums, wanted).value;
  const double count = FitBySides(counts, wanted).value;
  const double fitted =
      sum >= 0 && count > 0 ? sum / count : FitMean(means, plan->ranks).value;
  const SiteKey site = SiteOf(*item.like);
  const bool is_alone =
      reduction::Info(item.like->call).family == reduction::Family::kFile;
  if (is_alone || IsOnWorld(item)) {
    plan->amount_scales[site] =
        ScaleBySides(n, param, inputs, *plan)
            .value_or(AmountScale(fitted, means.back().value));
  } else {
    plan->mean_amounts[{site, param}] = std::llround(fitted);
  }
}

void ScaleCollectives(const TwinTree& tree, std::span<const InputRun> inputs,
                      TwinPlan* plan) {
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.like->is_event()) continue;
    const auto& info = reduction::Info(item.like->call);
    if (info.family == reduction::Family::kPointToPoint) continue;
    for (size_t i = 0; i < info.params.size(); ++i) {
      if (!item.law->missing[i] || !reduction::IsAmount(info.params[i])) {
        continue;
      }
      ScaleCollective(tree, n, i, inputs, plan);
    }
  }
}

// How often a node runs on every rank that runs it; nothing where these differ.
std::optional<double> UniformRuns(const InputRun& input, size_t node) {
  std::optional<double> runs;
  for (const RankRun& run : input.runs) {
    if (run.nodes[node].empty()) continue;
    const auto n = double(run.nodes[node].starts.back());
    if (runs.value_or(n) != n) return std::nullopt;
    runs = n;
  }
  return runs;
}

bool HasDrawnSite(const TwinTree& tree, const TwinPlan& plan, int node) {
  const TwinTree::Item& item = tree.nodes[size_t(node)];
  if (item.like->is_event()) {
    return plan.exchange_of.count(SiteOf(*item.like)) > 0;
  }
  return std::any_of(
      item.children.begin(), item.children.end(),
      [&](int child) { return HasDrawnSite(tree, plan, child); });
}

// Whether all that is called there is called by parts of the ranks together.
bool IsOfParts(const TwinTree& tree, int node) {
  const TwinTree::Item& item = tree.nodes[size_t(node)];
  if (item.like->is_event()) {
    return reduction::Info(item.like->call).family ==
               reduction::Family::kCollective &&
           !IsOnWorld(item);
  }
  return std::ranges::all_of(item.children,
                             [&](int child) { return IsOfParts(tree, child); });
}

// Trips of what parts of the ranks do together: as many more on each as on all,
// so that those in one part, which have as many, still do.
std::optional<double> ScaleOfParts(std::span<const InputRun> inputs, size_t n,
                                   const WantedSize& wanted) {
  std::vector<SizedValue> sums;
  for (const InputRun& input : inputs) {
    double sum = 0;
    for (const RankRun& run : input.runs) {
      if (!run.nodes[n].empty()) sum += double(run.nodes[n].starts.back());
    }
    sums.push_back({input.ranks, sum, input.sides});
  }
  const InputRun& last = inputs.back();
  const std::vector<double> times = TimesTaken(wanted.ranks, last.ranks);
  double like = 0;
  for (size_t r = 0; r < last.runs.size(); ++r) {
    if (last.runs[r].nodes[n].empty()) continue;
    like += times[r] * double(last.runs[r].nodes[n].starts.back());
  }
  if (like == 0) return std::nullopt;
  return AmountScale(FitTotal(sums, wanted).value, like);
}

// Iterations until something converges follow no law, and are the same on all
// ranks.
void ScaleTrips(const TwinTree& tree, std::span<const InputRun> inputs,
                TwinPlan* plan) {
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.copied || tree.nodes[size_t(item.parent)].copied ||
        HasDrawnSite(tree, *plan, int(n))) {
      continue;
    }
    if (!plan->groups.empty() && IsOfParts(tree, int(n))) {
      const auto scale = ScaleOfParts(inputs, n, {plan->ranks, plan->sides});
      if (scale) plan->trip_scales[int(n)] = *scale;
      continue;
    }
    std::vector<SizedValue> runs;
    for (const InputRun& input : inputs) {
      const auto uniform = UniformRuns(input, n);
      if (!uniform) break;
      runs.push_back({input.ranks, *uniform});
    }
    if (runs.size() < inputs.size()) continue;
    plan->trip_scales[int(n)] =
        AmountScale(FitMean(runs, plan->ranks).value, runs.back().value);
  }
}

// Puts, gets and their like: nobody waits for them.
bool IsTransfer(const reduction::CallInfo& info) {
  const auto has = [&](reduction::Param p) {
    return std::ranges::count(info.params, p) > 0;
  };
  return info.family == reduction::Family::kOneSided &&
         has(reduction::Param::kPeer) && has(reduction::Param::kOffset);
}

// Of a datatype: the root of a gather has one that others lack.
bool IsOfType(reduction::Param p) {
  using reduction::Param;
  switch (p) {
    case Param::kTypeKind:
    case Param::kTypeSize:
    case Param::kTypeExcess:
    case Param::kRecvTypeKind:
    case Param::kRecvTypeSize:
    case Param::kRecvTypeExcess:
      return true;
    default:
      return false;
  }
}

// What may be drawn, or taken from a like rank, without breaking what ranks
// agree on.
bool MayBeEstimated(const TwinTree::Item& item, reduction::Param p) {
  using reduction::Family;
  using reduction::Param;
  const auto& info = reduction::Info(item.like->call);
  if (p == Param::kComm) return false;
  switch (info.family) {
    case Family::kPointToPoint:
    case Family::kCompletion:
    case Family::kLocal:
      return true;
    case Family::kCollective:
    case Family::kNeighbourhood:
      return reduction::IsAmount(p) || IsOfType(p) || p == Param::kRoot ||
             (IsPeerCount(p) && !IsOnWorld(item));
    case Family::kCommunicator:
      return p == Param::kKey || p == Param::kDims;
    case Family::kOneSided:
      return IsTransfer(info) && (p == Param::kPeer || p == Param::kOffset ||
                                  reduction::IsAmount(p));
    case Family::kFile:
      return p == Param::kOffset || reduction::IsAmount(p);
    default:
      return false;
  }
}

// Whether ranks may make the call as often as a like rank did.
bool MayBeCopied(const reduction::CallInfo& info) {
  using reduction::Family;
  return info.call == reduction::Call::MPI_Win_fence_ ||
         info.call == reduction::Call::MPI_Comm_free_ ||
         (!info.makes_comm &&
          (info.family == Family::kPointToPoint ||
           info.family == Family::kCompletion ||
           info.family == Family::kCollective ||
           info.family == Family::kLocal || IsTransfer(info)));
}

// Of what members of a communicator agree on: a root among them, how many they
// are.
bool IsOfMembers(reduction::Param p) {
  return p == reduction::Param::kRoot || IsPeerCount(p);
}

// Whether a collective of some of the ranks says such a thing.
bool IsOfMembersAlone(const TwinTree::Item& item) {
  const auto& info = reduction::Info(item.like->call);
  return info.family == reduction::Family::kCollective && !IsOnWorld(item) &&
         std::ranges::any_of(info.params, IsOfMembers);
}

bool IsOpenToMembers(const TwinTree::Item& item) {
  if (!IsOfMembersAlone(item)) return false;
  const auto params = reduction::Info(item.like->call).params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (IsOfMembers(params[i]) && (item.copied || item.law->missing[i])) {
      return true;
    }
  }
  return false;
}

// Nodes that make communicators and of which something has no law; all where
// roots in what they make have none, so that these are members.
std::set<int> OpenMakers(const TwinTree& tree) {
  const auto events = [&](const auto& has) {
    return std::ranges::any_of(tree.nodes, [&](const TwinTree::Item& item) {
      return item.like->is_event() && has(item);
    });
  };
  const bool all = events(IsOpenToMembers);
  std::set<int> open;
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (item.like->is_event() && (all || item.IsOpen()) &&
        reduction::Info(item.like->call).makes_comm && IsOnWorld(item)) {
      open.insert(int(n));
    }
  }
  return open;
}

Status CheckMayBeDrawn(const TwinTree& tree, const DrawnGroups& groups,
                       const reduction::Sites& sites) {
  for (size_t n = 0; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.like->is_event() || groups.Draws(int(n))) continue;
    const auto& info = reduction::Info(item.like->call);
    if (item.copied && !MayBeCopied(info)) {
      return Status::No("no estimate of how often ranks call " +
                        NameOf(*item.like, sites));
    }
    for (size_t i = 0; i < item.law->missing.size(); ++i) {
      if (!item.law->missing[i] || MayBeEstimated(item, info.params[i])) {
        continue;
      }
      return Status::No("no estimate of the " +
                        std::string(reduction::ParamWords(info.params[i])) +
                        " of " + NameOf(*item.like, sites));
    }
  }
  return Status::Ok();
}

}  // namespace

Result<TwinPlan> PlanTwin(const TwinTree& tree, const reduction::Sites& sites,
                          std::vector<InputRun>* inputs, const Grid& grid,
                          uint64_t seed, EdgeStore* store) {
  const WantedSize wanted{grid.ranks(), grid.dims};
  TwinPlan plan;
  plan.groups = DrawnGroups::Of(tree, *inputs, wanted, OpenMakers(tree));
  if (Status s = CheckMayBeDrawn(tree, plan.groups, sites); !s.ok()) return s;
  std::map<SiteKey, int> drawn_loops;
  plan.tree = &tree;
  plan.last = &inputs->back();
  plan.ranks = wanted.ranks;
  plan.sides = wanted.sides;
  for (Exchange& exchange : FindExchanges(tree, inputs)) {
    DrawnExchange drawn;
    drawn.exchange = std::move(exchange);
    if (!drawn.exchange.refused.empty()) {
      return Status::No("no estimate of the partners of " +
                        NameOfSite(tree, drawn.exchange.sites[0], sites) +
                        ": " + drawn.exchange.refused);
    }
    if (drawn.exchange.irregular) {
      store->push_back(std::make_unique<std::vector<EdgeList>>());
      DrawExchange(tree, inputs, wanted, seed + plan.exchanges.size(), &drawn,
                   store->back().get());
      ChooseByLike(tree, grid, &drawn);
    }
    ScaleAmounts(tree, *inputs, wanted, &drawn);
    for (const SiteKey& site : drawn.exchange.sites) {
      plan.exchange_of[site] = int16_t(plan.exchanges.size());
      if (drawn.is_drawn) drawn_loops[site] = drawn.exchange.loop;
    }
    plan.exchanges.push_back(std::move(drawn));
  }
  ScaleCollectives(tree, *inputs, &plan);
  ScaleTrips(tree, *inputs, &plan);
  plan.styles = StylesOf(tree, *plan.last, drawn_loops);
  return plan;
}

std::set<SiteKey> DrawnGroupSites(const TwinTree& tree, const TwinPlan& plan) {
  std::set<SiteKey> sites;
  if (plan.groups.empty()) return sites;
  for (size_t n = 0; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.like->is_event()) continue;
    if (plan.groups.Draws(int(n)) || IsOfMembersAlone(item)) {
      sites.insert(SiteOf(*item.like));
    }
  }
  return sites;
}

std::map<SiteKey, SiteFit> FitSites(const TwinTree& tree,
                                    const Exchange& exchange,
                                    std::span<const InputRun> inputs,
                                    const WantedSize& wanted) {
  struct Series {
    std::vector<SizedValue> messages, bytes, partners;
    double element_bytes = 0;  // at the largest input that has any
  };
  std::map<SiteKey, Series> series;
  for (const InputRun& input : inputs) {
    for (const auto& [site, t] : TrafficOf(tree, exchange, input)) {
      Series& of = series[site];
      of.messages.push_back({input.ranks, t.messages, input.sides});
      of.bytes.push_back({input.ranks, t.bytes, input.sides});
      of.partners.push_back({input.ranks, t.partners, input.sides});
      if (t.elements > 0) of.element_bytes = t.bytes / t.elements;
    }
  }
  std::map<SiteKey, SiteFit> fits;
  for (const auto& [site, of] : series) {
    fits[site] = {FitTotal(of.messages, wanted), FitTotal(of.bytes, wanted),
                  FitTotal(of.partners, wanted), of.element_bytes};
  }
  return fits;
}

std::string NameOfSite(const TwinTree& tree, const SiteKey& site,
                       const reduction::Sites& sites) {
  for (const auto& item : tree.nodes) {
    if (item.like->is_event() && SiteOf(*item.like) == site) {
      return NameOf(*item.like, sites);
    }
  }
  return "a call";
}

}  // namespace ranksight::online_model
