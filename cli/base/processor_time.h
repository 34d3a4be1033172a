// What this process has taken of the processors, and limits in it: what else
// runs on the machine changes no answer.
// Thread-safety: any thread.
#pragma once

#include <string>

#include "online_model/api/stop.h"

namespace ranksight::cli {

// Of all its threads, in seconds.
double ProcessorSeconds();

// Ends work once so many seconds were taken from now, with `why`, which is kNo;
// 0: never.
online_model::Stop StopWhenTaken(double seconds, std::string why);

}  // namespace ranksight::cli
