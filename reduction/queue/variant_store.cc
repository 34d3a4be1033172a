#include "reduction/queue/variant_store.h"

#include <algorithm>
#include <utility>

namespace ranksight::reduction {
namespace {

// Variants of one event that are remembered. An event with more of them is
// hardly predictable; doubling it predicts loops over twice as many
// neighbours in one place, at the cost of memory for those that are not.
constexpr size_t kMaxVariants = 256;
// An event with fewer is not opened: it may be a loop's first round. Doubling
// it takes twice as long to find that values never repeat, some 150 us.
constexpr size_t kIrregular = 128;
// Values that make a parameter of such an event an open one.
constexpr size_t kManyValues = 16;
// About what a variant takes besides its values.
constexpr uint64_t kVariantExtra = 160;

uint64_t HashOf(const TreeNode* node, std::span<const int64_t> values) {
  uint64_t h = uint64_t(reinterpret_cast<uintptr_t>(node)) + node->open;
  for (const int64_t v : values) {
    h = (h ^ uint64_t(v)) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
  }
  return h;
}

// Zeros where parameters are apart.
void ClearApart(uint32_t apart, std::span<const uint32_t> offsets,
                std::vector<int64_t>* values) {
  for (size_t p = 0; apart >> p != 0; ++p) {
    if ((apart >> p & 1) == 0) continue;
    std::fill(values->begin() + offsets[p], values->begin() + offsets[p + 1],
              0);
  }
}

// A bit for each scalar parameter with many values.
uint32_t IrregularOf(const TreeNode& node) {
  uint32_t open = 0;
  for (size_t p = 0; p < node.param_count(); ++p) {
    std::vector<int64_t> seen;
    for (const StoredVariant* v : node.variants) {
      const auto values = v->ValuesAt(p);
      if (values.size() == 1) seen.push_back(values[0]);
    }
    if (seen.size() < node.variants.size()) continue;
    std::sort(seen.begin(), seen.end());
    const auto end = std::unique(seen.begin(), seen.end());
    if (size_t(end - seen.begin()) >= kManyValues) open |= uint32_t{1} << p;
  }
  // Arrays are among what is compared, and so are their lengths.
  const auto params = Info(node.call).params;
  for (const Param array : params) {
    if (!IsArray(array)) continue;
    const auto at = std::ranges::find(params, LengthOf(node.call, array));
    if (at != params.end()) open &= ~(uint32_t{1} << (at - params.begin()));
  }
  return open;
}

}  // namespace

const std::vector<int64_t>& VariantStore::KeyOf(const TreeNode* node,
                                                const Event& event) {
  key_.assign(event.values().begin(), event.values().end());
  ClearApart(node->apart(), event.offsets(), &key_);
  return key_;
}

StoredVariant* VariantStore::Find(TreeNode* node, const Event& event) {
  return FindKey(node, KeyOf(node, event));
}

StoredVariant* VariantStore::FindKey(TreeNode* node,
                                     const std::vector<int64_t>& key) {
  const auto same = [&](const StoredVariant* v) {
    return v->node == node && v->open == node->open && v->values == key;
  };
  if (node->last != nullptr && same(node->last)) {
    return const_cast<StoredVariant*>(node->last);
  }
  const auto it = variants_.find(HashOf(node, key));
  return it != variants_.end() && same(it->second.get()) ? it->second.get()
                                                         : nullptr;
}

StoredVariant* VariantStore::Store(TreeNode* node, const Event& event) {
  return StoreKey(node, KeyOf(node, event), event.offsets());
}

StoredVariant* VariantStore::StoreKey(TreeNode* node,
                                      const std::vector<int64_t>& key,
                                      std::span<const uint32_t> offsets) {
  if (node->variants.size() >= kMaxVariants) return nullptr;
  auto& slot = variants_[HashOf(node, key)];
  if (slot != nullptr) return nullptr;
  slot = std::make_unique<StoredVariant>();
  node->variants.push_back(slot.get());
  slot->node = node;
  slot->open = node->open;
  slot->hint = none_.hint;
  slot->values = key;
  slot->offsets.assign(offsets.begin(), offsets.end());
  bytes_ += sizeof(StoredVariant) + kVariantExtra +
            slot->values.size() * sizeof(int64_t);
  return slot.get();
}

bool VariantStore::OpenIfIrregular(TreeNode* node, std::span<Variant*> ring) {
  uint64_t occurrences = 1;
  for (const auto& t : node->times) occurrences += t->rest.count();
  if (node->open != 0 || node->variants.size() < kIrregular ||
      2 * node->missed < occurrences) {
    return false;
  }
  const uint32_t open = IrregularOf(*node);
  if (open == 0) return false;
  Open(node, open, ring);
  return true;
}

void VariantStore::Open(TreeNode* node, uint32_t open,
                        std::span<Variant*> ring) {
  node->Settle();
  node->last = nullptr;
  node->open = open;
  // The variants with all their values stay: hints may name them.
  std::vector<StoredVariant*> exact = std::exchange(node->variants, {});
  for (StoredVariant* v : exact) {
    std::vector<int64_t> key = v->values;
    ClearApart(node->apart(), v->offsets, &key);
    v->opened = FindKey(node, key);
    if (v->opened == nullptr) v->opened = StoreKey(node, key, v->offsets);
    if (v->opened == nullptr) continue;
    v->opened->seen = std::max(v->opened->seen, v->seen);
  }
  for (Variant*& v : ring) {
    const auto* stored = static_cast<const StoredVariant*>(v);
    if (stored->node != node) continue;
    v = stored->opened != nullptr ? stored->opened : none();
  }
}

}  // namespace ranksight::reduction
