#include "online_model/structure/find_task_count.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Bits that must speak against a coincidence beyond those of a number of tasks:
// a handful of things they are dealt to, rounded down or up, and a margin.
constexpr double kMargin = 8;
// What it predicts is compared next.
constexpr double kMarginToTry = 4;
constexpr int64_t kMostTasks = 1 << 14;

// What tasks are dealt to.
std::vector<ExpressionPtr> Takers(int ndims) {
  const ExpressionPtr ranks =
      FeatureExpression({Feature::Kind::kRanks, 0, nullptr});
  std::vector<ExpressionPtr> takers{ranks, AffineExpression(1, ranks, -1)};
  for (int d = 0; d < ndims && ndims > 1; ++d) {
    takers.push_back(FeatureExpression({Feature::Kind::kDim, d, nullptr}));
  }
  return takers;
}

// How often at one size, where so many take tasks.
struct Seen {
  int64_t takers = 0, count = 0;
};

// nullopt where two sizes with as many takers differ.
std::optional<std::vector<Seen>> SeenBy(const Expression& takers,
                                        Samples samples) {
  std::map<int64_t, int64_t> counts;
  for (const Sample& s : samples) {
    const int64_t n = takers.At(s.where);
    const auto [at, added] = counts.try_emplace(n, s.value);
    if (n < 1 || s.value < 0 || at->second != s.value) return std::nullopt;
  }
  std::vector<Seen> seen;
  for (const auto& [n, count] : counts) seen.push_back({n, count});
  return seen;
}

ExpressionPtr Rounds(const std::vector<Seen>& seen, ExpressionPtr takers,
                     int64_t add, double margin) {
  int64_t low = 0, high = kMostTasks;
  // A number of tasks that one count allows gives another by chance in one of
  // as many cases as that count is large.
  double bits = 0;
  std::set<int64_t> counts;
  for (const Seen& s : seen) {
    const int64_t rounds = s.count - add;
    if (rounds < 0) return nullptr;
    low = std::max(low, rounds * s.takers);
    high = std::min(high, rounds * s.takers + s.takers - 1);
    counts.insert(rounds);
  }
  if (low > high) return nullptr;
  for (const int64_t rounds : counts) bits += std::log2(1 + double(rounds));
  bits -= std::log2(1 + double(*counts.rbegin()));
  if (bits < margin) return nullptr;
  return AffineExpression(1, ShareExpression(low, high, std::move(takers)),
                          add);
}

// Of all ranks alike. Where several give the samples they must agree to be
// certain.
ExpressionPtr OfAll(Samples samples, int ndims, bool certain) {
  ExpressionPtr found;
  if (samples.empty() || !DependOnSizeOnly(samples)) return found;
  const auto add = [&found, certain](ExpressionPtr e) {
    if (e == nullptr) return;
    if (found == nullptr) {
      found = std::move(e);
    } else if (certain) {
      found = AgreedExpression(std::move(found), std::move(e));
    }
  };
  const double margin = certain ? kMargin : kMarginToTry;
  for (const ExpressionPtr& takers : Takers(ndims)) {
    const auto seen = SeenBy(*takers, samples);
    if (!seen) continue;
    for (const int64_t up : {0, 1}) add(Rounds(*seen, takers, up, margin));
  }
  return found;
}

// How often a rank does what is dealt out in turn, to ranks from `first` on: a
// few times one more than others. REQUIRES: samples of those ranks alone.
ExpressionPtr DealtInTurn(Samples samples, int64_t first) {
  std::map<const Grid*, std::map<int64_t, int64_t>> by_rank;
  int64_t times = 0;
  for (const Sample& s : samples) {
    const auto [at, added] =
        by_rank[s.where.grid].try_emplace(s.where.rank, s.value);
    if (s.value < 0 || at->second != s.value) return nullptr;
    times = std::gcd(times, s.value - samples[0].value);
  }
  if (times == 0) return nullptr;
  std::optional<int64_t> tasks;
  size_t fewest = SIZE_MAX;
  for (const auto& [grid, counts] : by_rank) {
    fewest = std::min(fewest, counts.size());
    int64_t sum = 0;
    for (const auto& [rank, count] : counts) sum += count;
    if (int64_t(counts.size()) != grid->ranks() - first ||
        tasks.value_or(sum) != sum || sum % times != 0) {
      return nullptr;
    }
    tasks = sum;
  }
  // Of less than one for each nothing is dealt: some ranks are named.
  if (*tasks / times < int64_t(fewest)) return nullptr;
  const auto less = [first](Feature::Kind kind) {
    return AffineExpression(1, FeatureExpression({kind, 0, nullptr}), -first);
  };
  ExpressionPtr dealt =
      AffineExpression(times,
                       BlockAtExpression(ConstantExpression(*tasks / times),
                                         less(Feature::Kind::kRanks),
                                         less(Feature::Kind::kRank)),
                       0);
  for (const Sample& s : samples) {
    if (dealt->At(s.where) != s.value) return nullptr;
  }
  return dealt;
}

// The constant that the numbers of `more` are times those of `one`, size by
// size: a loop that is gone through several times before anything else comes.
std::optional<int64_t> TimesOf(Samples more, Samples one) {
  std::map<const Grid*, int64_t> counts;
  for (const Sample& s : one) counts[s.where.grid] = s.value;
  std::optional<int64_t> times;
  for (const Sample& s : more) {
    const auto at = counts.find(s.where.grid);
    if (at == counts.end() || at->second < 1) return std::nullopt;
    if (s.value % at->second != 0) return std::nullopt;
    const int64_t here = s.value / at->second;
    if (times.value_or(here) != here) return std::nullopt;
    times = here;
  }
  return times;
}

// The same where rank 0, which deals, does it always alike.
ExpressionPtr DealtByRoot(Samples samples) {
  std::vector<Sample> root, others;
  for (const Sample& s : samples) {
    (s.where.rank == 0 ? root : others).push_back(s);
  }
  if (others.empty()) return nullptr;
  if (root.empty()) return DealtInTurn(others, 1);
  const auto same = FindConstant(root);
  if (!same) return nullptr;
  ExpressionPtr dealt = DealtInTurn(others, 1);
  if (dealt == nullptr) return nullptr;
  return SelectExpression(
      FeatureExpression({Feature::Kind::kZeroRank, 0, nullptr}),
      ConstantExpression(same->constant), std::move(dealt));
}

// Of these one way, and of the others another.
ExpressionPtr Apart(const Feature& condition, Samples samples, int ndims,
                    bool certain) {
  std::vector<Sample> in, out;
  for (const Sample& s : samples) {
    (condition.At(s.where) != 0 ? in : out).push_back(s);
  }
  if (in.empty() || out.empty() || !DependOnSizeOnly(in) ||
      !DependOnSizeOnly(out)) {
    return nullptr;
  }
  ExpressionPtr there = OfAll(in, ndims, certain);
  ExpressionPtr elsewhere = OfAll(out, ndims, certain);
  if (there == nullptr && elsewhere == nullptr) return nullptr;
  if (const auto times = TimesOf(out, in); times && there != nullptr) {
    elsewhere = AffineExpression(*times, there, 0);
  } else if (const auto same = FindConstant(out)) {
    elsewhere = ConstantExpression(same->constant);
  }
  if (const auto times = TimesOf(in, out); times && elsewhere != nullptr) {
    there = AffineExpression(*times, elsewhere, 0);
  } else if (const auto same = FindConstant(in)) {
    there = ConstantExpression(same->constant);
  }
  if (there == nullptr || elsewhere == nullptr) return nullptr;
  return SelectExpression(FeatureExpression(condition), std::move(there),
                          std::move(elsewhere));
}

}  // namespace

ExpressionPtr FindTaskCount(Samples samples, int ndims, bool certain) {
  if (AnySpecial(samples)) return nullptr;
  if (ExpressionPtr e = OfAll(samples, ndims, certain)) return e;
  if (ExpressionPtr e = DealtInTurn(samples, 0)) return e;
  if (ExpressionPtr e = DealtByRoot(samples)) return e;
  using Kind = Feature::Kind;
  for (const Kind kind :
       {Kind::kZeroRank, Kind::kFirstPlace, Kind::kLastPlace}) {
    const Feature condition{kind, 0, nullptr};
    if (ExpressionPtr e = Apart(condition, samples, ndims, certain)) return e;
  }
  return nullptr;
}

}  // namespace ranksight::online_model
