// MissingLaws: what an earlier search has shown to have no law.
// Thread-safety: one search, one thread.
#pragma once

#include <cstddef>
#include <map>

#include "online_model/synthesize/node_law.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

class MissingLaws {
 public:
  // What is missing in the laws of this tree. REQUIRES: both outlive it.
  void Add(const reduction::Node& node, const NodeLaw& law) {
    laws_[&node] = &law;
    for (size_t c = 0; c < law.children.size(); ++c) {
      Add(node.children[c], law.children[c]);
    }
  }

  bool HasNoTrips(const reduction::Node& node) const {
    const auto known = laws_.find(&node);
    return known != laws_.end() && known->second->trips_missing;
  }

  bool HasNoLaw(const reduction::Node& node, size_t param) const {
    const auto known = laws_.find(&node);
    return known != laws_.end() && param < known->second->missing.size() &&
           known->second->missing[param];
  }

 private:
  std::map<const reduction::Node*, const NodeLaw*> laws_;
};

}  // namespace ranksight::online_model
