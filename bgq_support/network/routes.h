// The links of one message on each kind of network, and how links are numbered
// there (Network::classes).
//
// Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <vector>

#include "bgq_support/api/network.h"

namespace ranksight::bgq_support {

// What Network::AddRoute asks.
class Routes {
 public:
  virtual ~Routes() = default;
  virtual int64_t ways() const { return 1; }
  // REQUIRES: nodes of the network that are not the same; 0 <= way < ways().
  virtual void Add(int64_t from, int64_t to, int64_t way,
                   std::vector<uint32_t>* out) const = 0;
};

class FatTreeRoutes : public Routes {
 public:
  struct Level {
    int64_t below = 1;  // nodes of a subtree
    int64_t links = 1;  // upwards from all elements of a subtree
    size_t up = 0, down = 0;
  };
  FatTreeRoutes(const FatTree& tree, const std::vector<LinkClass>& classes);

  const std::vector<Level>& levels() const { return levels_; }
  // visit(up, down) for each level that the message passes, from the nodes on:
  // the link that it takes upwards there, and that downwards.
  template <class Visit>
  void ForEachLevel(int64_t from, int64_t to, const Visit& visit) const {
    for (const Level& l : levels_) {
      const int64_t above = from / l.below, beneath = to / l.below;
      if (above == beneath) return;
      // The digits of the destination that choose the ports so far.
      const int64_t port = to % l.links;
      visit(l.up + static_cast<size_t>(above * l.links + port),
            l.down + static_cast<size_t>(beneath * l.links + port));
    }
  }
  void Add(int64_t from, int64_t to, int64_t way,
           std::vector<uint32_t>* out) const override;

 private:
  std::vector<Level> levels_;
};

class DragonflyRoutes : public Routes {
 public:
  DragonflyRoutes(const Dragonfly& shape,
                  const std::vector<LinkClass>& classes);

  int64_t nodes() const { return nodes_; }
  // Whether messages to other groups go through a third one.
  bool through_third() const { return d_.valiant && d_.groups > 2; }
  // The link from router a to another one of its group, by its number there.
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

  int64_t ways() const override { return through_third() ? d_.groups - 2 : 1; }
  void Add(int64_t from, int64_t to, int64_t way,
           std::vector<uint32_t>* out) const override;

 private:
  void AddLocal(int64_t a, int64_t to, std::vector<uint32_t>* out) const;
  // From router a to another group; returns the router there.
  int64_t Cross(int64_t a, int64_t group, int64_t cable,
                std::vector<uint32_t>* out) const;

  const Dragonfly d_;
  const int64_t nodes_;
  const size_t local_, global_;
};

}  // namespace ranksight::bgq_support
