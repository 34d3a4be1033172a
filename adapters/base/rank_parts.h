// RankParts: the parts of a file that several threads write side by side, each
// the part of one rank, and that stand in the file in the order of ranks.
//
// Invariants:
// 1. Only who has the turn, the lowest rank that is not written yet, writes
//    into the file.
// 2. A part that has the turn is written as it comes, another one is held. Held
//    are at most `part` bytes of each that is being written and about `ended`
//    bytes of those that have ended; a thread that would hold more waits.
// Thread-safety: a part for each thread. REQUIRES: each rank's part is made and
// ended, those of lower ranks begun before those of higher ones.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/base/byte_writer.h"
#include "adapters/base/deflate.h"
#include "adapters/base/output_file.h"

namespace ranksight::adapters {

class RankParts {
 public:
  // What a part is written in, for part after part: new memory for each would
  // cost as much as what is written into it.
  struct Room {
    std::unique_ptr<char[]> buffer;
    std::string held;
    std::unique_ptr<Deflater> deflater;  // where the file is packed
    Unpacked unpacked = {};              // what held is
  };
  // A few hundred writes of a buffer; larger ones make waiting rarer where
  // ranks differ in length, and take that much more memory.
  struct Limits {
    size_t part = 4 << 20;
    size_t ended = 8 << 20;
  };
  // file outlives this.
  RankParts(int64_t ranks, OutputFile* file, Limits limits)
      : file_(file), limits_(limits), begins_(size_t(ranks)) {}

  // Where each rank's part begins in the file, before it is packed, once all
  // have ended.
  const std::vector<uint64_t>& begins() const { return begins_; }

 private:
  friend class RankPart;
  Room TakeRoom();
  bool HasTurn(int64_t rank) const { return turn_ == rank; }
  void WaitForTurn(int64_t rank);
  // Writes bytes of the rank that has the turn.
  void WriteNow(std::string_view bytes);
  // Returns when the part is written or may be held.
  void End(int64_t rank, Room room);
  void WriteEnded(std::unique_lock<std::mutex>* lock);

  OutputFile* const file_;
  const Limits limits_;
  std::mutex mutex_;
  std::condition_variable turn_came_;
  std::atomic<int64_t> turn_ = 0;
  std::map<int64_t, Room> ended_;  // by rank, not written yet
  std::vector<Room> spare_;
  size_t ended_bytes_ = 0;
  bool writing_ended_ = false;  // by a thread that has let go of mutex_
  bool begun_ = false;          // bytes of the turn's part are in the file
  std::vector<uint64_t> begins_;
};

// One rank's. Thread-safety: one thread.
class RankPart final : public ByteWriter {
 public:
  RankPart(int64_t rank, RankParts* parts)
      : RankPart(rank, parts, parts->TakeRoom()) {}
  void End() {
    Flush();
    const Unpacked what = deflater_ ? deflater_->EndPart(&held_) : Unpacked();
    parts_->End(rank_,
                {TakeBuffer(), std::move(held_), std::move(deflater_), what});
  }

 private:
  RankPart(int64_t rank, RankParts* parts, RankParts::Room room)
      : ByteWriter(room.buffer ? std::move(room.buffer) : MakeBuffer()),
        rank_(rank),
        parts_(parts),
        held_(std::move(room.held)),
        deflater_(std::move(room.deflater)) {}
  void Take(std::string_view bytes) override;
  const int64_t rank_;
  RankParts* const parts_;
  std::string held_;
  std::unique_ptr<Deflater> deflater_;
};

}  // namespace ranksight::adapters
