#include "reduction/merge/normal_form.h"

#include <algorithm>
#include <map>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/api/pause.h"
#include "reduction/merge/skeleton.h"

namespace ranksight::reduction {
namespace {

// Splits ranks into classes that run the same nodes, and the same loops more
// than once, node by node.
class Partition {
  using Parts = std::map<std::pair<uint32_t, bool>, uint32_t>;

 public:
  explicit Partition(int64_t ranks) : of_(size_t(ranks), 0) {}

  void SplitBy(const Node& node) {
    Pause();
    if (!SplitsNothing(node)) {
      Parts parts;
      if (node.is_event()) {
        for (const int64_t r : node.trips.Ranks().Expand()) {
          Move(r, true, &parts);
        }
      } else {
        for (const auto& [r, trips] : node.trips.ByRank()) {
          Move(r, RunsTwice(trips), &parts);
        }
      }
    }
    for (const Node& child : node.children) SplitBy(child);
  }

  // The ranks of each class, by least rank.
  std::vector<std::vector<int64_t>> Take() const {
    std::vector<std::vector<int64_t>> classes;
    std::vector<uint32_t> place(count_, UINT32_MAX);
    for (size_t r = 0; r < of_.size(); ++r) {
      uint32_t& at = place[of_[r]];
      if (at == UINT32_MAX) {
        at = uint32_t(classes.size());
        classes.emplace_back();
      }
      classes[at].push_back(int64_t(r));
    }
    return classes;
  }

 private:
  void Move(int64_t rank, bool twice, Parts* parts) {
    uint32_t& of = of_[size_t(rank)];
    const auto [at, is_new] = parts->try_emplace({of, twice}, count_);
    if (is_new) ++count_;
    of = at->second;
  }

  // Whether all ranks run it, and alike.
  bool SplitsNothing(const Node& node) const {
    const auto& pieces = node.trips.pieces();
    if (pieces.size() != 1 || pieces[0].ranks.size() != of_.size()) {
      return node.trips.empty();
    }
    return node.is_event() ||
           std::all_of(pieces[0].columns.begin(), pieces[0].columns.end(),
                       [](const Column& c) { return c.values.IsConstant(); });
  }

  std::vector<uint32_t> of_;
  uint32_t count_ = 1;
};

// A section's values run by run, each taken in parts.
class RunReader {
 public:
  explicit RunReader(const Section* section) : cursor_(section) {}
  bool done() const { return left_ == 0 && cursor_.done(); }
  // The value at hand and how often it comes. REQUIRES: !done().
  int64_t Get(uint64_t* count) {
    if (left_ == 0) value_ = cursor_.NextRun(&left_);
    *count = left_;
    return value_;
  }
  // REQUIRES: count is at most what Get gave.
  void Skip(uint64_t count) { left_ -= count; }

 private:
  SectionCursor cursor_;
  int64_t value_ = 0;
  uint64_t left_ = 0;
};

int64_t SumOf(uint64_t values, RunReader* runs) {
  int64_t sum = 0;
  while (values > 0 && !runs->done()) {
    uint64_t count = 0;
    const int64_t v = runs->Get(&count);
    count = std::min(count, values);
    runs->Skip(count);
    sum += v * int64_t(count);
    values -= count;
  }
  return sum;
}

// How often a loop's child runs in each visit to the loop.
Section Lifted(const Section& loop, const Section& inner) {
  Section lifted;
  RunReader visits(&loop), iterations(&inner);
  while (!visits.done()) {
    uint64_t same = 0;
    const int64_t trips = visits.Get(&same);
    visits.Skip(same);
    if (trips == 0) lifted.AppendRun(0, same);
    while (trips > 0 && same > 0 && !iterations.done()) {
      uint64_t count = 0;
      const int64_t v = iterations.Get(&count);
      // A run of equal trips and a run of equal values give as many equal
      // products, without a step for each visit.
      const uint64_t alike = std::min(same, count / uint64_t(trips));
      if (alike > 0) {
        lifted.AppendRun(v * trips, alike);
        iterations.Skip(alike * uint64_t(trips));
        same -= alike;
      } else {
        lifted.Append(SumOf(uint64_t(trips), &iterations));
        --same;
      }
    }
  }
  return lifted;
}

// What stands in a loop that is none on the rank, in its place.
void Dissolve(RankNode loop, std::vector<RankNode>* list) {
  const bool always_once = loop.trips.Min() == 1 && loop.trips.Max() == 1;
  for (RankNode& child : loop.children) {
    if (!always_once) child.trips = Lifted(loop.trips, child.trips);
    list->push_back(std::move(child));
  }
}

void AppendForm(const Node& node, int64_t rank, std::vector<RankNode>* list) {
  Pause();
  RankNode form{&node, node.trips.At(rank), {}};
  if (form.trips.empty()) return;
  for (const Node& child : node.children) {
    AppendForm(child, rank, &form.children);
  }
  if (node.is_event() || (form.children.size() > 1 && RunsTwice(form.trips))) {
    list->push_back(std::move(form));
  } else {
    Dissolve(std::move(form), list);
  }
}

void AppendShallow(const Node& node, int64_t rank, const OwnLoops& own,
                   std::vector<RankNode>* list) {
  Pause();
  RankNode form{&node, node.trips.At(rank), {}};
  if (form.trips.empty()) return;
  if (node.is_event() || own.contains(&node)) {
    list->push_back(std::move(form));
    return;
  }
  for (const Node& child : node.children) {
    AppendShallow(child, rank, own, &form.children);
  }
  Dissolve(std::move(form), list);
}

size_t CountEvents(const RankNode& node, OwnLoops* own) {
  if (node.node->is_event()) return 1;
  size_t events = 0;
  for (const RankNode& child : node.children) events += CountEvents(child, own);
  (*own)[node.node] = events;
  return events;
}

}  // namespace

RankNode NormalForm(const Node& root, int64_t rank) {
  RANKSIGHT_REQUIRE(rank >= 0);
  RANKSIGHT_REQUIRE(!root.is_event());
  RankNode form{&root, {}, {}};
  for (const Node& child : root.children) {
    AppendForm(child, rank, &form.children);
  }
  return form;
}

OwnLoops OwnLoopsOf(const RankNode& form) {
  OwnLoops own;
  CountEvents(form, &own);
  return own;
}

std::vector<RankNode> NormalChildren(const Node& loop, int64_t rank,
                                     const OwnLoops& own) {
  RANKSIGHT_REQUIRE(rank >= 0);
  RANKSIGHT_REQUIRE(!loop.is_event());
  std::vector<RankNode> children;
  for (const Node& child : loop.children) {
    if (!child.trips.Has(rank)) continue;
    if (child.is_event() || own.contains(&child)) {
      children.push_back({&child, {}, {}});
    } else {
      AppendShallow(child, rank, own, &children);
    }
  }
  return children;
}

bool SameForm(const RankNode& a, const RankNode& b) {
  if (a.node != b.node) {
    if (a.node->is_event() != b.node->is_event()) return false;
    if (a.node->is_event() &&
        (a.node->call != b.node->call || a.node->site != b.node->site)) {
      return false;
    }
  }
  return std::equal(a.children.begin(), a.children.end(), b.children.begin(),
                    b.children.end(), SameForm);
}

std::vector<std::vector<int64_t>> ClassesOf(const Node& root, int64_t ranks) {
  RANKSIGHT_REQUIRE(ranks > 0);
  Partition partition(ranks);
  partition.SplitBy(root);
  return partition.Take();
}

}  // namespace ranksight::reduction
