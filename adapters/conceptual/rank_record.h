// Record: what one event does on one rank, occurrence by occurrence, until it
// is added to the event's item.
// Thread-safety: one record, one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "adapters/conceptual/resolved.h"

namespace ranksight::adapters::conceptual {

class Record {
 public:
  explicit Record(Item* item) : item_(item) {}

  // Around each occurrence. after: the call site of the rank's event before.
  void Begin(reduction::Predecessor after);
  void End();
  // The k-th of an occurrence is the k-th half of the item that sends
  // (receives) and waits (or not). Where it stands, for SetPeer if the peer
  // or tag is any.
  struct HalfIndex {
    size_t half, at;
  };
  HalfIndex AddHalf(bool sends, bool waits, int64_t peer, int64_t tag,
                    int64_t bytes);
  void SetPeer(const HalfIndex& place, int64_t peer, int64_t tag);
  void SetAwaits(bool awaits) { awaits_now_ = awaits; }
  void SetCollective(int64_t comm, int64_t root, int64_t amount);
  // Adds a rank's occurrences to the item; ranks ascend.
  void Flush(int64_t rank);

 private:
  struct Matched {
    int64_t peer, tag;
  };
  struct Values {
    reduction::Section peer, tag, bytes;
    // What follows in peer and tag, from the first on that is not known yet.
    std::vector<Matched> later;
    int64_t last_tag = 0, last_bytes = 0;
    bool used = false;  // in this occurrence
    bool ever = false;  // has a peer
  };
  size_t HalfOf(bool sends, bool waits);
  static void Push(Values* values, int64_t peer, int64_t tag, int64_t bytes);
  Item* item_;
  uint64_t occurrences_ = 0;
  std::vector<Values> halves_;
  bool awaits_now_ = false, awaits_ever_ = false;
  reduction::Section awaits_, comm_, root_, amount_, compute_;
};

}  // namespace ranksight::adapters::conceptual
