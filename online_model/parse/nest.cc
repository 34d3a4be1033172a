#include "online_model/parse/nest.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "online_model/structure/mix_hash.h"

namespace ranksight::online_model {
namespace {

using Place = CallTree::Place;

// One visit of a loop: what a rank does in each iteration, as a hash.
using Visit = std::vector<uint64_t>;

// What of an event is looked at.
enum class Look { kAll, kPeers };

// By visit, where runs begin.
using RunBegins = std::map<Iterations, std::vector<size_t>>;

// Longest visits that are looked at: divisors are tried one by one.
constexpr size_t kMostIterations = 1 << 14;

// Where a loop stands among the loops around an event in it.
std::optional<size_t> DepthIn(const Place& leaf, int loop) {
  const auto at = std::find(leaf.loops.begin(), leaf.loops.end(), loop);
  if (at == leaf.loops.end()) return std::nullopt;
  return size_t(at - leaf.loops.begin());
}

// What the events of one trace do in a loop.
class LoopUse {
 public:
  LoopUse(const std::vector<Stream>& ranks, const Numbers& numbers,
          const CallTree& tree, int loop, Look look)
      : look_(look) {
    for (size_t r = 0; r < ranks.size(); ++r) {
      visits_.emplace_back();
      for (size_t i = 0; i < ranks[r].size(); ++i) {
        const StreamEvent& e = ranks[r][i];
        const Place& leaf = tree.places[size_t(tree.leaf_of[e.kind])];
        if (const auto depth = DepthIn(leaf, loop)) {
          See(e, numbers[r][i], *depth);
        }
      }
    }
  }

  // After how many iterations all ranks do the same again in each visit, all
  // of which are whole repetitions; how long visits are where they never do.
  // Nothing where they are not all as long either.
  std::optional<size_t> Period() {
    if (longest_ == 0 || IsTooLong()) return std::nullopt;
    FillVisits();
    size_t common = 0;
    for (const auto& [around, length] : lengths_) {
      common = std::gcd(common, length);
    }
    for (size_t p = 1; p <= common; ++p) {
      if (common % p == 0 && (p == longest_ || Repeats(p))) return p;
    }
    return std::nullopt;
  }
  size_t length() const { return longest_; }
  bool IsTooLong() const { return longest_ > kMostIterations; }
  // How often all ranks repeat what each of them does in a visit. *any_changes:
  // set where one does another thing in some iteration. REQUIRES: not too long.
  std::map<Iterations, size_t> RepetitionsOfRanks(bool* any_changes) const {
    std::map<Iterations, size_t> most;
    for (const auto& rank : visits_) {
      for (const auto& [around, visit] : rank) {
        const size_t period = PeriodOf(visit);
        *any_changes = *any_changes || period > 1;
        size_t& times = most[around];
        times = std::gcd(times, visit.size() / period);
      }
    }
    return most;
  }
  // By rank.
  const std::vector<std::map<Iterations, Visit>>& visits() const {
    return visits_;
  }
  // Where any rank does something else than in the iteration before; empty
  // where that is everywhere or nowhere.
  RunBegins Runs() {
    if (longest_ == 0 || IsTooLong()) return {};
    FillVisits();
    RunBegins runs;
    size_t begins = 0, iterations = 0;
    for (const auto& [around, length] : lengths_) {
      std::set<size_t> changes{0};
      for (const auto& rank : visits_) AddChanges(rank, around, &changes);
      begins += changes.size();
      iterations += length;
      runs[around] = {changes.begin(), changes.end()};
    }
    if (begins == runs.size() || begins == iterations) return {};
    return runs;
  }
  // Whether some visits are longer than others.
  bool IsUneven() const {
    return std::any_of(lengths_.begin(), lengths_.end(),
                       [this](const auto& v) { return v.second != longest_; });
  }

 private:
  void See(const StreamEvent& e, const Iterations& at, size_t depth) {
    Iterations around{};
    std::copy(at.begin(), at.begin() + long(depth), around.begin());
    const auto k = size_t(at[depth]);
    size_t& most = lengths_[around];
    most = std::max(most, k + 1);
    longest_ = std::max(longest_, most);
    if (IsTooLong()) return;
    Visit& visit = visits_.back()[around];
    visit.resize(std::max(visit.size(), k + 1));
    uint64_t& all = visit[k];
    all = MixHash(all, e.kind);
    all = MixHash(all, look_ == Look::kAll ? e.values : e.peers);
    for (size_t d = depth + 1; d < at.size(); ++d) {
      all = MixHash(all, uint64_t(at[d]));
    }
  }

  // With the iterations at the end that a rank has no part in.
  void FillVisits() {
    for (auto& rank : visits_) {
      for (auto& [around, visit] : rank) visit.resize(lengths_[around]);
    }
  }

  static bool RepeatsAfter(size_t p, const Visit& visit) {
    return std::equal(visit.begin() + long(p), visit.end(), visit.begin());
  }
  // A divisor of its length.
  static size_t PeriodOf(const Visit& visit) {
    for (size_t p = 1; p < visit.size(); ++p) {
      if (visit.size() % p == 0 && RepeatsAfter(p, visit)) return p;
    }
    return visit.size();
  }
  bool Repeats(size_t p) const {
    for (const auto& rank : visits_) {
      for (const auto& [around, visit] : rank) {
        if (!RepeatsAfter(p, visit)) return false;
      }
    }
    return true;
  }

  static void AddChanges(const std::map<Iterations, Visit>& rank,
                         const Iterations& around, std::set<size_t>* changes) {
    const auto visit = rank.find(around);
    if (visit == rank.end()) return;
    for (size_t k = 1; k < visit->second.size(); ++k) {
      if (visit->second[k] != visit->second[k - 1]) changes->insert(k);
    }
  }

  const Look look_;
  std::vector<std::map<Iterations, Visit>> visits_;  // by rank
  std::map<Iterations, size_t> lengths_;
  size_t longest_ = 0;
};

// The length of each trace over the most repetitions that all of them have: an
// inner loop may repeat itself at some sizes, as one that goes by turns does
// where its length is even. Empty where all have but one.
std::vector<size_t> MostEqualRepetitions(const std::vector<size_t>& lengths,
                                         const std::vector<size_t>& periods) {
  size_t repetitions = 0;
  for (size_t t = 0; t < lengths.size(); ++t) {
    repetitions = std::gcd(repetitions, lengths[t] / periods[t]);
  }
  if (repetitions == 1) return {};
  std::vector<size_t> equal;
  for (const size_t length : lengths) equal.push_back(length / repetitions);
  return equal;
}

bool RepeatAsOften(const std::vector<size_t>& lengths,
                   const std::vector<size_t>& periods) {
  for (size_t t = 1; t < lengths.size(); ++t) {
    if (lengths[t] * periods[0] != lengths[0] * periods[t]) return false;
  }
  return true;
}

// Periods of each trace, shorter than the loop at some: a sweep's corners and
// blocks in each step, stages that become more at larger sizes, or steps of
// which but the first calls something else as well. Empty where iterations are
// all alike, or none are.
std::vector<size_t> PeriodsOf(const Streams& streams, const CallTree& tree,
                              const std::vector<Numbers>& numbers, int loop) {
  std::vector<size_t> periods, lengths;
  bool shorter = false, uneven = false;
  for (size_t t = 0; t < numbers.size(); ++t) {
    LoopUse use(streams.traces[t], numbers[t], tree, loop, Look::kAll);
    const auto period = use.Period();
    if (!period) return {};
    periods.push_back(*period);
    lengths.push_back(use.length());
    shorter = shorter || *period < use.length();
    uneven = uneven || (*period > 1 && use.IsUneven());
  }
  const bool alike = std::all_of(periods.begin(), periods.end(),
                                 [](size_t p) { return p == 1; });
  if (!shorter || alike) return {};
  const bool grow = std::adjacent_find(periods.begin(), periods.end(),
                                       std::greater_equal<>()) == periods.end();
  if (!uneven && !grow && !RepeatAsOften(lengths, periods)) {
    const auto equal = MostEqualRepetitions(lengths, periods);
    if (!equal.empty()) periods = equal;
  }
  // Stages do not become fewer. What repeats at some sizes alone is no loop.
  if (!std::is_sorted(periods.begin(), periods.end())) return {};
  return periods;
}

// A loop with nothing but `loop` in it, in the place of that.
void PutAround(int loop, CallTree* tree) {
  const int outer = int(tree->places.size());
  const Place inner = tree->places[size_t(loop)];
  for (Place& p : tree->places) {
    std::replace(p.children.begin(), p.children.end(), loop, outer);
  }
  const size_t depth = inner.path.size();
  for (Place& p : tree->places) {
    const bool inside =
        p.path.size() >= depth &&
        std::equal(inner.path.begin(), inner.path.end(), p.path.begin());
    if (!inside) continue;
    p.path.insert(p.path.begin() + long(depth), 0);
    p.loops.insert(p.loops.begin() + long(inner.loops.size()), outer);
  }
  tree->places.push_back({-1, {loop}, inner.loops, inner.path});
}

// place(rank, around, k): iterations of the loop around and of the loop, of
// what was its iteration k. The loop around is there already, its number not
// yet.
template <class F>
void Renumber(const std::vector<Stream>& ranks, const CallTree& tree, int loop,
              F&& place, Numbers* numbers) {
  for (size_t r = 0; r < ranks.size(); ++r) {
    for (size_t i = 0; i < ranks[r].size(); ++i) {
      const Place& leaf = tree.places[size_t(tree.leaf_of[ranks[r][i].kind])];
      const auto depth = DepthIn(leaf, loop);
      if (!depth) continue;
      Iterations& at = (*numbers)[r][i];
      Iterations around{};
      const auto here = at.begin() + long(*depth) - 1;
      std::copy(at.begin(), here, around.begin());
      const std::pair<size_t, size_t> to = place(r, around, size_t(*here));
      std::copy_backward(here, at.end() - 1, at.end());
      here[0] = int32_t(to.first);
      here[1] = int32_t(to.second);
    }
  }
}

// Where each trace's runs begin, unless some have none.
std::vector<RunBegins> RunsOf(const Streams& streams, const CallTree& tree,
                              const std::vector<Numbers>& numbers, int loop) {
  std::vector<RunBegins> runs;
  for (size_t t = 0; t < numbers.size(); ++t) {
    LoopUse use(streams.traces[t], numbers[t], tree, loop, Look::kPeers);
    runs.push_back(use.Runs());
    if (runs.back().empty()) return {};
  }
  return runs;
}

bool HasRoomFor(const CallTree& tree, int loop) {
  return std::all_of(tree.places.begin(), tree.places.end(),
                     [loop](const Place& p) {
                       return p.loops.size() < kMostLoops || !DepthIn(p, loop);
                     });
}

// Puts a loop around each loop for which cut(loop) gives, for each trace, in
// which iterations of both its iterations are (see Renumber); nothing: none.
// Whether there are any.
template <class F>
bool NestEach(const Streams& streams, CallTree* tree,
              std::vector<Numbers>* numbers, F&& cut) {
  const int count = int(tree->places.size());
  bool any = false;
  for (int loop = 1; loop < count; ++loop) {
    if (tree->places[size_t(loop)].kind >= 0) continue;
    if (!HasRoomFor(*tree, loop)) continue;
    const auto of_traces = cut(loop);
    if (of_traces.empty()) continue;
    any = true;
    PutAround(loop, tree);
    for (size_t t = 0; t < numbers->size(); ++t) {
      Renumber(streams.traces[t], *tree, loop, of_traces[t], &(*numbers)[t]);
    }
  }
  return any;
}

// Iterations in a period.
struct InPeriod {
  size_t period;
  std::pair<size_t, size_t> operator()(size_t, const Iterations&,
                                       size_t k) const {
    return {k / period, k % period};
  }
};

// Iterations in a period of the rank's own.
struct InPeriodOfRank {
  std::vector<std::map<Iterations, size_t>> periods;  // by rank and visit
  std::pair<size_t, size_t> operator()(size_t rank, const Iterations& around,
                                       size_t k) const {
    const size_t period = periods[rank].at(around);
    return {k / period, k % period};
  }
};

// Of each trace; empty where all ranks do the same in all iterations, or not as
// often at all sizes.
std::vector<InPeriodOfRank> PeriodsOfRanks(const Streams& streams,
                                           const CallTree& tree,
                                           const std::vector<Numbers>& numbers,
                                           int loop) {
  std::vector<LoopUse> uses;
  std::map<Iterations, size_t> repetitions;
  bool any_changes = false;
  for (size_t t = 0; t < numbers.size(); ++t) {
    uses.emplace_back(streams.traces[t], numbers[t], tree, loop, Look::kAll);
    if (uses.back().IsTooLong()) return {};
    const auto of_trace = uses.back().RepetitionsOfRanks(&any_changes);
    for (const auto& [around, times] : of_trace) {
      size_t& of_all = repetitions[around];
      of_all = std::gcd(of_all, times);
    }
  }
  const bool repeats = std::ranges::any_of(
      repetitions, [](const auto& visit) { return visit.second > 1; });
  if (!any_changes || !repeats) return {};
  std::vector<InPeriodOfRank> cuts;
  for (const LoopUse& use : uses) {
    cuts.emplace_back();
    for (const auto& rank : use.visits()) {
      auto& periods = cuts.back().periods.emplace_back();
      for (const auto& [around, visit] : rank) {
        periods[around] = visit.size() / repetitions.at(around);
      }
    }
  }
  return cuts;
}

// Iterations in a run.
struct InRun {
  RunBegins runs;
  std::pair<size_t, size_t> operator()(size_t, const Iterations& around,
                                       size_t k) const {
    const auto& begins = runs.at(around);
    const auto next = std::upper_bound(begins.begin(), begins.end(), k);
    return {size_t(next - begins.begin()) - 1, k - *std::prev(next)};
  }
};

}  // namespace

void NestRepeated(const Streams& streams, CallTree* tree,
                  std::vector<Numbers>* numbers) {
  NestEach(streams, tree, numbers, [&](int loop) {
    std::vector<InPeriod> cuts;
    for (const size_t p : PeriodsOf(streams, *tree, *numbers, loop)) {
      cuts.push_back({p});
    }
    return cuts;
  });
}

bool NestRepeatedOfRanks(const Streams& streams, CallTree* tree,
                         std::vector<Numbers>* numbers) {
  return NestEach(streams, tree, numbers, [&](int loop) {
    return PeriodsOfRanks(streams, *tree, *numbers, loop);
  });
}

bool NestRuns(const Streams& streams, CallTree* tree,
              std::vector<Numbers>* numbers) {
  return NestEach(streams, tree, numbers, [&](int loop) {
    std::vector<InRun> cuts;
    for (RunBegins& runs : RunsOf(streams, *tree, *numbers, loop)) {
      cuts.push_back({std::move(runs)});
    }
    return cuts;
  });
}

}  // namespace ranksight::online_model
