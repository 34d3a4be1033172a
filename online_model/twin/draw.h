// Draws the partners of an exchange at a rank count that nobody ran: for each
// edge who has it, and of which measured edge it is like.
//
// How many edges there are follows a fit over the rank counts; how they are
// spread over ranks, and how far they reach, the largest input. Low ranks that
// have more partners the more there are keep that, up to all others.
// Thread-safety: pure functions. Complexity: O(edges).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "online_model/twin/exchange.h"
#include "online_model/twin/exchange_parts.h"
#include "online_model/twin/size_fit.h"

namespace ranksight::online_model {

// A rank of the largest input (of `known`) for one at the target: the first and
// last stay what they are, those between are stretched.
int64_t DonorOf(int64_t rank, int64_t ranks, int64_t known);

struct DrawnEdge {
  int64_t u = 0, v = 0;
  const Edge* like = nullptr;
  uint32_t round = 0;  // of shifts (shifts.h)
};

// Edges of each rank, by u.
std::vector<std::vector<const Edge*>> EdgesByRank(const EdgeList& list);

// How far edges reach as the ranks get more: 0 as far as before, 1 as far as
// there are more ranks.
double ReachOf(std::span<const EdgeList> inputs);

// inputs: ascending, one for each size. keep_counts: as many edges for each
// rank as its like has. parts: within which edges stay; empty: all are one.
std::vector<DrawnEdge> DrawEdges(std::span<const EdgeList> inputs,
                                 const WantedSize& wanted,
                                 const ExchangeParts& parts, bool keep_counts,
                                 uint64_t seed);

// Numbers drawn from a seed, the same everywhere.
class Draws {
 public:
  explicit Draws(uint64_t seed) : state_(seed) {}
  uint64_t Next();
  double Unit() { return double(Next() >> 11) * 0x1p-53; }
  // REQUIRES: n > 0.
  int64_t Below(int64_t n) { return int64_t(Next() % uint64_t(n)); }
  // The whole number at or above v, so that its mean is v.
  int64_t Round(double v);

 private:
  uint64_t state_;
};

}  // namespace ranksight::online_model
