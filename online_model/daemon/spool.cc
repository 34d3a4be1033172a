#include "online_model/daemon/spool.h"

#include <unistd.h>

#include <chrono>
#include <utility>

#include "online_model/store/files.h"
#include "reduction/api/codec.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;
using reduction::StatusCode;

// Half of the second within which a run is to be seen.
constexpr std::chrono::milliseconds kPeriod{500};
// While nothing is taken, which reading large traces for would be a waste.
constexpr std::chrono::seconds kRetry{2};

}  // namespace

Spool::Spool(std::string directory, Accept accept, Log log)
    : directory_(std::move(directory)),
      accept_(std::move(accept)),
      log_(std::move(log)),
      thread_([this] { Run(); }) {}

Spool::~Spool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Spool::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  std::string told;
  while (!stopped_) {
    lock.unlock();
    const std::string why = TakeAll();
    if (!why.empty() && why != told) log_({LogLevel::kWarning, why, {}});
    told = why;
    lock.lock();
    const std::chrono::milliseconds wait = why.empty() ? kPeriod : kRetry;
    changed_.wait_for(lock, wait, [this] { return stopped_; });
  }
}

std::string Spool::TakeAll() {
  const auto files = ListFiles(directory_);
  if (!files.ok()) return "";  // not there yet
  for (const FileEntry& file : *files) {
    if (!file.name.ends_with(kTraceEnding)) continue;
    const std::string path = directory_ + "/" + file.name;
    const auto bytes = reduction::ReadWholeFile(path);
    if (!bytes.ok()) continue;
    const Sender sender{"", UserName(file.owner)};
    const Status s = accept_(*bytes, sender);
    if (s.ok()) {
      ::unlink(path.c_str());
    } else if (s.code() == StatusCode::kBadInput) {
      log_({LogLevel::kWarning, path + ":" + s.message(), sender});
      ::rename(path.c_str(), (path + ".damaged").c_str());
    } else {
      // Full or out of order: what comes later waits, too.
      return path + " waits: " + s.message();
    }
  }
  return "";
}

}  // namespace ranksight::online_model
