// A picture of link loads: one panel for each dimension and direction, all
// nodes in each, and the same colours for all mappings shown.
// Thread-safety: pure function.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bgq_support/api/load.h"
#include "cli/look/png.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

// of: program and machine, for the headline. Each mapping, under its title,
// takes two columns (down, up), each dimension a row. Within a panel the first
// half of the dimensions runs down, the rest across. kUsage where that makes a
// picture of more than a hundred million points. REQUIRES: at least one entry.
reduction::Result<Canvas> PictureOf(
    const bgq_support::Machine& machine,
    const std::vector<std::pair<std::string, const bgq_support::LinkLoads*>>&
        loads,
    const std::string& of);

}  // namespace ranksight::cli
