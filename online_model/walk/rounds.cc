#include "online_model/walk/rounds.h"

#include <algorithm>
#include <bit>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// An exchange of all with all of more ranks takes the formula: at twice as many
// a forecast of ten of them would take a minute.
constexpr size_t kMostMessages = size_t{1} << 18;

class Rounds {
 public:
  Rounds(const Network& network, CollectiveForm form, Traffic* traffic,
         std::vector<RoundMember>* members)
      : net_(network),
        stage_(network.stage[size_t(form)]),
        volume_(network.volume[size_t(form)]),
        traffic_(traffic),
        members_(*members) {}

  // Everybody sends to the member this far off, who sends back where ranks pair
  // up.
  void One(size_t far, double bytes) {
    const size_t n = members_.size();
    Send(n, bytes, [&](size_t i) {
      return Way{i, std::has_single_bit(n) ? i ^ far : (i + far) % n};
    });
  }

  // Recursive doubling, the usual way of reducing to all: as many pairs as
  // there are members more than a power of two first become one each, and hand
  // on the result in the end.
  void Double(double bytes) {
    const size_t n = members_.size(), half = std::bit_floor(n);
    const size_t pairs = n - half;
    // Of those that take part: the second of each pair, then the others.
    const auto at = [pairs](size_t i) {
      return i < pairs ? 2 * i + 1 : i + pairs;
    };
    Send(pairs, bytes, [](size_t i) { return Way{2 * i, 2 * i + 1}; });
    for (size_t far = 1; far < half; far *= 2) {
      Send(half, bytes, [&](size_t i) { return Way{at(i), at(i ^ far)}; });
    }
    Send(pairs, bytes, [](size_t i) { return Way{2 * i + 1, 2 * i}; });
  }

 private:
  struct Way {
    size_t from, to;
  };

  template <class F>
  void Send(size_t messages, double bytes, F way_of) {
    const bool is_long = bytes > net_.eager_limit;
    const double overhead = net_.overhead * net_.machine.Message(0);
    sent_.clear();
    for (size_t i = 0; i < messages; ++i) {
      const Way way = way_of(i);
      const double leaves = members_[way.from].clock + overhead;
      const double starts = is_long || net_.pulled
                                ? std::max(leaves, members_[way.to].clock)
                                : leaves;
      sent_.push_back({starts, leaves, way.from, way.to, 0});
    }
    if (traffic_->shares()) std::ranges::sort(sent_, {}, &Sent::starts);
    for (Sent& s : sent_) {
      s.flight = traffic_->Travel(members_[s.from].rank, members_[s.to].rank,
                                  s.starts, bytes, stage_, volume_);
    }
    for (const Sent& s : sent_) members_[s.from].clock = s.leaves;
    for (const Sent& s : sent_) {
      const double there = traffic_->ArrivalOf(s.flight);
      traffic_->Land(s.flight);
      Until(there, s.to);
      if (is_long) Until(there, s.from);
    }
  }

  struct Sent {
    double starts, leaves;  // the message, and its sender
    size_t from, to;
    Traffic::Flight flight;
  };
  void Until(double time, size_t member) {
    members_[member].clock = std::max(members_[member].clock, time);
  }

  const Network& net_;
  const double stage_, volume_;
  Traffic* const traffic_;
  std::vector<RoundMember>& members_;
  std::vector<Sent> sent_;
};

}  // namespace

bool InRounds(const Links* links, CollectiveForm form, size_t members) {
  if (links == nullptr) return false;
  return form == CollectiveForm::kTree || (form == CollectiveForm::kAlltoall &&
                                           members <= kMostMessages / members);
}

void WalkRounds(const Network& network, CollectiveForm form, double bytes,
                Traffic* traffic, std::vector<RoundMember>* members) {
  RANKSIGHT_REQUIRE(traffic != nullptr && members != nullptr);
  RANKSIGHT_REQUIRE(InRounds(network.links.get(), form, members->size()));
  Rounds rounds(network, form, traffic, members);
  const size_t n = members->size();
  if (form == CollectiveForm::kTree) {
    rounds.Double(bytes);
    return;
  }
  for (size_t far = 1; far < n; ++far) rounds.One(far, bytes / double(n));
}

}  // namespace ranksight::online_model
