// Local search over swaps of two ranks: any one, and one, or a free place, that
// lies where a partner of it does. A swap is kept where the sum of squared
// loads falls. Thread-safety: one thread each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "bgq_support/api/load.h"
#include "bgq_support/mapping/sample.h"

namespace ranksight::bgq_support {

// Loads knows which places lie together, and what messages load:
//   size_t groups() const;                   of places
//   size_t GroupOf(const Place&) const;      below groups()
//   bool AreOne(const Place&, const Place&) const;  nothing to gain by a swap
//   size_t GroupNear(size_t group, Below) const;    itself or one beside it;
//                                            Below(n) is random, 0 to n - 1
//   void Carry(const Place& from, const Place& to, double bytes);
//   double squares() const;                  of loads, their sum
//   int64_t steps() const;                   what Carry did, for a limit
template <typename Loads>
class SwapSearch {
 public:
  SwapSearch(Loads loads, const Mapping& mapping,
             const std::vector<Place>& free,
             std::vector<SampledMessage> messages, uint64_t seed)
      : loads_(std::move(loads)),
        messages_(std::move(messages)),
        ranks_(mapping.places().size()),
        places_(mapping.places()),
        random_(seed),
        of_group_(loads_.groups()) {
    places_.insert(places_.end(), free.begin(), free.end());
    of_rank_.resize(places_.size());
    for (size_t rank = 0; rank < places_.size(); ++rank) {
      of_group_[GroupOf(rank)].push_back(rank);
    }
    for (size_t i = 0; i < messages_.size(); ++i) {
      of_rank_[static_cast<size_t>(messages_[i].from)].push_back(i);
      of_rank_[static_cast<size_t>(messages_[i].to)].push_back(i);
      Carry(messages_[i], 1);
    }
  }

  // True when anything was gained.
  // tell: now and then, what share of the steps was taken.
  bool Run(int64_t most_steps, const std::function<void(double)>& tell) {
    const size_t most_failures = 20 * ranks_ + 1000;
    bool any = false;
    size_t failures = 0;
    const int64_t steps_between = most_steps / 100;
    int64_t told = 0;
    while (loads_.steps() < most_steps && failures < most_failures) {
      if (loads_.steps() - told > steps_between) {
        told = loads_.steps();
        tell(double(told) / double(most_steps));
      }
      const bool gained = TrySwap();
      any = any || gained;
      failures = gained ? 0 : failures + 1;
    }
    return any;
  }
  std::vector<Place> TakePlaces() {
    places_.resize(ranks_);
    return std::move(places_);
  }

 private:
  size_t GroupOf(size_t rank) const { return loads_.GroupOf(places_[rank]); }
  size_t Below(size_t n) { return random_() % n; }

  // Adds sign x its bytes to what a message loads.
  void Carry(const SampledMessage& m, double sign) {
    loads_.Carry(places_[static_cast<size_t>(m.from)],
                 places_[static_cast<size_t>(m.to)], sign * m.bytes);
  }

  // Somebody in the group of a partner of `rank`, or near it.
  size_t NearPartner(size_t rank) {
    const std::vector<size_t>& mine = of_rank_[rank];
    const SampledMessage& m = messages_[mine[Below(mine.size())]];
    const auto partner = static_cast<size_t>(
        m.from == static_cast<int64_t>(rank) ? m.to : m.from);
    const std::vector<size_t>& there = of_group_[loads_.GroupNear(
        GroupOf(partner), [this](size_t n) { return Below(n); })];
    return there.empty() ? partner : there[Below(there.size())];
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

  bool TrySwap() {
    const size_t a = Below(ranks_);
    if (of_rank_[a].empty()) return false;
    const size_t b = NearPartner(a);
    if (loads_.AreOne(places_[a], places_[b])) return false;
    const double before = loads_.squares();
    Exchange(a, b);
    if (loads_.squares() >= before * (1 - 1e-9)) {
      Exchange(a, b);
      return false;
    }
    if (GroupOf(a) != GroupOf(b)) {
      Replace(GroupOf(b), a, b);
      Replace(GroupOf(a), b, a);
    }
    return true;
  }
  void Replace(size_t group, size_t old, size_t now) {
    std::ranges::replace(of_group_[group], old, now);
  }

  Loads loads_;
  const std::vector<SampledMessage> messages_;
  const size_t ranks_;
  std::vector<Place> places_;  // of ranks, then free ones
  std::mt19937_64 random_;
  std::vector<std::vector<size_t>> of_rank_;   // messages
  std::vector<std::vector<size_t>> of_group_;  // ranks
};

// nullopt when nothing was gained, or when there are more messages than
// `most_messages`. A swap may be with one of the places that are free.
// Deterministic in seed. tell: as SwapSearch::Run.
template <typename Loads>
std::optional<Mapping> SearchSwaps(Loads loads, const Mapping& mapping,
                                   const std::vector<Place>& free,
                                   const Traffic& traffic,
                                   int64_t most_messages, int64_t most_steps,
                                   uint64_t seed,
                                   const std::function<void(double)>& tell) {
  std::vector<SampledMessage> messages = AllMessages(traffic, most_messages);
  if (messages.empty()) return std::nullopt;
  SwapSearch search(std::move(loads), mapping, free, std::move(messages), seed);
  if (!search.Run(most_steps, tell)) return std::nullopt;
  return Mapping(search.TakePlaces());
}

}  // namespace ranksight::bgq_support
