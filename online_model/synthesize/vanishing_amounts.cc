#include "online_model/synthesize/vanishing_amounts.h"

#include <algorithm>

#include "reduction/api/call.h"
#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

bool HasNone(const reduction::Parameter& amounts) {
  const auto all = amounts.ByRank();
  return std::any_of(all.begin(), all.end(), [](const auto& of_rank) {
    return !of_rank.second.empty() && of_rank.second.Min() <= 0;
  });
}

}  // namespace

bool MayBeLeftOut(reduction::Call call) {
  using reduction::Family;
  const Family family = reduction::Info(call).family;
  return family == Family::kPointToPoint || family == Family::kOneSided;
}

void AddLinesWithNone(const reduction::Node& tree,
                      const reduction::Sites& sites,
                      std::set<KnownLaws::Line>* lines) {
  reduction::ForEachEvent(tree, [&](const reduction::Node& node) {
    if (!MayBeLeftOut(node.call)) return;
    for (size_t i = 0; i < node.params.size(); ++i) {
      const bool is_amount =
          reduction::IsAmount(reduction::Info(node.call).params[i]);
      if (is_amount && HasNone(node.params[i])) {
        lines->insert(KnownLaws::LineOf(node, sites, i));
      }
    }
  });
}

}  // namespace ranksight::online_model
