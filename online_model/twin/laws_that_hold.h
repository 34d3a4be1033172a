// The laws of a program of which some are missing, as far as they also hold on
// the largest run, which was held out.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "online_model/structure/candidate_rules.h"
#include "online_model/synthesize/known_laws.h"
#include "online_model/twin/input_run.h"
#include "online_model/twin/rank_run.h"

namespace ranksight::online_model {

struct LawsThatHold {
  NodeLaw root;
  std::vector<Grid> grids;  // of the inputs
  Grid target;
  uint64_t exact = 0, missing = 0;
  // Calls whose amounts come to nothing at the target, as in no run. Their laws
  // say so, but who has nothing to send may make no such call, so that they
  // count as missing.
  std::set<SiteKey> vanishing;
  uint64_t vanished = 0;  // so many of the missing ones
  // Amounts whose law, as far as it was foretold, gives no whole number in the
  // largest run or at the target, and is rounded: places in the tree, and
  // parameters. They count as missing.
  std::set<std::pair<int, int>> rounded;

  // Throughout, where all runs were.
  bool FollowsLaws() const { return missing == vanished; }
};

// No parameter and no trip count has a law.
NodeLaw NoLawsFor(const reduction::Node& root);

// Of one program, for any rank count.
// Thread-safety: one thread at a time.
class LawsByGrid {
 public:
  // traces: as AlignedInputs gives them; they outlive it. Finds all laws, on as
  // many grids as there is time for until the request's stop, one at least.
  // Where the request's searches know a grid whose laws leave nothing open at
  // its ranks, on that grid alone.
  LawsByGrid(const std::vector<reduction::Trace>& traces,
             const ExtrapolationRequest& request);
  // Of the request: ranks and dims. By the grid of which most laws hold; kNo
  // where the target's ranks form none of them. The answer that was given last
  // is kept, as twins of one target are drawn in a row; it is there until the
  // next.
  const reduction::Result<LawsThatHold>& At(
      const ExtrapolationRequest& request);
  // Whether the program can have the request's ranks, as far as its runs tell:
  // they form a grid that all runs form.
  bool HasGridFor(const ExtrapolationRequest& request) const;

 private:
  struct ByRule {
    DimsRule rule;
    LawsThatHold laws;  // without a target
  };
  // What of a target laws depend on: its ranks, and its sides where given.
  using Target = std::pair<int64_t, std::vector<int64_t>>;

  // Whether nothing is missing at the request's ranks, which form its grid.
  bool SaysAllAt(const ByRule& found,
                 const ExtrapolationRequest& request) const;
  reduction::Result<LawsThatHold> FindAt(
      const ExtrapolationRequest& request) const;
  // Whether no other rule has another grid for the target.
  bool IsCertain(const DimsRule& rule,
                 const ExtrapolationRequest& request) const;

  const std::vector<reduction::Trace>& traces_;
  const std::vector<SeenPeers> peers_;  // of each trace
  // With an amount that is nothing in some run.
  const std::set<KnownLaws::Line> with_none_;
  std::vector<ByRule> rules_;
  std::optional<std::pair<Target, reduction::Result<LawsThatHold>>> last_;
};

}  // namespace ranksight::online_model
