// What messages add up to on a network, in as many cells as make one message
// cheap to add, and the loads of links that follow from the cells.
//
// Thread-safety: immutable; Add may be called by many threads where AddTo adds
// atomically.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "bgq_support/api/network.h"

namespace ranksight::bgq_support {

// Members of an exchange on each node that has some, ascending.
using NodeCounts = std::vector<std::pair<int64_t, uint64_t>>;

// Cells are the links themselves.
class FatTreeCounter {
 public:
  FatTreeCounter(const FatTree& tree, const std::vector<LinkClass>& classes);

  size_t cells() const { return cells_; }
  uint64_t scale() const { return 1; }
  template <class AddTo>
  void Add(int64_t from, int64_t to, uint64_t bytes, uint64_t* cells) const {
    for (const Level& l : levels_) {
      const int64_t above = from / l.below, beneath = to / l.below;
      if (above == beneath) return;
      // The digits of the destination that choose the ports so far.
      const int64_t port = to % l.links;
      AddTo()(cells + l.up + above * l.links + port, bytes);
      AddTo()(cells + l.down + beneath * l.links + port, bytes);
    }
  }
  // Every member to every other one, without looking at pairs.
  void AddExchange(const NodeCounts& members, uint64_t bytes,
                   uint64_t* cells) const;
  std::vector<uint64_t> ToLoads(std::vector<uint64_t> cells) const {
    return cells;
  }

 private:
  struct Level {
    int64_t below = 1;  // nodes of a subtree
    int64_t links = 1;  // upwards from all elements of a subtree
    size_t up = 0, down = 0;
  };
  std::vector<Level> levels_;
  size_t cells_ = 0;
};

// Cells: bytes that nodes send and receive, between routers of a group, and
// those that a router sends to, and receives from, another group by a cable.
class DragonflyCounter {
 public:
  DragonflyCounter(const Dragonfly& shape,
                   const std::vector<LinkClass>& classes);

  size_t cells() const { return in_ + table_; }
  // A message goes through one of so many third groups.
  uint64_t scale() const {
    return third_ ? static_cast<uint64_t>(d_.groups - 2) : 1;
  }
  template <class AddTo>
  void Add(int64_t from, int64_t to, uint64_t bytes, uint64_t* cells) const {
    AddTo()(cells + from, bytes);
    AddTo()(cells + nodes_ + to, bytes);
    const int64_t a = from / d_.nodes, b = to / d_.nodes;
    const int64_t i = a / d_.routers, j = b / d_.routers;
    if (i == j) {
      if (a != b) AddTo()(cells + Local(a, b % d_.routers), bytes);
      return;
    }
    const int64_t cable = to % d_.cables;
    AddTo()(cells + out_ + Entry(a, j, cable), bytes);
    AddTo()(cells + in_ + Entry(b, i, cable), bytes);
  }
  void AddExchange(const NodeCounts& members, uint64_t bytes,
                   uint64_t* cells) const;
  std::vector<uint64_t> ToLoads(std::vector<uint64_t> cells) const;

 private:
  // Of router a and another group.
  size_t Entry(int64_t a, int64_t group, int64_t cable) const {
    return static_cast<size_t>((a * d_.groups + group) * d_.cables + cable);
  }
  // The link, and cell, from router a to another one of its group, by its
  // number there.
  size_t Local(int64_t a, int64_t to) const {
    const int64_t own = a % d_.routers;
    return local_ + static_cast<size_t>(a * (d_.routers - 1) + to - (to > own));
  }
  size_t Global(int64_t from, int64_t to, int64_t cable) const {
    return global_ +
           static_cast<size_t>(
               (from * (d_.groups - 1) + to - (to > from)) * d_.cables + cable);
  }
  // The router of a group at which its cable to another one is.
  int64_t Gateway(int64_t to, int64_t cable) const {
    return (to * d_.cables + cable) % d_.routers;
  }
  void AddLocal(int64_t a, int64_t to, uint64_t bytes, uint64_t* load) const {
    if (a % d_.routers != to) load[Local(a, to)] += bytes;
  }
  // To the router where a cable is, or from there to the destination's.
  void AddEnds(const uint64_t* cells, uint64_t* load) const;
  void AddCables(const uint64_t* cells, uint64_t* load) const;

  const Dragonfly d_;
  const int64_t nodes_;
  const size_t local_, global_, links_;
  const size_t table_;  // entries
  // Cells. Up to here they are links.
  const size_t out_, in_;
  const bool third_;  // messages to other groups go through a third one
};

}  // namespace ranksight::bgq_support
