// The traces of ranks that were made one by one, as that of a run.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "reduction/api/folder.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Registers all of them; their numbers in the folder.
std::vector<uint32_t> AddSites(const reduction::Sites& sites,
                               reduction::Folder* folder);

// The last two become one. REQUIRES: as many parts.
reduction::Status JoinLast(std::vector<reduction::Trace>* parts);
// The n-th part is there: those that are as many as what is left of them become
// one, as bits carry.
reduction::Status JoinAsCounted(int64_t n,
                                std::vector<reduction::Trace>* parts);
// What is left, as one trace in its canonical form. REQUIRES: not empty.
reduction::Result<reduction::Trace> JoinAll(
    std::vector<reduction::Trace> parts);

// Numbers the sites as in the tree that it was made from.
void NumberSitesAs(const reduction::Sites& sites, reduction::Trace* made);
// Of a twin of so many ranks that has its events, and the report's estimates:
// what the run that it is like says of itself, its times, the estimates.
void SetMetaOfTwin(const reduction::Trace& like, int64_t ranks,
                   Extrapolation* twin);

}  // namespace ranksight::online_model
