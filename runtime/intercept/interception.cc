#include "runtime/intercept/interception.h"

#include <algorithm>

namespace ranksight::runtime {

void Poll::Keep(const MPI_Request* requests, int count) noexcept {
  try {
    hot.rest->requests.assign(requests, requests + std::max(count, 0));
  } catch (...) {
    recorder_->Fail("recorder_failed");
    hot.expected = before_;
    recording_ = false;
  }
}

void Interception::Begin() noexcept {
  if (PrepareThread()) {
    hot.GoInside(frame_);
  } else {
    recorder_->Fail("recorder_failed");
    recorder_ = nullptr;
  }
}

// The lock is held.
void Interception::Fold() {
  Recorder& r = *recorder_;
  r.on_unknown_comms += arguments().on_unknown_comm();
  const uint64_t since = hot.left_ticks != 0 ? hot.left_ticks : r.started_ticks;
  reduction::Variant* variant =
      r.Fold(&arguments().event(), path_->site, int64_t(entered_ticks_ - since),
             int64_t(returned_ticks_ - called_ticks_) - Clock::ReadingTicks());
  if (!r.Predicts()) {
    hot.expected = &kNothing;
    if (r.Logs()) Know();
    return;
  }
  // What a call that failed says of its matches says nothing of the next.
  const bool misled = arguments().failed() && chooses_;
  const bool recognisable = quick_ && !misled && arguments().lasting();
  if (variant != nullptr && recognisable && path_->slots_hold &&
      !path_->slots.empty() && !path_->may_go) {
    SetHint(variant);
  }
  r.Expect();
}

// From now on the thread may write the call to its log. The lock is held.
void Interception::Know() {
  using reduction::Param;
  CallLog* log = recorder_->LogOfThread();
  // What is there still may be about calls that will be forgotten.
  if (!log->IsEmpty()) return;
  hot.expected = &kLogging;
  const reduction::Event& event = arguments().event();
  const bool all_known = quick_ && !chooses_ && !arguments().failed() &&
                         arguments().lasting() &&
                         event.Get(Param::kMatchCount, 0) == 0;
  const size_t requests = has_requests_ ? arguments().passed().size() : 0;
  if (!all_known || !path_->slots_hold || path_->may_go ||
      requests > CallLog::kMostRequests) {
    return;
  }
  KnownCalls& known = hot.rest->known;
  KnownCall* call = known.Get(call_, caller_, frame_, raw_);
  call->changes = Meanings::Changes();
  call->slots = path_->slots;
  call->event = event;
  call->request_count = requests;
  known.Came(call);
}

void Interception::SetHint(reduction::Variant* variant) {
  Hint* hint = recorder_->HintOf(variant);
  hint->call = call_;
  hint->caller = hint->open_caller = nullptr;
  hint->frame = frame_;
  hint->raw = raw_;
  hint->changes = Meanings::Changes();
  if (has_requests_) {
    hint->references = arguments().passed();
    hint->order = arguments().order();
    if (hint->references.size() == 1) hint->reference = hint->references[0];
  }
  hint->done_count = 0;
  if (reduction::CompletesSome(call_)) {
    hint->done_count =
        arguments().event().GetArray(reduction::Param::kRequests).size();
  }
  // The wrapper has its own return address at hand.
  std::span<const Slot> slots = path_->slots;
  if (slots.size() > 1 && slots[0].address == uintptr_t(caller_) &&
      slots[0].place == static_cast<const uintptr_t*>(frame_) + 1) {
    slots = slots.subspan(1);
  }
  hint->own_slots.assign(slots.begin(), slots.end());
  hint->slots = hint->own_slots.data();
  hint->slots_end = hint->slots + hint->own_slots.size();
  hint->chooses = chooses_;
  hint->peers = peers_;
  hint->match_count =
      size_t(arguments().event().Get(reduction::Param::kMatchCount, 0));
  if (variant->open == 0 && !chooses_ && hint->match_count == 0 &&
      (is_poll_ || Clock::IsCounter())) {
    hint->caller = caller_;
  } else if (SetOpenWords(hint)) {
    hint->open_caller = caller_;
  } else {
    return;
  }
  recorder_->known_hints.Add(hint);
}

// False when an open parameter's value is not to be had from an argument.
bool Interception::SetOpenWords(Hint* hint) const {
  const auto params = reduction::Info(call_).params;
  const reduction::Event& event = hot.rest->arguments.event();
  if (hint->match_count > OwnValues::kMostMatches) return false;
  hint->compared.fill(UINT64_MAX);
  hint->open_count = 0;
  for (size_t p = 0; p < params.size(); ++p) {
    if ((hint->variant->open >> p & 1) == 0) continue;
    const auto at = std::ranges::find(raw_params_, int(params[p]));
    if (at == raw_params_.end()) return false;
    const auto word = size_t(at - raw_params_.begin());
    const bool itself = int64_t(raw_[word]) == event.ValuesAt(int(p))[0];
    if (!itself || hint->open_count == OwnValues::kMostOpen) return false;
    hint->compared[word] = 0;
    hint->open_words[hint->open_count++] = uint8_t(word);
  }
  return true;
}

}  // namespace ranksight::runtime
