#include "online_model/twin/scales.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "online_model/twin/draw.h"
#include "online_model/twin/size_fit.h"
#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;

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

// Of those that drawn edges are like.
double LikeMessages(const DrawnExchange& drawn) {
  double messages = 0;
  for (const DrawnEdge& e : drawn.edges) messages += double(e.like->messages);
  return messages;
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

bool IsAllToAll(reduction::Call call) {
  switch (reduction::BlockingForm(call)) {
    case reduction::Call::MPI_Alltoall_:
    case reduction::Call::MPI_Alltoallv_:
    case reduction::Call::MPI_Alltoallw_:
      return true;
    default:
      return false;
  }
}

// What ranks give in all the calls of a node, and in how many calls; nothing
// where it is not known to how many they give.
std::optional<AmountSum> SumOfExchange(const InputRun& input, size_t node,
                                       size_t param) {
  const auto& info = reduction::Info(input.nodes[node]->call);
  const auto comm =
      size_t(std::ranges::find(info.params, reduction::Param::kComm) -
             info.params.begin());
  const bool is_list = reduction::IsArray(info.params[param]);
  AmountSum sum;
  for (size_t r = 0; r < input.runs.size(); ++r) {
    const NodeRun& run = input.runs[r].nodes[node];
    if (run.empty()) continue;
    sum.count += double(run.starts.back());
    const ValueList& values = run.params[param];
    for (uint64_t k = 0; k < values.size(); ++k) {
      const int64_t size =
          is_list ? 1 : input.CommSize(int64_t(r), run.params[comm].At(k));
      if (size == 0) return std::nullopt;
      sum.sum += double(size) * double(values.At(k));
    }
  }
  return sum;
}

// Where each gives to each of a part of the ranks.
void ShareAmount(size_t n, size_t param, std::span<const InputRun> inputs,
                 TwinPlan* plan) {
  const WantedSize wanted{plan->ranks, plan->sides};
  std::vector<SizedValue> means, sums, counts;
  for (const InputRun& input : inputs) {
    const auto all = SumOfExchange(input, n, param);
    if (!all) return;
    sums.push_back({input.ranks, all->sum, input.sides});
    counts.push_back({input.ranks, all->count, input.sides});
    if (all->count > 0) means.push_back({input.ranks, all->sum / all->count});
  }
  if (means.empty()) return;
  const double sum = FitBySides(sums, wanted).value;
  const double count = FitBySides(counts, wanted).value;
  plan->shared_amounts[{SiteOf(*inputs.back().nodes[n]), param}] =
      sum >= 0 && count > 0 ? sum / count : FitMean(means, plan->ranks).value;
}

// What is given is what is taken: where one of both has no law, neither counts.
void ShareAmounts(const TwinTree& tree, std::span<const InputRun> inputs,
                  TwinPlan* plan) {
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.like->is_event() || !IsAllToAll(item.like->call) ||
        IsOnWorld(item)) {
      continue;
    }
    const auto params = reduction::Info(item.like->call).params;
    std::vector<size_t> amounts;
    bool open = false;
    for (size_t i = 0; i < params.size(); ++i) {
      if (!reduction::IsAmount(params[i]) || item.law->absent[i]) continue;
      amounts.push_back(i);
      open |= item.law->missing[i];
    }
    for (const size_t i : amounts) {
      if (open) ShareAmount(n, i, inputs, plan);
    }
  }
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
  const double mean =
      sum >= 0 && count > 0 ? sum / count : FitMean(means, plan->ranks).value;
  const SiteKey site = SiteOf(*item.like);
  const bool is_alone =
      reduction::Info(item.like->call).family == reduction::Family::kFile;
  if (is_alone || IsOnWorld(item)) {
    plan->amount_scales[site] =
        sum > 0
            ? AmountScale(sum, LikeAmount(inputs.back(), n, param, plan->ranks))
            : AmountScale(mean, means.back().value);
  } else {
    plan->mean_amounts[{site, param}] = std::llround(mean);
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

}  // namespace

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

void ScaleCollectives(const TwinTree& tree, std::span<const InputRun> inputs,
                      TwinPlan* plan) {
  ShareAmounts(tree, inputs, plan);
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

}  // namespace ranksight::online_model
