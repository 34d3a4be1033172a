#include "bgq_support/host_mapping/swaps.h"

#include <vector>

#include "bgq_support/mapping/swap_search.h"

namespace ranksight::bgq_support {
namespace {

// Up to this many messages; the steps are messages looked at, some seconds.
constexpr int64_t kMostHostMessages = 500'000;
constexpr int64_t kMostHostSteps = 100'000'000;
// A byte between packages counts a fourth of one between hosts.
constexpr double kPackageSquare = 1.0 / 16;

// What hosts, and packages within them, send to others and receive from them.
class HostLoads {
 public:
  HostLoads(int hosts, const PackageRule& rule)
      : rule_(rule),
        hosts_(static_cast<size_t>(hosts)),
        packages_(hosts_.size() * static_cast<size_t>(rule.shape.packages)) {}

  size_t groups() const { return hosts_.size(); }
  size_t GroupOf(const Place& place) const {
    return static_cast<size_t>(place.node);
  }
  bool AreOne(const Place& a, const Place& b) const {
    return PackageOf(a) == PackageOf(b);
  }
  template <typename Below>
  size_t GroupNear(size_t host, const Below&) const {
    return host;
  }
  void Carry(const Place& from, const Place& to, double bytes) {
    ++steps_;
    if (GroupOf(from) != GroupOf(to)) {
      Send(&hosts_[GroupOf(from)], &hosts_[GroupOf(to)], bytes, 1);
    } else if (!AreOne(from, to)) {
      Send(&packages_[PackageOf(from)], &packages_[PackageOf(to)], bytes,
           kPackageSquare);
    }
  }
  double squares() const { return squares_; }
  int64_t steps() const { return steps_; }

 private:
  struct Port {
    double sent = 0, received = 0;
  };
  size_t PackageOf(const Place& place) const {
    return GroupOf(place) * static_cast<size_t>(rule_.shape.packages) +
           static_cast<size_t>(rule_.shape.PackageOf(place.slot, rule_.cyclic));
  }
  void Send(Port* from, Port* to, double bytes, double weight) {
    squares_ += weight * bytes * (2 * from->sent + bytes);
    from->sent += bytes;
    squares_ += weight * bytes * (2 * to->received + bytes);
    to->received += bytes;
  }

  PackageRule rule_;
  std::vector<Port> hosts_, packages_;
  double squares_ = 0;
  int64_t steps_ = 0;
};

}  // namespace

std::optional<Mapping> SwapBetweenHosts(
    int hosts, const Mapping& mapping, const PackageRule& rule,
    const Traffic& traffic, uint64_t seed,
    const std::function<void(double)>& tell) {
  PackageRule searched = rule;
  // A swap would move others to other packages; hosts are what can be chosen.
  if (rule.by_rank) searched.shape = HostShape();
  return SearchSwaps(HostLoads(hosts, searched), mapping, {}, traffic,
                     kMostHostMessages, kMostHostSteps, seed, tell);
}

}  // namespace ranksight::bgq_support
