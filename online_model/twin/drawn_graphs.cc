#include "online_model/twin/drawn_graphs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "online_model/twin/draw.h"
#include "online_model/twin/scales.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Param;

bool IsDistGraph(Call call) {
  return call == Call::MPI_Dist_graph_create_adjacent_ ||
         call == Call::MPI_Dist_graph_create_;
}

bool IsOfNeighbours(Param p) {
  switch (p) {
    case Param::kSourceCount:
    case Param::kSources:
    case Param::kDegrees:
    case Param::kDestinationCount:
    case Param::kDestinations:
      return true;
    default:
      return false;
  }
}

// A list of one rank in one call.
std::vector<int64_t> ListOf(const InputRun& input, size_t rank, int node,
                            uint64_t run, Param role) {
  const Call call = input.nodes[size_t(node)]->call;
  return input.runs[rank].nodes[size_t(node)].ListAt(
      call, size_t(reduction::ParamPlace(call, role)), run);
}

// How often all ranks make the call; 0 where they do not do so alike.
uint64_t CallsOfAll(const InputRun& input, int node) {
  std::set<uint64_t> calls;
  for (const RankRun& run : input.runs) {
    const NodeRun& of = run.nodes[size_t(node)];
    calls.insert(of.empty() ? 0 : of.starts.back());
  }
  return calls.size() == 1 ? *calls.begin() : 0;
}

// Whether each rank gives the edges that lead away from it, and no other's.
bool GivesItsOwn(const InputRun& input, int node) {
  if (input.nodes[size_t(node)]->call != Call::MPI_Dist_graph_create_) {
    return true;
  }
  const uint64_t calls = CallsOfAll(input, node);
  for (size_t r = 0; r < input.runs.size(); ++r) {
    for (uint64_t run = 0; run < calls; ++run) {
      const auto sources = ListOf(input, r, node, run, Param::kSources);
      if (sources.size() > 1) return false;
      if (!sources.empty() && sources[0] != int64_t(r)) return false;
    }
  }
  return true;
}

using Pairs = std::set<std::pair<int64_t, int64_t>>;

Pairs PairsOf(const InputRun& input, int node, uint64_t run) {
  Pairs pairs;
  for (size_t r = 0; r < input.runs.size(); ++r) {
    for (const int64_t to : ListOf(input, r, node, run, Param::kDestinations)) {
      if (!reduction::IsSpecial(to)) pairs.insert({int64_t(r), to});
    }
  }
  return pairs;
}

bool IsSameBothWays(const Pairs& pairs) {
  return std::ranges::all_of(pairs, [&](const auto& p) {
    return pairs.contains({p.second, p.first});
  });
}

EdgeList EdgesIn(const InputRun& input, const Pairs& pairs, bool both_ways) {
  EdgeList list;
  list.ranks = input.ranks;
  list.sides = input.sides;
  list.both_ways = both_ways;
  for (const auto& [u, v] : pairs) {
    if (both_ways && u > v) continue;
    Edge edge;
    edge.u = u;
    edge.v = v;
    edge.messages = 1;
    list.edges.push_back(std::move(edge));
  }
  return list;
}

std::vector<DrawnGraphs::Neighbours> DrawGraph(std::span<const InputRun> inputs,
                                               int node, uint64_t run,
                                               const WantedSize& wanted,
                                               uint64_t seed) {
  std::vector<std::pair<const InputRun*, Pairs>> seen;
  bool both_ways = true;
  for (const InputRun& input : inputs) {
    const uint64_t calls = CallsOfAll(input, node);
    if (calls == 0) continue;
    seen.emplace_back(&input, PairsOf(input, node, std::min(run, calls - 1)));
    both_ways = both_ways && IsSameBothWays(seen.back().second);
  }
  std::vector<EdgeList> edges;
  for (const auto& [input, pairs] : seen) {
    edges.push_back(EdgesIn(*input, pairs, both_ways));
  }
  std::vector<DrawnGraphs::Neighbours> graph(size_t(wanted.ranks));
  const auto lead = [&graph](int64_t from, int64_t to) {
    graph[size_t(from)].destinations.push_back(to);
    graph[size_t(to)].sources.push_back(from);
  };
  for (const DrawnEdge& e : DrawEdges(edges, wanted, {}, false, seed)) {
    lead(e.u, e.v);
    if (both_ways && e.u != e.v) lead(e.v, e.u);
  }
  for (DrawnGraphs::Neighbours& of : graph) {
    std::ranges::sort(of.sources);
    std::ranges::sort(of.destinations);
  }
  return graph;
}

bool HasOpenNeighbours(const TwinTree::Item& item) {
  const auto params = reduction::Info(item.like->call).params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (IsOfNeighbours(params[i]) && item.HasNoLaw(i)) return true;
  }
  return false;
}

}  // namespace

DrawnGraphs DrawnGraphs::Of(const TwinTree& tree,
                            std::span<const InputRun> inputs,
                            const WantedSize& wanted, uint64_t seed) {
  DrawnGraphs all;
  for (int n = 1; n < int(tree.nodes.size()); ++n) {
    const TwinTree::Item& item = tree.nodes[size_t(n)];
    if (!item.like->is_event() || item.copied ||
        !IsDistGraph(item.like->call) || !HasOpenNeighbours(item) ||
        !item.on_world) {
      continue;
    }
    const uint64_t calls = CallsOfAll(inputs.back(), n);
    if (calls == 0 || !std::ranges::all_of(inputs, [&](const InputRun& input) {
          return GivesItsOwn(input, n);
        })) {
      continue;
    }
    std::vector<Graph>& graphs = all.of_node_[n];
    for (uint64_t run = 0; run < calls; ++run) {
      graphs.push_back(DrawGraph(inputs, n, run, wanted, seed + run));
    }
  }
  return all;
}

const DrawnGraphs::Neighbours* DrawnGraphs::At(int64_t rank, int node,
                                               int64_t run) const {
  const auto graphs = of_node_.find(node);
  if (graphs == of_node_.end() || run < 0 ||
      size_t(run) >= graphs->second.size()) {
    return nullptr;
  }
  return &graphs->second[size_t(run)][size_t(rank)];
}

double DrawnGraphs::EdgesOf(int node) const {
  const auto graphs = of_node_.find(node);
  double edges = 0;
  if (graphs == of_node_.end()) return edges;
  for (const Graph& graph : graphs->second) {
    for (const Neighbours& of : graph) edges += double(of.destinations.size());
  }
  return edges;
}

double DrawnGraphs::EdgesOf(const InputRun& input, int node) {
  double edges = 0;
  const uint64_t calls = CallsOfAll(input, node);
  for (uint64_t run = 0; run < calls; ++run) {
    edges += double(PairsOf(input, node, run).size());
  }
  return edges;
}

}  // namespace ranksight::online_model
