#include "reduction/api/rank_walk.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "reduction/api/message_kind.h"

namespace ranksight::reduction {
namespace {

// No program posts more; keeps a damaged file from taking memory.
constexpr uint64_t kMostRequests = 1 << 22;

// Doubling the first lets rounds of twice as many calls from one place repeat;
// events of more values than the second take longer than to be compared. They
// bound what a walk keeps of a node.
constexpr size_t kForms = 16, kFormValues = 64;
// Searches in vain after which a node is taken to repeat nothing.
constexpr int kFailures = 256;

Request::Kind KindOf(const Event& e) {
  switch (MessageKindOf(e.call())) {
    case MessageKind::kSend:
      return Request::Kind::kSend;
    case MessageKind::kReceive:
      return Request::Kind::kReceive;
    case MessageKind::kBoth:
      return Request::Kind::kBoth;
    case MessageKind::kNone:
      break;
  }
  return Request::Kind::kOther;
}

Request FromEvent(const Event& e) {
  Request r;
  r.kind = KindOf(e);
  r.comm = e.Get(Param::kComm);
  r.peer = e.Get(Param::kPeer, kPeerNull);
  r.tag = e.Get(Param::kTag);
  if (r.kind == Request::Kind::kBoth) {
    r.send_peer = r.peer;
    r.send_tag = r.tag;
    r.send_bytes = SendBytes(e);
    r.peer = e.Get(Param::kRecvPeer);
    r.tag = e.Get(Param::kRecvTag);
    r.bytes = RecvBytes(e);
  } else {
    r.bytes = r.kind == Request::Kind::kReceive ? RecvBytes(e) : SendBytes(e);
  }
  return r;
}

// Largest value of a term's run or of what is in it, all rounds.
int64_t Largest(const Parameter& p) {
  int64_t most = 0;
  for (const auto& piece : p.pieces()) {
    for (size_t i = 0; i < piece.shape.size(); ++i) {
      const int64_t value = piece.columns[3 * i].values.Max();
      const int64_t stride = piece.columns[3 * i + 1].values.Max();
      const int64_t count = piece.columns[3 * i + 2].values.Max();
      int64_t reach = 0;
      // An upper bound, which is all that is asked for: the furthest value and
      // the whole stride need not meet.
      if (stride > 0 && __builtin_mul_overflow(stride, count, &reach)) {
        return INT64_MAX;
      }
      int64_t sum = 0;
      if (__builtin_add_overflow(value, reach, &sum)) return INT64_MAX;
      most = std::max(most, sum);
    }
  }
  return most;
}

}  // namespace

Request BlockingMessage(const Event& e) {
  const CallInfo& info = Info(e.call());
  const bool blocking = !info.makes_request && !info.makes_persistent;
  // What MPI_Mrecv receives, a probe has matched.
  if (!blocking || MessageKindOf(e.call()) == MessageKind::kNone ||
      e.call() == Call::MPI_Mrecv_) {
    return {};
  }
  return FromEvent(e);
}

Request MessageOf(const Event& e) {
  return Info(e.call()).makes_request ? FromEvent(e) : BlockingMessage(e);
}

uint64_t FarthestRequest(const Trace& trace) {
  uint64_t farthest = 1;
  ForEachEvent(trace.root, [&](const Node& node) {
    const auto params = Info(node.call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (params[i] != Param::kRequests) continue;
      farthest = std::max(farthest, uint64_t(Largest(node.params[i])));
    }
  });
  return std::min(farthest, kMostRequests);
}

RankWalk::RankWalk(Cursor cursor, size_t ring)
    : cursor_(std::move(cursor)), ring_(ring) {}

Result<RankWalk> RankWalk::Open(const Trace& trace, int64_t rank) {
  auto cursor = Cursor::Open(trace, rank);
  if (!cursor.ok()) return cursor.status();
  return RankWalk(std::move(*cursor),
                  size_t(std::bit_ceil(FarthestRequest(trace))));
}

Result<RankWalk> RankWalk::OpenAhead(const Trace& trace, int64_t rank) {
  Result<RankWalk> walk = Open(trace, rank);
  if (walk.ok()) walk->ahead_ = std::make_unique<LookAhead>(trace, rank);
  return walk;
}

const Status& RankWalk::status() const { return cursor_.status(); }

double RankWalk::compute_ns() const {
  return node().times.MeanCompute(occurrence() == 0, cursor_.after());
}

double RankWalk::call_ns() const {
  return node().times.call.Mean(occurrence() == 0);
}

Request* RankWalk::Find(int64_t reference) {
  if (reference > 0) {
    const int64_t number = requests_made_ - reference;
    Request& r = ring_[size_t(number) & (ring_.size() - 1)];
    return number >= 0 && r.number == number ? &r : nullptr;
  }
  if (reference == kRequestNull || IsSpecial(reference)) {
    return nullptr;
  }
  const auto number = size_t(-1 - reference);
  return number < persistent_.size() ? &persistent_[number] : nullptr;
}

void RankWalk::FindForm() {
  form_ = kNoForm;
  if (cursor_.place() >= forms_.size()) forms_.resize(cursor_.place() + 1);
  Forms& forms = forms_[cursor_.place()];
  const std::span<const int64_t> values = event().values();
  if (values.size() > kFormValues || forms.failures > kFailures) return;
  size_t found = 0;
  const auto is_found = [&] {
    return std::ranges::equal(forms.seen[found].values, values);
  };
  if (!forms.seen.empty()) {
    // What followed the last time is the first guess: most events take turns.
    found = forms.seen[forms.last].next;
    if (!is_found()) {
      for (found = 0; found < forms.seen.size() && !is_found();) ++found;
    }
  }
  if (found == forms.seen.size()) {
    // An event that has ever new values is given up.
    ++forms.failures;
    if (found == kForms) return;
    forms.seen.push_back(
        {{values.begin(), values.end()}, forms_made_++, found});
  } else {
    forms.failures = 0;
  }
  forms.seen[forms.last].next = found;
  forms.last = found;
  form_ = forms.seen[found].form;
}

// Without its number.
const Request& RankWalk::RequestOfEvent() {
  if (form_ == kNoForm) return made_ = FromEvent(event());
  if (form_ >= made_by_form_.size()) made_by_form_.resize(form_ + 1);
  Request& made = made_by_form_[form_];
  if (made.kind == Request::Kind::kNone) made = FromEvent(event());
  return made;
}

void RankWalk::Foresee(Request* request) {
  const bool receives = request->kind == Request::Kind::kReceive ||
                        request->kind == Request::Kind::kBoth;
  if (ahead_ == nullptr || !receives ||
      !ahead_->Watches(request->peer, request->tag)) {
    return;
  }
  const LookAhead::Outcome outcome = ahead_->Of(request->number);
  if (request->peer == kPeerAny && outcome.source != kNone) {
    request->peer = outcome.source;
  }
  if (request->tag == kTagAny && outcome.tag != kNone) {
    request->tag = outcome.tag;
  }
  // What sends, too, cannot be cancelled.
  request->cancelled =
      request->kind == Request::Kind::kReceive && outcome.cancelled;
}

void RankWalk::Make() {
  const Event& e = event();
  const CallInfo& info = Info(e.call());
  new_comm_ = -1;
  made_ = Request();
  if (info.makes_comm && e.Get(Param::kCommSize) > 0) new_comm_ = comms_made_++;
  if (info.makes_request) {
    made_ = RequestOfEvent();
    made_.number = requests_made_;
    Foresee(&made_);
    // Long enough for the farthest reference of the trace.
    ring_[size_t(requests_made_++) & (ring_.size() - 1)] = made_;
  } else if (info.makes_persistent) {
    made_ = RequestOfEvent();
    made_.number = -1 - int64_t(persistent_.size());
    persistent_.push_back(made_);
    active_.emplace_back();
  }
}

// Ends what is under way behind the reference.
void RankWalk::Take(int64_t reference, std::vector<Request>* taken) {
  Request* r = Find(reference);
  if (r == nullptr) return;
  if (reference < 0) r = &active_[size_t(-1 - reference)];
  if (r->kind == Request::Kind::kNone) return;
  taken->push_back(*r);
  r->kind = Request::Kind::kNone;
}

void RankWalk::Begin(int64_t reference) {
  const Request* r = reference < 0 ? Find(reference) : nullptr;
  if (r == nullptr) return;
  Request& active = active_[size_t(-1 - reference)];
  active = *r;
  Foresee(&active);
  started_.push_back(active);
}

void RankWalk::Complete() {
  completed_.clear();
  freed_.clear();
  started_.clear();
  const Event& e = event();
  const auto refs = e.GetArray(Param::kRequests);
  if (e.call() == Call::MPI_Start_ || e.call() == Call::MPI_Startall_) {
    for (const int64_t reference : refs) Begin(reference);
  } else if (e.call() == Call::MPI_Request_free_) {
    for (const int64_t reference : refs) Take(reference, &freed_);
  } else if (Info(e.call()).completes) {
    ForEachCompleted(
        e, [this](int64_t reference) { Take(reference, &completed_); });
  }
}

bool RankWalk::Next() {
  if (!cursor_.Next()) return false;
  FindForm();
  Make();
  Complete();
  return true;
}

}  // namespace ranksight::reduction
