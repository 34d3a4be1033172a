// What a thread has recorded and the recorder does not know yet, where several
// threads make calls: each writes into a log of its own without a lock, and
// whoever has the recorder's lock takes from all of them, in the order of time.
//
// A call that is in a log was recognised as one that the thread has looked at
// in full before (KnownCall), so its values are known but for its requests. A
// call that finishes requests claims them in the log before it is made:
// afterwards their handles may be another thread's already.
//
// Invariant: an entry that was written before something happened is in the
// log when the something is seen (release and acquire on the write position),
// so entries taken in the order of their stamps are in an order in which they
// can have happened.
// Thread-safety: one writer, the thread; one reader, the holder of the
// recorder's lock.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "reduction/api/event.h"
#include "runtime/capture/call_path.h"
#include "runtime/capture/hint.h"
#include "runtime/capture/request_table.h"

namespace ranksight::runtime {

struct HotThread;

// A call as its thread made it before.
struct KnownCall {
  void* caller = nullptr;
  void* frame = nullptr;
  reduction::Call call{};
  uint64_t changes = 0;  // of what the raw arguments mean
  std::array<uint64_t, Hint::kMaxRaw> raw{};
  size_t request_count = 0;
  std::vector<Slot> slots;
  // What it is recorded as. The recorder's lock.
  reduction::Event event;
  // The known calls that came after it last.
  std::array<KnownCall*, 2> next{};

  bool Is(reduction::Call made, void* from, void* at) const {
    return caller == from && call == made && frame == at && StillThere(slots);
  }
  template <class... Arguments>
  bool Passes(Arguments... arguments) const {
    uint64_t differences = 0;
    size_t i = 0;
    ((differences |= raw[i++] ^ Word(arguments)), ...);
    return differences == 0;
  }
};

// The calls that a thread knows. Thread-safety: one thread.
class KnownCalls {
 public:
  // The call with these, made if there is none.
  KnownCall* Get(reduction::Call call, void* caller, void* frame,
                 const std::array<uint64_t, Hint::kMaxRaw>& raw);
  // It was made just now.
  void Came(KnownCall* call) {
    if (last_ != nullptr && last_->next[0] != call && last_->next[1] != call) {
      last_->next[1] = last_->next[0];
      last_->next[0] = call;
    }
    last_ = call;
  }
  // The call that is being made, if it is one of those that came next before.
  template <class... Arguments>
  KnownCall* Find(reduction::Call call, void* caller, void* frame,
                  Arguments... arguments) const {
    if (last_ == nullptr) return nullptr;
    for (KnownCall* next : last_->next) {
      if (next != nullptr && next->changes == Meanings::Changes() &&
          next->Is(call, caller, frame) && next->Passes(arguments...)) {
        return next;
      }
    }
    return nullptr;
  }

 private:
  // Beyond, all are forgotten. Doubling it doubles the memory that a thread
  // takes at most, and serves loops of twice as many calls.
  static constexpr size_t kMost = 2048;
  // By hash; of two with one hash the last is kept.
  std::unordered_map<uint64_t, std::unique_ptr<KnownCall>> calls_;
  KnownCall* last_ = nullptr;
};

class CallLog {
 public:
  enum class Kind : uint64_t {
    kClaim,     // of the requests, before the call
    kDone,      // a call that changes no request
    kMade,      // that made the request
    kFinished,  // that finished what was claimed
    kFailed,    // that finished those of the requests that are null now
  };
  // Requests that one entry can have.
  static constexpr size_t kMostRequests = 64;
  struct Entry {
    uint64_t stamp = 0;
    KnownCall* known = nullptr;
    Kind kind = Kind::kDone;
    int64_t compute_ticks = 0, call_ticks = 0;
    size_t request_count = 0;
    std::array<MPI_Request, kMostRequests> requests;
  };

  explicit CallLog(const HotThread* writer) : writer_(writer) {}

  // The writer:
  // Whether there is room for a call.
  bool HasRoom() const { return Used() + 2 * kMostWords <= kWords; }
  bool IsEmpty() const { return Used() == 0; }
  bool IsHalfFull() const { return Used() > kWords / 2; }
  // REQUIRES: HasRoom() before the call.
  void Write(Kind kind, KnownCall* known, uint64_t stamp, int64_t compute_ticks,
             int64_t call_ticks, std::span<const MPI_Request> requests);

  // The reader:
  // What is there now may be read.
  void Look() { seen_ = written_.load(std::memory_order_acquire); }
  // The stamp of the next entry that may be; UINT64_MAX where there is none.
  uint64_t NextStamp() const {
    const uint64_t at = read_.load(std::memory_order_relaxed);
    return at == seen_ ? UINT64_MAX : words_[at % kWords];
  }
  void Read(Entry* entry);
  const HotThread* writer() const { return writer_; }
  // The requests of the call being made, and their references as it claimed
  // them.
  std::vector<RequestTable::Held> claimed;
  std::vector<int64_t> references;

 private:
  // A power of two. Doubling it halves how often a thread must take the lock.
  static constexpr uint64_t kWords = 8192;
  static constexpr uint64_t kHeader = 4;
  static constexpr uint64_t kMostWords = kHeader + kMostRequests;
  static constexpr int kKindBits = 3;

  uint64_t Used() const {
    return written_.load(std::memory_order_relaxed) -
           read_.load(std::memory_order_acquire);
  }

  const HotThread* writer_;
  std::array<uint64_t, kWords> words_;
  std::atomic<uint64_t> written_{0};
  alignas(64) std::atomic<uint64_t> read_{0};
  uint64_t seen_ = 0;
};

}  // namespace ranksight::runtime
