#include "reduction/api/folder.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "reduction/queue/loop_tree.h"
#include "reduction/queue/repeat.h"
#include "reduction/queue/snapshot.h"
#include "reduction/queue/stored_variant.h"

namespace ranksight::reduction {
namespace {

// Variants of one event that are remembered. An event with more of them is
// hardly predictable; doubling it predicts loops over twice as many
// neighbours in one place, at the cost of memory for those that are not.
constexpr uint32_t kMaxVariants = 256;
// About what a variant takes besides its values.
constexpr uint64_t kVariantExtra = 160;

uint64_t HashOf(const TreeNode* node, std::span<const int64_t> values) {
  uint64_t h = uint64_t(reinterpret_cast<uintptr_t>(node));
  for (const int64_t v : values) {
    h = (h ^ uint64_t(v)) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace

struct Folder::Impl {
  explicit Impl(Prediction p)
      : tree([this](uint32_t a, uint32_t b) { return Before(a, b); }),
        prediction(p) {
    if (p == Prediction::kOn) memory.resize(Front::kMemory);
  }

  bool Before(uint32_t a, uint32_t b) const {
    const auto& fa = sites.sites[a].frames;
    const auto& fb = sites.sites[b].frames;
    const size_t n = std::min(fa.size(), fb.size());
    for (size_t i = 0; i < n; ++i) {
      if (fa[i] == fb[i]) continue;
      if (fa[i].module == fb[i].module) return fa[i].offset < fb[i].offset;
      return sites.modules[fa[i].module] < sites.modules[fb[i].module];
    }
    return fa.size() < fb.size();
  }

  StoredVariant* Find(TreeNode* node, const Event& event);
  StoredVariant* Store(TreeNode* node, const Event& event);
  // Moves the tree to an event that is no known variant, adds its values, and
  // stores it as one if there is room.
  StoredVariant* PushNew(const Event& event, TreeNode** node);
  // Pushes what has been followed since a prediction was wrong last.
  void PushRun(Front* front);
  // Appends the event to the memory, and predicts the next one.
  static void Remember(StoredVariant* variant, Front* front);

  Sites sites;
  std::map<Module, uint32_t> module_index;
  std::map<std::vector<Frame>, uint32_t> site_index;
  LoopTree tree;
  Prediction prediction;
  std::vector<Variant*> memory;  // the front's ring
  // By hash of node and values; of two with one hash the first is kept.
  std::unordered_map<uint64_t, std::unique_ptr<StoredVariant>> variants;
  uint64_t variant_bytes = 0;
};

Folder::Folder(Prediction prediction)
    : impl_(std::make_unique<Impl>(prediction)) {
  front_.ring = impl_->memory.data();
}
Folder::~Folder() = default;
Folder::Folder(Folder&&) noexcept = default;
Folder& Folder::operator=(Folder&&) noexcept = default;

uint32_t Folder::AddModule(const Module& module) {
  const auto [it, added] = impl_->module_index.try_emplace(
      module, uint32_t(impl_->sites.modules.size()));
  if (added) impl_->sites.modules.push_back(module);
  return it->second;
}

uint32_t Folder::AddSite(const CallSite& site) {
  const auto [it, added] = impl_->site_index.try_emplace(
      site.frames, uint32_t(impl_->sites.sites.size()));
  if (added) impl_->sites.sites.push_back(site);
  return it->second;
}

StoredVariant* Folder::Impl::Find(TreeNode* node, const Event& event) {
  const auto same = [&](const StoredVariant* v) {
    return v->node == node && std::ranges::equal(v->values, event.values());
  };
  if (node->last != nullptr && same(node->last)) {
    return const_cast<StoredVariant*>(node->last);
  }
  const auto it = variants.find(HashOf(node, event.values()));
  return it != variants.end() && same(it->second.get()) ? it->second.get()
                                                        : nullptr;
}

StoredVariant* Folder::Impl::Store(TreeNode* node, const Event& event) {
  if (node->variants >= kMaxVariants) return nullptr;
  auto& slot = variants[HashOf(node, event.values())];
  if (slot != nullptr) return nullptr;
  ++node->variants;
  slot = std::make_unique<StoredVariant>();
  slot->times = &node->times;
  slot->node = node;
  slot->values.assign(event.values().begin(), event.values().end());
  slot->offsets.assign(event.offsets().begin(), event.offsets().end());
  variant_bytes += sizeof(StoredVariant) + kVariantExtra +
                   slot->values.size() * sizeof(int64_t);
  return slot.get();
}

namespace {

void AddTimes(TreeNode* node, uint64_t compute_ns, uint64_t call_ns) {
  if (node->first_call.count != 0) {
    node->times.Add(compute_ns, call_ns);
    return;
  }
  node->first_compute.Add(double(compute_ns));
  node->first_call.Add(double(call_ns));
}

void AppendValues(TreeNode* node, const Event& event) {
  for (size_t i = 0; i < node->params.size(); ++i) {
    for (const int64_t v : event.ValuesAt(int(i))) node->params[i].Append(v);
  }
}

}  // namespace

void TreeNode::Settle() {
  if (repeats == 0) return;
  for (size_t i = 0; i < params.size(); ++i) {
    params[i].AppendRepeated(last->ValuesAt(i), repeats);
  }
  repeats = 0;
}

void Folder::Impl::PushRun(Front* front) {
  const uint64_t events = front->events - front->in_tree;
  const uint64_t period = front->distance;
  if (events == 0) return;
  front->in_tree = front->events;
  const auto at = [front](uint64_t event) {
    return static_cast<StoredVariant*>(front->ring[event % Front::kMemory]);
  };
  const uint64_t begin = front->events - events;
  if (events < 3 * period) {
    // What lies further back than the memory reaches came a period later too.
    for (uint64_t i = 0; i < events; ++i) {
      const uint64_t later = (events - 1 - i) / period * period;
      PushVariant(*at(begin + i + later), &tree);
    }
    return;
  }
  const uint64_t phase = events % period;
  std::vector<const StoredVariant*> cycle(period);
  for (uint64_t i = 0; i < period; ++i) {
    cycle[i] = at(front->events - period + (i + period - phase) % period);
  }
  PushRounds(cycle, events / period, &tree);
  for (uint64_t i = 0; i < phase; ++i) PushVariant(*cycle[i], &tree);
}

void Folder::Impl::Remember(StoredVariant* variant, Front* front) {
  // An event that is not remembered leaves the expectations as they are.
  if (variant != nullptr && variant->seen != 0) {
    const uint64_t ago = front->events + 1 - variant->seen;
    front->distance = ago < Front::kMemory ? ago : 0;
  }
  front->ring[front->events % Front::kMemory] = variant;
  front->in_tree = ++front->events;
  if (variant != nullptr) variant->seen = front->events;
  front->predicted =
      front->distance == 0
          ? nullptr
          : front->ring[(front->events - front->distance) % Front::kMemory];
}

StoredVariant* Folder::Impl::PushNew(const Event& event, TreeNode** place) {
  TreeNode* node = tree.Step(event.call(), event.site);
  *place = node;
  StoredVariant* variant = nullptr;
  if (prediction == Prediction::kOn) variant = Store(node, event);
  node->Settle();
  node->last = variant;
  if (variant != nullptr) {
    node->repeats = 1;
  } else {
    AppendValues(node, event);
  }
  return variant;
}

std::span<const int64_t> Folder::ValuesOf(const Variant& variant,
                                          size_t param) {
  return static_cast<const StoredVariant&>(variant).ValuesAt(param);
}

Event Folder::EventOf(const Variant& variant) {
  const auto& stored = static_cast<const StoredVariant&>(variant);
  Event event;
  event.Assign(stored.node->call, stored.values, stored.offsets);
  event.site = stored.node->site;
  return event;
}

Variant* Folder::Push(const Event& event, uint64_t compute_ns,
                      uint64_t call_ns) {
  Impl& f = *impl_;
  TreeNode* node = f.tree.Find(event.call(), event.site);
  StoredVariant* variant = node != nullptr ? f.Find(node, event) : nullptr;
  if (variant != nullptr && variant == front_.predicted) {
    Follow(compute_ns, call_ns);
    return variant;
  }
  f.PushRun(&front_);
  if (variant != nullptr) {
    PushVariant(*variant, &f.tree);
  } else {
    variant = f.PushNew(event, &node);
  }
  AddTimes(node, compute_ns, call_ns);
  if (f.prediction == Prediction::kOn) {
    f.Remember(variant, &front_);
  } else {
    front_.in_tree = ++front_.events;
  }
  return variant;
}

namespace {

uint64_t TermBytes(const std::vector<Term>& terms) {
  uint64_t bytes = terms.capacity() * sizeof(Term);
  for (const Term& t : terms) {
    if (!t.body.empty()) bytes += TermBytes(t.body);
  }
  return bytes;
}

uint64_t NodeBytes(const TreeNode& node) {
  uint64_t bytes = sizeof(TreeNode) + TermBytes(node.trips.terms());
  for (const Section& s : node.params) {
    bytes += sizeof(Section) + TermBytes(s.terms());
  }
  bytes += node.times.memory_bytes();
  for (const auto& child : node.children) bytes += NodeBytes(*child);
  return bytes;
}

}  // namespace

uint64_t Folder::memory_bytes() const {
  uint64_t bytes = NodeBytes(impl_->tree.root());
  for (const CallSite& s : impl_->sites.sites) {
    bytes += 3 * s.frames.size() * sizeof(Frame) + 128;
  }
  bytes += impl_->memory.size() * sizeof(Variant*);
  bytes += impl_->variant_bytes;
  return bytes;
}

Trace Folder::Snapshot(int64_t rank, int64_t ranks) const {
  impl_->PushRun(&front_);
  return SnapshotOf(&impl_->tree.root(), impl_->sites, rank, ranks);
}

std::unique_ptr<const FrozenQueue> Folder::Freeze() const {
  impl_->PushRun(&front_);
  return FreezeTree(&impl_->tree.root(), impl_->sites);
}

}  // namespace ranksight::reduction
