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
#include "bgq_support/network/routes.h"

namespace ranksight::bgq_support {

// Members of an exchange on each node that has some, ascending.
using NodeCounts = std::vector<std::pair<int64_t, uint64_t>>;

// Cells are the links themselves.
class TreeCounter {
 public:
  TreeCounter(const TreeRoutes& routes, size_t links)
      : routes_(routes), cells_(links) {}

  size_t cells() const { return cells_; }
  uint64_t scale() const { return 1; }
  template <class AddTo>
  void Add(int64_t from, int64_t to, uint64_t bytes, uint64_t* cells) const {
    const auto add = [&](size_t link) { AddTo()(cells + link, bytes); };
    routes_.ForEachLink(from, to, add, add);
  }
  // Every member to every other one, without looking at pairs.
  void AddExchange(const NodeCounts& members, uint64_t bytes,
                   uint64_t* cells) const;
  std::vector<uint64_t> ToLoads(std::vector<uint64_t> cells) const {
    return cells;
  }

 private:
  const TreeRoutes& routes_;  // outlives this
  const size_t cells_;
};

// The same, message by message; pairs of an exchange, too.
class GraphCounter {
 public:
  GraphCounter(const Routes& routes, size_t links)
      : routes_(routes), cells_(links) {}

  size_t cells() const { return cells_; }
  uint64_t scale() const { return 1; }
  template <class AddTo>
  void Add(int64_t from, int64_t to, uint64_t bytes, uint64_t* cells) const {
    thread_local std::vector<uint32_t> route;
    route.clear();
    routes_.Add(from, to, 0, &route);
    for (const uint32_t link : route) AddTo()(cells + link, bytes);
  }
  void AddExchange(const NodeCounts& members, uint64_t bytes,
                   uint64_t* cells) const;
  std::vector<uint64_t> ToLoads(std::vector<uint64_t> cells) const {
    return cells;
  }

 private:
  const Routes& routes_;  // outlives this
  const size_t cells_;
};

// Cells: bytes that nodes send and receive, between routers of a group, and
// those that a router sends to, and receives from, another group by a cable.
class DragonflyCounter {
 public:
  DragonflyCounter(const Dragonfly& shape,
                   const std::vector<LinkClass>& classes);

  size_t cells() const { return in_ + table_; }
  // A message goes through one of so many third groups.
  uint64_t scale() const { return static_cast<uint64_t>(routes_.ways()); }
  template <class AddTo>
  void Add(int64_t from, int64_t to, uint64_t bytes, uint64_t* cells) const {
    AddTo()(cells + from, bytes);
    AddTo()(cells + routes_.nodes() + to, bytes);
    const int64_t a = from / d_.nodes, b = to / d_.nodes;
    const int64_t i = a / d_.routers, j = b / d_.routers;
    if (i == j) {
      if (a != b) AddTo()(cells + routes_.Local(a, b % d_.routers), bytes);
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
  void AddLocal(int64_t a, int64_t to, uint64_t bytes, uint64_t* load) const {
    if (a % d_.routers != to) load[routes_.Local(a, to)] += bytes;
  }
  // To the router where a cable is, or from there to the destination's.
  void AddEnds(const uint64_t* cells, uint64_t* load) const;
  void AddCables(const uint64_t* cells, uint64_t* load) const;

  const Dragonfly d_;
  const DragonflyRoutes routes_;
  const size_t links_;
  const size_t table_;  // entries
  // Cells. Up to here they are links.
  const size_t out_, in_;
};

}  // namespace ranksight::bgq_support
