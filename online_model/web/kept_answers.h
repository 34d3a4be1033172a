// Answers about groups of runs that take long to find, as text: kept for as
// long as the group has the same runs, those asked for last. Invariant: at most
// kMostBytes of text are kept, or one answer that is longer. Thread-safety: all
// methods from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>

#include "online_model/api/server.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

class KeptAnswers {
 public:
  // Forty pictures of a matrix where each rank sends to each.
  static constexpr size_t kMostBytes = size_t{16} << 20;
  using Find = std::function<reduction::Result<std::string>()>;

  explicit KeptAnswers(size_t most_bytes = kMostBytes)
      : most_bytes_(most_bytes) {}

  // What is asked of the group, by name: as kept, else as `find` finds it. An
  // error is not kept.
  reduction::Result<std::string> Of(const RunGroup& group,
                                    const std::string& what, const Find& find);
  // The same for what takes a core, and much memory, for long: one is found at
  // a time, and who asks for the same meanwhile gets what was found. Who asks
  // for what is kept waits for nobody.
  reduction::Result<std::string> OfSearch(const RunGroup& group,
                                          const std::string& what,
                                          const Find& find);

 private:
  struct Answer {
    RunGroup of;
    std::string what, text;
    uint64_t asked = 0;  // when it was asked for
  };
  // Who asks later has a larger number.
  uint64_t NextAsked();
  // As kept, else as `find` finds it, which is then kept.
  reduction::Result<std::string> Found(const RunGroup& group,
                                       const std::string& what,
                                       const Find& find, uint64_t asked);
  std::optional<std::string> Kept(const RunGroup& group,
                                  const std::string& what);
  // Not what is of other runs than something that was asked for later.
  void Keep(Answer answer);

  const size_t most_bytes_;
  std::mutex search_mutex_;    // one search at a time; before mutex_
  std::mutex mutex_;           // guards what follows
  std::list<Answer> answers_;  // what was asked for last comes first
  size_t bytes_ = 0;           // of their texts
  uint64_t asked_ = 0;         // the largest number given
};

}  // namespace ranksight::online_model
