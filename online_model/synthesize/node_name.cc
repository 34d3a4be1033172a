#include "online_model/synthesize/node_name.h"

namespace ranksight::online_model {

std::string NameOf(const reduction::Node& node, const reduction::Sites& sites) {
  if (node.is_event()) {
    return std::string(reduction::Info(node.call).name) + " at " +
           reduction::ToString(sites, node.site);
  }
  const reduction::Node* first = &node;
  while (!first->is_event() && !first->children.empty()) {
    first = &first->children[0];
  }
  return first->is_event() ? "the loop around " + NameOf(*first, sites)
                           : "a loop";
}

}  // namespace ranksight::online_model
