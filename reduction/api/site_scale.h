// Factors on the computation before the calls of some sites, as users write
// them: TEXT=FACTOR, where a site's call path holds TEXT.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

struct SiteScale {
  std::string text;
  double factor = 1;  // 0 or more
};

// kUsage with the word that is none.
Result<std::vector<SiteScale>> ReadSiteScales(
    std::span<const std::string> words);

// The factor of each site, the product of those whose text its path holds; 1
// where there is none. kUsage when a text is in no call path.
Result<std::vector<double>> FactorsOf(std::span<const SiteScale> scales,
                                      const Sites& sites);

}  // namespace ranksight::reduction
