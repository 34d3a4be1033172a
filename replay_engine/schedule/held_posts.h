// HeldPosts: non-blocking posts that follow one another, held back until the
// rank does something else, and then given in the order that suits its torus.
//
// Invariants: receives come first, in their order; then sends, as TorusTuning
// orders them. What is held is a copy; memory is kept from one batch to the
// next.
// Thread-safety: one object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "reduction/api/event.h"
#include "replay_engine/api/backend.h"
#include "replay_engine/schedule/torus_tuning.h"

namespace ranksight::replay_engine {

struct HeldPost {
  reduction::Event event;
  Operation operation;
  double compute_ns = 0;
  uint64_t position = 0;  // of the event on its rank
};

class HeldPosts {
 public:
  explicit HeldPosts(TorusTuning* tuning) : tuning_(tuning) {}

  // Whether calls of this kind may be held.
  static bool Holds(reduction::Call call);
  bool empty() const { return count_ == 0; }
  // More only make planning slow: a batch is cut there.
  bool full() const { return count_ == kMost; }

  // Copies the event and what belongs to it. REQUIRES: not full.
  void Add(const Operation& operation, double compute_ns, uint64_t position);

  struct Turn {
    HeldPost* post = nullptr;
    int64_t start_ns = 0;  // see replay_engine::Turn
    bool moved = false;    // others came between it and its place
  };
  // All that is held, in the order in which to post; then nothing is held.
  // Valid until the next Add.
  std::span<const Turn> TakeAll();

 private:
  static constexpr size_t kMost = 256;
  TorusTuning* tuning_;
  std::deque<HeldPost> posts_;
  size_t count_ = 0;
  std::vector<Send> sends_;
  std::vector<uint32_t> send_posts_;
  std::vector<Turn> turns_;
};

}  // namespace ranksight::replay_engine
