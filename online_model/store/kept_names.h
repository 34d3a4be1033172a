// Names of call sites as a store keeps them: in its folder `names`, a file for
// each module.
// Thread-safety: pure functions but for the files.
#pragma once

#include <string>

#include "reduction/api/names.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

// Beside what is known; where both know a place, the new names stay.
reduction::Status KeepNames(const std::string& store_directory,
                            const reduction::Names& names);
reduction::Names KeptNames(const std::string& store_directory,
                           const reduction::Sites& sites);

}  // namespace ranksight::online_model
