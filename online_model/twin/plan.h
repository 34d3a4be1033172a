// What is drawn for a rank count: who talks to whom in each exchange, how much
// more or less, and what that makes together.
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "online_model/twin/stream.h"

namespace ranksight::online_model {

// What a call site comes to, with half widths of 90 % intervals.
struct SiteFit {
  Fitted messages, bytes, partners;
  double element_bytes = 0;
};

// The edges that drawn ones are like.
using EdgeStore = std::vector<std::unique_ptr<std::vector<EdgeList>>>;

// REQUIRES: inputs were read for the tree; ascending; they, the tree and the
// store outlive the plan.
// grid: of the ranks to draw for. kNo, naming the site, where an exchange
// cannot be drawn.
reduction::Result<TwinPlan> PlanTwin(const TwinTree& tree,
                                     const reduction::Sites& sites,
                                     std::vector<InputRun>* inputs,
                                     const Grid& grid, uint64_t seed,
                                     EdgeStore* store);

// Where communicators are drawn, and where calls have roots in them.
std::set<SiteKey> DrawnGroupSites(const TwinTree& tree, const TwinPlan& plan);

// Of the sites of an exchange.
std::map<SiteKey, SiteFit> FitSites(const TwinTree& tree,
                                    const Exchange& exchange,
                                    std::span<const InputRun> inputs,
                                    const WantedSize& wanted);

// "MPI_Send at app+0x12"
std::string NameOfSite(const TwinTree& tree, const SiteKey& site,
                       const reduction::Sites& sites);

}  // namespace ranksight::online_model
