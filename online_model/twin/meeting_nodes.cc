#include "online_model/twin/meeting_nodes.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "online_model/twin/scales.h"

namespace ranksight::online_model {
namespace {

// The nodes of one rank's collectives on the world, in its order.
class OnTheWorld {
 public:
  OnTheWorld(const TwinTree& tree, const RankRun& run)
      : tree_(tree), run_(run) {
    WalkRun(tree, run, 0, 0, 1, *this);
  }
  const std::vector<int>& nodes() const { return nodes_; }

  void Enter(int) {}
  void Leave(int) {}
  void Event(int node, uint64_t k) {
    const reduction::Call call = tree_.nodes[size_t(node)].like->call;
    if (reduction::Info(call).family != reduction::Family::kCollective) return;
    const int comm = reduction::ParamPlace(call, reduction::Param::kComm);
    const auto& params = run_.nodes[size_t(node)].params;
    if (comm < 0 || size_t(comm) >= params.size()) return;
    if (params[size_t(comm)].At(k) == 0) nodes_.push_back(node);
  }

 private:
  const TwinTree& tree_;
  const RankRun& run_;
  std::vector<int> nodes_;
};

// Counts the collectives of all before each talk of one rank.
class BeforeTalks {
 public:
  // talks: of the rank, in its order.
  BeforeTalks(std::span<const Talk> talks, const std::vector<bool>& meets,
              int loop)
      : talks_(talks), meets_(meets), loop_(loop) {}
  const std::vector<uint32_t>& before() const { return before_; }
  const std::vector<uint32_t>& made_in() const { return made_in_; }
  // How many the iteration of each talk makes in all; 0 outside the loop.
  std::vector<uint32_t> Around() const {
    std::vector<uint32_t> around;
    for (const size_t i : iterations_) {
      around.push_back(i < made_in_.size() ? made_in_[i] : 0);
    }
    return around;
  }

  void Enter(int node) {
    if (node == loop_) made_ = 0;
  }
  void Leave(int node) {
    if (node == loop_) made_in_.push_back(made_);
  }
  void Event(int node, uint64_t k) {
    made_ += meets_[size_t(node)];
    const size_t next = before_.size();
    if (next < talks_.size() && talks_[next].node == uint32_t(node) &&
        talks_[next].run == k) {
      before_.push_back(made_);
      iterations_.push_back(made_in_.size());
    }
  }

 private:
  std::span<const Talk> talks_;
  const std::vector<bool>& meets_;
  int loop_;
  uint32_t made_ = 0;
  std::vector<uint32_t> before_, made_in_;
  std::vector<size_t> iterations_;  // by talk
};

// Whether a collective is called by all ranks together, on the world or on one
// that all are in.
bool IsOfAll(const reduction::Node& node, const InputRun& input) {
  if (!node.is_event() ||
      reduction::Info(node.call).family != reduction::Family::kCollective) {
    return false;
  }
  const int place = reduction::ParamPlace(node.call, reduction::Param::kComm);
  if (place < 0) return false;
  const auto comms = node.params[size_t(place)].ByRank();
  return std::ranges::all_of(comms, [&](const auto& of_rank) {
    const auto& [rank, numbers] = of_rank;
    return numbers.empty() ||
           (numbers.IsConstant() &&
            (numbers.At(0) == 0 ||
             input.CommSize(rank, numbers.At(0)) == input.ranks));
  });
}

int FirstOf(const std::vector<int>& first, int node) {
  while (first[size_t(node)] != node) node = first[size_t(node)];
  return node;
}

}  // namespace

std::vector<int> NodesThatMeet(const TwinTree& tree, const InputRun& input) {
  std::vector<int> first(tree.nodes.size());
  std::iota(first.begin(), first.end(), 0);
  if (input.runs.empty()) return first;
  const OnTheWorld one(tree, input.runs[0]);
  for (const RankRun& run : input.runs) {
    const OnTheWorld other(tree, run);
    const size_t calls = std::min(one.nodes().size(), other.nodes().size());
    for (size_t k = 0; k < calls; ++k) {
      const int a = FirstOf(first, one.nodes()[k]);
      const int b = FirstOf(first, other.nodes()[k]);
      first[size_t(std::max(a, b))] = std::min(a, b);
    }
  }
  for (size_t n = 0; n < first.size(); ++n) first[n] = FirstOf(first, int(n));
  return first;
}

std::optional<MeetingsOfTalks> FindMeetings(const TwinTree& tree, int loop,
                                            const InputRun& input) {
  MeetingsOfTalks found;
  std::vector<uint32_t> made_in;  // by iteration, what each rank makes
  bool any_copied = false;
  for (size_t n = 0; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    const bool meets = IsOfAll(*input.nodes[n], input);
    found.meets.push_back(meets);
    any_copied = any_copied || (meets && item.copied);
  }
  if (!any_copied) return std::nullopt;
  for (auto first = input.talks.begin(); const RankRun& run : input.runs) {
    const auto rank = uint32_t(&run - input.runs.data());
    const auto end = std::find_if(first, input.talks.end(), [&](const Talk& t) {
      return t.rank != rank;
    });
    BeforeTalks counter(std::span(first, end), found.meets, loop);
    WalkRun(tree, run, 0, 0, 1, counter);
    if (counter.before().size() != size_t(end - first)) return std::nullopt;
    if (rank == 0) made_in = counter.made_in();
    if (counter.made_in() != made_in) return std::nullopt;
    found.before.insert(found.before.end(), counter.before().begin(),
                        counter.before().end());
    const auto around = counter.Around();
    found.around.insert(found.around.end(), around.begin(), around.end());
    first = end;
  }
  return found;
}

}  // namespace ranksight::online_model
