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

SwitchTree ToSwitchTree(const FatTree& tree);

class TreeRoutes : public Routes {
 public:
  struct Level {
    std::vector<int32_t> element;  // by node
    std::vector<int64_t> first;    // of the element's links; and the end
    size_t up = 0, down = 0;

    // Upwards from an element.
    int64_t links(int64_t of) const {
      return first[static_cast<size_t>(of) + 1] -
             first[static_cast<size_t>(of)];
    }
    // By the port that the destination decides.
    size_t Number(int64_t of, int64_t to) const {
      return static_cast<size_t>(first[static_cast<size_t>(of)] +
                                 to % links(of));
    }
  };
  TreeRoutes(const SwitchTree& tree, const std::vector<LinkClass>& classes);

  const std::vector<Level>& levels() const { return levels_; }
  // The links that the message takes: up(link) and down(link) for each level
  // that it passes, from the nodes on.
  template <class Up, class Down>
  void ForEachLink(int64_t from, int64_t to, const Up& up,
                   const Down& down) const {
    for (const Level& l : levels_) {
      const int32_t above = l.element[static_cast<size_t>(from)];
      const int32_t beneath = l.element[static_cast<size_t>(to)];
      if (above == beneath) return;
      if (l.links(above) > 0) up(l.up + l.Number(above, to));
      if (l.links(beneath) > 0) down(l.down + l.Number(beneath, to));
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
