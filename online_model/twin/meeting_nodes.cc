#include "online_model/twin/meeting_nodes.h"

#include <algorithm>
#include <numeric>

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

}  // namespace ranksight::online_model
