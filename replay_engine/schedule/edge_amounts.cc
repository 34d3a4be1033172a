#include "replay_engine/schedule/edge_amounts.h"

#include <algorithm>
#include <array>
#include <span>

#include "reduction/api/cursor.h"
#include "reduction/api/fnv.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;

bool MakesGraphs(const reduction::Trace& trace) {
  bool any = false;
  ForEachEvent(trace.root, [&](const reduction::Node& node) {
    any = any || node.call == Call::MPI_Dist_graph_create_;
  });
  return any;
}

void AddTo(uint64_t* mark, int64_t amount) {
  reduction::Fnv hash;
  hash.Add(*mark);
  hash.Add(uint64_t(amount));
  *mark = hash.value();
}

// Amounts of one side with a count for each neighbour.
void AddEach(const Event& e, Param counts, Param size, Param sizes,
             std::vector<EdgeMark>* marks, size_t which) {
  const std::span<const int64_t> amounts = e.GetArray(counts);
  const std::span<const int64_t> each = e.GetArray(sizes);
  if (marks->size() < amounts.size()) marks->resize(amounts.size());
  for (size_t i = 0; i < amounts.size(); ++i) {
    const int64_t of_one = i < each.size() ? each[i] : e.Get(size);
    AddTo(&(*marks)[i][which],
          int64_t(uint64_t(amounts[i]) * uint64_t(of_one)));
  }
}

void Add(const Event& e, EdgeAmounts* edges) {
  if (e.Has(Param::kCounts)) {
    AddEach(e, Param::kCounts, Param::kTypeSize, Param::kTypeSizes, &edges->out,
            0);
    AddEach(e, Param::kRecvCounts, Param::kRecvTypeSize, Param::kRecvTypeSizes,
            &edges->in, 0);
  } else if (e.Has(Param::kRecvCounts)) {
    AddTo(&edges->to_all, SendBytes(e));
    AddEach(e, Param::kRecvCounts, Param::kRecvTypeSize, Param::kRecvTypeSizes,
            &edges->in, 1);
  }
}

}  // namespace

GraphEdges::GraphEdges(const reduction::Trace& trace, int64_t rank) {
  if (MakesGraphs(trace)) Walk(trace, rank);
}

const EdgeAmounts* GraphEdges::Of(int64_t comm) const {
  const auto at = of_comm_.find(comm);
  return at == of_comm_.end() ? nullptr : &at->second;
}

// What is wrong with the trace the replay itself will say.
void GraphEdges::Walk(const reduction::Trace& trace, int64_t rank) {
  auto cursor = reduction::Cursor::Open(trace, rank);
  if (!cursor.ok()) return;
  int64_t next_comm = 2;
  while (cursor->Next()) {
    const Event& e = cursor->event();
    const reduction::CallInfo& info = reduction::Info(e.call());
    if (info.makes_comm && e.Get(Param::kCommSize) > 0) {
      if (e.call() == Call::MPI_Dist_graph_create_) of_comm_[next_comm];
      ++next_comm;
    } else if (info.family == reduction::Family::kNeighbourhood) {
      const auto at = of_comm_.find(e.Get(Param::kComm));
      if (at != of_comm_.end()) Add(e, &at->second);
    }
  }
}

}  // namespace ranksight::replay_engine
