#include "online_model/daemon/namer.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

namespace ranksight::online_model {
namespace {

// Runs of a client that sends faster than names are found.
constexpr size_t kMostTasks = 64;
// Lines of a process's map: a program with more modules is named in part.
constexpr int kMostLines = 20'000;

bool AllKnown(const reduction::Sites& sites, const reduction::Names& names) {
  return std::ranges::all_of(sites.sites, [&](const auto& site) {
    return std::ranges::all_of(site.frames, [&](const auto& frame) {
      const reduction::Module& module = sites.modules[frame.module];
      return module.build_id.empty() ||
             names.Find(module, frame.offset) != nullptr;
    });
  });
}

// Of "START-HOST-PID" on this host; "" otherwise.
std::string ProcessOf(const std::string& job) {
  char host[256] = "";
  if (::gethostname(host, sizeof host - 1) != 0) return "";
  const size_t dash = job.rfind('-');
  const size_t begin = job.find('-');
  if (dash == job.npos || begin >= dash ||
      job.substr(begin + 1, dash - begin - 1) != host) {
    return "";
  }
  std::string pid = job.substr(dash + 1);
  const bool is_number =
      !pid.empty() && pid.size() < 12 &&
      std::ranges::all_of(pid, [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? pid : "";
}

}  // namespace

Namer::Namer(FindNames find,
             std::function<reduction::Names(const reduction::Sites&)> known,
             std::function<void(const reduction::Names&)> keep)
    : find_(std::move(find)),
      known_(std::move(known)),
      keep_(std::move(keep)),
      thread_([this] { Run(); }) {}

Namer::~Namer() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Namer::Look(reduction::Sites sites, std::vector<std::string> places) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (tasks_.size() >= kMostTasks) return;
    tasks_.push_back({std::move(sites), std::move(places)});
  }
  wake_.notify_all();
}

void Namer::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ending_) {
    if (tasks_.empty()) {
      wake_.wait(lock);
      continue;
    }
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    if (!AllKnown(task.sites, known_(task.sites))) {
      keep_(find_(task.sites, task.places));
    }
    lock.lock();
  }
}

std::vector<std::string> FilesOfJob(const std::string& job) {
  const std::string pid = ProcessOf(job);
  if (pid.empty()) return {};
  std::ifstream maps("/proc/" + pid + "/maps");
  std::set<std::string> files;
  std::string line;
  for (int i = 0; i < kMostLines && std::getline(maps, line); ++i) {
    const size_t path = line.find('/');
    // Of code alone: "BEGIN-END r-xp ... /PATH".
    const size_t rights = line.find(' ');
    if (path == line.npos || rights + 3 >= path || line[rights + 3] != 'x') {
      continue;
    }
    files.insert(line.substr(path));
  }
  return {files.begin(), files.end()};
}

}  // namespace ranksight::online_model
