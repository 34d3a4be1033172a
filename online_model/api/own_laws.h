// Laws of the user's own, from shared libraries (ranksight_law.h).
// Thread-safety: LoadOwnLaws as dlopen; a list may be read by many threads,
// its laws as their library allows.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::online_model {

struct OwnLaw;
// The libraries stay loaded as long as any of their laws is held.
using OwnLaws = std::vector<std::shared_ptr<const OwnLaw>>;

// Adds the laws of libraries. kUsage when one cannot be loaded, gives no laws
// of this version, or has a name that is none or is taken.
reduction::Status LoadOwnLaws(std::span<const std::string> libraries,
                              OwnLaws* laws);

}  // namespace ranksight::online_model
