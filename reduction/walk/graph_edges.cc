#include "reduction/api/graph_edges.h"

#include <array>
#include <span>

#include "reduction/api/contract.h"
#include "reduction/api/cursor.h"
#include "reduction/api/fnv.h"

namespace ranksight::reduction {
namespace {

// Of what goes along this edge alone, and of what goes along all of a sender.
using EdgeAmounts = std::array<uint64_t, 2>;

struct Amounts {
  std::vector<EdgeAmounts> out, in;
  uint64_t to_all = 0;  // the second half of every edge that goes out
};

bool MakesGraphs(const Trace& trace) {
  bool any = false;
  ForEachEvent(trace.root, [&](const Node& node) {
    any = any || node.call == Call::MPI_Dist_graph_create_;
  });
  return any;
}

uint64_t Mixed(uint64_t mark, uint64_t amount) {
  Fnv hash;
  hash.Add(mark);
  hash.Add(amount);
  return hash.value();
}

void AddTo(uint64_t* mark, int64_t amount) {
  *mark = Mixed(*mark, uint64_t(amount));
}

// Amounts of one side with a count for each neighbour.
void AddEach(const Event& e, Param counts, Param size, Param sizes,
             std::vector<EdgeAmounts>* marks, size_t which) {
  const std::span<const int64_t> amounts = e.GetArray(counts);
  const std::span<const int64_t> each = e.GetArray(sizes);
  if (marks->size() < amounts.size()) marks->resize(amounts.size());
  for (size_t i = 0; i < amounts.size(); ++i) {
    const int64_t of_one = i < each.size() ? each[i] : e.Get(size);
    AddTo(&(*marks)[i][which],
          int64_t(uint64_t(amounts[i]) * uint64_t(of_one)));
  }
}

void Add(const Event& e, Amounts* edges) {
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

EdgeMarks MarksOf(const Amounts& amounts) {
  EdgeMarks marks;
  for (const EdgeAmounts& edge : amounts.out) {
    marks.out.push_back(Mixed(edge[0], amounts.to_all));
  }
  for (const EdgeAmounts& edge : amounts.in) {
    marks.in.push_back(Mixed(edge[0], edge[1]));
  }
  marks.other_out = Mixed(0, amounts.to_all);
  return marks;
}

}  // namespace

GraphEdges::GraphEdges(const Trace& trace, int64_t rank) {
  RANKSIGHT_REQUIRE(rank >= 0 && rank < trace.meta.ranks);
  if (MakesGraphs(trace)) Walk(trace, rank);
}

const EdgeMarks* GraphEdges::Of(int64_t comm) const {
  const auto at = of_comm_.find(comm);
  return at == of_comm_.end() ? nullptr : &at->second;
}

// What is wrong with the trace its user will say.
void GraphEdges::Walk(const Trace& trace, int64_t rank) {
  auto cursor = Cursor::Open(trace, rank);
  if (!cursor.ok()) return;
  std::map<int64_t, Amounts> amounts;
  int64_t next_comm = 2;
  while (cursor->Next()) {
    const Event& e = cursor->event();
    const CallInfo& info = Info(e.call());
    // Numbers as the rank gave them: from 2 on, in the order of the calls.
    if (info.makes_comm && e.Get(Param::kCommSize) > 0) {
      if (e.call() == Call::MPI_Dist_graph_create_) amounts[next_comm];
      ++next_comm;
    } else if (info.family == Family::kNeighbourhood) {
      const auto at = amounts.find(e.Get(Param::kComm));
      if (at != amounts.end()) Add(e, &at->second);
    }
  }
  for (const auto& [comm, of] : amounts) of_comm_[comm] = MarksOf(of);
}

}  // namespace ranksight::reduction
