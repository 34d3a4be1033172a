// Ranks on hosts, and the files that say so to launchers.
#include <algorithm>
#include <numeric>
#include <utility>

#include "bgq_support/api/hosts.h"
#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {
namespace {

std::vector<int32_t> SlotsOf(const HostList& hosts) {
  RANKSIGHT_REQUIRE(std::all_of(
      hosts.runs.begin(), hosts.runs.end(), [&](const HostRun& run) {
        return static_cast<size_t>(run.host) < hosts.names.size();
      }));
  std::vector<int32_t> slots(hosts.names.size(), 0);
  for (const HostRun& run : hosts.runs) {
    slots[static_cast<size_t>(run.host)] += run.ranks;
  }
  return slots;
}

// How many ranks srun puts on each host. REQUIRES: no more ranks than slots.
class Shares {
 public:
  Shares(std::vector<int32_t> slots, int64_t ranks)
      : slots_(std::move(slots)),
        left_(ranks),
        of_host_(slots_.size(), 0),
        open_(slots_.size()) {
    std::iota(open_.begin(), open_.end(), size_t{0});
  }

  std::vector<int32_t> Take(const Distribution& distribution) {
    using Kind = Distribution::Kind;
    int32_t at_once = 1;
    Round(at_once);
    if (distribution.kind == Kind::kPlane) {
      at_once = distribution.plane;
      Round(at_once - 1);
    } else if (distribution.kind == Kind::kBlock && distribution.pack) {
      at_once = INT32_MAX;
    }
    while (left_ > 0) Round(at_once);
    return std::move(of_host_);
  }

 private:
  void Round(int32_t at_once) {
    for (const size_t host : open_) {
      const auto more = static_cast<int32_t>(std::min<int64_t>(
          left_, std::min(at_once, slots_[host] - of_host_[host])));
      of_host_[host] += more;
      left_ -= more;
    }
    std::erase_if(open_,
                  [&](size_t host) { return of_host_[host] == slots_[host]; });
  }

  const std::vector<int32_t> slots_;
  int64_t left_;
  std::vector<int32_t> of_host_;
  std::vector<size_t> open_;  // hosts with slots left
};

// Ranks that one host gets before the next one's turn.
int32_t InARow(const Distribution& distribution) {
  using Kind = Distribution::Kind;
  if (distribution.kind == Kind::kBlock) return INT32_MAX;
  return distribution.kind == Kind::kPlane ? distribution.plane : 1;
}

// Gives ranks to hosts, in their order.
class Giver {
 public:
  Giver(size_t hosts, int64_t ranks)
      : ranks_(static_cast<size_t>(ranks)), used_(hosts, 0) {
    places_.reserve(ranks_);
  }

  bool done() const { return places_.size() == ranks_; }
  void Give(int32_t host, int32_t ranks) {
    auto& used = used_[static_cast<size_t>(host)];
    for (; ranks > 0 && !done(); --ranks) places_.push_back({host, used++});
  }
  // By turns, `at_once` to each, until all have their shares.
  void GiveByTurns(const std::vector<int32_t>& shares, int32_t at_once) {
    std::vector<size_t> open(used_.size());
    std::iota(open.begin(), open.end(), size_t{0});
    while (!done()) {
      for (const size_t host : open) {
        Give(static_cast<int32_t>(host),
             std::min(at_once, shares[host] - used_[host]));
      }
      std::erase_if(open,
                    [&](size_t host) { return used_[host] == shares[host]; });
    }
  }
  std::vector<Place> Take() { return std::move(places_); }

 private:
  const size_t ranks_;
  std::vector<int32_t> used_;
  std::vector<Place> places_;
};

// Ranks by place: host by host, slot by slot.
std::vector<size_t> ByPlace(const std::vector<Place>& places) {
  std::vector<size_t> order(places.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(places[a].node, places[a].slot) <
           std::pair(places[b].node, places[b].slot);
  });
  return order;
}

std::string WriteRuns(const HostList& hosts, const std::vector<Place>& places) {
  RANKSIGHT_REQUIRE(
      std::all_of(places.begin(), places.end(), [&](const Place& p) {
        return p.node >= 0 && size_t(p.node) < hosts.names.size();
      }));
  std::string text;
  for (size_t i = 0; i < places.size();) {
    size_t end = i;
    while (end < places.size() && places[end].node == places[i].node) ++end;
    const std::string& name = hosts.names[static_cast<size_t>(places[i].node)];
    // Of an IPv6 address the count would be a part.
    const bool address = name.find(':') != name.npos;
    text += (address ? "[" + name + "]" : name) + ":" +
            std::to_string(end - i) + "\n";
    i = end;
  }
  return text;
}

// A line for each host.
std::string WriteOrder(const std::vector<Place>& places) {
  std::string text;
  int32_t host = -1;
  for (const size_t rank : ByPlace(places)) {
    if (host >= 0) text += places[rank].node == host ? ',' : '\n';
    host = places[rank].node;
    text += std::to_string(rank);
  }
  return text + "\n";
}

}  // namespace

std::optional<Mapping> PlaceOnHosts(const HostList& hosts, int64_t ranks,
                                    const Distribution& distribution,
                                    std::string* reason) {
  RANKSIGHT_REQUIRE(reason != nullptr);
  const int64_t slots = hosts.slots();
  const bool again = distribution.kind == Distribution::Kind::kListed;
  if (slots < 1 || ranks < 1 || ranks > (again ? kMostSlots : slots)) {
    *reason = std::to_string(ranks) + " ranks do not fit on " +
              std::to_string(hosts.names.size()) + " hosts with " +
              std::to_string(slots) + " slots";
    return std::nullopt;
  }
  Giver giver(hosts.names.size(), ranks);
  // A list is gone through again from its beginning until all ranks are placed.
  if (again) {
    while (!giver.done()) {
      for (const HostRun& run : hosts.runs) giver.Give(run.host, run.ranks);
    }
  } else {
    giver.GiveByTurns(Shares(SlotsOf(hosts), ranks).Take(distribution),
                      InARow(distribution));
  }
  return Mapping(giver.Take());
}

std::optional<HostForm> ParseHostForm(std::string_view name) {
  if (name == "list") return HostForm::kList;
  if (name == "hydra") return HostForm::kHydra;
  if (name == "rankfile") return HostForm::kRankFile;
  if (name == "order") return HostForm::kOrder;
  return std::nullopt;
}

std::string WriteHosts(const HostList& hosts, const Mapping& mapping,
                       HostForm form) {
  RANKSIGHT_REQUIRE(std::all_of(
      mapping.places().begin(), mapping.places().end(), [&](const Place& p) {
        return p.node >= 0 && static_cast<size_t>(p.node) < hosts.names.size();
      }));
  const std::vector<Place>& places = mapping.places();
  if (form == HostForm::kHydra) return WriteRuns(hosts, places);
  if (form == HostForm::kOrder) return WriteOrder(places);
  std::string text;
  for (size_t rank = 0; rank < places.size(); ++rank) {
    const std::string& name =
        hosts.names[static_cast<size_t>(places[rank].node)];
    if (form == HostForm::kList) {
      text += name + "\n";
    } else {
      text += "rank " + std::to_string(rank) + "=" + name +
              " slot=" + std::to_string(places[rank].slot) + "\n";
    }
  }
  return text;
}

}  // namespace ranksight::bgq_support
