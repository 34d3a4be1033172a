#include "reduction/api/site_scale.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace ranksight::reduction {

Result<std::vector<SiteScale>> ReadSiteScales(
    std::span<const std::string> words) {
  std::vector<SiteScale> scales;
  for (const std::string& word : words) {
    const size_t equals = std::min(word.rfind('='), word.size());
    SiteScale scale{word.substr(0, equals), -1};
    const char* const end = word.data() + word.size();
    const char* const number = std::min(word.data() + equals + 1, end);
    const auto read = std::from_chars(number, end, scale.factor);
    if (scale.text.empty() || read.ec != std::errc() || read.ptr != end ||
        !(scale.factor >= 0) || std::isinf(scale.factor)) {
      return Status::Usage("--site-scale '" + word +
                           "' is not TEXT=FACTOR with a factor of 0 or more");
    }
    scales.push_back(std::move(scale));
  }
  return scales;
}

Result<std::vector<double>> FactorsOf(std::span<const SiteScale> scales,
                                      const Sites& sites) {
  std::vector<double> factors(sites.sites.size(), 1);
  for (const SiteScale& scale : scales) {
    bool found = false;
    for (uint32_t i = 0; i < factors.size(); ++i) {
      if (ToString(sites, i).find(scale.text) == std::string::npos) continue;
      factors[i] *= scale.factor;
      found = true;
    }
    if (!found) {
      return Status::Usage("no call site holds '" + scale.text + "'");
    }
  }
  return factors;
}

}  // namespace ranksight::reduction
