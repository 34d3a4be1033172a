// Ranks on hosts, and the files that say so to launchers.
#include <algorithm>
#include <numeric>
#include <utility>

#include "bgq_support/api/hosts.h"

namespace ranksight::bgq_support {
namespace {

// Gives out the slots of hosts.
class Giver {
 public:
  Giver(const HostList& hosts, int64_t ranks)
      : ranks_(static_cast<size_t>(ranks)),
        used_(hosts.names.size(), 0),
        most_(hosts.names.size(), 0) {
    places_.reserve(ranks_);
    for (const HostRun& run : hosts.runs) {
      most_[static_cast<size_t>(run.host)] += run.ranks;
    }
  }

  bool done() const { return places_.size() == ranks_; }
  void Give(int32_t host, int32_t ranks) {
    auto& used = used_[static_cast<size_t>(host)];
    for (; ranks > 0 && !done(); --ranks) places_.push_back({host, used++});
  }
  // By turns, `at_once` to each that has slots left.
  void GiveByTurns(int32_t at_once) {
    std::vector<size_t> open(used_.size());
    std::iota(open.begin(), open.end(), size_t{0});
    while (!done()) {
      for (const size_t host : open) {
        Give(static_cast<int32_t>(host),
             std::min(at_once, most_[host] - used_[host]));
      }
      std::erase_if(open,
                    [&](size_t host) { return used_[host] == most_[host]; });
    }
  }
  std::vector<Place> Take() { return std::move(places_); }

 private:
  const size_t ranks_;
  std::vector<int32_t> used_, most_;
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
  std::string text;
  for (size_t i = 0; i < places.size();) {
    size_t end = i;
    while (end < places.size() && places[end].node == places[i].node) ++end;
    text += hosts.names[static_cast<size_t>(places[i].node)] + ":" +
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
  using Kind = Distribution::Kind;
  const int64_t slots = hosts.slots();
  const bool again = distribution.kind == Kind::kListed;
  if (slots < 1 || ranks < 1 || ranks > (again ? kMostSlots : slots)) {
    *reason = std::to_string(ranks) + " ranks do not fit on " +
              std::to_string(hosts.names.size()) + " hosts with " +
              std::to_string(slots) + " slots";
    return std::nullopt;
  }
  Giver giver(hosts, ranks);
  if (distribution.kind == Kind::kBlock) {
    giver.GiveByTurns(INT32_MAX);
  } else if (distribution.kind == Kind::kCyclic) {
    giver.GiveByTurns(1);
  } else if (distribution.kind == Kind::kPlane) {
    giver.GiveByTurns(distribution.plane);
  }
  while (!giver.done()) {
    for (const HostRun& run : hosts.runs) giver.Give(run.host, run.ranks);
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
