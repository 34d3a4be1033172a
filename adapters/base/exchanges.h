// Collectives that a generated program makes as point-to-point messages:
// their names, which are the calls' in small letters without MPI_.
// Thread-safety: pure functions.
#pragma once

#include <set>
#include <string>

#include "reduction/api/call.h"

namespace ranksight::adapters {

// "alltoall=p2p,bcast=p2p", as ReadExchange (api/generate.h) reads it.
std::string ExchangeText(const std::set<reduction::Call>& calls);

}  // namespace ranksight::adapters
