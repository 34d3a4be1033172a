// Finds the names of call sites of stored runs, on a thread of its own: it
// takes as long as debug information is large, and no client waits for it.
// Thread-safety: all methods may be called from any thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "online_model/api/server.h"
#include "reduction/api/names.h"

namespace ranksight::online_model {

class Namer {
 public:
  // known: what is known of sites already; keep: takes what was found. Both are
  // called on the thread.
  Namer(FindNames find,
        std::function<reduction::Names(const reduction::Sites&)> known,
        std::function<void(const reduction::Names&)> keep);
  // Lets what is being looked for be found, and the rest be.
  ~Namer();
  Namer(const Namer&) = delete;
  Namer& operator=(const Namer&) = delete;

  // places: files to look at first.
  void Look(reduction::Sites sites, std::vector<std::string> places);

 private:
  struct Task {
    reduction::Sites sites;
    std::vector<std::string> places;
  };
  void Run();

  const FindNames find_;
  const std::function<reduction::Names(const reduction::Sites&)> known_;
  const std::function<void(const reduction::Names&)> keep_;
  std::mutex mutex_;  // guards tasks_, ending_
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  bool ending_ = false;
  std::thread thread_;
};

// The files that the process of rank 0 of this job runs, where that is a
// process of this host that still is there, as it is until its run is stored;
// else nothing.
std::vector<std::string> FilesOfJob(const std::string& job);

}  // namespace ranksight::online_model
