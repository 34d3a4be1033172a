// LawSearches: what searches for laws have found, for who searches the same
// runs again: for another rank count, for a twin, for a forecast, for people to
// read. A search takes longer than all else that is made of its laws.
//
// Runs are the same where their ranks make the same calls, whoever read the
// traces and whatever times they have.
// Thread-safety: from any thread; two who ask for the same at once both search.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::online_model {

class RunSearches;  // synthesize/run_searches.h

class LawSearches {
 public:
  // Of these runs, as AlignedInputs (synthesize/inputs.h) gives them.
  // Complexity: O(bytes of the traces).
  std::shared_ptr<RunSearches> Of(std::span<const reduction::Trace> runs);

 private:
  // Sets of runs that are kept, each some MB: those of one program and what was
  // asked with runs left out.
  static constexpr size_t kMost = 4;
  using Calls = std::vector<uint8_t>;  // of all runs, encoded

  std::mutex mutex_;  // guards what follows
  // The latest last.
  std::vector<std::pair<Calls, std::shared_ptr<RunSearches>>> known_;
};

}  // namespace ranksight::online_model
