// Collectives that a replay, or a generated program, makes as point-to-point
// messages instead: blocking ones within one group of ranks, called by their
// names in small letters without MPI_.
// Thread-safety: pure functions.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "reduction/api/call.h"
#include "reduction/api/status.h"

namespace ranksight::reduction {

// Adds what "alltoall=p2p,bcast=p2p" names, or takes it out again for
// "bcast=collective"; "all" names each collective that can be exchanged. kUsage
// with the reason.
Status ReadExchanges(std::string_view text, std::set<Call>* exchanges);

// "alltoall=p2p,bcast=p2p", as ReadExchanges reads it.
std::string ExchangesText(const std::set<Call>& exchanges);

}  // namespace ranksight::reduction
