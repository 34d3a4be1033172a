// Which calls send or receive point-to-point messages, and what their sends
// wait for: the one list of them. Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "reduction/api/call.h"

namespace ranksight::reduction {

enum class MessageKind : uint8_t { kNone, kSend, kReceive, kBoth };

// Of the call itself, or of the request that it makes, persistent and
// partitioned ones included. kNone for all others, probes among them.
// MPI_Mrecv and MPI_Imrecv, which name no peer, receive.
MessageKind MessageKindOf(Call call);

// What lets a send end: that the message is on its way or stored, which also
// holds for ready sends; that its receive began; nothing.
enum class SendMode : uint8_t { kStandard, kSynchronous, kBuffered };

// Of a call that sends (kStandard for all others), or of the request it makes.
SendMode SendModeOf(Call call);

}  // namespace ranksight::reduction
