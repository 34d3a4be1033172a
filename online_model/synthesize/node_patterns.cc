#include "online_model/synthesize/node_patterns.h"

#include <map>
#include <utility>

namespace ranksight::online_model {

using reduction::Node;

namespace {

void TakeAsOneArray(uint64_t n, Pattern* pattern) {
  if (pattern->prefix.empty()) return;
  std::vector<int64_t> all = std::move(pattern->prefix);
  for (size_t k = 0; all.size() < n; ++k) {
    all.push_back(pattern->period[k % pattern->period.size()]);
  }
  *pattern = {{}, Shortest(std::move(all))};
}

// Lengths in turn, less those of calls that have nothing, as of roots that go
// round the ranks.
std::vector<int64_t> WithoutNone(std::vector<int64_t> lengths) {
  std::erase(lengths, 0);
  return lengths.empty() ? lengths : Shortest(std::move(lengths));
}

}  // namespace

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

void AddLengths(const Nodes& nodes, std::span<const Grid> grids,
                reduction::Param array, std::vector<RankPattern>* patterns) {
  const reduction::Call call = nodes[0]->call;
  const auto index = size_t(reduction::ParamPlace(call, array));
  const auto length =
      size_t(reduction::ParamPlace(call, reduction::LengthOf(call, array)));
  const auto lengths = PatternsOf(nodes, grids, length);
  if (!lengths) return;
  std::map<std::pair<const Grid*, int64_t>, const Pattern*> of;
  for (const RankPattern& p : *lengths) {
    of[{p.where.grid, p.where.rank}] = &p.pattern;
  }
  for (RankPattern& p : *patterns) {
    const Pattern& pattern = *of[{p.where.grid, p.where.rank}];
    if (pattern.prefix.empty()) p.lengths = WithoutNone(pattern.period);
    if (p.lengths.size() != 1) continue;
    const Node& node = *nodes[size_t(p.where.grid - grids.data())];
    const uint64_t values = node.params[index].At(p.where.rank).size();
    if (values == uint64_t(p.lengths[0])) TakeAsOneArray(values, &p.pattern);
  }
}

}  // namespace ranksight::online_model
