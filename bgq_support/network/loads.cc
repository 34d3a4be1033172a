#include <algorithm>
#include <atomic>

#include "bgq_support/base/contract.h"
#include "bgq_support/load/check.h"
#include "bgq_support/load/on_threads.h"
#include "bgq_support/load/plan.h"
#include "bgq_support/network/counters.h"

namespace ranksight::bgq_support {
namespace {

struct AddAlone {
  void operator()(uint64_t* to, uint64_t value) const { *to += value; }
};

// All messages of a flow; returns the bytes that stayed within nodes.
template <class AddTo, class Counter>
uint64_t AddFlow(const Counter& counter, const std::vector<Place>& places,
                 const Flow& flow, uint64_t* cells) {
  uint64_t local = 0;
  for (int64_t i = 0; i < flow.count; ++i) {
    const int64_t from =
        places[static_cast<size_t>(flow.rank + i * flow.stride)].node;
    const int64_t to =
        places[static_cast<size_t>(flow.peer + i * flow.peer_stride)].node;
    if (from == to) {
      local += flow.bytes;
    } else {
      counter.template Add<AddTo>(from, to, flow.bytes, cells);
    }
  }
  return local;
}

template <class AddTo, class Counter>
uint64_t AddFlows(const Counter& counter, const std::vector<Place>& places,
                  const std::vector<Flow>& pieces, unsigned threads,
                  uint64_t* cells) {
  std::atomic<size_t> next{0};
  std::atomic<uint64_t> local{0};
  OnThreads(threads, [&](unsigned) {
    uint64_t mine = 0;
    for (size_t i; (i = next.fetch_add(1)) < pieces.size();) {
      mine += AddFlow<AddTo>(counter, places, pieces[i], cells);
    }
    local += mine;
  });
  return local;
}

NodeCounts CountNodes(const std::vector<Place>& places, const Exchange& e) {
  std::vector<int64_t> nodes;
  nodes.reserve(e.members.size());
  for (const int64_t rank : e.members) {
    nodes.push_back(places[static_cast<size_t>(rank)].node);
  }
  std::sort(nodes.begin(), nodes.end());
  NodeCounts counts;
  for (const int64_t node : nodes) {
    if (counts.empty() || counts.back().first != node)
      counts.push_back({node, 0});
    ++counts.back().second;
  }
  return counts;
}

template <class Counter>
void Compute(const Counter& counter, const Mapping& mapping,
             const Traffic& traffic, LinkLoads* loads) {
  std::vector<uint64_t> cells(counter.cells(), 0);
  const std::vector<Flow> pieces = CutFlows(traffic.flows);
  const unsigned threads = UsefulThreads(pieces.size());
  const auto& places = mapping.places();
  // One thread needs no atomic additions, which cost more.
  loads->local_bytes =
      threads == 1
          ? AddFlows<AddAlone>(counter, places, pieces, 1, cells.data())
          : AddFlows<AtomicAdd>(counter, places, pieces, threads, cells.data());
  for (const Exchange& e : traffic.exchanges) {
    const NodeCounts counts = CountNodes(places, e);
    for (const auto& [node, count] : counts) {
      loads->local_bytes += e.bytes * count * (count - 1);
    }
    counter.AddExchange(counts, e.bytes, cells.data());
  }
  loads->scale = counter.scale();
  loads->load = counter.ToLoads(std::move(cells));
}

}  // namespace

double LinkLoads::MaxSeconds(const Network& network) const {
  double seconds = 0;
  for (const LinkClass& c : network.classes()) {
    const auto begin = load.begin() + static_cast<ptrdiff_t>(c.begin);
    const auto end = load.begin() + static_cast<ptrdiff_t>(c.end);
    if (begin == end) continue;
    const auto most = static_cast<double>(*std::max_element(begin, end));
    seconds =
        std::max(seconds, most / static_cast<double>(scale) / c.bandwidth);
  }
  return seconds;
}

std::optional<LinkLoads> ComputeLoads(const Network& network,
                                      const Mapping& mapping,
                                      const Traffic& traffic,
                                      std::string* reason) {
  RANKSIGHT_REQUIRE(reason != nullptr);
  if (const TorusNetwork* torus = network.torus()) {
    return ComputeLoads(torus->machine, mapping, torus->routing, traffic,
                        Engine::kAuto, reason);
  }
  Wide sent = 0;
  if (!CheckTraffic(traffic, mapping.ranks(), &sent, reason)) {
    return std::nullopt;
  }
  LinkLoads loads;
  const auto run = [&](const auto& counter) {
    if (sent * counter.scale() >= Wide{1} << 63) return false;
    loads.sent_bytes = static_cast<uint64_t>(sent);
    Compute(counter, mapping, traffic, &loads);
    return true;
  };
  const auto* fly = std::get_if<Dragonfly>(&network.shape());
  const auto* tree = dynamic_cast<const TreeRoutes*>(&network.routes());
  const size_t links = network.links();
  const bool done =
      fly != nullptr    ? run(DragonflyCounter(*fly, network.classes()))
      : tree != nullptr ? run(TreeCounter(*tree, links))
                        : run(GraphCounter(network.routes(), links));
  if (done) return loads;
  *reason = "too many bytes for exact loads with this routing";
  return std::nullopt;
}

}  // namespace ranksight::bgq_support
