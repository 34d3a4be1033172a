// FlowGraph: what comes behind what, and the order and the loops that follow.
//
// Nodes that reach each other are one loop. Within it the order is one in
// which few steps lead back: an iteration is what comes before a step back.
// Thread-safety: value type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ranksight::online_model {

class FlowGraph {
 public:
  explicit FlowGraph(size_t nodes) : next_(nodes), entered_(nodes) {}
  // Notes that something began with a.
  void Begin(size_t a) { ++entered_[a]; }
  // Notes that b came right behind a.
  void Add(size_t a, size_t b) { ++next_[a][b]; }

  struct Span {
    size_t first = 0, last = 0;
  };
  struct Part {
    std::vector<size_t> nodes;  // in order
    bool loop = false;
    // Of a loop, by node: a number for nodes that only ever come right behind
    // each other.
    std::vector<size_t> chains;
    // Whether a loop is begun with any of several chains: they may be what
    // iterations do by turns.
    bool begins_differ = false;
    // Of a loop, nodes in a row that reach each other without the one that is
    // come to least often, which may be what all iterations of an outer loop
    // have; in order.
    std::vector<Span> inner;
  };
  // All nodes, in an order in which every step between parts leads forward.
  // Where steps leave it open, the order of the nodes' numbers.
  std::vector<Part> Parts() const;

 private:
  // Nodes that only ever come right behind each other.
  using Chain = std::vector<size_t>;

  std::vector<size_t> Components() const;  // a number for each node
  std::vector<Chain> Chains(const std::vector<size_t>& nodes,
                            const std::vector<uint64_t>& entered) const;
  void Follow(const std::vector<uint64_t>& entered,
              std::vector<Chain>* chains) const;
  void Improve(std::vector<Chain>* chains) const;
  void Order(const std::vector<uint64_t>& entered, Part* part) const;
  std::vector<Span> Inner(const std::vector<size_t>& nodes) const;
  uint64_t Steps(const Chain& a, const Chain& b) const {
    return Steps(a.back(), b.front());
  }
  uint64_t Steps(size_t a, size_t b) const;

  std::vector<std::map<size_t, uint64_t>> next_;
  std::vector<uint64_t> entered_;
};

}  // namespace ranksight::online_model
