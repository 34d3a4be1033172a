#include "bgq_support/network/graph.h"

#include <algorithm>
#include <queue>

#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {
namespace {

// Hops to every target from every switch: 128 MiB. Twice as many would be 1,400
// switches with nodes among 100,000.
constexpr int64_t kMostHops = int64_t{1} << 26;
// Links looked at to find them: ten seconds, four hundred times what 16,384
// nodes on a fat tree of three levels take.
constexpr int64_t kMostLooks = int64_t{1} << 32;

}  // namespace

class GraphRoutes::Chooser {
 public:
  explicit Chooser(int64_t to) : left_(to) {}
  // The digit of the destination, where there is a choice.
  size_t Choose(size_t count) {
    const auto of = static_cast<int64_t>(count);
    const int64_t digit = left_ % of;
    left_ /= of;
    return static_cast<size_t>(digit);
  }

 private:
  int64_t left_;
};

GraphRoutes::GraphRoutes(const Graph& graph)
    : nodes_(graph.nodes),
      switches_(graph.switches),
      steps_(static_cast<size_t>(graph.vertices())),
      given_(graph.routes) {
  for (size_t i = 0; i < graph.links.size(); ++i) {
    const auto [from, to] = graph.links[i];
    const auto link = static_cast<uint32_t>(2 * i);
    steps_[static_cast<size_t>(from)].push_back({to, link});
    steps_[static_cast<size_t>(to)].push_back({from, link + 1});
  }
  SetTargets();
}

std::shared_ptr<const GraphRoutes> GraphRoutes::Make(const Graph& graph,
                                                     std::string* reason) {
  // The constructor is this class's own.
  std::shared_ptr<GraphRoutes> made(new GraphRoutes(graph));
  if (!made->SetHops(reason)) return nullptr;
  return made;
}

void GraphRoutes::SetTargets() {
  std::map<std::vector<int32_t>, size_t> known;
  for (int64_t node = 0; node < nodes_; ++node) {
    std::vector<int32_t> at;
    for (const Step& s : steps_[static_cast<size_t>(node)]) at.push_back(s.to);
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    const auto [found, fresh] = known.try_emplace(at, targets_.size());
    if (fresh) targets_.push_back(at);
    target_of_.push_back(found->second);
  }
}

bool GraphRoutes::SetHops(std::string* reason) {
  int64_t steps = 0;
  for (const auto& of_vertex : steps_) {
    steps += static_cast<int64_t>(of_vertex.size());
  }
  const auto targets = static_cast<int64_t>(targets_.size());
  if (targets * switches_ > kMostHops || targets * steps > kMostLooks) {
    *reason = "more switches than routes can be kept for";
    return false;
  }
  hops_.assign(targets_.size() * static_cast<size_t>(switches_), kNone);
  for (size_t target = 0; target < targets_.size(); ++target) {
    uint16_t* const hops =
        hops_.data() + target * static_cast<size_t>(switches_);
    std::queue<int32_t> next;
    const auto reach = [&](int32_t vertex, uint16_t at) {
      uint16_t& known = hops[vertex - nodes_];
      // Farther away than any network is wide: as if there were no way.
      if (known != kNone || at == kNone) return;
      known = at;
      next.push(vertex);
    };
    for (const int32_t at : targets_[target]) reach(at, 0);
    for (; !next.empty(); next.pop()) {
      const auto farther =
          static_cast<uint16_t>(hops[next.front() - nodes_] + 1);
      for (const Step& s : steps_[static_cast<size_t>(next.front())]) {
        if (s.to >= nodes_) reach(s.to, farther);
      }
    }
    for (const std::vector<int32_t>& others : targets_) {
      const bool reached =
          std::any_of(others.begin(), others.end(),
                      [&](int32_t at) { return hops[at - nodes_] != kNone; });
      if (reached) continue;
      *reason = "there is no way between some of the nodes";
      return false;
    }
  }
  return true;
}

uint16_t GraphRoutes::HopsOf(int32_t vertex, size_t target) const {
  return vertex < nodes_ ? kNone
                         : hops_[target * static_cast<size_t>(switches_) +
                                 static_cast<size_t>(vertex - nodes_)];
}

int32_t GraphRoutes::OnlySwitch(int32_t node) const {
  RANKSIGHT_REQUIRE(node >= 0 && node < nodes_);
  const auto& at = targets_[target_of_[static_cast<size_t>(node)]];
  return at.size() == 1 ? at.front() : -1;
}

const std::vector<int32_t>* GraphRoutes::Given(int32_t from, int32_t to) const {
  if (given_.empty()) return nullptr;
  auto found = given_.find({from, to});
  if (found == given_.end()) {
    found = given_.find({OnlySwitch(from), OnlySwitch(to)});
  }
  return found == given_.end() ? nullptr : &found->second;
}

void GraphRoutes::Add(int64_t from, int64_t to, int64_t,
                      std::vector<uint32_t>* out) const {
  RANKSIGHT_REQUIRE(from != to);
  RANKSIGHT_REQUIRE(from >= 0 && from < nodes_ && to >= 0 && to < nodes_);
  const auto end = static_cast<int32_t>(to);
  const size_t target = target_of_[static_cast<size_t>(to)];
  const std::vector<int32_t>* given = Given(static_cast<int32_t>(from), end);
  Chooser chooser(to);
  std::vector<Step> choices;
  size_t passed = 0;
  auto at = static_cast<int32_t>(from);
  while (at != end) {
    // On a way that is given, the next of it; else all that lead nearest.
    const bool last =
        given != nullptr ? passed == given->size() : HopsOf(at, target) == 0;
    const int32_t next = last ? end : given != nullptr ? (*given)[passed] : -1;
    choices.clear();
    uint16_t nearest = kNone;
    for (const Step& s : steps_[static_cast<size_t>(at)]) {
      if (next >= 0) {
        if (s.to == next) choices.push_back(s);
        continue;
      }
      const uint16_t hops = HopsOf(s.to, target);
      if (hops < nearest) choices.clear();
      nearest = std::min(nearest, hops);
      if (hops == nearest && hops != kNone) choices.push_back(s);
    }
    const Step& step = choices[chooser.Choose(choices.size())];
    out->push_back(step.link);
    at = step.to;
    ++passed;
  }
}

}  // namespace ranksight::bgq_support
