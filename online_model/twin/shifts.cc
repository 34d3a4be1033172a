#include "online_model/twin/shifts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace ranksight::online_model {
namespace {

// The short way from one rank to another where the last is beside the first.
int64_t ShortWay(int64_t from, int64_t to, int64_t ranks) {
  const int64_t way = to - from;
  if (way > ranks / 2) return way - ranks;
  if (way < -ranks / 2) return way + ranks;
  return way;
}

bool MeetInTime(const Edge& a, const Edge& b) {
  size_t i = 0, j = 0;
  while (i < a.at_u.size() && j < b.at_u.size()) {
    const uint64_t at_a = a.at_u[i].iteration, at_b = b.at_u[j].iteration;
    if (at_a == at_b) return true;
    at_a < at_b ? ++i : ++j;
  }
  return false;
}

// At which iterations edges are, told apart by number, and which of these are
// ever at the same: most edges are at all of them.
class Times {
 public:
  explicit Times(const EdgeList& list) {
    std::map<std::vector<uint64_t>, uint32_t> numbers;
    for (const Edge& e : list.edges) {
      std::vector<uint64_t> iterations;
      for (const auto& place : e.at_u) iterations.push_back(place.iteration);
      const auto [known, is_new] =
          numbers.try_emplace(std::move(iterations), uint32_t(numbers.size()));
      if (is_new) like_.push_back(&e);
      number_of_[&e] = known->second;
    }
  }
  uint32_t Of(const Edge& e) const { return number_of_.at(&e); }
  bool Meet(uint32_t a, uint32_t b) {
    const auto [known, is_new] = meet_.try_emplace({a, b}, false);
    if (is_new) known->second = MeetInTime(*like_[a], *like_[b]);
    return known->second;
  }

 private:
  std::unordered_map<const Edge*, uint32_t> number_of_;
  std::vector<const Edge*> like_;  // one of each number
  std::map<std::pair<uint32_t, uint32_t>, bool> meet_;
};

// Ranks that can receive no more, and the nearest that is none of them to
// either side (disjoint sets with path compression: Tarjan 1975). Holds as much
// as there are of them.
class Full {
 public:
  void Add(int64_t rank) {
    right_[rank] = rank + 1;
    left_[rank] = rank - 1;
  }
  int64_t NextUp(int64_t rank) { return Find(rank, &right_); }
  int64_t NextDown(int64_t rank) { return Find(rank, &left_); }

 private:
  using Links = std::unordered_map<int64_t, int64_t>;
  static int64_t Find(int64_t rank, Links* links) {
    int64_t end = rank;
    for (auto at = links->find(end); at != links->end();
         at = links->find(end)) {
      end = at->second;
    }
    while (rank != end) rank = std::exchange((*links)[rank], end);
    return end;
  }

  Links right_, left_;
};

class ShiftDrawer {
 public:
  ShiftDrawer(std::span<const EdgeList> inputs, const WantedSize& size,
              const ExchangeParts& parts, bool keep_counts, uint64_t seed)
      : last_(inputs.back()),
        parts_(parts),
        ranks_(size.ranks),
        of_(EdgesByRank(last_)),
        times_(last_),
        draws_(seed) {
    std::vector<EdgeList> short_ways(inputs.begin(), inputs.end());
    for (EdgeList& list : short_ways) {
      for (Edge& e : list.edges) e.v = e.u + ShortWay(e.u, e.v, list.ranks);
    }
    stretch_ =
        std::pow(double(ranks_) / double(last_.ranks), ReachOf(short_ways));
    if (!keep_counts) more_ = HowManyMore(inputs, size);
    as_many_ = std::ranges::all_of(
        of_, [this](const auto& of) { return of.size() == of_[0].size(); });
    for (const Edge& e : last_.edges) rounds_ = std::max(rounds_, e.round + 1);
  }

  std::vector<DrawnEdge> Draw() {
    for (int64_t u = 0; u < ranks_; ++u) DrawOf(u);
    return std::move(drawn_);
  }

 private:
  // Edges of a rank against those of its like.
  double HowManyMore(std::span<const EdgeList> inputs,
                     const WantedSize& size) const {
    double like = 0;
    for (int64_t u = 0; u < ranks_; ++u) like += double(LikeOf(u).size());
    if (like == 0) return 1;
    std::vector<SizedValue> totals;
    for (const EdgeList& list : inputs) {
      totals.push_back({list.ranks, double(list.edges.size()), list.sides});
    }
    // As in draw.cc: further the shape of the largest input is lost.
    const double more =
        std::clamp(FitTotal(totals, size).value / like, 0.25, 4.0);
    return std::abs(more - 1) < 0.02 ? 1 : more;
  }

  const std::vector<const Edge*>& LikeOf(int64_t u) const {
    return of_[size_t(parts_.empty() ? DonorOf(u, ranks_, last_.ranks)
                                     : parts_.like[size_t(u)])];
  }

  void DrawOf(int64_t u) {
    const auto& like = LikeOf(u);
    // Where all have as many they do so still: their loop has as many trips.
    const double wanted = double(like.size()) * more_;
    const int64_t n = as_many_ ? std::llround(wanted) : draws_.Round(wanted);
    for (int64_t k = 0; k < n; ++k) {
      const Edge& e = *like[size_t(k) % like.size()];
      const uint32_t round =
          e.round + rounds_ * uint32_t(size_t(k) / like.size());
      const int64_t v = Receiver(u, e, round);
      if (v < 0) continue;
      taken_[{round, v}].push_back(times_.Of(e));
      drawn_.push_back({u, v, &e, round});
    }
  }

  bool IsFree(int64_t v, uint32_t time, uint32_t round) {
    const auto it = taken_.find({round, v});
    return it == taken_.end() ||
           std::ranges::none_of(it->second, [&](uint32_t other) {
             return times_.Meet(other, time);
           });
  }

  // Where along all ranks, or those of its part, an edge of u would end, from
  // where that is `at`.
  struct Line {
    int64_t part = -1;  // of none: all ranks
    int64_t at = 0, size = 0;
    int64_t way = 0;  // there, the short way
    bool around = false;
  };
  Line LineOf(int64_t u, const Edge& e) const {
    Line line;
    int64_t there = last_.ranks, from = e.u, to = e.v;
    line.at = u;
    line.size = ranks_;
    double stretch = stretch_;
    if (!parts_.empty()) {
      line.part = parts_.part_of[size_t(u)];
      const auto& members = parts_.members[size_t(line.part)];
      line.at = std::ranges::lower_bound(members, u) - members.begin();
      line.size = int64_t(members.size());
      there = parts_.size_there[size_t(e.u)];
      from = parts_.place_there[size_t(e.u)];
      to = parts_.place_there[size_t(e.v)];
      stretch = 1;
    }
    const int64_t way = ShortWay(from, to, there);
    line.way = std::llround(double(way) * stretch);
    line.around = way != to - from;
    return line;
  }

  // The nearest to where it would be that receives nothing else then; -1:
  // nobody.
  int64_t Receiver(int64_t u, const Edge& e, uint32_t round) {
    if (!parts_.empty() && parts_.part_of[size_t(u)] < 0) return -1;
    const Line line = LineOf(u, e);
    const auto rank = [&](int64_t place) {
      return line.part < 0 ? place
                           : parts_.members[size_t(line.part)][size_t(place)];
    };
    int64_t v = line.at + line.way;
    if (line.around) {
      v = ((v % line.size) + line.size) % line.size;
    } else {
      if (v >= line.size) v = 2 * (line.size - 1) - v;
      v = std::clamp(std::abs(v), int64_t{0}, line.size - 1);
    }
    const uint32_t time = times_.Of(e);
    if (e.u == e.v) {
      return v == line.at && IsFree(u, time, round) ? u : -1;
    }
    Full& full = full_[{{line.part, round}, time}];
    int64_t up = full.NextUp(v), down = full.NextDown(v);
    while (up < line.size || down >= 0) {
      const bool upwards = up < line.size && (down < 0 || up - v <= v - down);
      const int64_t at = upwards ? up : down;
      if (at != line.at && IsFree(rank(at), time, round)) return rank(at);
      // What is full stays so.
      if (at != line.at) full.Add(at);
      (upwards ? up : down) =
          upwards ? full.NextUp(at + 1) : full.NextDown(at - 1);
    }
    return -1;
  }

  const EdgeList& last_;
  const ExchangeParts& parts_;
  int64_t ranks_;
  std::vector<std::vector<const Edge*>> of_;
  Times times_;
  Draws draws_;
  double stretch_ = 1, more_ = 1;
  bool as_many_ = false;
  uint32_t rounds_ = 0;
  // When somebody receives something in a round, and who by then receives
  // something at each time that a search for one has come by.
  std::map<std::pair<uint32_t, int64_t>, std::vector<uint32_t>> taken_;
  std::map<std::pair<std::pair<int64_t, uint32_t>, uint32_t>, Full> full_;
  std::vector<DrawnEdge> drawn_;
};

}  // namespace

std::vector<DrawnEdge> DrawShifts(std::span<const EdgeList> inputs,
                                  const WantedSize& wanted,
                                  const ExchangeParts& parts, bool keep_counts,
                                  uint64_t seed) {
  return ShiftDrawer(inputs, wanted, parts, keep_counts, seed).Draw();
}

}  // namespace ranksight::online_model
