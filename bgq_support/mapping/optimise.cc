#include "bgq_support/api/optimise.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "bgq_support/mapping/boxes.h"
#include "bgq_support/mapping/digits.h"
#include "bgq_support/mapping/sample.h"
#include "bgq_support/mapping/swaps.h"
#include "bgq_support/mapping/work_share.h"

namespace ranksight::bgq_support {
namespace {

struct Score {
  double seconds = 0, hop_bytes = 0;
  bool operator<(const Score& other) const {
    // Equal up to rounding is equal.
    constexpr double kSlack = 1 - 1e-9;
    if (seconds < other.seconds * kSlack) return true;
    return seconds * kSlack <= other.seconds && hop_bytes < other.hop_bytes;
  }
};

struct CandidateLayout {
  double cost = 0;
  Layout layout;
};

std::string Describe(const Layout& layout, const char* more) {
  std::string text = "grid ";
  for (size_t i = 0; i < layout.grid().size(); ++i) {
    if (i > 0) text += 'x';
    text += std::to_string(layout.grid()[i]);
  }
  return text + (layout.folded() ? ", folded" : "") + more;
}

// What one exact evaluation costs, in messages.
int64_t EvaluationCost(const Torus& torus, const Traffic& traffic) {
  int64_t cost = torus.nodes();
  for (const Flow& flow : traffic.flows) cost += flow.count;
  int64_t longest = 1;
  for (const Dimension& d : torus.dimensions()) {
    longest = std::max<int64_t>(longest, d.length);
  }
  return cost + static_cast<int64_t>(traffic.exchanges.size()) * torus.nodes() *
                    longest;
}

class Optimiser {
 public:
  Optimiser(const Machine& machine, int64_t ranks, const Routing& routing,
            const Traffic& traffic, const OptimiseOptions& options)
      : machine_(machine),
        ranks_(ranks),
        routing_(routing),
        traffic_(traffic),
        options_(options),
        messages_(EvaluationCost(machine.torus, traffic)),
        budget_(options.message_budget),
        share_(options.tell_share) {
    for (const Dimension& d : machine.torus.dimensions()) {
      lengths_.push_back(d.length);
    }
    lengths_.push_back(options.ranks_per_node);
    orders_ = Orders();
  }

  std::optional<OptimisedMapping> Run(std::string* reason) {
    auto mapping = Mapping::FromOrder(machine_, ranks_, options_.ranks_per_node,
                                      "", reason);
    if (!mapping) return std::nullopt;
    auto loads = ComputeLoads(machine_, *mapping, routing_, traffic_,
                              Engine::kAuto, reason);
    if (!loads) return std::nullopt;
    // Of layouts those kept, and steps of three; all orders; within the budget.
    constexpr double kLayouts = 100;
    share_.Plan(
        std::min(double(budget_),
                 double(messages_) * (kLayouts + double(orders_.size()))));
    share_.Plan(kSwapMessages);
    best_score_ = ScoreOf(*loads);
    best_.emplace(OptimisedMapping{std::move(*mapping), std::move(*loads),
                                   "the default order"});
    for (const KnownMapping& known : options_.known) {
      Evaluate(known.mapping, known.name);
    }
    TryLayouts();
    TryOrders();
    TrySwaps();
    return std::move(*best_);
  }

 private:
  // What a search by swaps counts: it takes as long as so many messages.
  static constexpr double kSwapMessages = 40e6;
  static constexpr int64_t kCoarse = 256;  // messages that sort layouts

  Score ScoreOf(const LinkLoads& loads) const {
    return {loads.MaxSeconds(machine_), loads.HopBytes()};
  }

  bool BudgetLeft() const { return budget_ > 0; }

  // Exactly. Keeps the mapping when it is the best; its score.
  Score Evaluate(Mapping mapping, const std::string& how) {
    std::string reason;
    budget_ -= messages_;
    share_.Do(double(messages_));
    auto loads = ComputeLoads(machine_, mapping, routing_, traffic_,
                              Engine::kAuto, &reason);
    const Score score = ScoreOf(*loads);
    if (score < best_score_) {
      best_score_ = score;
      best_.emplace(
          OptimisedMapping{std::move(mapping), std::move(*loads), how});
    }
    return score;
  }

  std::vector<std::vector<size_t>> Orders() const {
    // All of up to six letters; of more, some.
    constexpr size_t kMost = 720;
    std::vector<size_t> order(lengths_.size());
    std::iota(order.rbegin(), order.rend(), size_t{0});
    std::vector<std::vector<size_t>> orders;
    if (lengths_.size() <= 6) {
      std::sort(order.begin(), order.end());
      do {
        orders.push_back(order);
      } while (std::next_permutation(order.begin(), order.end()));
      return orders;
    }
    std::mt19937_64 random(options_.seed);
    for (size_t i = 0; i < kMost; ++i) {
      orders.push_back(order);
      std::shuffle(order.begin(), order.end(), random);
    }
    return orders;
  }

  struct Frame {
    const Lengths& grid;
    const Lengths& box;
    bool folded;
  };
  void AddLayouts(const Frame& frame, const SampleCost& cost,
                  std::vector<CandidateLayout>* all) {
    share_.Do(double(orders_.size()) * kCoarse);
    for (const auto& order : orders_) {
      auto layout = Layout::Make(frame.grid, frame.box, frame.folded, order);
      if (!layout) continue;
      const double estimate = cost(*layout);
      all->push_back({estimate, std::move(*layout)});
    }
  }

  void TryLayouts() {
    const std::vector<Lengths> boxes = BoxesFor(ranks_, lengths_);
    if (boxes.empty() || !machine_.holes.empty()) return;
    // Samples: few messages to sort thousands of layouts, more to improve
    // the best of them. Grids: those beyond are longer by far.
    constexpr int64_t kFine = 2048;
    constexpr size_t kGrids = 6, kKept = 24;
    const auto coarse = Sample(traffic_, kCoarse, options_.seed);
    const SampleCost coarse_cost(machine_.torus, coarse);
    std::vector<CandidateLayout> all;
    const auto grids = LikelyGrids(coarse, ranks_, kGrids);
    share_.Plan(
        double(2 * grids.size() * boxes.size() * orders_.size() * kCoarse));
    for (const Lengths& grid : grids) {
      for (const bool folded : {false, true}) {
        for (const Lengths& box : boxes) {
          AddLayouts({grid, box, folded}, coarse_cost, &all);
        }
      }
    }
    const auto by_cost = [](const CandidateLayout& a,
                            const CandidateLayout& b) {
      return a.cost < b.cost;
    };
    std::stable_sort(all.begin(), all.end(), by_cost);
    if (all.size() > kKept) all.erase(all.begin() + kKept, all.end());
    const SampleCost fine(machine_.torus,
                          Sample(traffic_, kFine, options_.seed + 1));
    for (CandidateLayout& c : all) c.cost = fine(c.layout);
    std::stable_sort(all.begin(), all.end(), by_cost);
    ImproveBySample(fine, &all);
    ImproveExactly(std::move(all));
  }

  // Swaps digits as long as the sample says it helps.
  void ImproveBySample(const SampleCost& cost,
                       std::vector<CandidateLayout>* all) {
    constexpr size_t kImproved = 6;
    const size_t count = std::min(kImproved, all->size());
    for (size_t i = 0; i < count; ++i) {
      CandidateLayout better = (*all)[i];
      while (ImproveOnce(cost, &better)) {
      }
      if (better.cost < (*all)[i].cost) all->push_back(std::move(better));
    }
    std::stable_sort(all->begin(), all->end(),
                     [](const CandidateLayout& a, const CandidateLayout& b) {
                       return a.cost < b.cost;
                     });
  }

  static bool ImproveOnce(const SampleCost& cost, CandidateLayout* candidate) {
    const double before = candidate->cost;
    for (size_t a = 0; a < candidate->layout.digits(); ++a) {
      for (size_t b = a + 1; b < candidate->layout.digits(); ++b) {
        if (!candidate->layout.Swap(a, b)) continue;
        const double now = cost(candidate->layout);
        if (now < candidate->cost * (1 - 1e-9)) {
          candidate->cost = now;
        } else {
          candidate->layout.Swap(a, b);
        }
      }
    }
    return candidate->cost < before;
  }

  void ImproveExactly(std::vector<CandidateLayout> all) {
    std::vector<std::pair<Score, Layout>> exact;
    for (CandidateLayout& c : all) {
      if (!BudgetLeft()) break;
      const Score score = Evaluate(c.layout.Build(machine_.torus, ranks_),
                                   Describe(c.layout, ""));
      exact.emplace_back(score, std::move(c.layout));
    }
    std::stable_sort(
        exact.begin(), exact.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    constexpr size_t kStarts = 3;
    if (exact.size() > kStarts) {
      exact.erase(exact.begin() + kStarts, exact.end());
    }
    for (auto& [score, layout] : exact) {
      while (ClimbOnce(&score, &layout)) {
      }
    }
  }

  bool ClimbOnce(Score* score, Layout* layout) {
    bool improved = false;
    for (size_t a = 0; a < layout->digits(); ++a) {
      for (size_t b = a + 1; b < layout->digits(); ++b) {
        if (!BudgetLeft()) return false;
        if (!layout->Swap(a, b)) continue;
        const Score now = Evaluate(layout->Build(machine_.torus, ranks_),
                                   Describe(*layout, ", digits swapped"));
        if (now < *score) {
          *score = now;
          improved = true;
        } else {
          layout->Swap(a, b);
        }
      }
    }
    return improved;
  }

  // Where no layout fits, and for lengths whose digits do not interchange.
  void TryOrders() {
    const std::string letters = machine_.Letters() + 'T';
    std::string reason;
    for (const auto& order : orders_) {
      if (!BudgetLeft()) return;
      std::string text;
      for (size_t i = order.size(); i-- > 0;) text += letters[order[i]];
      auto mapping = Mapping::FromOrder(machine_, ranks_,
                                        options_.ranks_per_node, text, &reason);
      if (mapping) Evaluate(std::move(*mapping), "order " + text);
    }
  }

  void TrySwaps() {
    share_.LeaveOnly(kSwapMessages);
    double taken = 0;
    const auto better = ImproveBySwaps(
        machine_, best_->mapping, routing_, traffic_, options_.ranks_per_node,
        options_.seed, [&](double share) {
          share_.Do((share - std::exchange(taken, share)) * kSwapMessages);
        });
    if (better) Evaluate(*better, best_->how + ", ranks swapped");
  }

  const Machine& machine_;
  const int64_t ranks_;
  const Routing& routing_;
  const Traffic& traffic_;
  const OptimiseOptions& options_;
  const int64_t messages_;
  int64_t budget_;
  WorkShare share_;
  Lengths lengths_;
  std::vector<std::vector<size_t>> orders_;  // of the dimensions and slots
  Score best_score_;
  std::optional<OptimisedMapping> best_;
};

}  // namespace

std::optional<OptimisedMapping> Optimise(const Machine& machine, int64_t ranks,
                                         const Routing& routing,
                                         const Traffic& traffic,
                                         const OptimiseOptions& options,
                                         std::string* reason) {
  return Optimiser(machine, ranks, routing, traffic, options).Run(reason);
}

}  // namespace ranksight::bgq_support
