// What-if options: how a program is to be otherwise than it was. One spelling
// for all commands that take them; what a command cannot do it refuses by name.
// Thread-safety: as what it holds.
#pragma once

#include <string>
#include <vector>

#include "reduction/api/site_scale.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace CLI {
class App;
}

namespace ranksight::cli {

enum class WhatIfUser { kForecast, kSimulate, kReplay, kGenerate };

struct WhatIfOptions {
  double compute_scale = 1, bytes_scale = 1;
  bool no_compute = false;
  std::vector<std::string> site_scales, exchanges;

  double ComputeScale() const { return no_compute ? 0 : compute_scale; }
  bool ChangesProgram() const {
    return ComputeScale() != 1 || bytes_scale != 1 || !site_scales.empty() ||
           !exchanges.empty();
  }
};

// REQUIRES: options lives as long as app.
void AddWhatIfOptions(CLI::App* app, WhatIfUser user, WhatIfOptions* options);

// kUsage where a text cannot be read.
reduction::Status CheckWhatIf(const WhatIfOptions& options);
// The factor of each call site. kUsage, also where a text is in no call path.
reduction::Result<std::vector<double>> SiteFactors(
    const WhatIfOptions& options, const reduction::Sites& sites);

// Appends the words of the options that were changed, for the replay engine's
// tool; not --site-scale, whose text a launcher's shell may take apart.
void AppendWhatIfWords(const WhatIfOptions& options,
                       std::vector<std::string>* words);

}  // namespace ranksight::cli
