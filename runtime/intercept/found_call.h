// A wrapped call that was made before it is looked at, as polls are and calls
// that wait for some of their requests: what it found has been predicted, or
// has been found before.
//
// Whether it is the expected one is known only with its outputs, so all
// recognising comes after the call; else as quick_call.h.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

#include "runtime/intercept/interception.h"
#include "runtime/intercept/quick_call.h"

namespace ranksight::runtime {

class FoundCall {
 public:
  // The index of the only request of a call that has one.
  static constexpr int kOnly[] = {0};

  // Of a poll that is over and found something.
  FoundCall(const Poll& poll, void* caller, void* frame)
      : poll_(poll), hint_(poll.expected()), caller_(caller), frame_(frame) {}
  // The same for one that finished with the requests at these indices.
  FoundCall(const Poll& poll, void* caller, void* frame, int index_count,
            const int* indices);
  FoundCall(const FoundCall&) = delete;
  FoundCall& operator=(const FoundCall&) = delete;

  // Whether it is the expected call, but for its requests, or can be made it.
  // words: as for Interception::Quick.
  template <class... Words>
  bool Is(Words... words) noexcept {
    if (index_count_ < 0) return false;
    const auto passes = [&](const Hint& hint) {
      return IsFound(hint) && hint.Passes(words...);
    };
    if (hint_->changes == Meanings::Changes() && passes(*hint_)) return true;
    CallKey key(poll_.call(), caller_, frame_);
    (key.Add(Word(words)), ...);
    key.AddDone(done().size());
    return ExpectKnown(key, passes);
  }
  // These record it. False when it is not the expected one: it has to be
  // looked at in full, and nothing has changed. REQUIRES: Is().
  bool Follow() const noexcept { return FollowFinishing({}, {}); }
  // It finished with all the requests that it got. statuses: as the call left
  // them, looked at where one of them received from any source or with any tag.
  bool FollowFinished(int count, const MPI_Status* statuses) const noexcept;
  // It finished with those at the indices.
  bool FollowFinishedAt(int count, const MPI_Status* statuses) const noexcept;

 private:
  std::span<const int> done() const { return {indices_, size_t(index_count_)}; }
  bool IsFound(const Hint& hint) const;
  template <class Passes>
  bool ExpectKnown(const CallKey& key, Passes passes) noexcept {
    if (!poll_.recording() || !Recorder::Enter()) return false;
    const Hint* known = nullptr;
    try {
      Recorder& r = *Recorder::Get();
      known = r.ExpectKnown(r.known_hints.Find(key), passes);
    } catch (...) {
      Recorder::Get()->Fail("recorder_failed");
    }
    Recorder::Leave();
    if (known != nullptr) hint_ = known;
    return known != nullptr;
  }
  bool FollowFinishing(std::span<const RequestTable::Held> finished,
                       const OwnValues& own) const noexcept;

  const Poll& poll_;
  const Hint* hint_;
  void* caller_;
  void* frame_;
  // Of the requests that it finished with, as the call gave them. Negative: too
  // many to be looked at here.
  int index_count_ = 0;
  const int* indices_ = nullptr;
};

}  // namespace ranksight::runtime
