// Takes in the runs that found no side-car: recording leaves them as files in
// a directory (RANKSIGHT_SPOOL), named by their start; they are accepted in
// that order and then removed; who owns a file has sent it. A run that also
// came over the socket is the same job and counts once. While the store takes
// none, one is tried now and then; why is logged when it changes.
//
// Thread-safety: one background thread from construction to destruction; it
// calls accept and log.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "online_model/api/log.h"
#include "online_model/api/sender.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

class Spool {
 public:
  using Accept = std::function<reduction::Status(const std::vector<uint8_t>&,
                                                 const Sender&)>;

  Spool(std::string directory, Accept accept, Log log);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

 private:
  void Run();
  // Why those that are left were not taken; "" when there is no such reason.
  std::string TakeAll();

  const std::string directory_;
  const Accept accept_;
  const Log log_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace ranksight::online_model
