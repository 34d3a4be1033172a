#include "online_model/parse/flow_graph.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <utility>

namespace ranksight::online_model {
namespace {

// Loops of more chains stay in the order of their nodes: the search is cubic.
constexpr size_t kMostOrdered = 256;

}  // namespace

uint64_t FlowGraph::Steps(size_t a, size_t b) const {
  const auto it = next_[a].find(b);
  return it == next_[a].end() ? 0 : it->second;
}

// Tarjan's strongly connected components (1972), without recursion.
std::vector<size_t> FlowGraph::Components() const {
  const size_t n = next_.size(), none = n;
  std::vector<size_t> component(n, none), number(n, none), low(n), stack;
  size_t count = 0, found = 0;
  struct Frame {
    size_t node;
    std::map<size_t, uint64_t>::const_iterator at;
  };
  for (size_t root = 0; root < n; ++root) {
    if (number[root] != none) continue;
    std::vector<Frame> path;
    const auto enter = [&](size_t v) {
      number[v] = low[v] = count++;
      stack.push_back(v);
      path.push_back({v, next_[v].begin()});
    };
    enter(root);
    while (!path.empty()) {
      const size_t v = path.back().node;
      if (path.back().at != next_[v].end()) {
        const size_t w = (path.back().at++)->first;
        if (number[w] == none) {
          enter(w);
        } else if (component[w] == none) {
          low[v] = std::min(low[v], number[w]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        size_t& above = low[path.back().node];
        above = std::min(above, low[v]);
      }
      if (low[v] != number[v]) continue;
      for (size_t w = none; w != v;) {
        w = stack.back();
        stack.pop_back();
        component[w] = found;
      }
      ++found;
    }
  }
  return component;
}

std::vector<FlowGraph::Chain> FlowGraph::Chains(
    const std::vector<size_t>& nodes,
    const std::vector<uint64_t>& entered) const {
  const size_t none = next_.size();
  const std::set<size_t> all(nodes.begin(), nodes.end());
  std::map<size_t, std::set<size_t>> after, before;
  for (const size_t v : nodes) {
    for (const auto& [w, steps] : next_[v]) {
      if (all.count(w) > 0) after[v].insert(w), before[w].insert(v);
    }
  }
  const auto only_next = [&](size_t v) {
    if (after[v].size() != 1) return none;
    const size_t w = *after[v].begin();
    return w == v || before[w].size() != 1 || entered[w] > 0 ? none : w;
  };
  // A chain begins at what no chain goes on to.
  std::set<size_t> inside;
  for (const size_t v : nodes) {
    if (only_next(v) != none) inside.insert(only_next(v));
  }
  std::vector<Chain> chains;
  for (const size_t v : nodes) {
    if (inside.count(v) > 0) continue;
    chains.emplace_back();
    for (size_t w = v; w != none; w = only_next(w)) chains.back().push_back(w);
  }
  return chains;
}

// Orders chains as most steps go, from the one that is entered most often.
void FlowGraph::Follow(const std::vector<uint64_t>& entered,
                       std::vector<Chain>* chains) const {
  std::vector<Chain> left = std::move(*chains);
  chains->clear();
  while (!left.empty()) {
    size_t best = 0;
    uint64_t most = 0;
    for (auto from = chains->rbegin(); from != chains->rend(); ++from) {
      for (size_t i = 0; i < left.size(); ++i) {
        const uint64_t steps = Steps(*from, left[i]);
        if (steps > most) most = steps, best = i;
      }
      if (most > 0) break;
    }
    for (size_t i = 0; chains->empty() && i < left.size(); ++i) {
      const uint64_t times = entered[left[i].front()];
      if (times > most) most = times, best = i;
    }
    chains->push_back(std::move(left[best]));
    left.erase(left.begin() + long(best));
  }
}

// Moves chains, one at a time, to where fewest steps lead back.
void FlowGraph::Improve(std::vector<Chain>* chains) const {
  const size_t n = chains->size();
  for (bool better = true; better;) {
    better = false;
    for (size_t i = 0; i < n; ++i) {
      int64_t change = 0, best = 0;
      size_t to = i;
      const auto look = [&](size_t j, bool forward) {
        const auto ahead = int64_t(Steps((*chains)[i], (*chains)[j]));
        const auto back = int64_t(Steps((*chains)[j], (*chains)[i]));
        change += forward ? ahead - back : back - ahead;
        if (change < best) best = change, to = j;
      };
      for (size_t j = i + 1; j < n; ++j) look(j, true);
      change = 0;
      for (size_t j = i; j-- > 0;) look(j, false);
      if (to == i) continue;
      better = true;
      const auto at = chains->begin();
      if (to > i) {
        std::rotate(at + long(i), at + long(i) + 1, at + long(to) + 1);
      } else {
        std::rotate(at + long(to), at + long(i), at + long(i) + 1);
      }
    }
  }
}

std::vector<FlowGraph::Span> FlowGraph::Inner(
    const std::vector<size_t>& nodes) const {
  std::map<size_t, size_t> place;
  for (size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
  std::vector<uint64_t> times(nodes.size());
  for (const size_t from : nodes) {
    for (const auto& [to, steps] : next_[from]) {
      const auto at = place.find(to);
      if (at != place.end()) times[at->second] += steps;
    }
  }
  // The node that is entered least often comes once a round: without it the
  // loop falls apart into those inside it.
  size_t rarest = nodes.size();
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (Steps(nodes[i], nodes[i]) > 0) continue;
    if (rarest == nodes.size() || times[i] < times[rarest]) rarest = i;
  }
  FlowGraph others(nodes.size());
  for (size_t a = 0; a < nodes.size(); ++a) {
    if (a == rarest) continue;
    for (const auto& [to, steps] : next_[nodes[a]]) {
      const auto b = place.find(to);
      if (b != place.end() && b->second != rarest) others.Add(a, b->second);
    }
  }
  std::map<size_t, Span> spans;
  std::map<size_t, size_t> sizes;
  const std::vector<size_t> component = others.Components();
  for (size_t i = 0; i < nodes.size(); ++i) {
    spans.try_emplace(component[i], Span{i, i}).first->second.last = i;
    ++sizes[component[i]];
  }
  std::vector<Span> inner;
  for (const auto& [c, span] : spans) {
    const bool loops = sizes[c] > 1 || others.Steps(span.first, span.first) > 0;
    // One whose nodes have others between them is no loop of a program.
    const bool in_a_row = span.last - span.first + 1 == sizes[c];
    if (loops && in_a_row) inner.push_back(span);
  }
  std::sort(inner.begin(), inner.end(),
            [](const Span& a, const Span& b) { return a.first < b.first; });
  return inner;
}

void FlowGraph::Order(const std::vector<uint64_t>& entered, Part* part) const {
  std::vector<Chain> chains = Chains(part->nodes, entered);
  part->begins_differ =
      std::count_if(chains.begin(), chains.end(),
                    [&](const Chain& c) { return entered[c.front()] > 0; }) > 1;
  if (chains.size() <= kMostOrdered) {
    Follow(entered, &chains);
    Improve(&chains);
  }
  part->nodes.clear();
  for (size_t i = 0; i < chains.size(); ++i) {
    const Chain& c = chains[i];
    part->nodes.insert(part->nodes.end(), c.begin(), c.end());
    part->chains.insert(part->chains.end(), c.size(), i);
  }
  if (part->loop && chains.size() <= kMostOrdered) {
    part->inner = Inner(part->nodes);
  }
}

std::vector<FlowGraph::Part> FlowGraph::Parts() const {
  const std::vector<size_t> component = Components();
  std::map<size_t, Part> parts;
  std::map<size_t, std::set<size_t>> after;
  std::map<size_t, size_t> before;
  std::vector<uint64_t> entered = entered_;
  for (size_t v = 0; v < next_.size(); ++v) {
    Part& part = parts[component[v]];
    part.nodes.push_back(v);
    for (const auto& [w, steps] : next_[v]) {
      if (component[w] == component[v]) {
        part.loop = true;
        continue;
      }
      entered[w] += steps;
      const bool added = after[component[v]].insert(component[w]).second;
      if (added) ++before[component[w]];
    }
  }
  using Ready = std::pair<size_t, size_t>;  // first node, component
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (const auto& [c, part] : parts) {
    if (before[c] == 0) ready.emplace(part.nodes[0], c);
  }
  std::vector<Part> ordered;
  while (!ready.empty()) {
    const size_t c = ready.top().second;
    ready.pop();
    Order(entered, &parts[c]);
    ordered.push_back(std::move(parts[c]));
    for (const size_t next : after[c]) {
      if (--before[next] == 0) ready.emplace(parts[next].nodes[0], next);
    }
  }
  return ordered;
}

}  // namespace ranksight::online_model
