#include "reduction/api/folder.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/api/copy_on_write.h"
#include "reduction/api/pause.h"
#include "reduction/queue/arrivals.h"
#include "reduction/queue/loop_tree.h"
#include "reduction/queue/repeat.h"
#include "reduction/queue/snapshot.h"
#include "reduction/queue/spare_memory.h"
#include "reduction/queue/variant_store.h"

namespace ranksight::reduction {
struct Folder::Impl {
  Impl(Prediction p, const void* no_hint)
      : tree([this](uint32_t a, uint32_t b) { return Before(a, b); }),
        prediction(p),
        variants(no_hint) {
    if (p == Prediction::kOn)
      memory.resize(2 * Front::kMemory, variants.none());
  }

  bool Before(uint32_t a, uint32_t b) const {
    const std::vector<Module>& modules = sites.get().modules;
    const auto& fa = sites.get().sites[a].frames;
    const auto& fb = sites.get().sites[b].frames;
    const size_t n = std::min(fa.size(), fb.size());
    for (size_t i = 0; i < n; ++i) {
      if (fa[i] == fb[i]) continue;
      if (fa[i].module == fb[i].module) return fa[i].offset < fb[i].offset;
      return modules[fa[i].module] < modules[fb[i].module];
    }
    return fa.size() < fb.size();
  }

  // Moves the tree to an event that is no known variant, adds its values, and
  // stores it as one if there is room.
  StoredVariant* PushNew(const Event& event, TreeNode** node);
  // Pushes what has been followed since a prediction was wrong last.
  void PushRun(Front* front);
  // The times of all others than the first occurrence, of an event that comes
  // behind the last whose times were added.
  TimePair* TimesOf(StoredVariant* variant) {
    if (variant->times == nullptr || variant->after != after) {
      variant->times = &variant->node->TimesOf(after)->rest;
      variant->after = after;
    }
    after = variant->node->site;
    return variant->times;
  }
  void AddTimes(TreeNode* node, uint64_t compute_ns, uint64_t call_ns);
  // Appends the event to the memory, and predicts the next one.
  void Remember(StoredVariant* variant, Front* front);

  CopyOnWrite<Sites> sites;  // shared with frozen copies
  std::map<Module, uint32_t> module_index;
  std::map<std::vector<Frame>, uint32_t> site_index;
  LoopTree tree;
  Prediction prediction;
  VariantStore variants;
  std::vector<Variant*> memory;  // the front's ring
  Variant* const none = variants.none();
  std::array<TimePair::Ticks, kMostTaken> taken;
  // The site of the last event whose times were added.
  Predecessor after = kNoPredecessor;
  Arrivals arrivals;
  void AppendApart(TreeNode* node, const Event& event, uint64_t before) {
    node->AppendApart(event);
    if (node->chosen == 0) return;
    arrivals.Add(node, event.GetArray(Param::kRequests),
                 size_t(event.Get(Param::kMatchCount)), before);
  }
};

Folder::Folder(Prediction prediction, const void* no_hint)
    : impl_(std::make_unique<Impl>(prediction, no_hint)) {
  front_.ring = impl_->memory.data();
  front_.nowhere = &impl_->none;
  front_.BeginRound();
  taken_ = taken_end_ = impl_->taken.data();
  StopAt(kMostTaken);
}
Folder::~Folder() = default;
Folder::Folder(Folder&&) noexcept = default;
Folder& Folder::operator=(Folder&&) noexcept = default;

uint32_t Folder::AddModule(const Module& module) {
  const auto [it, added] = impl_->module_index.try_emplace(
      module, uint32_t(impl_->sites.get().modules.size()));
  if (added) impl_->sites.Change().modules.push_back(module);
  return it->second;
}

uint32_t Folder::AddSite(const CallSite& site) {
  const auto [it, added] = impl_->site_index.try_emplace(
      site.frames, uint32_t(impl_->sites.get().sites.size()));
  if (added) impl_->sites.Change().sites.push_back(site);
  return it->second;
}

void Folder::Impl::AddTimes(TreeNode* node, uint64_t compute_ns,
                            uint64_t call_ns) {
  TreeNode::TimesAfter* times = node->TimesOf(after);
  after = node->site;
  if (node->first_call.count != 0) {
    times->rest.Add(compute_ns, call_ns);
    return;
  }
  times->first_compute.Add(double(compute_ns));
  node->first_call.Add(double(call_ns));
}

namespace {

void AppendCompared(TreeNode* node, const Event& event) {
  for (size_t i = 0; i < node->param_count(); ++i) {
    if (!node->IsApart(i)) node->Append(i, event.ValuesAt(int(i)), 1);
  }
}

}  // namespace

void Folder::Front::Settle() {
  if (followed == 0) return;
  // Whole rounds that would only put others like them in their places.
  uint64_t events = followed;
  if (events > kMemory) {
    const uint64_t least = kMemory - distance;
    events = least + (events - least) % distance;
  }
  for (uint64_t i = 0; i < events; ++i) Append(Back(distance));
  remembered += followed;
  for (uint64_t ago = std::min(followed, distance); ago > 0; --ago) {
    Back(ago)->seen = remembered + 1 - ago;
  }
  followed = 0;
  BeginRound();
}

void Folder::AddUpTicks() const {
  const std::span<const TimePair::Ticks> taken(taken_, taken_end_);
  if (taken.empty()) return;
  const uint64_t distance = front_.distance;
  uint64_t passed = front_.followed % distance;
  const auto next = [this, &passed, distance] {
    Variant* variant = front_.Back(distance - passed);
    passed = passed + 1 == distance ? 0 : passed + 1;
    return static_cast<StoredVariant*>(variant);
  };
  // What was predicted came a period before, too, and behind the same event
  // but for the first of all.
  const size_t period = std::min<size_t>(distance, taken.size());
  impl_->TimesOf(next())->Add(taken.first(1), 1, tick_ns_);
  for (size_t i = 1; i < taken.size() && i <= period; ++i) {
    impl_->TimesOf(next())->Add(taken.subspan(i), period, tick_ns_);
  }
  const uint64_t last = (front_.followed + taken.size() - 1) % distance;
  impl_->after =
      static_cast<StoredVariant*>(front_.Back(distance - last))->node->site;
  front_.followed += taken.size();
  taken_end_ = taken_;
  stop_ = taken_ + kMostTaken;
}

void Folder::Follow(uint64_t compute_ns, uint64_t call_ns) {
  RANKSIGHT_REQUIRE(predicted() != nullptr);
  AddUpTicks();
  auto* variant = static_cast<StoredVariant*>(predicted());
  impl_->TimesOf(variant)->Add(compute_ns, call_ns);
  ++front_.followed;
  front_.Advance();
}

bool Folder::Predict(const Variant* variant) {
  CatchUp();
  if (variant->seen == 0) return false;
  const uint64_t ago = front_.remembered + 1 - variant->seen;
  // One whose event was opened since is in the ring no more.
  if (ago >= Front::kMemory || front_.Back(ago) != variant) return false;
  front_.distance = ago;
  front_.BeginRound();
  return true;
}

void Folder::AppendApart(std::span<const int64_t> open,
                         std::span<const int64_t> matches,
                         std::span<const int64_t> completed) {
  TreeNode* node = static_cast<StoredVariant*>(predicted())->node;
  node->AppendApart(open, matches);
  if (node->chosen != 0) {
    impl_->arrivals.Add(node, completed, matches.size() / 2, events());
  }
}

void Folder::Impl::PushRun(Front* front) {
  front->Settle();
  const uint64_t events = front->remembered - front->in_tree;
  const uint64_t period = front->distance;
  if (events == 0) return;
  front->in_tree = front->remembered;
  const auto at = [front](uint64_t event) {
    return static_cast<StoredVariant*>(front->Back(front->remembered - event));
  };
  const uint64_t begin = front->remembered - events;
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
    cycle[i] = at(front->remembered - period + (i + period - phase) % period);
  }
  PushRounds(cycle, events / period, &tree);
  for (uint64_t i = 0; i < phase; ++i) PushVariant(*cycle[i], &tree);
}

void Folder::Impl::Remember(StoredVariant* variant, Front* front) {
  // An event that is not remembered leaves the expectations as they are.
  if (variant == nullptr) {
    front->Remember(none);
  } else {
    if (variant->seen != 0) {
      const uint64_t ago = front->remembered + 1 - variant->seen;
      front->distance = ago < Front::kMemory ? ago : 0;
    }
    front->Remember(variant);
  }
  front->in_tree = front->remembered;
  front->BeginRound();
}

StoredVariant* Folder::Impl::PushNew(const Event& event, TreeNode** place) {
  TreeNode* node = tree.Step(event.call(), event.site);
  *place = node;
  StoredVariant* variant = nullptr;
  if (prediction == Prediction::kOn) variant = variants.Store(node, event);
  node->Settle();
  node->last = variant;
  if (variant != nullptr) {
    node->repeats = 1;
  } else {
    AppendCompared(node, event);
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
  RANKSIGHT_REQUIRE(event.Complete());
  AddUpTicks();
  Impl& f = *impl_;
  TreeNode* node = f.tree.Find(event.call(), event.site);
  StoredVariant* variant =
      node != nullptr ? f.variants.Find(node, event) : nullptr;
  if (variant != nullptr && variant == predicted()) {
    f.AppendApart(node, event, events());
    Follow(compute_ns, call_ns);
    return variant;
  }
  // It is not the predicted one: what was only predicted so far goes into the
  // tree first, then this.
  f.PushRun(&front_);
  if (node != nullptr && ++node->missed && variant == nullptr &&
      f.variants.OpenIfIrregular(node, f.memory)) {
    variant = f.variants.Find(node, event);
  }
  if (variant != nullptr) {
    PushVariant(*variant, &f.tree);
  } else {
    variant = f.PushNew(event, &node);
  }
  f.AppendApart(node, event, events());
  f.AddTimes(node, compute_ns, call_ns);
  if (f.prediction == Prediction::kOn) {
    f.Remember(variant, &front_);
  } else {
    front_.in_tree = ++front_.remembered;
  }
  return variant;
}

namespace {

// The values of a node without its children: none where they follow a rule.
uint64_t OwnValueBytes(const TreeNode& node) {
  uint64_t bytes = node.trips.memory_bytes();
  for (const Section& s : node.params.get()) bytes += s.memory_bytes();
  // What they will take once they are folded.
  const size_t apart =
      node.literal.size() + node.matches.size() + node.completed.size();
  return bytes + apart * (sizeof(Term) + sizeof(uint32_t));
}

uint64_t ValueBytes(const TreeNode& node) {
  uint64_t bytes = OwnValueBytes(node);
  for (const auto& child : node.children) bytes += ValueBytes(*child);
  return bytes;
}

uint64_t NodeBytes(const TreeNode& node) {
  uint64_t bytes = sizeof(TreeNode) + OwnValueBytes(node) +
                   node.param_count() * sizeof(Section);
  for (const auto& d : node.distributions) {
    if (d != nullptr) bytes += d->memory_bytes();
  }
  for (const auto& t : node.times) {
    bytes += sizeof(TreeNode::TimesAfter) + t->rest.memory_bytes();
  }
  for (const auto& child : node.children) bytes += NodeBytes(*child);
  return bytes;
}

}  // namespace

uint64_t Folder::memory_bytes() const {
  uint64_t bytes = NodeBytes(impl_->tree.root());
  for (const CallSite& s : impl_->sites.get().sites) {
    bytes += 3 * s.frames.size() * sizeof(Frame) + 128;
  }
  bytes += impl_->memory.size() * sizeof(Variant*);
  bytes += impl_->variants.memory_bytes();
  return bytes;
}

uint64_t Folder::value_bytes() const { return ValueBytes(impl_->tree.root()); }

size_t Folder::SpareMemory() {
  CatchUp();
  impl_->arrivals.Settle();
  return reduction::SpareMemory(&impl_->tree.root());
}

bool Folder::KeepsBytesExact(const Event& event) const {
  const TreeNode* node = impl_->tree.Find(event.call(), event.site);
  return node == nullptr || reduction::KeepsBytesExact(*node, event);
}

void Folder::CatchUp() const {
  AddUpTicks();
  impl_->PushRun(&front_);
}

Trace Folder::Snapshot(int64_t rank, int64_t ranks) const {
  RANKSIGHT_REQUIRE(rank >= 0 && rank < ranks);
  CatchUp();
  impl_->arrivals.Settle();
  return SnapshotOf(&impl_->tree.root(), impl_->sites.get(), rank, ranks);
}

std::unique_ptr<const FrozenQueue> Folder::Freeze() const {
  CatchUp();
  impl_->arrivals.Settle();
  return FreezeTree(impl_->tree.root(), impl_->sites);
}

}  // namespace ranksight::reduction
