// The fields of the canonical event text, for all that give them out.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "reduction/api/call.h"
#include "reduction/api/event.h"

namespace ranksight::reduction {

enum class CanonicalField : uint8_t {
  kComm,
  kPeer,
  kTag,
  kBytes,
  kRecvPeer,
  kRecvTag,
  kRecvBytes,
  kRoot,
  kNumber,  // n
};

// f(field, value) for each field that the call has, in the order of the text.
template <class F>
void ForEachCanonicalField(const Event& e, F f) {
  using Field = CanonicalField;
  const CallInfo& info = Info(e.call());
  if (e.Has(Param::kComm)) f(Field::kComm, e.Get(Param::kComm));
  if (info.makes_comm) return f(Field::kNumber, e.Get(Param::kCommSize));
  if (e.Has(Param::kPeer)) f(Field::kPeer, e.Get(Param::kPeer));
  if (e.Has(Param::kTag)) f(Field::kTag, e.Get(Param::kTag));
  // Receives have what they post as kBytes, so a call has kRecvBytes only when
  // it sends as well.
  const bool sends = e.Has(Param::kCount) || e.Has(Param::kCounts);
  const bool receives = e.Has(Param::kRecvCount) || e.Has(Param::kRecvCounts) ||
                        e.Has(Param::kRecvPeer);
  if (sends) {
    // A receive has only a receive side, everything else a send side.
    const int64_t sent = SendBytes(e);
    f(Field::kBytes, receives ? sent : sent != 0 ? sent : RecvBytes(e));
  }
  if (e.Has(Param::kRecvPeer)) {
    f(Field::kRecvPeer, e.Get(Param::kRecvPeer));
    f(Field::kRecvTag, e.Get(Param::kRecvTag));
  }
  if (receives) f(Field::kRecvBytes, RecvBytes(e));
  if (e.Has(Param::kRoot)) f(Field::kRoot, e.Get(Param::kRoot));
  if (info.completes) f(Field::kNumber, e.Get(Param::kRequestCount));
}

}  // namespace ranksight::reduction
