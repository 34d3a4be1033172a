#include "online_model/synthesize/node_patterns.h"

#include <utility>

namespace ranksight::online_model {

using reduction::Node;

Nodes ChildOf(const Nodes& nodes, size_t c) {
  Nodes children;
  for (const Node* n : nodes) children.push_back(&n->children[c]);
  return children;
}

std::optional<std::vector<RankPattern>> PatternsOf(const Nodes& nodes,
                                                   std::span<const Grid> grids,
                                                   size_t param,
                                                   const Parents* rounds,
                                                   bool whole) {
  std::vector<RankPattern> out;
  for (size_t t = 0; t < nodes.size(); ++t) {
    for (const auto& [r, s] : nodes[t]->params[param].ByRank()) {
      auto pattern = whole ? WholeListOf(s) : PatternOf(s);
      if (!pattern) return std::nullopt;
      out.push_back(
          {Context(grids[t], r),
           std::move(*pattern),
           rounds == nullptr ? Rounds() : (*rounds)[t][size_t(r)].rounds,
           {}});
    }
  }
  return out;
}

}  // namespace ranksight::online_model
