#include "online_model/parse/call_tree.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "online_model/parse/flow_graph.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

// Events of one rank that come in one go.
struct Segment {
  const StreamEvent* begin;
  const StreamEvent* end;
};
using Segments = std::vector<Segment>;

// Where a call path leaves a body, and whether that is the call itself.
using Step = std::pair<reduction::Frame, bool>;

// What comes through one step, or, where each of its blocks is one event,
// through one kind.
struct BodyNode {
  Segments blocks;
  int kind = -1;
};

// What a function called, at one depth of the call paths.
class Body {
 public:
  Body(const Segments& segments, size_t depth, const std::vector<Kind>& kinds,
       const reduction::Sites& sites)
      : depth_(depth), kinds_(kinds), sites_(sites) {
    for (const Segment& s : segments) Split(s);
    for (const Segments& of : blocks_) {
      for (const Segment& b : of) {
        const uint32_t number = NumberOf(b);
        BodyNode& node = nodes_[number];
        node.blocks.push_back(b);
        node.kind = IsLong(b) ? -1 : int(number);
      }
    }
  }

  bool IsOneStep() const { return first_.size() == 1 && !long_.empty(); }
  // By the number of the first kind: in code order.
  const std::map<uint32_t, BodyNode>& nodes() const { return nodes_; }

  // Whether all are single calls, and tags tell some apart.
  bool IsToldApart() const {
    bool tags = false;
    for (const auto& [number, node] : nodes_) {
      if (node.kind < 0) return false;
      tags = tags || kinds_[number].tag != reduction::kNone;
    }
    return tags;
  }

  // Of the nodes, numbered in their order.
  FlowGraph Graph() const {
    std::map<uint32_t, size_t> place;
    for (const auto& [number, node] : nodes_) {
      place.emplace(number, place.size());
    }
    FlowGraph graph(nodes_.size());
    for (const Segments& of : blocks_) {
      graph.Begin(place[NumberOf(of[0])]);
      for (size_t i = 1; i < of.size(); ++i) {
        graph.Add(place[NumberOf(of[i - 1])], place[NumberOf(of[i])]);
      }
    }
    return graph;
  }

 private:
  Step StepOf(const StreamEvent& e) const {
    const auto& frames = sites_.sites[kinds_[e.kind].site].frames;
    if (frames.empty()) return {{0, kinds_[e.kind].site}, true};
    const size_t at = std::min(depth_, frames.size() - 1);
    return {frames[at], at + 1 == frames.size()};
  }

  // Into blocks: events in one go through one step, but for the calls
  // themselves.
  void Split(const Segment& segment) {
    Segments blocks;
    for (const auto* e = segment.begin; e != segment.end; ++e) {
      const Step step = StepOf(*e);
      const bool goes_on = !blocks.empty() && !step.second &&
                           StepOf(*blocks.back().begin) == step;
      if (!goes_on) blocks.push_back({e, e});
      blocks.back().end = e + 1;
      if (goes_on) long_.insert(step);
      uint32_t& first = first_.try_emplace(step, e->kind).first->second;
      first = std::min(first, e->kind);
    }
    blocks_.push_back(std::move(blocks));
  }

  bool IsLong(const Segment& block) const {
    return long_.count(StepOf(*block.begin)) > 0;
  }
  uint32_t NumberOf(const Segment& block) const {
    return IsLong(block) ? first_.at(StepOf(*block.begin)) : block.begin->kind;
  }

  size_t depth_;
  const std::vector<Kind>& kinds_;
  const reduction::Sites& sites_;
  std::vector<Segments> blocks_;  // of each segment
  std::map<Step, uint32_t> first_;
  std::set<Step> long_;  // with blocks of several events
  std::map<uint32_t, BodyNode> nodes_;
};

class Maker {
 public:
  Maker(const Streams& streams, const reduction::Sites& sites, bool nests)
      : kinds_(streams.kinds), sites_(sites), nests_(nests) {
    tree_.places.emplace_back();
    tree_.leaf_of.assign(kinds_.size(), -1);
    Segments all;
    for (const auto& ranks : streams.traces) {
      for (const Stream& s : ranks) {
        if (!s.empty()) all.push_back({s.data(), s.data() + s.size()});
      }
    }
    AddBody(all, 0, 0, false);
  }

  CallTree Take() { return std::move(tree_); }

 private:
  // in_loop: the call of the function stands in a loop of its caller.
  void AddBody(const Segments& segments, size_t depth, int parent,
               bool in_loop) {
    const Body body(segments, depth, kinds_, sites_);
    if (body.IsOneStep()) return AddBody(segments, depth + 1, parent, in_loop);
    std::vector<const BodyNode*> nodes;
    for (const auto& [number, node] : body.nodes()) nodes.push_back(&node);
    // Where tags tell iterations apart, what comes again is the next iteration
    // of the loop that the call stands in.
    const bool own_loops = !in_loop || !body.IsToldApart();
    for (const FlowGraph::Part& part : body.Graph().Parts()) {
      const bool loop = part.loop && own_loops;
      const int list = loop ? AddPlace(parent, -1) : parent;
      tree_.begins_differ = tree_.begins_differ || (loop && part.begins_differ);
      tree_.any_inner = tree_.any_inner || (loop && !part.inner.empty());
      auto inner = part.inner.begin();
      for (size_t i = 0; i < part.nodes.size();) {
        const bool nests =
            loop && nests_ && inner != part.inner.end() && inner->first == i;
        const size_t last = nests ? (inner++)->last : i;
        AddNodes(nodes, part, depth, list, nests, i, last);
        i = last + 1;
      }
    }
  }

  // Adds the nodes of a part from one to another, in a loop where it nests.
  void AddNodes(const std::vector<const BodyNode*>& nodes,
                const FlowGraph::Part& part, size_t depth, int parent,
                bool nests, size_t from, size_t to) {
    const size_t begin = tree_.places[size_t(parent)].children.size();
    const int list = nests ? AddPlace(parent, -1) : parent;
    for (size_t i = from; i <= to; ++i) {
      const BodyNode& node = *nodes[part.nodes[i]];
      const size_t first = tree_.places[size_t(list)].children.size();
      if (node.kind < 0) {
        AddBody(node.blocks, depth + 1, list, part.loop);
      } else {
        tree_.leaf_of[size_t(node.kind)] = AddPlace(list, node.kind);
      }
      SetChain(list, first, part.chains[i]);
    }
    if (nests) SetChain(parent, begin, part.chains[from]);
  }

  // Of the children of a place from the first one on.
  void SetChain(int parent, size_t first, size_t chain) {
    const std::vector<int>& children = tree_.places[size_t(parent)].children;
    for (size_t c = first; c < children.size(); ++c) {
      tree_.places[size_t(children[c])].chain = chain;
    }
  }

  int AddPlace(int parent, int kind) {
    const int id = int(tree_.places.size());
    CallTree::Place& above = tree_.places[size_t(parent)];
    CallTree::Place place{kind, {}, above.loops, above.path};
    if (parent != 0) place.loops.push_back(parent);
    place.path.push_back(int(above.children.size()));
    above.children.push_back(id);
    tree_.places.push_back(std::move(place));
    return id;
  }

  const std::vector<Kind>& kinds_;
  const reduction::Sites& sites_;
  const bool nests_;
  CallTree tree_;
};

}  // namespace

CallTree MakeCallTree(const Streams& streams, const reduction::Sites& sites,
                      bool nests) {
  return Maker(streams, sites, nests).Take();
}

}  // namespace ranksight::online_model
