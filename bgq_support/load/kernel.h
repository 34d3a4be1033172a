// The inner loop of link loads: what one message adds to the difference
// arrays. The same code runs on threads and in Kokkos kernels, so nothing
// here allocates or calls the C++ library.
//
// RANKSIGHT_KERNEL is defined by whoever includes this: what stands before a
// function that a kernel may call.
#pragma once

#include <cstdint>

#include "bgq_support/api/load.h"

namespace ranksight::bgq_support {

// A torus and its routing as plain memory.
struct Plan {
  int dims = 0;
  int64_t nodes = 0;
  bool both_ways = true;  // HalfWay::kBoth
  int length[Torus::kMaxDims] = {};
  bool wraps[Torus::kMaxDims] = {};
  int64_t step[Torus::kMaxDims] = {};  // from a node to the next one up
  int first_turn[Torus::kMaxDims + 1] = {};
  const Turn* turns = nullptr;
  const int32_t* coordinates = nullptr;  // dims for each node
  // Of `differences`: (dim * 2 + up) * nodes + node. Sums along a
  // dimension give twice the scale of the turns.
  uint64_t* differences = nullptr;
};

// Where nobody else adds.
struct PlainAdd {
  void operator()(uint64_t* to, uint64_t value) const { *to += value; }
};

// AddTo(uint64_t*, uint64_t): adds, whoever else adds at the same time.
template <class AddTo>
struct MessageKernel {
  // The links from coordinate `at` on, `hops` of them, in one dimension of
  // the line through node `base` (whose coordinate there is 0).
  RANKSIGHT_KERNEL static void AddStretch(const Plan& p, int dim, bool up,
                                          int64_t base, int at, int hops,
                                          uint64_t weight) {
    const int length = p.length[dim];
    uint64_t* const line =
        p.differences + (int64_t{dim} * 2 + (up ? 1 : 0)) * p.nodes + base;
    const int64_t step = p.step[dim];
    // Links are named by the node they leave: downwards those are the same
    // number of nodes ending at `at`.
    int begin = up ? at : at - hops + 1;
    if (begin < 0) begin += length;
    const int end = begin + hops;
    AddTo()(line + begin * step, weight);
    if (end < length) {
      AddTo()(line + end * step, uint64_t{0} - weight);
    } else if (end > length) {
      AddTo()(line, weight);
      AddTo()(line + (end - length) * step, uint64_t{0} - weight);
    }
  }

  // The stretch in dimension dim for one case of the routing.
  RANKSIGHT_KERNEL static void AddTurn(const Plan& p, int dim, int64_t base,
                                       int from, int to, uint64_t weight) {
    const int length = p.length[dim];
    if (!p.wraps[dim]) {
      const bool up = to > from;
      AddStretch(p, dim, up, base, from, up ? to - from : from - to,
                 2 * weight);
      return;
    }
    const int forward = to >= from ? to - from : to - from + length;
    const int back = length - forward;
    if (forward < back || (forward == back && !p.both_ways)) {
      AddStretch(p, dim, true, base, from, forward, 2 * weight);
    } else if (back < forward) {
      AddStretch(p, dim, false, base, from, back, 2 * weight);
    } else {
      AddStretch(p, dim, true, base, from, forward, weight);
      AddStretch(p, dim, false, base, from, back, weight);
    }
  }

  RANKSIGHT_KERNEL static void AddMessage(const Plan& p, int32_t from,
                                          int32_t to, uint64_t bytes) {
    const int32_t* const a = p.coordinates + int64_t{from} * p.dims;
    const int32_t* const b = p.coordinates + int64_t{to} * p.dims;
    for (int dim = 0; dim < p.dims; ++dim) {
      if (a[dim] == b[dim]) continue;
      const int64_t start = from - a[dim] * p.step[dim];
      for (int t = p.first_turn[dim]; t < p.first_turn[dim + 1]; ++t) {
        int64_t base = start;
        for (int j = 0; j < p.dims; ++j) {
          if (p.turns[t].done >> j & 1) base += (b[j] - a[j]) * p.step[j];
        }
        AddTurn(p, dim, base, a[dim], b[dim], bytes * p.turns[t].weight);
      }
    }
  }

  // All messages of a flow; returns the bytes that stayed within nodes.
  RANKSIGHT_KERNEL static uint64_t AddFlow(const Plan& p,
                                           const int32_t* node_of_rank,
                                           const Flow& flow) {
    uint64_t local = 0;
    for (int64_t i = 0; i < flow.count; ++i) {
      const int32_t from = node_of_rank[flow.rank + i * flow.stride];
      const int32_t to = node_of_rank[flow.peer + i * flow.peer_stride];
      if (from == to) {
        local += flow.bytes;
      } else {
        AddMessage(p, from, to, flow.bytes);
      }
    }
    return local;
  }

  // Turns the differences of one line into sums.
  RANKSIGHT_KERNEL static void SumLine(const Plan& p, int dim, int up,
                                       int64_t line) {
    // Lines are numbered as nodes without this dimension.
    const int64_t step = p.step[dim];
    const int64_t base = line / step * step * p.length[dim] + line % step;
    uint64_t* at = p.differences + (int64_t{dim} * 2 + up) * p.nodes + base;
    uint64_t sum = 0;
    for (int i = 0; i < p.length[dim]; ++i, at += step) *at = sum += *at;
  }
};

}  // namespace ranksight::bgq_support
