#include <algorithm>
#include <map>

#include "bgq_support/network/counters.h"

namespace ranksight::bgq_support {

DragonflyCounter::DragonflyCounter(const Dragonfly& shape,
                                   const std::vector<LinkClass>& classes)
    : d_(shape),
      routes_(shape, classes),
      links_(classes[3].end),
      table_(static_cast<size_t>(shape.groups * shape.routers * shape.groups *
                                 shape.cables)),
      out_(classes[2].end),
      in_(out_ + table_) {}

void DragonflyCounter::AddExchange(const NodeCounts& members, uint64_t bytes,
                                   uint64_t* cells) const {
  // By router, by group and cable (of the destination), and by group.
  std::map<int64_t, uint64_t> routers, groups;
  std::map<std::pair<int64_t, int64_t>, uint64_t> to_group, to_router;
  uint64_t all = 0;
  for (const auto& [node, count] : members) {
    const int64_t router = node / d_.nodes, cable = node % d_.cables;
    all += count;
    routers[router] += count;
    groups[router / d_.routers] += count;
    to_group[{router / d_.routers, cable}] += count;
    to_router[{router, cable}] += count;
  }
  for (const auto& [node, count] : members) {
    cells[node] += bytes * count * (all - count);
    cells[routes_.nodes() + node] += bytes * count * (all - count);
  }
  for (const auto& [a, count] : routers) {
    const int64_t group = a / d_.routers;
    const auto first = routers.lower_bound(group * d_.routers);
    const auto last = routers.lower_bound((group + 1) * d_.routers);
    for (auto b = first; b != last; ++b) {
      if (a == b->first) continue;
      cells[routes_.Local(a, b->first % d_.routers)] +=
          bytes * count * b->second;
    }
    for (const auto& [to, other] : to_group) {
      if (to.first == group) continue;
      cells[out_ + Entry(a, to.first, to.second)] += bytes * count * other;
    }
  }
  for (const auto& [b, count] : to_router) {
    for (const auto& [from, other] : groups) {
      if (from == b.first / d_.routers) continue;
      cells[in_ + Entry(b.first, from, b.second)] += bytes * count * other;
    }
  }
}

void DragonflyCounter::AddEnds(const uint64_t* cells, uint64_t* load) const {
  const bool third = routes_.through_third();
  for (int64_t a = 0; a < d_.groups * d_.routers; ++a) {
    const int64_t base = a / d_.routers * d_.routers, group = a / d_.routers;
    for (int64_t cable = 0; cable < d_.cables; ++cable) {
      uint64_t out = 0, in = 0;
      // By Valiant's rule what goes to other groups than k goes through k.
      for (int64_t k = 0; third && k < d_.groups; ++k) {
        out += cells[out_ + Entry(a, k, cable)];
        in += cells[in_ + Entry(a, k, cable)];
      }
      for (int64_t k = 0; k < d_.groups; ++k) {
        if (k == group) continue;
        const uint64_t sent = cells[out_ + Entry(a, k, cable)];
        const uint64_t received = cells[in_ + Entry(a, k, cable)];
        const int64_t gateway = routes_.Gateway(k, cable);
        AddLocal(a, gateway, third ? out - sent : sent, load);
        AddLocal(base + gateway, a % d_.routers,
                 third ? in - received : received, load);
      }
    }
  }
}

void DragonflyCounter::AddCables(const uint64_t* cells, uint64_t* load) const {
  const int64_t g = d_.groups;
  const bool third = routes_.through_third();
  for (int64_t cable = 0; cable < d_.cables; ++cable) {
    // From group to group; from each, and to each.
    std::vector<uint64_t> pairs(static_cast<size_t>(g * g));
    std::vector<uint64_t> from(static_cast<size_t>(g)), to(from);
    for (int64_t a = 0; a < g * d_.routers; ++a) {
      const int64_t i = a / d_.routers;
      for (int64_t j = 0; j < g; ++j) {
        const uint64_t bytes = cells[out_ + Entry(a, j, cable)];
        pairs[static_cast<size_t>(i * g + j)] += bytes;
        from[static_cast<size_t>(i)] += bytes;
        to[static_cast<size_t>(j)] += bytes;
      }
    }
    for (int64_t i = 0; i < g; ++i) {
      for (int64_t j = 0; j < g; ++j) {
        if (i == j) continue;
        const uint64_t bytes = pairs[static_cast<size_t>(i * g + j)];
        uint64_t& link = load[routes_.Global(i, j, cable)];
        if (!third) {
          link += bytes;
          continue;
        }
        // As the first of two cables, and as the second.
        link += from[static_cast<size_t>(i)] - bytes;
        link += to[static_cast<size_t>(j)] - bytes;
        for (int64_t k = 0; bytes != 0 && k < g; ++k) {
          if (k == i || k == j) continue;
          AddLocal(k * d_.routers + routes_.Gateway(i, cable),
                   routes_.Gateway(j, cable), bytes, load);
        }
      }
    }
  }
}

std::vector<uint64_t> DragonflyCounter::ToLoads(
    std::vector<uint64_t> cells) const {
  std::vector<uint64_t> load(links_, 0);
  std::copy_n(cells.begin(), out_, load.begin());
  for (size_t i = 0; i < out_; ++i) load[i] *= scale();
  AddEnds(cells.data(), load.data());
  AddCables(cells.data(), load.data());
  return load;
}

}  // namespace ranksight::bgq_support
