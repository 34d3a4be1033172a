// The variants that a folder remembers, by event and values.
//
// An event of which most occurrences were not predicted, because its values
// hardly ever come again, is *opened*: its scalar parameters with many values
// are not compared from then on, and variants are told apart by the others.
// Thread-safety: as the folder's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "reduction/queue/stored_variant.h"
#include "reduction/queue/tree_node.h"

namespace ranksight::reduction {

class VariantStore {
 public:
  // no_hint: the hint of new variants.
  explicit VariantStore(const void* no_hint) { none_.hint = no_hint; }
  // Stands for every event that is not remembered.
  StoredVariant* none() { return &none_; }
  // nullptr when it is not remembered.
  StoredVariant* Find(TreeNode* node, const Event& event);
  // nullptr when there is no room. REQUIRES: Find found nothing.
  StoredVariant* Store(TreeNode* node, const Event& event);
  // Opens the event when that will help. What is remembered in the ring is
  // replaced. False when nothing has changed.
  // REQUIRES: the tree knows of all events.
  bool OpenIfIrregular(TreeNode* node, std::span<Variant*> ring);
  uint64_t memory_bytes() const { return bytes_; }

 private:
  const std::vector<int64_t>& KeyOf(const TreeNode* node, const Event& event);
  StoredVariant* FindKey(TreeNode* node, const std::vector<int64_t>& key);
  StoredVariant* StoreKey(TreeNode* node, const std::vector<int64_t>& key,
                          std::span<const uint32_t> offsets);
  void Open(TreeNode* node, uint32_t open, std::span<Variant*> ring);

  StoredVariant none_;
  // By hash of node and values; of two with one hash the first is kept.
  std::unordered_map<uint64_t, std::unique_ptr<StoredVariant>> variants_;
  std::vector<int64_t> key_;
  uint64_t bytes_ = 0;
};

}  // namespace ranksight::reduction
