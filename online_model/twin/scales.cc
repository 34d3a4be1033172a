#include "online_model/twin/scales.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "online_model/twin/draw.h"
#include "online_model/twin/meeting_nodes.h"
#include "online_model/twin/size_fit.h"
#include "online_model/twin/window_reach.h"
#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;

// Of the sites that send.
SiteTraffic SentTogether(const TrafficBySite& by_site) {
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
    const SiteTraffic t = SentTogether(TrafficOf(tree, exchange, input));
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

// Of those that drawn edges are like.
double LikeMessages(const DrawnExchange& drawn) {
  double messages = 0;
  for (const DrawnEdge& e : drawn.edges) messages += double(e.like->messages);
  return messages;
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

AmountSum SumAmount(const InputRun& input, const std::vector<size_t>& nodes,
                    size_t param) {
  AmountSum all;
  for (const size_t n : nodes) {
    const AmountSum of = SumAmount(*input.nodes[n], param);
    all.sum += of.sum;
    all.count += of.count;
  }
  return all;
}

// Over all ranks of `ranks` that have an amount as their like ones do.
AmountSum LikeAmount(const InputRun& last, size_t node, size_t param,
                     int64_t ranks) {
  const std::vector<double> times = TimesTaken(ranks, last.ranks);
  const bool is_list =
      reduction::IsArray(reduction::Info(last.nodes[node]->call).params[param]);
  AmountSum all;
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
    // To whom it means nothing in all calls does not count, as in SumAmount.
    bool counts = is_list;
    for (uint64_t k = 0; k < values.size(); ++k) {
      counts = counts || values.At(k) > 0;
    }
    for (uint64_t k = 0; k < values.size(); ++k) {
      const double place =
          of_ranks ? times[size_t(k % uint64_t(last.ranks))] : 1;
      const double many = times[size_t(r)] * place;
      all.sum += many * double(values.At(k));
      if (counts) all.count += many;
    }
  }
  return all;
}

// What ranks give in all the calls of a node, and in how many calls; nothing
// where it is not known to how many they give.
std::optional<AmountSum> SumOfExchange(const InputRun& input, size_t node,
                                       size_t param) {
  const auto& info = reduction::Info(input.nodes[node]->call);
  const auto comm =
      size_t(reduction::ParamPlace(info.call, reduction::Param::kComm));
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
void ShareAmount(const std::vector<size_t>& nodes, size_t param,
                 std::span<const InputRun> inputs, TwinPlan* plan) {
  const WantedSize wanted{plan->ranks, plan->sides};
  std::vector<SizedValue> means, sums, counts;
  for (const InputRun& input : inputs) {
    AmountSum all;
    for (const size_t n : nodes) {
      const auto of = SumOfExchange(input, n, param);
      if (!of) return;
      all.sum += of->sum;
      all.count += of->count;
    }
    sums.push_back({input.ranks, all.sum, input.sides});
    counts.push_back({input.ranks, all.count, input.sides});
    if (all.count > 0) means.push_back({input.ranks, all.sum / all.count});
  }
  if (means.empty()) return;
  const double sum = FitBySides(sums, wanted).value;
  const double count = FitBySides(counts, wanted).value;
  plan->shared_amounts[{SiteOf(*inputs.back().nodes[nodes[0]]), param}] =
      sum >= 0 && count > 0 ? sum / count : FitMean(means, plan->ranks).value;
}

// What is given is what is taken: where one of both has no law, neither counts.
void ShareAmounts(const TwinTree& tree, std::span<const InputRun> inputs,
                  TwinPlan* plan) {
  std::map<SiteKey, std::vector<size_t>> open;
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (item.like->is_event() && IsAllToAll(item.like->call) &&
        !item.on_world) {
      open[SiteOf(*item.like)].push_back(n);
    }
  }
  for (const auto& [site, nodes] : open) {
    const auto params = reduction::Info(site.first).params;
    // How many elements, and what an element is, each at both ends.
    for (const auto& is_of : {reduction::IsAmount, IsTypeSizes}) {
      std::vector<size_t> amounts;
      bool is_open = false;
      for (size_t i = 0; i < params.size(); ++i) {
        if (!is_of(params[i])) continue;
        amounts.push_back(i);
        is_open |= std::ranges::any_of(
            nodes, [&](size_t n) { return tree.nodes[n].HasNoLaw(i); });
      }
      for (const size_t i : amounts) {
        if (is_open) ShareAmount(nodes, i, inputs, plan);
      }
    }
  }
}

// How many ranks are together in the calls of these nodes, on average; 0 where
// it is not known. size_of(rank, number): of the communicator that it is on.
template <class SizeOf>
double MeanTogether(const InputRun& input, const std::vector<size_t>& nodes,
                    const SizeOf& size_of) {
  double sum = 0, calls = 0;
  for (const size_t n : nodes) {
    const auto comm = size_t(
        reduction::ParamPlace(input.nodes[n]->call, reduction::Param::kComm));
    for (size_t r = 0; r < input.runs.size(); ++r) {
      const NodeRun& run = input.runs[r].nodes[n];
      if (run.empty() || comm >= run.params.size()) continue;
      const ValueList& numbers = run.params[comm];
      const uint64_t different = numbers.IsConstant() ? 1 : numbers.size();
      const double each = double(numbers.size()) / double(different);
      for (uint64_t k = 0; k < different; ++k) {
        const double size = size_of(int64_t(r), numbers.At(k));
        if (size <= 0) return 0;
        sum += each * size;
        calls += each;
      }
    }
  }
  return calls == 0 ? 0 : sum / calls;
}

// Told by how many ranks are together there, at the runs and in what is drawn;
// -1: not.
double FitByParts(const std::vector<SizedValue>& means,
                  const std::vector<size_t>& nodes,
                  std::span<const InputRun> inputs, const TwinPlan& plan) {
  std::vector<PartsValue> points;
  for (const InputRun& input : inputs) {
    const auto mean = std::ranges::find(means, input.ranks, &SizedValue::ranks);
    if (mean == means.end()) return -1;
    points.push_back({input.ranks, mean->value,
                      MeanTogether(input, nodes, [&](int64_t r, int64_t c) {
                        return double(input.CommSize(r, c));
                      })});
  }
  const InputRun& last = inputs.back();
  std::vector<std::vector<int64_t>> alike(last.runs.size());
  for (int64_t r = 0; r < plan.ranks; ++r) {
    alike[size_t(DonorOf(r, plan.ranks, last.ranks))].push_back(r);
  }
  const double together =
      MeanTogether(last, nodes, [&](int64_t like, int64_t number) {
        double sum = 0;
        for (const int64_t r : alike[size_t(like)]) {
          const auto* group = plan.groups.GroupOf(r, like, number);
          sum += group == nullptr ? 0 : double(group->members.size());
        }
        const auto n = double(alike[size_t(like)].size());
        return n == 0 ? 1 : sum / n;
      });
  return FitByParts(points, plan.ranks, together);
}

// How many amounts there are, told by the sides of the grid, or how many each
// rank has: of lists of all in its row. -1: not.
double CountBySides(std::vector<SizedValue> counts, const WantedSize& wanted) {
  const double count = FitBySides(counts, wanted).value;
  if (count >= 0) return count;
  for (SizedValue& of : counts) of.value /= double(of.ranks);
  const double of_each = FitBySides(counts, wanted).value;
  return of_each < 0 ? -1 : of_each * double(wanted.ranks);
}

// Amounts of collectives get longer or shorter together, so that what one rank
// gives is what another takes.
void ScaleCollective(const TwinTree& tree, const std::vector<size_t>& nodes,
                     size_t param, std::span<const InputRun> inputs,
                     TwinPlan* plan) {
  std::vector<SizedValue> means, sums, counts;
  for (const InputRun& input : inputs) {
    const AmountSum all = SumAmount(input, nodes, param);
    sums.push_back({input.ranks, all.sum, input.sides});
    counts.push_back({input.ranks, all.count, input.sides});
    if (all.count > 0) means.push_back({input.ranks, all.sum / all.count});
  }
  if (means.empty()) return;
  const WantedSize wanted{plan->ranks, plan->sides};
  const double sum = FitBySides(sums, wanted).value;
  const double count = CountBySides(counts, wanted);
  double mean =
      sum >= 0 && count > 0 ? sum / count : FitMean(means, plan->ranks).value;
  const SiteKey site = SiteOf(*tree.nodes[nodes[0]].like);
  const auto& info = reduction::Info(site.first);
  const bool is_alone = info.family == reduction::Family::kFile ||
                        IsWindowSize(info.call, info.params[param]);
  const bool of_all = std::ranges::all_of(
      nodes, [&](size_t n) { return tree.nodes[n].on_world; });
  if (!is_alone && !of_all) {
    const double by_parts = FitByParts(means, nodes, inputs, *plan);
    if (by_parts >= 0) mean = by_parts;
    for (const size_t n : nodes) {
      plan->mean_amounts[{SiteOf(*tree.nodes[n].like), param}] =
          std::llround(mean);
    }
    return;
  }
  AmountSum like;
  for (const size_t n : nodes) {
    const AmountSum of = LikeAmount(inputs.back(), n, param, plan->ranks);
    like.sum += of.sum;
    like.count += of.count;
  }
  // Who is like whom need not give what all of the largest run give in the
  // mean.
  const double scale = sum > 0 ? GrowthOverLike(sum, like.sum)
                       : like.count > 0
                           ? GrowthOverLike(mean, like.sum / like.count)
                           : 1;
  for (const size_t n : nodes) {
    plan->amount_scales[SiteOf(*tree.nodes[n].like)] = scale;
  }
}

// Whether one end of what is given stands in a list of what each rank gets or
// gives, so that both may not come from different places.
bool HasLists(reduction::Call call) {
  return std::ranges::any_of(reduction::Info(call).params,
                             [](reduction::Param p) {
                               return p == reduction::Param::kCounts ||
                                      p == reduction::Param::kRecvCounts;
                             });
}

// Whether both ends of what is given stand in calls of one kind: collectives of
// all ranks, lists of some of them, neighbours.
bool HasBothEnds(const TwinTree::Item& item) {
  if (!item.like->is_event()) return false;
  const reduction::Family family = reduction::Info(item.like->call).family;
  return family == reduction::Family::kNeighbourhood ||
         (family == reduction::Family::kCollective &&
          (item.on_world || HasLists(item.like->call)));
}

// Amounts of elements, or what an element is.
bool IsGiven(const TwinTree::Item& item, reduction::Param p) {
  return reduction::IsAmount(p) || IsWindowSize(item.like->call, p) ||
         IsTypeSizes(p);
}

// What one rank gives another takes: where an amount of a collective has no law
// on some ranks or at one of both ends, none of its amounts is by law.
// meet: by node, the first of those that meet; sites: where only some ranks
// do, of those that do so at one call site.
void PassOverLaws(const TwinTree& tree, const std::vector<int>& meet,
                  const std::vector<int>& sites, TwinPlan* plan) {
  using Key = std::pair<int, bool>;
  std::set<Key> open;
  // How many elements are given, and what one is, are told apart where all
  // give to all.
  const auto key = [&](size_t n, size_t i) {
    const auto& info = reduction::Info(tree.nodes[n].like->call);
    const bool of_some = info.family == reduction::Family::kCollective &&
                         !tree.nodes[n].on_world;
    return Key{of_some ? sites[n] : meet[n],
               info.family == reduction::Family::kCollective &&
                   IsTypeSizes(info.params[i])};
  };
  const auto for_amounts = [&tree](const auto& f) {
    for (size_t n = 1; n < tree.nodes.size(); ++n) {
      if (!HasBothEnds(tree.nodes[n])) continue;
      const auto params = reduction::Info(tree.nodes[n].like->call).params;
      for (size_t i = 0; i < params.size(); ++i) {
        if (IsGiven(tree.nodes[n], params[i])) f(n, i);
      }
    }
  };
  for_amounts([&](size_t n, size_t i) {
    const NodeLaw& law = *tree.nodes[n].law;
    const bool is_passed_over =
        tree.draws_lists && !law.absent[i] && !law.params[i].IsOneNumber();
    if (is_passed_over || tree.nodes[n].HasNoLaw(i)) open.insert(key(n, i));
  });
  for_amounts([&](size_t n, size_t i) {
    const NodeLaw& law = *tree.nodes[n].law;
    if (open.contains(key(n, i)) && !law.absent[i] && !law.missing[i]) {
      plan->by_like.insert({n, i});
    }
  });
}

// By node, a number that those have in common that are of one site, or meet
// one of it: their amounts grow alike.
std::vector<int> GroupsOfSites(const TwinTree& tree,
                               const std::vector<int>& meet) {
  std::vector<int> groups = meet;
  std::map<SiteKey, int> of_site;
  const auto unite = [&groups](int a, int b) {
    if (a == b) return;
    std::ranges::replace(groups, std::max(a, b), std::min(a, b));
  };
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    if (!tree.nodes[n].like->is_event()) continue;
    const auto [known, is_new] =
        of_site.try_emplace(SiteOf(*tree.nodes[n].like), int(n));
    unite(groups[n], groups[size_t(known->second)]);
  }
  return groups;
}

}  // namespace

double GrowthOverLike(double fitted, double like) {
  // More than this by a fit over small runs is no forecast.
  constexpr double kMost = 8;
  if (like <= 0 || fitted <= 0) return 1;
  return std::clamp(fitted / like, 1 / kMost, kMost);
}

std::vector<double> TimesTaken(int64_t ranks, int64_t known) {
  std::vector<double> times(size_t(known), 0);
  for (int64_t r = 0; r < ranks; ++r) ++times[size_t(DonorOf(r, ranks, known))];
  return times;
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

double MessageScale(const TwinTree& tree, const DrawnExchange& drawn,
                    std::span<const InputRun> inputs,
                    std::span<const EdgeList> edges, const WantedSize& wanted,
                    double iterations) {
  const Exchange& exchange = drawn.exchange;
  const double by_sides =
      FitBySides(SeriesOf(tree, exchange, inputs).messages, wanted).value;
  const double like = iterations * LikeMessages(drawn);
  if (by_sides >= 0 && like > 0) {
    const double scale = GrowthOverLike(by_sides, like);
    return std::abs(scale - 1) < 0.005 ? 1 : scale;
  }
  std::vector<SizedValue> each;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (edges[i].edges.empty()) continue;
    const double messages =
        SentTogether(TrafficOf(tree, exchange, inputs[i])).messages;
    each.push_back({inputs[i].ranks, messages / double(edges[i].edges.size())});
  }
  if (each.empty()) return 1;
  // Of those that edges are like, which need not have as many in the mean as
  // all edges of the largest run.
  const double of_like = like > 0 ? like / double(drawn.edges.size())
                                  : iterations * each.back().value;
  const double scale =
      GrowthOverLike(FitMean(each, wanted.ranks).value, of_like);
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
  drawn->amount_scale = GrowthOverLike(
      LengthFitted(SeriesOf(tree, drawn->exchange, inputs), wanted),
      like.bytes / like.messages);
}

void ScaleCollectives(const TwinTree& tree, std::span<const InputRun> inputs,
                      TwinPlan* plan) {
  ShareAmounts(tree, inputs, plan);
  const std::vector<int> meet = NodesThatMeet(tree, inputs.back());
  const std::vector<int> groups = GroupsOfSites(tree, meet);
  PassOverLaws(tree, meet, groups, plan);
  std::map<std::pair<int, size_t>, std::vector<size_t>> amounts;
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.like->is_event()) continue;
    const auto& info = reduction::Info(item.like->call);
    if (info.family == reduction::Family::kPointToPoint) continue;
    for (size_t i = 0; i < info.params.size(); ++i) {
      if (!IsGiven(item, info.params[i])) continue;
      if (!item.law->missing[i] && !plan->by_like.contains({n, i})) continue;
      amounts[{groups[n], i}].push_back(n);
    }
  }
  for (const auto& [at, nodes] : amounts) {
    ScaleCollective(tree, nodes, at.second, inputs, plan);
  }
}

}  // namespace ranksight::online_model
