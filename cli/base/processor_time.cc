#include "cli/base/processor_time.h"

#include <ctime>
#include <utility>

namespace ranksight::cli {

double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

online_model::Stop StopWhenTaken(double seconds, std::string why) {
  if (!(seconds > 0)) return {};
  return [end = ProcessorSeconds() + seconds, why = std::move(why)] {
    return ProcessorSeconds() < end ? reduction::Status::Ok()
                                    : reduction::Status::No(why);
  };
}

}  // namespace ranksight::cli
