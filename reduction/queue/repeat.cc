#include "reduction/queue/repeat.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "reduction/queue/tree_node.h"

namespace ranksight::reduction {
namespace {

using Cycle = std::span<const StoredVariant* const>;

// Rounds pushed one by one before it is given up to find them alike.
constexpr uint64_t kTrials = 12;

struct Counters {
  uint64_t iteration, runs, iterations, trips;
  bool operator==(const Counters&) const = default;
};

Counters CountersOf(const TreeNode& n) {
  return {n.iteration, n.runs, n.iterations, n.trips.size()};
}

Counters Difference(const Counters& a, const Counters& b) {
  return {a.iteration - b.iteration, a.runs - b.runs,
          a.iterations - b.iterations, a.trips - b.trips};
}

// The cycle's events and all that encloses them, but the root.
std::vector<TreeNode*> NodesOf(Cycle cycle) {
  std::vector<TreeNode*> nodes;
  std::unordered_set<TreeNode*> known;
  for (const StoredVariant* variant : cycle) {
    for (TreeNode* n = variant->node; n->parent != nullptr; n = n->parent) {
      if (!known.insert(n).second) break;
      nodes.push_back(n);
    }
  }
  return nodes;
}

std::vector<int64_t> LastOf(const Section& s, uint64_t count) {
  std::vector<int64_t> values(count);
  for (uint64_t i = 0; i < count; ++i) {
    values[i] = s.At(s.size() - count + i);
  }
  return values;
}

// What one round changes.
struct Round {
  std::vector<Counters> change;             // of each node
  std::vector<std::vector<int64_t>> trips;  // added to each node's
  bool operator==(const Round&) const = default;
};

Round PushRound(Cycle cycle, const std::vector<TreeNode*>& nodes,
                LoopTree* tree) {
  std::vector<Counters> before;
  before.reserve(nodes.size());
  for (const TreeNode* n : nodes) before.push_back(CountersOf(*n));
  for (const StoredVariant* v : cycle) PushVariant(*v, tree);
  Round round;
  for (size_t i = 0; i < nodes.size(); ++i) {
    round.change.push_back(Difference(CountersOf(*nodes[i]), before[i]));
    const uint64_t added =
        std::min<uint64_t>(round.change.back().trips, nodes[i]->trips.size());
    round.trips.push_back(LastOf(nodes[i]->trips, added));
  }
  return round;
}

// The values that the cycle adds to each of its events.
void RepeatValues(Cycle cycle, uint64_t rounds) {
  std::unordered_map<TreeNode*, std::vector<const StoredVariant*>> of_node;
  for (const StoredVariant* v : cycle) of_node[v->node].push_back(v);
  for (const auto& entry : of_node) {
    TreeNode* node = entry.first;
    const auto& variants = entry.second;
    const bool one = std::all_of(
        variants.begin(), variants.end(),
        [&](const StoredVariant* v) { return v == variants.front(); });
    // All rounds repeat what the node had last: a counter is enough until
    // somebody looks.
    if (one && node->last == variants.front()) {
      node->repeats += rounds * variants.size();
      continue;
    }
    node->Settle();
    std::vector<int64_t> block;
    for (size_t p = 0; p < node->param_count(); ++p) {
      if (node->IsApart(p)) continue;
      block.clear();
      for (const StoredVariant* v : variants) {
        const auto values = v->ValuesAt(p);
        block.insert(block.end(), values.begin(), values.end());
      }
      node->Append(p, block, rounds);
    }
  }
}

void AddRounds(Cycle cycle, const std::vector<TreeNode*>& nodes,
               const Round& round, uint64_t rounds) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    TreeNode& n = *nodes[i];
    const Counters& change = round.change[i];
    n.iteration += change.iteration * rounds;
    n.runs += change.runs * rounds;
    n.iterations += change.iterations * rounds;
    n.trips.AppendRepeated(round.trips[i], rounds);
  }
  RepeatValues(cycle, rounds);
}

}  // namespace

void PushVariant(const StoredVariant& variant, LoopTree* tree) {
  TreeNode* node = variant.node;
  tree->StepTo(node);
  if (node->last != &variant) {
    node->Settle();
    node->last = &variant;
  }
  ++node->repeats;
}

void PushRounds(Cycle cycle, uint64_t rounds, LoopTree* tree) {
  std::vector<TreeNode*> nodes = NodesOf(cycle);
  uint64_t changes = tree->changes();
  Round last;
  for (uint64_t trial = 0; trial < kTrials && rounds > 0; ++trial) {
    Round round = PushRound(cycle, nodes, tree);
    --rounds;
    if (tree->changes() != changes) {
      changes = tree->changes();
      nodes = NodesOf(cycle);
      last = Round();
      continue;
    }
    // Two rounds in a row did the same to the same nodes, so all others will:
    // they are added at once.
    if (round == last) {
      AddRounds(cycle, nodes, round, rounds);
      return;
    }
    last = std::move(round);
  }
  for (; rounds > 0; --rounds) {
    for (const StoredVariant* v : cycle) PushVariant(*v, tree);
  }
}

}  // namespace ranksight::reduction
