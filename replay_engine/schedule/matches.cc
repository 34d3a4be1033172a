#include "replay_engine/schedule/matches.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "reduction/api/message_kind.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;

enum class Kind { kOther, kBlocking, kRequest, kPersistent };

// Of calls that name a source.
Kind KindOf(Call call) {
  const reduction::CallInfo& info = reduction::Info(call);
  const reduction::MessageKind message = reduction::MessageKindOf(call);
  const bool receives = message == reduction::MessageKind::kReceive ||
                        message == reduction::MessageKind::kBoth;
  if (reduction::IsProbe(call)) return Kind::kBlocking;
  if (!receives || info.family != reduction::Family::kPointToPoint ||
      call == Call::MPI_Mrecv_ || call == Call::MPI_Imrecv_) {
    return Kind::kOther;
  }
  if (info.makes_persistent) return Kind::kPersistent;
  return info.makes_request ? Kind::kRequest : Kind::kBlocking;
}

// Of a receive or probe whose match is not filled in; few calls do.
bool AsksForAny(const Operation& operation) {
  return operation.source == reduction::kPeerAny ||
         operation.tag == reduction::kTagAny;
}

}  // namespace

bool IsOpen(const Operation& operation) {
  if (!AsksForAny(operation) || operation.source == reduction::kPeerNull) {
    return false;
  }
  const Kind kind = KindOf(operation.event->call());
  return kind == Kind::kBlocking || kind == Kind::kRequest;
}

void Matches::Resolve(Operation* operation) {
  if (!AsksForAny(*operation)) return;
  const Event& e = *operation->event;
  const Kind kind = KindOf(e.call());
  if (kind == Kind::kBlocking) {
    operation->source = reduction::ReceivedFrom(e);
    operation->tag = reduction::ReceivedTag(e);
  } else if (kind == Kind::kRequest) {
    const Receive found = Find(operation->new_request);
    if (operation->source == reduction::kPeerAny &&
        found.source != reduction::kNone) {
      operation->source = found.source;
    }
    if (operation->tag == reduction::kTagAny && found.tag != reduction::kNone) {
      operation->tag = found.tag;
    }
  }
}

Matches::Receive Matches::Find(int64_t request) {
  if (!cursor_ && !ended_) {
    reduction::Result<reduction::Cursor> opened =
        reduction::Cursor::Open(trace_, rank_);
    ended_ = !opened.ok();
    if (opened.ok()) cursor_ = std::move(*opened);
  }
  const auto known = [&] {
    return !AllTaken() && receives_[taken_].request == request &&
           receives_[taken_].decided;
  };
  while (!known() && receives_.size() - taken_ < kFarthest && WalkOn()) {
  }
  if (AllTaken() || receives_[taken_].request != request) return {};
  const Receive found = receives_[taken_++];
  undecided_ -= !found.decided;
  MakeRoom();
  return found;
}

// As many are moved as have been taken at least, so each once.
void Matches::MakeRoom() {
  if (2 * taken_ < receives_.size()) return;
  receives_.erase(receives_.begin(),
                  receives_.begin() + static_cast<std::ptrdiff_t>(taken_));
  taken_ = 0;
}

Matches::Receive* Matches::Undecided(int64_t request) {
  const auto at = std::lower_bound(
      receives_.begin() + static_cast<std::ptrdiff_t>(taken_), receives_.end(),
      request,
      [](const Receive& r, int64_t wanted) { return r.request < wanted; });
  const bool found =
      at != receives_.end() && at->request == request && !at->decided;
  return found ? &*at : nullptr;
}

bool Matches::WalkOn() {
  if (ended_) return false;
  ended_ = !cursor_->Next() ||
           !resolver_.Resolve(cursor_->event(), &operation_).ok();
  if (!ended_) Note(operation_);
  return !ended_;
}

void Matches::Note(const Operation& operation) {
  const Event& e = *operation.event;
  const Kind kind = KindOf(e.call());
  if (kind == Kind::kPersistent && AsksForAny(operation)) {
    persistent_.insert(operation.new_request);
  } else if (kind == Kind::kRequest && AsksForAny(operation)) {
    receives_.push_back({operation.new_request});
    ++undecided_;
  } else if (e.call() == Call::MPI_Request_free_ ||
             reduction::Info(e.call()).completes) {
    NoteCompleted(operation);
  }
}

// The matches of a call are those of its requests that asked for any, in the
// order of the requests; persistent ones count, too.
void Matches::NoteCompleted(const Operation& operation) {
  if (undecided_ == 0) return;
  const std::span<const int64_t> sources =
      operation.event->GetArray(Param::kMatched);
  const std::span<const int64_t> tags =
      operation.event->GetArray(Param::kMatchedTags);
  size_t asked = 0;
  for (const int64_t request : operation.requests) {
    asked += Undecided(request) != nullptr || persistent_.contains(request);
  }
  const bool kept = asked == sources.size() && asked == tags.size();
  size_t next = 0;
  for (const int64_t request : operation.requests) {
    if (Receive* receive = Undecided(request)) {
      receive->decided = true;
      if (kept) receive->source = sources[next];
      if (kept) receive->tag = tags[next];
      --undecided_;
      ++next;
    } else if (persistent_.contains(request)) {
      ++next;
    }
  }
}

}  // namespace ranksight::replay_engine
