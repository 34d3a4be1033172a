#include "reduction/queue/tree_node.h"

#include <bit>

#include "reduction/api/pause.h"
#include "reduction/queue/stored_variant.h"

namespace ranksight::reduction {
namespace {

// Values apart from the variants that wait to be folded. Doubling it folds
// later, at one to ten bytes for each.
constexpr size_t kMaxApart = size_t{1} << 16;
// The same where they end in distributions: those search for nothing.
constexpr size_t kMaxApartCounted = 1024;

// Appends every width-th value, from the place-th on.
void AppendEvery(TreeNode* node, size_t param, const NumberLog& values,
                 size_t place, size_t width) {
  NumberLog::Cursor cursor(values);
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t value = cursor.Next();
    if (i % width != place) continue;
    node->Append(param, {&value, 1}, 1);
    Pause();
  }
}

}  // namespace

TreeNode::TimesAfter* TreeNode::TimesOf(Predecessor after) {
  for (const auto& t : times) {
    if (t->after == after) return t.get();
  }
  if (times.size() > ComputeParts::kMost) return times.back().get();
  times.push_back(std::make_unique<TimesAfter>());
  times.back()->after =
      times.size() <= ComputeParts::kMost ? after : kAnyPredecessor;
  return times.back().get();
}

void TreeNode::Append(size_t param, std::span<const int64_t> values,
                      uint64_t times) {
  if (DistributionOf(param) == nullptr) {
    params.Change()[param].AppendRepeated(values, times);
    return;
  }
  for (const int64_t v : values) distributions[param]->Add(v, times);
}

void TreeNode::Settle() {
  if (repeats == 0) return;
  for (size_t i = 0; i < param_count(); ++i) {
    if (!IsApart(i)) Append(i, last->ValuesAt(i), repeats);
  }
  repeats = 0;
}

void TreeNode::FoldApart() {
  size_t open_place = 0, matched_place = 0;
  for (size_t i = 0; i < param_count(); ++i) {
    if (IsOpen(i)) {
      AppendEvery(this, i, literal, open_place++, size_t(std::popcount(open)));
    } else if ((matched >> i & 1) != 0) {
      AppendEvery(this, i, matches, matched_place++, kPerMatch);
    } else if (IsApart(i)) {
      AppendEvery(this, i, completed, 0, 1);
    }
  }
  literal.Clear();
  matches.Clear();
  completed.Clear();
}

void TreeNode::AppendApart(std::span<const int64_t> of_open,
                           std::span<const int64_t> of_matches) {
  const size_t most = distributions.empty() ? kMaxApart : kMaxApartCounted;
  const size_t kept = literal.size() + matches.size() + completed.size();
  if (kept >= most) [[unlikely]]
    FoldApart();
  for (const int64_t v : of_open) literal.Append(v);
  for (const int64_t v : of_matches) matches.Append(v);
}

void TreeNode::AppendCompleted(int64_t request) {
  AppendApart({}, {});
  completed.Append(request);
}

void TreeNode::AppendApart(const Event& event) {
  if ((open | matched) == 0) return;
  AppendApart({}, {});
  std::span<const int64_t> sources;
  for (size_t i = 0; i < param_count(); ++i) {
    if (((open | matched) >> i & 1) == 0) continue;
    const auto values = event.ValuesAt(int(i));
    if (IsOpen(i)) {
      literal.Append(values[0]);
    } else if (sources.empty()) {
      // Of matches the sources come first, then the tags: kept in pairs.
      sources = values;
    } else {
      for (size_t m = 0; m < values.size(); ++m) {
        matches.Append(sources[m]);
        matches.Append(values[m]);
      }
    }
  }
}

}  // namespace ranksight::reduction
