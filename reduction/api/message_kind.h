// Which calls send or receive point-to-point messages: the one list of them.
// Thread-safety: pure function.
#pragma once

#include <cstdint>

#include "reduction/api/call.h"

namespace ranksight::reduction {

enum class MessageKind : uint8_t { kNone, kSend, kReceive, kBoth };

// Of the call itself, or of the request that it makes, persistent and
// partitioned ones included. kNone for all others, probes among them.
// MPI_Mrecv and MPI_Imrecv, which name no peer, receive.
MessageKind MessageKindOf(Call call);

}  // namespace ranksight::reduction
