#include "reduction/api/look_ahead.h"

#include <algorithm>
#include <span>
#include <utility>

#include "reduction/api/message_kind.h"

namespace ranksight::reduction {
namespace {

bool Receives(Call call) {
  const MessageKind kind = MessageKindOf(call);
  return kind == MessageKind::kReceive || kind == MessageKind::kBoth;
}

bool Starts(Call call) {
  return call == Call::MPI_Start_ || call == Call::MPI_Startall_;
}

}  // namespace

bool LookAhead::Cancels() {
  if (!cancels_) {
    cancels_ = false;
    ForEachEvent(trace_.root, [&](const Node& node) {
      if (node.call == Call::MPI_Cancel_) cancels_ = true;
    });
  }
  return *cancels_;
}

bool LookAhead::Watches(int64_t source, int64_t tag) {
  return AsksForAny(source, tag) || (source != kPeerNull && Cancels());
}

LookAhead::Outcome LookAhead::Of(int64_t request) {
  while (!IsPast(request)) {
    if (!AllTaken() && Next().request != request) {
      ++taken_;
      MakeRoom();
      continue;
    }
    const bool known = !AllTaken() && Next().decided;
    if (known || receives_.size() - taken_ == kFarthest || !WalkOn()) break;
  }
  if (AllTaken() || Next().request != request) return {};
  const Receive found = Next();
  ++taken_;
  MakeRoom();
  return {found.source, found.tag, found.cancelled && found.source == kNone};
}

// Whether it is not watched: others that were made later are.
bool LookAhead::IsPast(int64_t request) const {
  if (request < 0) return false;
  return AllTaken() ? requests_made_ > request : Next().request > request;
}

// As many are moved as have been taken at least, so each once.
void LookAhead::MakeRoom() {
  if (2 * taken_ < receives_.size()) return;
  receives_.erase(receives_.begin(),
                  receives_.begin() + static_cast<std::ptrdiff_t>(taken_));
  passed_ += taken_;
  taken_ = 0;
}

bool LookAhead::WalkOn() {
  if (!cursor_ && !ended_) {
    Result<Cursor> opened = Cursor::Open(trace_, rank_);
    ended_ = !opened.ok();
    if (opened.ok()) cursor_ = std::move(*opened);
  }
  if (ended_) return false;
  ended_ = !cursor_->Next();
  if (!ended_) Note(cursor_->event());
  return !ended_;
}

void LookAhead::Note(const Event& e) {
  const CallInfo& info = Info(e.call());
  if (info.makes_request || info.makes_persistent) {
    NoteMade(e);
  } else if (e.Has(Param::kRequests)) {
    NoteOnRequests(e);
  }
}

void LookAhead::NoteMade(const Event& e) {
  const int64_t source =
      e.Get(Param::kRecvPeer, e.Get(Param::kPeer, kPeerNull));
  const int64_t tag = e.Get(Param::kRecvTag, e.Get(Param::kTag));
  Watched watched;
  watched.is_receive = Receives(e.call()) && Watches(source, tag);
  watched.asks_for_any = watched.is_receive && AsksForAny(source, tag);
  if (Info(e.call()).makes_persistent) {
    // Persistent ones have numbers below 0: they stay until they are freed.
    watched.request = -1 - static_cast<int64_t>(persistent_.size());
    persistent_.push_back(watched);
    return;
  }
  watched.request = requests_made_++;
  if (!watched.is_receive) return;
  open_.push_back(watched);
  NoteBegun(&open_.back());
}

void LookAhead::NoteBegun(Watched* watched) {
  watched->is_open = true;
  watched->place = passed_ + receives_.size();
  receives_.push_back({watched->request});
}

int64_t LookAhead::NumberOf(int64_t reference) const {
  const bool none = reference == kRequestNull || reference > requests_made_;
  if (none || IsSpecial(reference)) return kNone;
  return reference > 0 ? requests_made_ - reference : reference;
}

void LookAhead::NoteOnRequests(const Event& e) {
  const Call call = e.call();
  if (call == Call::MPI_Request_free_ || Info(call).completes) {
    return NoteCompleted(e);
  }
  for (const int64_t reference : e.GetArray(Param::kRequests)) {
    Watched* watched = Find(NumberOf(reference));
    if (watched == nullptr) continue;
    if (call == Call::MPI_Cancel_) {
      if (Receive* receive = ReceiveOf(*watched)) receive->cancelled = true;
    } else if (Starts(call)) {
      NoteBegun(watched);
    }
  }
}

LookAhead::Watched* LookAhead::Find(int64_t request) {
  if (IsSpecial(request)) return nullptr;
  if (request < 0) {
    const auto place = static_cast<size_t>(-1 - request);
    const bool found =
        place < persistent_.size() && persistent_[place].is_receive;
    return found ? &persistent_[place] : nullptr;
  }
  const auto at = std::lower_bound(
      open_.begin(), open_.end(), request,
      [](const Watched& w, int64_t wanted) { return w.request < wanted; });
  const bool found = at != open_.end() && at->request == request && at->is_open;
  return found ? &*at : nullptr;
}

LookAhead::Receive* LookAhead::ReceiveOf(const Watched& watched) {
  const bool kept = watched.is_open && watched.place >= passed_;
  return kept ? &receives_[watched.place - passed_] : nullptr;
}

void LookAhead::FindCompleted(const Event& e) {
  completed_.clear();
  ForEachCompleted(e, [this](int64_t reference) {
    Watched* watched = Find(NumberOf(reference));
    if (watched != nullptr) completed_.push_back(watched);
  });
}

// The matches of a call are those of its requests that asked for any, in the
// order of the requests; persistent ones that are not started count, too.
void LookAhead::NoteCompleted(const Event& e) {
  if (AllTaken() && open_.empty()) return;
  FindCompleted(e);
  const std::span<const int64_t> sources = e.GetArray(Param::kMatched);
  const std::span<const int64_t> tags = e.GetArray(Param::kMatchedTags);
  size_t asked = 0;
  for (const Watched* watched : completed_) asked += watched->asks_for_any;
  // Where the trace has fewer matches than were asked for, none can be told
  // from another.
  const bool kept = asked == sources.size() && asked == tags.size();
  size_t next = 0;
  for (Watched* watched : completed_) {
    const bool matched = kept && watched->asks_for_any;
    if (Receive* receive = ReceiveOf(*watched)) {
      receive->decided = true;
      if (matched) receive->source = sources[next];
      if (matched) receive->tag = tags[next];
    }
    next += watched->asks_for_any;
    closed_ += watched->is_open && watched->request >= 0;
    watched->is_open = false;
  }
  ForgetClosed();
}

// As many are moved as have been closed at most.
void LookAhead::ForgetClosed() {
  if (2 * closed_ < open_.size()) return;
  std::erase_if(open_, [](const Watched& w) { return !w.is_open; });
  closed_ = 0;
}

}  // namespace ranksight::reduction
