#include "reduction/queue/spare_memory.h"

#include <algorithm>

#include "reduction/section/amount.h"

namespace ranksight::reduction {
namespace {

// A distribution takes up to 2 KiB. Doubling it turns events half as often
// that would have been small in the end.
constexpr uint64_t kLeastBytes = 4096;

// The only value of a parameter that decides what the bytes are, or none.
bool HasOneValue(const TreeNode& node, size_t param, Param which) {
  const Section& values = node.params.get()[param];
  return values.empty() || (values.IsConstant() &&
                            (which != Param::kInPlace || values.At(0) == 0));
}

bool SumGivesBytes(const TreeNode& node, const SizeOf& of) {
  const auto params = Info(node.call).params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (DecidesBytes(params[i], of) && !HasOneValue(node, i, params[i])) {
      return false;
    }
  }
  return true;
}

bool Turn(TreeNode* node, size_t param) {
  const SizeOf* of = SizesOf(Info(node->call).params[param]);
  if (of == nullptr || node->DistributionOf(param) != nullptr ||
      node->params.get()[param].memory_bytes() < kLeastBytes ||
      !SumGivesBytes(*node, *of)) {
    return false;
  }
  node->distributions.resize(node->param_count());
  node->distributions[param] = std::make_unique<Distribution>();
  node->distributions[param]->Add(node->params.get()[param]);
  node->params.Change()[param] = Section();
  return true;
}

}  // namespace

size_t SpareMemory(TreeNode* node) {
  size_t turned = 0;
  for (const auto& child : node->children) turned += SpareMemory(child.get());
  if (node->parent == nullptr || !node->is_event()) return turned;
  node->Settle();
  node->FoldApart();
  for (size_t i = 0; i < node->param_count(); ++i) {
    turned += size_t{Turn(node, i)};
  }
  return turned;
}

bool KeepsBytesExact(const TreeNode& node, const Event& event) {
  if (node.distributions.empty()) return true;
  const auto params = Info(node.call).params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (node.DistributionOf(i) == nullptr) continue;
    const SizeOf& of = *SizesOf(params[i]);
    for (size_t k = 0; k < params.size(); ++k) {
      if (!DecidesBytes(params[k], of)) continue;
      for (const int64_t v : event.ValuesAt(int(k))) {
        if (node.params.get()[k].empty() || node.params.get()[k].At(0) != v)
          return false;
      }
    }
  }
  return true;
}

}  // namespace ranksight::reduction
