// A what-if: what a forecast program would take if some of it were otherwise
// than in the runs. The network is fitted to the runs as they were; what is
// walked then is changed.
//
// Thread-safety: value type.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "online_model/api/links.h"
#include "reduction/api/site_scale.h"

namespace ranksight::online_model {

struct WhatIf {
  // Of computation before calls, and of what messages and collectives carry; 0
  // or more.
  double compute_scale = 1, bytes_scale = 1;
  // On top of compute_scale: computation before the calls of some sites.
  std::vector<reduction::SiteScale> site_scales;
  // Of another network than that of the runs, whose links (WalkOptions::links)
  // or whole network (WalkOptions::network) have to be known: its nodes' links
  // are as fast as those of the runs' nodes.
  std::shared_ptr<const Links> links;

  bool ChangesProgram() const {
    return compute_scale != 1 || bytes_scale != 1 || !site_scales.empty();
  }
  bool ChangesAnything() const { return ChangesProgram() || links != nullptr; }
};

// "computation x0.5, before calls at solve x2, messages x3, another network";
// empty where nothing is changed.
std::string ToText(const WhatIf& what_if);

}  // namespace ranksight::online_model
