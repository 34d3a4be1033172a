// A wrapped call that was made before it is looked at, as polls are and calls
// that wait for some of their requests: what it found has been predicted.
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
  // Of a poll that is over and found something.
  FoundCall(const Poll& poll, void* caller, void* frame)
      : poll_(poll), hint_(poll.expected()), caller_(caller), frame_(frame) {}
  FoundCall(const FoundCall&) = delete;
  FoundCall& operator=(const FoundCall&) = delete;

  // Whether it is the expected call, but for its requests. words: as for
  // Interception::Quick.
  template <class... Words>
  bool Is(Words... words) const {
    return hint_->changes == Meanings::Changes() &&
           hint_->IsCall(poll_.call(), caller_, frame_) &&
           hint_->Passes(words...);
  }
  // These record it. False when it is not the expected one: it has to be
  // looked at in full, and nothing has changed. REQUIRES: Is().
  bool Follow() const noexcept { return FollowFinishing({}); }
  // It finished with all the requests that it got.
  bool FollowFinished(int count) const noexcept;
  // It finished with those at these indices.
  bool FollowFinishedAt(int count, const int* indices,
                        int index_count) const noexcept;

 private:
  bool FollowFinishing(
      std::span<const RequestTable::Held> finished) const noexcept;

  const Poll& poll_;
  const Hint* hint_;
  void* caller_;
  void* frame_;
};

}  // namespace ranksight::runtime
