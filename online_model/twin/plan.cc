#include "online_model/twin/plan.h"

#include <algorithm>
#include <optional>
#include <set>

#include "online_model/synthesize/node_name.h"
#include "online_model/twin/may_be_drawn.h"
#include "online_model/twin/scale_trips.h"
#include "online_model/twin/scales.h"
#include "online_model/twin/shifts.h"
#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using reduction::MessageKind;
using reduction::Param;
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

// Whether any of its calls stands in a loop whose trips have no law.
bool IsInCopiedLoops(const TwinTree& tree, const Exchange& exchange) {
  return std::ranges::any_of(tree.nodes, [&](const TwinTree::Item& item) {
    return item.like->is_event() && item.copied &&
           std::ranges::count(exchange.sites, SiteOf(*item.like)) > 0;
  });
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

bool IsStar(const DrawnExchange& drawn) {
  return std::ranges::all_of(drawn.edges, [&drawn](const DrawnEdge& e) {
    return e.u != e.v && (drawn.of_rank[size_t(e.u)].size() == 1 ||
                          drawn.of_rank[size_t(e.v)].size() == 1);
  });
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

uint32_t FirstNodeOf(const TwinTree& tree, const Exchange& exchange) {
  const auto it = std::ranges::find_if(tree.nodes, [&](const auto& item) {
    return item.like->is_event() &&
           std::ranges::count(exchange.sites, SiteOf(*item.like)) > 0;
  });
  return uint32_t(it - tree.nodes.begin());
}

// Of the ranks that say what laws give ranks; more would cost more and say
// little.
constexpr int64_t kAsked = 16;

// By rank, what the laws give some of them.
std::map<int64_t, RankRun> SomeRuns(const TwinTree& tree, const Grid& grid) {
  std::map<int64_t, RankRun> runs;
  const int64_t step = std::max<int64_t>(1, grid.ranks() / kAsked);
  for (int64_t rank = 0; rank < grid.ranks(); rank += step) {
    BadLaw bad;
    auto run = RunByLaw(tree, grid, rank, &bad);
    if (run.ok()) runs.emplace(rank, std::move(*run));
  }
  return runs;
}

// How many more iterations a loop has than at the like ranks: an edge that is
// like another has messages in each that is like one of its.
double MoreIterations(const std::map<int64_t, RankRun>& runs,
                      const InputRun& last, int64_t ranks, int loop) {
  double here = 0, there = 0;
  for (const auto& [rank, run] : runs) {
    const auto like = size_t(DonorOf(rank, ranks, last.ranks));
    here += double(IterationsOf(run, loop));
    there += double(IterationsOf(last.runs[like], loop));
  }
  return here > 0 && there > 0 ? here / there : 1;
}

// Whether all ranks call it together, once or oftener in each iteration of the
// loop.
bool MeetsInEach(const TwinTree& tree, size_t node, int loop) {
  const TwinTree::Item& item = tree.nodes[node];
  if (!item.like->is_event() || item.copied) return false;
  const auto& info = reduction::Info(item.like->call);
  const bool is_last = info.call == reduction::Call::MPI_Finalize_;
  const bool is_of_all =
      info.family == reduction::Family::kCollective && item.on_world;
  if (!is_last && !is_of_all) return false;
  size_t at = node;
  for (; at > 0 && int(at) != loop; at = size_t(tree.nodes[at].parent)) {
    const SequenceLaw& trips = tree.nodes[at].law->trips;
    if (!trips.IsOneNumber() || trips.values[0].constant < 1) return false;
  }
  return int(at) == loop;
}

// The first node behind an exchange of calls that block where all ranks meet.
std::optional<uint32_t> NextMeeting(const TwinTree& tree,
                                    const Exchange& exchange) {
  const bool all_block = std::ranges::all_of(
      exchange.sites, [](const SiteKey& s) { return BlocksAlone(s.first); });
  if (!all_block) return std::nullopt;
  size_t behind = 0;
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (item.like->is_event() &&
        std::ranges::count(exchange.sites, SiteOf(*item.like)) > 0) {
      behind = n + 1;
    }
  }
  for (size_t n = behind; n < tree.nodes.size(); ++n) {
    if (MeetsInEach(tree, n, exchange.loop)) return uint32_t(n);
  }
  // What stands behind all else in each iteration of a loop comes before none.
  if (exchange.loop > 0) return uint32_t(tree.nodes.size());
  return std::nullopt;
}

void DrawExchange(const TwinTree& tree, std::vector<InputRun>* inputs,
                  const WantedSize& wanted, const ExchangeParts& parts,
                  const std::map<int64_t, RankRun>& runs, uint64_t seed,
                  DrawnExchange* drawn, std::vector<EdgeList>* edges) {
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
    drawn->edges = DrawShifts(*edges, wanted, parts, keep, seed);
    PutInRounds(wanted.ranks, drawn);
    return;
  }
  drawn->edges = DrawEdges(*edges, wanted, parts, keep, seed);
  drawn->seed = seed;
  if (!keep) {
    drawn->message_scale =
        MessageScale(tree, *drawn, *inputs, *edges, wanted,
                     MoreIterations(runs, inputs->back(), wanted.ranks,
                                    drawn->exchange.loop));
  }
  const Steps steps = StepsOf(tree, drawn->exchange, inputs->back());
  drawn->by_edge = steps.sites > steps.partners;
  if (IsInCopiedLoops(tree, drawn->exchange)) {
    drawn->meetings = FindMeetings(tree, drawn->exchange.loop, inputs->back());
  }
  if (tree.sets_apart) drawn->before_node = NextMeeting(tree, drawn->exchange);
  // Communicators may be gone by then.
  drawn->on_world = drawn->on_world || drawn->before_node.has_value();
  PutInOrder(!drawn->meetings && !drawn->before_node &&
                 10 * steps.up >= 9 * steps.partners,
             wanted.ranks, drawn);
  drawn->is_star = drawn->by_edge && IsStar(*drawn);
  drawn->order = SitesInOrder(tree, drawn->exchange);
}

// Whether some of its calls are not among all ranks, and nothing is known of
// who is together there.
bool MayLeaveComm(const TwinTree& tree, const Exchange& exchange,
                  const InputRun& last, const ExchangeParts& parts) {
  return parts.empty() && std::ranges::any_of(last.talks, [&](const Talk& t) {
           if (!IsOf(exchange, tree, t)) return false;
           const int comm = reduction::ParamPlace(tree.nodes[t.node].like->call,
                                                  Param::kComm);
           return last.CommSize(t.rank, ParamOf(last, t, comm, 0)) !=
                  last.ranks;
         });
}

bool DiffersByRank(const std::map<int64_t, RankRun>& runs, size_t node,
                   size_t param) {
  std::optional<int64_t> one;
  for (const auto& [rank, run] : runs) {
    const auto& single = run.nodes[node].single;
    if (param >= single.size()) continue;  // it never comes here
    if (!single[param]) return true;
    if (one.value_or(*single[param]) != *single[param]) return true;
    one = single[param];
  }
  return false;
}

void ChooseByLike(const TwinTree& tree, const std::map<int64_t, RankRun>& runs,
                  DrawnExchange* drawn) {
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

}  // namespace

Result<TwinPlan> PlanTwin(const TwinTree& tree, const reduction::Sites& sites,
                          std::vector<InputRun>* inputs, const Grid& grid,
                          uint64_t seed, EdgeStore* store) {
  const WantedSize wanted{grid.ranks(), grid.dims};
  TwinPlan plan;
  plan.sizes = SizesByColor::Of(tree, grid);
  plan.groups =
      DrawnGroups::Of(tree, *inputs, wanted, OpenMakers(tree, plan.sizes));
  plan.graphs = DrawnGraphs::Of(tree, *inputs, wanted, seed);
  if (Status s = CheckMayBeDrawn(tree, plan, sites); !s.ok()) return s;
  if (std::ranges::any_of(tree.nodes, [](const TwinTree::Item& item) {
        return item.like->is_event() && IsOpenToMembers(item);
      })) {
    plan.by_law = GroupsByLaw::Of(tree, inputs->back(), grid);
  }
  std::map<SiteKey, int> drawn_loops;
  plan.tree = &tree;
  plan.last = &inputs->back();
  plan.ranks = wanted.ranks;
  plan.sides = wanted.sides;
  const std::map<int64_t, RankRun> runs = SomeRuns(tree, grid);
  for (Exchange& exchange : FindExchanges(tree, inputs)) {
    DrawnExchange drawn;
    drawn.exchange = std::move(exchange);
    if (!drawn.exchange.refused.empty()) {
      return Status::No("no estimate of the partners of " +
                        NameOfSite(tree, drawn.exchange.sites[0], sites) +
                        ": " + drawn.exchange.refused);
    }
    drawn.on_world = drawn.exchange.comms;
    if (drawn.exchange.irregular) {
      store->push_back(std::make_unique<std::vector<EdgeList>>());
      const ExchangeParts parts = PartsOfExchange(
          tree, drawn.exchange, inputs->back(), grid, plan.groups);
      drawn.on_world |=
          MayLeaveComm(tree, drawn.exchange, inputs->back(), parts);
      DrawExchange(tree, inputs, wanted, parts, runs,
                   seed + plan.exchanges.size(), &drawn, store->back().get());
      ChooseByLike(tree, runs, &drawn);
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

bool TwinPlan::LeavesDrawnComm(const TwinTree::Item& item) const {
  const auto& info = reduction::Info(item.like->call);
  const int comm = reduction::ParamPlace(info.call, reduction::Param::kComm);
  if (!tree->sets_apart || groups.empty() || comm < 0 ||
      info.family != reduction::Family::kPointToPoint) {
    return false;
  }
  const SequenceLaw& law = item.law->params[size_t(comm)];
  const bool is_world = law.IsOneNumber() && law.values[0].constant == 0;
  return !item.law->absent[size_t(comm)] && !is_world;
}

// Whether it runs as often on every rank.
static bool RunsAlike(const TwinTree& tree, size_t node) {
  for (size_t at = node; at > 0; at = size_t(tree.nodes[at].parent)) {
    if (!tree.nodes[at].law->trips.IsOneNumber()) return false;
  }
  return true;
}

std::set<SiteKey> DrawnGroupSites(const TwinTree& tree, const TwinPlan& plan) {
  std::set<SiteKey> sites;
  if (plan.groups.empty()) return sites;
  for (size_t n = 0; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.like->is_event()) continue;
    const bool is_of_some = reduction::Info(item.like->call).family ==
                                reduction::Family::kCollective &&
                            !item.on_world && !RunsAlike(tree, n);
    if (plan.groups.Draws(int(n)) || IsOfMembersAlone(item) || is_of_some ||
        plan.LeavesDrawnComm(item)) {
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
