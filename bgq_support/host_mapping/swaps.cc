#include "bgq_support/host_mapping/swaps.h"

#include <random>
#include <utility>
#include <vector>

#include "bgq_support/mapping/sample.h"

namespace ranksight::bgq_support {
namespace {

// Up to this many messages; the steps are messages looked at, some seconds.
constexpr int64_t kMostMessages = 500'000;
constexpr int64_t kMostSteps = 100'000'000;
// A byte between packages counts a fourth of one between hosts.
constexpr double kPackageSquare = 1.0 / 16;

// What one host, or one package, sends to others and receives from them.
struct Port {
  double sent = 0, received = 0;
};

class HostSwaps {
 public:
  HostSwaps(int hosts, const Mapping& mapping, const PackageRule& rule,
            std::vector<SampledMessage> messages, uint64_t seed)
      : rule_(rule),
        messages_(std::move(messages)),
        places_(mapping.places()),
        random_(seed),
        of_rank_(places_.size()),
        on_host_(static_cast<size_t>(hosts)),
        host_ports_(static_cast<size_t>(hosts)),
        package_ports_(static_cast<size_t>(hosts * rule.shape.packages)) {
    for (size_t rank = 0; rank < places_.size(); ++rank) {
      on_host_[HostOf(rank)].push_back(rank);
    }
    for (size_t i = 0; i < messages_.size(); ++i) {
      of_rank_[static_cast<size_t>(messages_[i].from)].push_back(i);
      of_rank_[static_cast<size_t>(messages_[i].to)].push_back(i);
      Carry(messages_[i], 1);
    }
  }

  // True when anything was gained.
  bool Run() {
    bool any = false;
    size_t failures = 0;
    while (steps_ < kMostSteps && failures < 20 * places_.size() + 1000) {
      const bool gained = TrySwap();
      any = any || gained;
      failures = gained ? 0 : failures + 1;
    }
    return any;
  }
  std::vector<Place> TakePlaces() { return std::move(places_); }

 private:
  size_t HostOf(size_t rank) const {
    return static_cast<size_t>(places_[rank].node);
  }
  size_t PackageOf(size_t rank) const {
    return HostOf(rank) * static_cast<size_t>(rule_.shape.packages) +
           static_cast<size_t>(
               rule_.shape.PackageOf(places_[rank].slot, rule_.cyclic));
  }
  size_t Below(size_t n) { return random_() % n; }

  void Send(Port* from, Port* to, double bytes, double weight) {
    squares_ += weight * bytes * (2 * from->sent + bytes);
    from->sent += bytes;
    squares_ += weight * bytes * (2 * to->received + bytes);
    to->received += bytes;
  }
  // Adds sign x its bytes to the ports that a message goes through.
  void Carry(const SampledMessage& m, double sign) {
    ++steps_;
    const auto from = static_cast<size_t>(m.from);
    const auto to = static_cast<size_t>(m.to);
    const double bytes = sign * m.bytes;
    if (HostOf(from) != HostOf(to)) {
      Send(&host_ports_[HostOf(from)], &host_ports_[HostOf(to)], bytes, 1);
    } else if (PackageOf(from) != PackageOf(to)) {
      Send(&package_ports_[PackageOf(from)], &package_ports_[PackageOf(to)],
           bytes, kPackageSquare);
    }
  }

  void Exchange(size_t a, size_t b) {
    const auto carry = [&](double sign) {
      for (const size_t i : of_rank_[a]) Carry(messages_[i], sign);
      for (const size_t i : of_rank_[b]) {
        const auto other = static_cast<int64_t>(a);
        if (messages_[i].from == other || messages_[i].to == other) continue;
        Carry(messages_[i], sign);
      }
    };
    carry(-1);
    std::swap(places_[a], places_[b]);
    carry(1);
  }

  // Somebody on the host of a partner of `rank`.
  size_t NearPartner(size_t rank) {
    const SampledMessage& m =
        messages_[of_rank_[rank][Below(of_rank_[rank].size())]];
    const int64_t partner =
        m.from == static_cast<int64_t>(rank) ? m.to : m.from;
    const auto& there = on_host_[HostOf(static_cast<size_t>(partner))];
    return there[Below(there.size())];
  }

  bool TrySwap() {
    const size_t a = Below(places_.size());
    if (of_rank_[a].empty()) return false;
    const size_t b = NearPartner(a);
    if (PackageOf(a) == PackageOf(b)) return false;
    const double before = squares_;
    Exchange(a, b);
    if (squares_ >= before * (1 - 1e-9)) {
      Exchange(a, b);
      return false;
    }
    Replace(HostOf(b), a, b);
    Replace(HostOf(a), b, a);
    return true;
  }
  void Replace(size_t host, size_t old, size_t now) {
    if (HostOf(old) == HostOf(now)) return;
    for (size_t& rank : on_host_[host]) {
      if (rank == old) rank = now;
    }
  }

  const PackageRule rule_;
  const std::vector<SampledMessage> messages_;
  std::vector<Place> places_;
  std::mt19937_64 random_;
  std::vector<std::vector<size_t>> of_rank_;  // messages
  std::vector<std::vector<size_t>> on_host_;  // ranks
  std::vector<Port> host_ports_, package_ports_;
  double squares_ = 0;
  int64_t steps_ = 0;
};

}  // namespace

std::optional<Mapping> SwapBetweenHosts(int hosts, const Mapping& mapping,
                                        const PackageRule& rule,
                                        const Traffic& traffic, uint64_t seed) {
  std::vector<SampledMessage> messages = AllMessages(traffic, kMostMessages);
  if (messages.empty()) return std::nullopt;
  HostSwaps swaps(hosts, mapping, rule, std::move(messages), seed);
  if (!swaps.Run()) return std::nullopt;
  return Mapping(swaps.TakePlaces());
}

}  // namespace ranksight::bgq_support
