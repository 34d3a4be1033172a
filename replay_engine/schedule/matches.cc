#include "replay_engine/schedule/matches.h"

#include "reduction/api/message_kind.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;

enum class Kind { kOther, kBlocking, kRequest };

// Of calls that name a source.
Kind KindOf(Call call) {
  const reduction::CallInfo& info = reduction::Info(call);
  const reduction::MessageKind message = reduction::MessageKindOf(call);
  const bool receives = message == reduction::MessageKind::kReceive ||
                        message == reduction::MessageKind::kBoth;
  if (reduction::IsProbe(call)) return Kind::kBlocking;
  if (!receives || info.family != reduction::Family::kPointToPoint ||
      info.makes_persistent || call == Call::MPI_Mrecv_ ||
      call == Call::MPI_Imrecv_) {
    return Kind::kOther;
  }
  return info.makes_request ? Kind::kRequest : Kind::kBlocking;
}

// Of a receive or probe whose match is not filled in; few calls do.
bool AsksForAny(const Operation& operation) {
  return reduction::AsksForAny(operation.source, operation.tag);
}

}  // namespace

bool IsOpen(const Operation& operation) {
  if (!AsksForAny(operation)) return false;
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
    // What a receive that was begun matches is known only where it is
    // completed: the walk ahead has been there.
    const reduction::LookAhead::Outcome found =
        ahead_.Of(operation->new_request);
    if (operation->source == reduction::kPeerAny &&
        found.source != reduction::kNone) {
      operation->source = found.source;
    }
    if (operation->tag == reduction::kTagAny && found.tag != reduction::kNone) {
      operation->tag = found.tag;
    }
  }
}

}  // namespace ranksight::replay_engine
