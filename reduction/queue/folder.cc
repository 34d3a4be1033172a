#include "reduction/api/folder.h"

#include <map>
#include <utility>

#include "reduction/queue/loop_tree.h"

namespace ranksight::reduction {

struct Folder::Impl {
  Impl() : tree([this](uint32_t a, uint32_t b) { return Before(a, b); }) {}

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

  Node Copy(const TreeNode& from, int64_t rank,
            const std::vector<uint32_t>& site_map) const;

  Sites sites;
  std::map<Module, uint32_t> module_index;
  std::map<std::vector<Frame>, uint32_t> site_index;
  LoopTree tree;
  uint64_t events = 0;
};

Folder::Folder() : impl_(std::make_unique<Impl>()) {}
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

void Folder::Push(const Event& event, uint64_t compute_ns, uint64_t call_ns) {
  TreeNode* node = impl_->tree.Step(event.call(), event.site);
  for (size_t i = 0; i < node->params.size(); ++i) {
    for (const int64_t v : event.ValuesAt(int(i))) node->params[i].Append(v);
  }
  EventTimes& times = node->times;
  if (node->occurrences++ == 0) {
    times.first_compute.Add(double(compute_ns));
    times.first_call.Add(double(call_ns));
  } else {
    times.compute.Add(compute_ns);
    times.call.Add(call_ns);
  }
  ++impl_->events;
}

uint64_t Folder::events() const { return impl_->events; }

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
  bytes +=
      (node.times.compute.counts().size() + node.times.call.counts().size()) *
      sizeof(uint64_t);
  for (const auto& child : node.children) bytes += NodeBytes(*child);
  return bytes;
}

// One rank's means, so that merging can tell ranks apart from jitter.
void SetRankMeans(EventTimes* t) {
  const bool rest = t->compute.moments().count != 0;
  t->rank_compute.Add(rest ? t->compute.moments().Mean()
                           : t->first_compute.Mean());
  t->rank_call.Add(rest ? t->call.moments().Mean() : t->first_call.Mean());
}

}  // namespace

uint64_t Folder::memory_bytes() const {
  uint64_t bytes = NodeBytes(impl_->tree.root());
  for (const CallSite& s : impl_->sites.sites) {
    bytes += 3 * s.frames.size() * sizeof(Frame) + 128;
  }
  return bytes;
}

Node Folder::Impl::Copy(const TreeNode& from, int64_t rank,
                        const std::vector<uint32_t>& site_map) const {
  Node node;
  if (from.parent != nullptr) node.trips.Add(rank, from.AllTrips(), false);
  for (const auto& child : from.children) {
    node.children.push_back(Copy(*child, rank, site_map));
  }
  if (from.parent == nullptr || !from.is_event()) return node;
  node.kind = Node::Kind::kEvent;
  node.call = from.call;
  node.site = site_map[from.site];
  const auto params = Info(from.call).params;
  for (size_t i = 0; i < from.params.size(); ++i) {
    node.params.emplace_back();
    node.params.back().Add(rank, from.params[i], IsRank(params[i]));
  }
  node.times = from.times;
  SetRankMeans(&node.times);
  return node;
}

Trace Folder::Snapshot(int64_t rank, int64_t ranks) const {
  Trace trace;
  trace.meta.ranks = ranks;
  trace.sites = impl_->sites;
  std::vector<uint32_t> site_map;
  Canonicalize(&trace.sites, &site_map);
  trace.root = impl_->Copy(impl_->tree.root(), rank, site_map);
  return trace;
}

}  // namespace ranksight::reduction
