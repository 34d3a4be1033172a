#include "online_model/twin/draw.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ranksight::online_model {
namespace {

// So many ranks at either end stand for themselves.
int64_t EndOf(int64_t known) { return std::max<int64_t>(1, known / 4); }

double Slope(const std::vector<std::pair<double, double>>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [a, b] : points) x += a, y += b;
  x /= double(points.size());
  y /= double(points.size());
  for (const auto& [a, b] : points) {
    xx += (a - x) * (a - x);
    xy += (a - x) * (b - y);
  }
  return xx == 0 ? 0 : xy / xx;
}

// With which power of the rank count the edges of ranks low .. high - 1 grow;
// from 0 to 1.
double GrowthOf(std::span<const EdgeList> inputs, int64_t low, int64_t high) {
  std::vector<std::pair<double, double>> points;
  std::vector<SizedValue> edges;
  for (const EdgeList& list : inputs) {
    // In a small run these ranks are no longer low ones.
    if (list.ranks < 2 * high) continue;
    double n = 0.5;
    for (const Edge& e : list.edges) n += e.u >= low && e.u < high;
    points.emplace_back(std::log(double(list.ranks)), std::log(n));
    edges.push_back({list.ranks, n});
  }
  if (points.size() < 2 || HasReachedLimit(edges)) return 0;
  return std::clamp(Slope(points), 0.0, 1.0);
}

// Growth below this is chance: a few edges more or less.
constexpr double kGrows = 0.5;

class Drawer {
 public:
  Drawer(std::span<const EdgeList> inputs, const WantedSize& size,
         const ExchangeParts& parts, bool keep_counts, uint64_t seed)
      : inputs_(inputs),
        parts_(parts),
        last_(inputs.back()),
        size_(size),
        ranks_(size.ranks),
        keep_(keep_counts),
        of_(EdgesByRank(last_)),
        draws_(seed),
        taken_by_(size_t(ranks_), -1) {
    stretch_ = std::pow(double(ranks_) / double(last_.ranks), ReachOf(inputs));
  }

  std::vector<DrawnEdge> Draw() {
    const std::vector<double> wanted = Wanted();
    for (int64_t u = 0; u < ranks_; ++u) DrawOf(u, wanted[size_t(u)]);
    return std::move(drawn_);
  }

 private:
  const std::vector<const Edge*>& LikeOf(int64_t u) const {
    return of_[size_t(parts_.empty() ? DonorOf(u, ranks_, last_.ranks)
                                     : parts_.like[size_t(u)])];
  }

  // Those that are together with it.
  std::span<const int64_t> PartOf(int64_t u) const {
    const int part = parts_.part_of[size_t(u)];
    if (part < 0) return {};
    return parts_.members[size_t(part)];
  }

  int64_t MostOf(int64_t u) const {
    if (!parts_.empty()) {
      const auto part = PartOf(u);
      const auto own = std::ranges::lower_bound(part, u);
      return std::max<int64_t>(
          0, last_.both_ways ? part.end() - own - 1 : int64_t(part.size()) - 1);
    }
    return last_.both_ways ? ranks_ - 1 - u : ranks_ - 1;
  }

  // How many edges each rank is to have.
  std::vector<double> Wanted() const {
    std::vector<double> wanted;
    for (int64_t u = 0; u < ranks_; ++u) {
      wanted.push_back(double(LikeOf(u).size()));
    }
    if (keep_) return wanted;
    const int64_t head = GrowLow(&wanted);
    ScaleTo(TotalEdges(), head, &wanted);
    return wanted;
  }

  double TotalEdges() const {
    std::vector<SizedValue> totals;
    for (const EdgeList& list : inputs_) {
      totals.push_back({list.ranks, double(list.edges.size()), list.sides});
    }
    return FitTotal(totals, size_).value;
  }

  // The low ranks whose edges grow with the rank count; how many they are.
  int64_t GrowLow(std::vector<double>* wanted) const {
    const double more = double(ranks_) / double(last_.ranks);
    int64_t low = 0;
    for (int64_t high = 1; high <= EndOf(last_.ranks); high *= 2) {
      const double growth = GrowthOf(inputs_, low, high);
      if (growth < kGrows) break;
      for (int64_t u = low; u < std::min(high, ranks_); ++u) {
        (*wanted)[size_t(u)] = std::min(
            (*wanted)[size_t(u)] * std::pow(more, growth), double(MostOf(u)));
      }
      low = high;
    }
    return std::min(low, ranks_);
  }

  // Ranks from `first` on so that all have `total`; not further than this, or
  // the shape of the largest input is lost.
  void ScaleTo(double total, int64_t first, std::vector<double>* wanted) const {
    constexpr double kMost = 4;
    const auto middle = wanted->begin() + first;
    const double fixed = std::accumulate(wanted->begin(), middle, 0.0);
    const double rest = std::accumulate(middle, wanted->end(), 0.0);
    if (rest == 0) return;
    const double by = std::clamp((total - fixed) / rest, 1 / kMost, kMost);
    // What the ends alone explain is no growth.
    if (std::abs(by - 1) < 0.02) return;
    for (auto it = middle; it != wanted->end(); ++it) *it *= by;
  }

  void DrawOf(int64_t u, double wanted) {
    const auto& like = LikeOf(u);
    if (like.empty()) return;
    // Of itself a rank has as many as its like.
    int64_t others = 0;
    for (const Edge* e : like) {
      if (e->u == e->v) drawn_.push_back({u, u, e});
      others += e->u != e->v;
    }
    if (others == 0) return;
    const int64_t n =
        std::min(draws_.Round(wanted * double(others) / double(like.size())),
                 IsFresh(like) ? INT64_MAX : MostOf(u));
    taken_by_[size_t(u)] = u;
    // Not the first ones alone where there are fewer than its like has.
    size_t at = n < others ? size_t(draws_.Below(int64_t(like.size()))) : 0;
    const size_t step = n < others && n > 0 ? like.size() / size_t(n) : 1;
    for (int64_t k = 0; k < n;) {
      const Edge* e = like[at % like.size()];
      at += std::max<size_t>(step, 1);
      if (e->u == e->v) {
        if (step != 1) --at;
        continue;
      }
      const int64_t v = Partner(u, *e, IsFresh(like));
      if (v < 0) break;
      drawn_.push_back({u, v, e});
      ++k;
    }
  }

  static bool IsFresh(const std::vector<const Edge*>& like) {
    for (size_t i = 1; i < like.size(); ++i) {
      if (like[i]->v == like[i - 1]->v) return true;
    }
    return false;
  }

  // Where it would be, or the nearest that is not taken; -1: nobody.
  int64_t Partner(int64_t u, const Edge& like, bool again) {
    const int64_t low = last_.both_ways ? u + 1 : 0;
    if (low >= ranks_) return -1;
    double by = double(like.v - like.u) * stretch_;
    if (stretch_ > 1.01) by += (draws_.Unit() - 0.5) * stretch_;
    int64_t v = u + int64_t(std::llround(by));
    if (v >= ranks_) v = 2 * (ranks_ - 1) - v;
    if (v < low) v = 2 * low - v;
    v = std::clamp(v, low, ranks_ - 1);
    if (!parts_.empty()) return PartnerWithin(u, v, low, again);
    if (again) return v == u ? (u + 1) % ranks_ : v;
    for (int64_t away = 0; away < ranks_; ++away) {
      for (const int64_t at : {v + away, v - away}) {
        if (at < low || at >= ranks_ || taken_by_[size_t(at)] == u) continue;
        taken_by_[size_t(at)] = u;
        return at;
      }
    }
    return -1;
  }

  // The member of its part that is nearest to v and not taken.
  int64_t PartnerWithin(int64_t u, int64_t v, int64_t low, bool again) {
    const auto part = PartOf(u);
    const auto near = std::ranges::lower_bound(part, v) - part.begin();
    const auto size = int64_t(part.size());
    for (int64_t away = 0; away <= size; ++away) {
      for (const int64_t i : {near + away, near - away}) {
        if (i < 0 || i >= size) continue;
        const int64_t at = part[size_t(i)];
        if (at < low || at == u) continue;
        if (!again && taken_by_[size_t(at)] == u) continue;
        taken_by_[size_t(at)] = u;
        return at;
      }
    }
    return -1;
  }

  std::span<const EdgeList> inputs_;
  const ExchangeParts& parts_;
  const EdgeList& last_;
  WantedSize size_;
  int64_t ranks_;
  bool keep_;
  std::vector<std::vector<const Edge*>> of_;
  Draws draws_;
  std::vector<int64_t> taken_by_;  // the last u that has it as a partner
  double stretch_ = 1;
  std::vector<DrawnEdge> drawn_;
};

}  // namespace

std::vector<std::vector<const Edge*>> EdgesByRank(const EdgeList& list) {
  std::vector<std::vector<const Edge*>> of(size_t(list.ranks));
  for (const Edge& e : list.edges) of[size_t(e.u)].push_back(&e);
  return of;
}

double ReachOf(std::span<const EdgeList> inputs) {
  std::vector<std::pair<double, double>> points;
  for (const EdgeList& list : inputs) {
    double sum = 0;
    for (const Edge& e : list.edges) sum += double(std::abs(e.v - e.u));
    if (list.edges.empty() || sum == 0) continue;
    points.emplace_back(std::log(double(list.ranks)),
                        std::log(sum / double(list.edges.size())));
  }
  if (points.size() < 2) return 0;
  return std::clamp(Slope(points), 0.0, 1.0);
}

int64_t DonorOf(int64_t rank, int64_t ranks, int64_t known) {
  const int64_t end = EndOf(known);
  if (ranks <= known) return std::min(rank, known - 1);
  if (rank < end) return rank;
  if (rank >= ranks - end) return known - (ranks - rank);
  const int64_t inside = known - 2 * end;
  if (inside <= 0) return end - 1;
  return end + (rank - end) * inside / (ranks - 2 * end);
}

std::vector<DrawnEdge> DrawEdges(std::span<const EdgeList> inputs,
                                 const WantedSize& wanted,
                                 const ExchangeParts& parts, bool keep_counts,
                                 uint64_t seed) {
  return Drawer(inputs, wanted, parts, keep_counts, seed).Draw();
}

uint64_t Draws::Next() {
  // SplitMix64 (Steele, Lea, Flood, 2014).
  uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

int64_t Draws::Round(double v) {
  const double down = std::floor(v);
  return int64_t(down) + (Unit() < v - down ? 1 : 0);
}

}  // namespace ranksight::online_model
