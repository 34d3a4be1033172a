#include "bgq_support/network/routes.h"

#include <algorithm>

#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {

SwitchTree ToSwitchTree(const FatTree& tree) {
  int64_t nodes = 1;
  for (const int64_t children : tree.children) nodes *= children;
  SwitchTree out;
  int64_t below = 1, links = 1;
  for (size_t l = 0; l < tree.children.size(); ++l) {
    links *= tree.uplinks[l];
    SwitchTree::Level& level = out.levels.emplace_back();
    level.element.resize(static_cast<size_t>(nodes));
    for (int64_t node = 0; node < nodes; ++node) {
      level.element[static_cast<size_t>(node)] =
          static_cast<int32_t>(node / below);
    }
    level.links.assign(static_cast<size_t>(nodes / below), links);
    below *= tree.children[l];
  }
  return out;
}

TreeRoutes::TreeRoutes(const SwitchTree& tree,
                       const std::vector<LinkClass>& classes) {
  for (size_t l = 0; l < tree.levels.size(); ++l) {
    Level& level = levels_.emplace_back();
    level.element = tree.levels[l].element;
    level.first = {0};
    for (const int64_t links : tree.levels[l].links) {
      level.first.push_back(level.first.back() + links);
    }
    level.up = classes[2 * l].begin;
    level.down = classes[2 * l + 1].begin;
  }
}

void TreeRoutes::Add(int64_t from, int64_t to, int64_t,
                     std::vector<uint32_t>* out) const {
  RANKSIGHT_REQUIRE(from != to && from >= 0 && to >= 0);
  std::vector<uint32_t> downwards;
  ForEachLink(
      from, to,
      [&](size_t link) { out->push_back(static_cast<uint32_t>(link)); },
      [&](size_t link) { downwards.push_back(static_cast<uint32_t>(link)); });
  out->insert(out->end(), downwards.rbegin(), downwards.rend());
}

DragonflyRoutes::DragonflyRoutes(const Dragonfly& shape,
                                 const std::vector<LinkClass>& classes)
    : d_(shape),
      nodes_(shape.groups * shape.routers * shape.nodes),
      local_(classes[2].begin),
      global_(classes[3].begin) {}

void DragonflyRoutes::AddLocal(int64_t a, int64_t to,
                               std::vector<uint32_t>* out) const {
  if (a % d_.routers == to) return;
  out->push_back(static_cast<uint32_t>(Local(a, to)));
}

int64_t DragonflyRoutes::Cross(int64_t a, int64_t group, int64_t cable,
                               std::vector<uint32_t>* out) const {
  const int64_t own = a / d_.routers;
  AddLocal(a, Gateway(group, cable), out);
  out->push_back(static_cast<uint32_t>(Global(own, group, cable)));
  return group * d_.routers + Gateway(own, cable);
}

void DragonflyRoutes::Add(int64_t from, int64_t to, int64_t way,
                          std::vector<uint32_t>* out) const {
  RANKSIGHT_REQUIRE(from != to);
  RANKSIGHT_REQUIRE(from >= 0 && from < nodes_ && to >= 0 && to < nodes_);
  RANKSIGHT_REQUIRE(way >= 0 && way < ways());
  const int64_t b = to / d_.nodes, group = b / d_.routers;
  const int64_t cable = to % d_.cables;
  int64_t at = from / d_.nodes;
  const int64_t own = at / d_.routers;
  out->push_back(static_cast<uint32_t>(from));
  if (own != group && through_third()) {
    // The way-th group that is neither end's.
    const auto [low, high] = std::minmax(own, group);
    int64_t third = way;
    if (third >= low) ++third;
    if (third >= high) ++third;
    at = Cross(at, third, cable, out);
  }
  if (own != group) at = Cross(at, group, cable, out);
  AddLocal(at, b % d_.routers, out);
  out->push_back(static_cast<uint32_t>(nodes_ + to));
}

}  // namespace ranksight::bgq_support
