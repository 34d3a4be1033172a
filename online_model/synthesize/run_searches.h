// RunSearches: the laws that searches of some runs found, by what was asked.
// Thread-safety: from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "online_model/api/law_searches.h"
#include "online_model/api/own_laws.h"
#include "online_model/structure/grid.h"
#include "online_model/synthesize/node_law.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

// All that laws depend on besides the runs.
struct LawQuestion {
  std::vector<Grid> grids;   // of the runs that are searched
  int parse = 0;             // by which way parsed again; 0: as recorded
  bool certain = false;      // as FindLaws
  bool passes_over = false;  // as FindLawsThatThereAre
  OwnLaws own;
  bool operator==(const LawQuestion&) const = default;
};

struct LawAnswer {
  reduction::Result<NodeLaw> laws;
  uint64_t found = 0;  // laws before the first that is missing
};

class RunSearches {
 public:
  // nullptr where nobody has asked so far.
  std::shared_ptr<const LawAnswer> Find(const LawQuestion& question) const;
  void Keep(LawQuestion question, std::shared_ptr<const LawAnswer> answer);

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::pair<LawQuestion, std::shared_ptr<const LawAnswer>>> known_;
};

// FindLaws and FindLawsThatThereAre (node_law.h), by what `known` has, which
// then has it, also where a stop ended the search: who shares what was found
// shares its limits. known: of these runs, or nullptr. parse: 0 where the
// traces are as recorded.
reduction::Result<NodeLaw> KnownOrFoundLaws(
    RunSearches* known, std::span<const reduction::Trace> traces,
    std::span<const Grid> grids, const ExtrapolationRequest& request, int parse,
    bool certain, uint64_t* found);
// Where FindLaws found all that are certain, these.
NodeLaw KnownOrFoundLawsThatThereAre(RunSearches* known,
                                     std::span<const reduction::Trace> traces,
                                     std::span<const Grid> grids,
                                     const ExtrapolationRequest& request,
                                     const NodeLaw* without = nullptr);

// What FindLaws found of runs as recorded, all certain, where `known` has that
// and nothing was missing; nullptr else.
std::shared_ptr<const LawAnswer> FoundThroughout(
    const RunSearches& known, std::span<const Grid> grids,
    const ExtrapolationRequest& request);

// Of the request, where it names any: nullptr else.
std::shared_ptr<RunSearches> SearchesOf(const ExtrapolationRequest& request,
                                        std::span<const reduction::Trace> runs);

}  // namespace ranksight::online_model
