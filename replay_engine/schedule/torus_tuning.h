// TorusTuning: in which order, and when, a rank that sits on a torus posts
// sends that may be posted in any order.
//
// All ranks are taken to send the same way at the same time, as those of a
// stencil do: a message that goes h hops in a direction then keeps every link
// of that direction busy for h times as long as one hop takes, once for each
// rank of a node. So a rank can plan for the whole machine from its own sends.
//
// Invariants: sends to the same rank on the same communicator keep their
// order, so that they match as before; a plan depends on the sends alone.
// Complexity: O(sends^2 x dimensions) for sends that were not met at that call
// site last time, O(sends) for others.
// Thread-safety: one object, one thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "replay_engine/api/tuning.h"

namespace ranksight::replay_engine {

struct Send {
  int64_t peer = 0;  // world rank, or a special value: no links then
  int64_t comm = 0;
  int64_t bytes = 0;
  bool operator==(const Send&) const = default;
};

struct Turn {
  uint32_t send = 0;     // index of the send
  int64_t start_ns = 0;  // not earlier than so long after the first one
};

class TorusTuning {
 public:
  TorusTuning(const Placement& placement, const Tuning& tuning, int64_t rank);

  // One turn for each send, in the order in which to post. Valid until the
  // next call.
  std::span<const Turn> Plan(uint32_t site, std::span<const Send> sends);

 private:
  // Hops by direction: 2 x dimension, + 1 towards growing coordinates.
  static constexpr size_t kDirections = 2 * bgq_support::Torus::kMaxDims;
  struct Way {
    std::array<int, kDirections> hops{};
    int first = -1;  // direction of the first link, -1 within the node
    double longest_ns = 0;
    double hop_ns = 0;
    bool planned = false;
  };
  struct Links {
    std::array<double, kDirections> free_ns{};
    std::array<int64_t, kDirections> injected{};
  };
  struct Known {
    std::vector<Send> sends;
    std::vector<Turn> turns;
  };
  Way WayOf(const Send& send) const;
  double FreeAt(const Way& way) const;
  bool Better(size_t a, size_t b) const;
  size_t Next(std::span<const Send> sends) const;
  void MakePlan(std::span<const Send> sends, std::vector<Turn>* turns);

  const Placement& placement_;
  const Tuning tuning_;
  int own_node_ = 0;
  bgq_support::Coordinates own_;
  double ns_per_byte_ = 0;
  std::vector<int> dimension_order_;
  std::unordered_map<uint32_t, Known> known_;  // by call site
  std::vector<Way> ways_;
  Links links_;
};

}  // namespace ranksight::replay_engine
