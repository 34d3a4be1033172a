// Requests of this rank by number, in the order made (see RequestRef in
// reduction/api/call.h). One handle may stand for several requests at once:
// some MPIs hand out a shared handle for sends that are complete already.
//
// Complexity: every operation is O(1), amortised, but for O(requests) behind a
// handle that several threads share; a handle that comes again is found without
// hashing into the table.
// Thread-safety: one caller at a time.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "reduction/api/call.h"
#include "runtime/capture/comm_table.h"
#include "runtime/capture/handle_key.h"

namespace ranksight::runtime {

class RequestTable {
 public:
  static constexpr int64_t kNone = -1;
  // The thread that made a request, whatever tells it from others. Of the
  // requests behind one handle a thread is taken to mean its own first.
  using Maker = const void*;
  // What a request that receives from any source or with any tag has to choose
  // from: the peers its match is among.
  using Choice = std::optional<WorldRanksOfPeers>;
  struct MadeRequest {
    int64_t number;
    Maker maker;
    Choice choice;
  };
  // The requests behind one handle. Kept when there are none: handles come
  // again, and a steady stream allocates nothing.
  struct Live {
    uint64_t key = 0;
    // The number of the only one, if it is not persistent.
    int64_t single = kNone;
    Maker maker = nullptr;       // of the only one
    int64_t persistent = kNone;  // its persistent number, if it is one
    Choice choice;               // of either
    // Where there have been several: those left, in order, from `first` on.
    std::vector<MadeRequest> several;
    size_t first = 0;
    // False only where nothing but one that neither is persistent nor has a
    // choice can be behind the handle; true may mean that it was otherwise
    // once.
    bool has_others = false;
    bool mixed = false;        // whether several threads made them
    bool some_choose = false;  // whether one of the several may have a choice
    uint64_t call = 0;    // that looked it up last, when there were several,
    size_t mentions = 0;  // and how often
  };
  // Not initialised: calls have room for many and use few.
  struct Held {
    Live* live;  // nullptr: nothing to finish
    // Of a request that is not persistent, or below kNone, as Below has it, of
    // one that is; kNone: nothing to finish.
    int64_t number;
    Maker maker;  // of one that is not persistent
  };
  // As Held names a persistent request.
  static int64_t Below(int64_t persistent) { return kNone - 1 - persistent; }

  // Whether those made from now on get a number. Others are as
  // MPI_REQUEST_NULL to whoever asks for a reference.
  void Count(bool on) { counts_ = on; }
  void Add(MPI_Request request, bool persistent, Maker maker = nullptr) {
    Live& live = Find(KeyOf(request));
    if (!counts_) [[unlikely]]
      return AddUncounted(&live, persistent);
    if (persistent) {
      DropAll(&live);
      live.persistent = next_persistent_++;
      live.has_others = true;
      return;
    }
    if (live.choice && live.single == kNone) [[unlikely]]
      DropChoice(&live.choice);
    live.persistent = kNone;
    live.has_others = live.choice || !live.several.empty();
    if (!AddSingle(request, maker, &live)) [[unlikely]]
      AddAnother(&live, maker);
  }
  // The same for one that is not persistent, if this is its handle's and
  // nothing else is behind it; false otherwise, and nothing is added.
  [[gnu::always_inline]] bool AddSingle(MPI_Request request, Maker maker,
                                        Live* live) {
    if (live->key != KeyOf(request) || live->single != kNone ||
        live->has_others) {
      return false;
    }
    live->single = next_++;
    live->maker = maker;
    return true;
  }
  // Whether this is the handle's, and behind it is nothing else than the
  // request of this reference, which neither is persistent nor has a choice.
  // Then *held is what FinishSingle needs to know; else it means nothing.
  // REQUIRES: reference <= made(), as it was when it was counted.
  [[gnu::always_inline]] bool IsSingle(MPI_Request request, int64_t reference,
                                       Live* live, Held* held) const {
    *held = {live, next_ - reference, live->maker};
    // No number is as large as that of a reference below 1.
    return live->key == KeyOf(request) && live->single == held->number &&
           !live->has_others;
  }
  // Stands for a handle that no request has had.
  static Live nothing;
  // What is behind the handle.
  Live* LiveOf(MPI_Request request) { return &Find(KeyOf(request)); }
  // The same as Reference for the only request of a call: whether it has this
  // reference. *held is what Finish needs to know.
  bool Matches(MPI_Request request, int64_t reference, Held* held) const {
    const uint64_t key = KeyOf(request);
    Live* live = recent_[PlaceOf(key)];
    if (live == nullptr || live->key != key) return false;
    *held = {live, next_ - reference, live->maker};
    if (live->single == held->number && reference > 0) [[likely]]
      return true;
    return MatchesOther(*live, reference, held);
  }
  // Whether the request is the only one behind its handle.
  static bool IsSingle(const Held& held) {
    return held.number >= 0 && held.live->single == held.number;
  }
  // Finishes one that is.
  static void FinishSingle(const Held& held) { held.live->single = kNone; }
  // The request added last, behind this handle, receives from any source or
  // with any tag; its match is a rank among these peers. Such a request has a
  // status of its own. So it is one of several behind a handle only where the
  // others have ended, and the threads that know have not said so yet.
  // One that has no number has no choice to look for either.
  void Choose(MPI_Request request, const WorldRanksOfPeers& peers);
  // The peers among whom the request finds its match; nullptr for one that
  // has no choice.
  static const WorldRanksOfPeers* ChoiceOf(const Held& held) {
    const Live* live = held.live;
    if (live == nullptr) return nullptr;
    if (live->some_choose) [[unlikely]]
      return ChoiceAmong(*live, held.number);
    const bool the_one = held.number < 0 || held.number == live->single;
    return the_one && live->choice ? &*live->choice : nullptr;
  }
  bool HasChoices() const { return choices_ != 0; }
  // Whether there has ever been one. Any thread, without the lock.
  bool EverChose() const { return chose_.load(std::memory_order_relaxed); }
  // Before the requests of one call are looked up.
  void BeginCall() { ++call_; }
  // The reference of the next request of the call, which a thread makes. The
  // k-th mention of a shared handle is the k-th request behind it that this
  // thread made, or of the others where it made fewer. *held gets what Finish
  // needs to know.
  int64_t Reference(MPI_Request request, Held* held, Maker maker = nullptr) {
    *held = {nullptr, kNone, nullptr};
    if (request == MPI_REQUEST_NULL) return reduction::kRequestNull;
    Live& live = Find(KeyOf(request));
    if (live.single != kNone) [[likely]] {
      *held = {&live, live.single, live.maker};
      return next_ - live.single;
    }
    if (live.persistent != kNone) {
      *held = {&live, Below(live.persistent), nullptr};
      return -1 - live.persistent;
    }
    if (live.several.empty()) return reduction::kRequestNull;
    const MadeRequest& made = NextMentioned(&live, maker);
    *held = {&live, made.number, made.maker};
    return next_ - held->number;
  }
  // The program is done with it. A persistent request stays, unless freed; then
  // its handle may be another's by now.
  void Finish(const Held& held, bool freed) {
    Live* live = held.live;
    if (live == nullptr) return;
    const bool is_freed =
        freed && held.number < 0 && held.number == Below(live->persistent);
    if (live->choice && (is_freed || IsSingle(held))) {
      DropChoice(&live->choice);
    }
    if (held.number < 0) {
      if (is_freed) live->persistent = kNone;
    } else if (live->single == held.number) [[likely]] {
      live->single = kNone;
    } else {
      Erase(live, held.number);
    }
  }
  // The program is about to be done with it: its handle may come again before
  // anybody hears of that. Finish then says nothing new. Persistent requests,
  // whose handles stay, are left alone.
  void Claim(const Held& held) {
    if (held.live != nullptr && held.number >= 0) Finish(held, false);
  }
  // It was not done with after all.
  void Unclaim(const Held& held, const WorldRanksOfPeers* choice);
  // Of requests looked up before a call, since when others may have made more:
  // the references counted from now, kRequestNull for those that the call has
  // left, which are not MPI_REQUEST_NULL in `left` (nullptr: it has left none).
  // Persistent ones keep theirs. REQUIRES: as many references as held.
  void CountFromNow(std::span<const Held> held, const MPI_Request* left,
                    std::vector<int64_t>* references) const;
  // Non-persistent requests made so far.
  int64_t made() const { return next_; }

 private:
  // A power of two; handles that meet in one entry are hashed. Doubling it
  // helps programs with thousands of open requests.
  static constexpr size_t kRecent = 1024;
  // Numbers of finished requests kept in front before they are dropped.
  static constexpr size_t kSlack = 16;

  static size_t PlaceOf(uint64_t key) {
    return key * 0x9E3779B97F4A7C15u / (UINT64_MAX / kRecent + 1);
  }
  Live& Find(uint64_t key) {
    Live*& recent = recent_[PlaceOf(key)];
    if (recent == nullptr || recent->key != key) {
      recent = &live_[key];
      recent->key = key;
    }
    return *recent;
  }
  static void AddLast(Live* live, MadeRequest made);
  static bool MatchesOther(const Live& live, int64_t reference, Held* held);
  void AddAnother(Live* live, Maker maker);
  void AddUncounted(Live* live, bool persistent);
  static void AddSingleLast(Live* live);
  const MadeRequest& NextMentioned(Live* live, Maker maker) const;
  void Erase(Live* live, int64_t number);
  static const WorldRanksOfPeers* ChoiceAmong(const Live& live, int64_t number);
  void DropAll(Live* live);
  // choice: of live, or of one of its several.
  void SetChoice(const WorldRanksOfPeers& peers, Live* live, Choice* choice) {
    *choice = peers;
    live->has_others = true;
    ++choices_;
    chose_.store(true, std::memory_order_relaxed);
  }
  void DropChoice(Choice* choice) {
    if (!choice->has_value()) return;
    choice->reset();
    --choices_;
  }

  std::array<Live*, kRecent> recent_{};
  std::unordered_map<uint64_t, Live> live_;
  bool counts_ = true;
  uint64_t choices_ = 0;
  std::atomic<bool> chose_{false};
  uint64_t call_ = 0;
  int64_t next_ = 0;
  int64_t next_persistent_ = 0;
};

}  // namespace ranksight::runtime
