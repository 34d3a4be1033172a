// Stop: whether work that may take long is still wanted.
#pragma once

#include <functional>

#include "reduction/api/status.h"

namespace ranksight::online_model {

// Asked now and then by the threads that work, one at a time; what is not Ok
// ends the work with it. Empty: it goes on to its end.
using Stop = std::function<reduction::Status()>;

}  // namespace ranksight::online_model
