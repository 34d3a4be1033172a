#include "online_model/twin/shifts.h"

#include <algorithm>
#include <cmath>
#include <map>
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

class ShiftDrawer {
 public:
  ShiftDrawer(std::span<const EdgeList> inputs, int64_t ranks, bool keep_counts,
              uint64_t seed)
      : last_(inputs.back()),
        ranks_(ranks),
        of_(EdgesByRank(last_)),
        draws_(seed) {
    std::vector<EdgeList> short_ways(inputs.begin(), inputs.end());
    for (EdgeList& list : short_ways) {
      for (Edge& e : list.edges) e.v = e.u + ShortWay(e.u, e.v, list.ranks);
    }
    stretch_ =
        std::pow(double(ranks) / double(last_.ranks), ReachOf(short_ways));
    if (!keep_counts) more_ = HowManyMore(inputs);
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
  double HowManyMore(std::span<const EdgeList> inputs) const {
    double like = 0;
    for (int64_t u = 0; u < ranks_; ++u) like += double(LikeOf(u).size());
    if (like == 0) return 1;
    std::vector<SizedValue> totals;
    for (const EdgeList& list : inputs) {
      totals.push_back({list.ranks, double(list.edges.size())});
    }
    // As in draw.cc: further the shape of the largest input is lost.
    const double more =
        std::clamp(FitTotal(totals, ranks_).value / like, 0.25, 4.0);
    return std::abs(more - 1) < 0.02 ? 1 : more;
  }

  const std::vector<const Edge*>& LikeOf(int64_t u) const {
    return of_[size_t(DonorOf(u, ranks_, last_.ranks))];
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
      taken_[{round, v}].push_back(&e);
      drawn_.push_back({u, v, &e, round});
    }
  }

  bool IsFree(int64_t v, const Edge& e, uint32_t round) const {
    const auto it = taken_.find({round, v});
    return it == taken_.end() ||
           std::none_of(
               it->second.begin(), it->second.end(),
               [&](const Edge* other) { return MeetInTime(*other, e); });
  }

  // The nearest to where it would be that receives nothing else then; -1:
  // nobody.
  int64_t Receiver(int64_t u, const Edge& e, uint32_t round) const {
    const int64_t way = ShortWay(e.u, e.v, last_.ranks);
    int64_t v = u + std::llround(double(way) * stretch_);
    const bool around = way != e.v - e.u;
    if (around) {
      v = ((v % ranks_) + ranks_) % ranks_;
    } else {
      if (v >= ranks_) v = 2 * (ranks_ - 1) - v;
      v = std::clamp(std::abs(v), int64_t{0}, ranks_ - 1);
    }
    const bool itself = e.u == e.v;
    for (int64_t away = 0; away < ranks_; ++away) {
      for (const int64_t at : {v + away, v - away}) {
        if (at < 0 || at >= ranks_ || (at == u) != itself) continue;
        if (IsFree(at, e, round)) return at;
      }
      if (itself) break;
    }
    return -1;
  }

  const EdgeList& last_;
  int64_t ranks_;
  std::vector<std::vector<const Edge*>> of_;
  Draws draws_;
  double stretch_ = 1, more_ = 1;
  bool as_many_ = false;
  uint32_t rounds_ = 0;
  // Who receives what in a round.
  std::map<std::pair<uint32_t, int64_t>, std::vector<const Edge*>> taken_;
  std::vector<DrawnEdge> drawn_;
};

}  // namespace

std::vector<DrawnEdge> DrawShifts(std::span<const EdgeList> inputs,
                                  int64_t ranks, bool keep_counts,
                                  uint64_t seed) {
  return ShiftDrawer(inputs, ranks, keep_counts, seed).Draw();
}

}  // namespace ranksight::online_model
