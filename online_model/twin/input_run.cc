#include "online_model/twin/input_run.h"

#include <algorithm>

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::MessageKind;
using reduction::Node;
using reduction::Param;

class TalkReader {
 public:
  TalkReader(const TwinTree& tree, uint32_t rank, std::vector<Talk>* talks)
      : tree_(tree), rank_(rank), talks_(talks) {}
  void Enter(int) {}
  void Leave(int) {}
  void Event(int node, uint64_t run) {
    const Call call = tree_.nodes[size_t(node)].like->call;
    const auto& info = reduction::Info(call);
    if (info.family != reduction::Family::kPointToPoint ||
        reduction::MessageKindOf(call) == MessageKind::kNone) {
      return;
    }
    Talk talk;
    talk.rank = rank_;
    talk.node = uint32_t(node);
    talk.run = run;
    talks_->push_back(talk);
  }

 private:
  const TwinTree& tree_;
  uint32_t rank_;
  std::vector<Talk>* talks_;
};

class IterationCounter {
 public:
  IterationCounter(const TwinTree& tree, int loop, Talk* next, Talk* end)
      : tree_(tree), loop_(loop), next_(next), end_(end) {}
  void Enter(int node) { now_ += node == loop_; }
  void Leave(int) {}
  void Event(int node, uint64_t run) {
    if (next_ == end_ || next_->node != uint32_t(node) || next_->run != run) {
      return;
    }
    (next_++)->iteration = now_ == 0 ? 0 : now_ - 1;
  }

 private:
  const TwinTree& tree_;
  int loop_;
  Talk *next_, *end_;
  uint64_t now_ = 0;
};

// Numbers are given in the order in which a rank obtains communicators.
class CommSizeReader {
 public:
  CommSizeReader(const TwinTree& tree, const RankRun& run,
                 std::vector<int64_t>* sizes)
      : tree_(tree), run_(run), sizes_(sizes) {}
  void Enter(int) {}
  void Leave(int) {}
  void Event(int node, uint64_t run) {
    const Call call = tree_.nodes[size_t(node)].like->call;
    if (!reduction::Info(call).makes_comm) return;
    const auto at = size_t(reduction::ParamPlace(call, Param::kCommSize));
    const auto& params = run_.nodes[size_t(node)].params;
    const int64_t size = at < params.size() ? params[at].At(run) : 0;
    if (size > 0) sizes_->push_back(size);
  }

 private:
  const TwinTree& tree_;
  const RankRun& run_;
  std::vector<int64_t>* sizes_;
};

}  // namespace

int64_t InputRun::CommSize(int64_t rank, int64_t number) const {
  const auto& of = comm_sizes[size_t(rank)];
  return number < 0 || size_t(number) >= of.size() ? 0 : of[size_t(number)];
}

int64_t ParamOf(const InputRun& input, const Talk& t, int index,
                int64_t fallback) {
  if (index < 0) return fallback;
  const auto& params = input.runs[t.rank].nodes[t.node].params;
  if (size_t(index) >= params.size() || t.run >= params[size_t(index)].size()) {
    return fallback;
  }
  return params[size_t(index)].At(t.run);
}

MessageParams MessageParamsOf(Call call) {
  MessageParams p;
  p.kind = reduction::MessageKindOf(call);
  const auto at = [call](Param wanted) {
    return reduction::ParamPlace(call, wanted);
  };
  if (p.kind == MessageKind::kSend || p.kind == MessageKind::kBoth) {
    p.to = at(Param::kPeer);
    p.send_tag = at(Param::kTag);
    p.send_count = at(Param::kCount);
    p.send_size = at(Param::kTypeSize);
  }
  if (p.kind == MessageKind::kReceive) {
    p.from = at(Param::kPeer);
    p.recv_tag = at(Param::kTag);
    p.recv_count = at(Param::kCount);
    p.recv_size = at(Param::kTypeSize);
  }
  if (p.kind == MessageKind::kBoth) {
    p.from = at(Param::kRecvPeer);
    p.recv_tag = at(Param::kRecvTag);
    p.recv_count = at(Param::kRecvCount);
    p.recv_size = at(Param::kRecvTypeSize);
    // MPI_Sendrecv_replace has one buffer.
    if (p.recv_count < 0) p.recv_count = p.send_count;
    if (p.recv_size < 0) p.recv_size = p.send_size;
  }
  return p;
}

std::optional<PartAmount> PartAmountOf(const TwinTree::Item& item) {
  const auto& info = reduction::Info(item.like->call);
  if (info.family != reduction::Family::kCollective || item.on_world) {
    return std::nullopt;
  }
  PartAmount at;
  for (size_t i = 0; i < info.params.size(); ++i) {
    if (info.params[i] == Param::kCount) at.count = int(i);
    if (info.params[i] == Param::kTypeSize) at.size = int(i);
  }
  return at;
}

InputRun ReadInput(const reduction::Trace& trace, const TwinTree& tree) {
  InputRun input;
  input.ranks = trace.meta.ranks;
  input.nodes = NodesOf(trace.root);
  for (int64_t r = 0; r < input.ranks; ++r) {
    input.runs.push_back(MeasuredRun(input.nodes, tree, r));
    TalkReader reader(tree, uint32_t(r), &input.talks);
    WalkRun(tree, input.runs.back(), 0, 0, 1, reader);
    input.comm_sizes.push_back({input.ranks, 1});  // the world, and itself
    CommSizeReader sizes(tree, input.runs.back(), &input.comm_sizes.back());
    WalkRun(tree, input.runs.back(), 0, 0, 1, sizes);
  }
  return input;
}

void CountIterations(const TwinTree& tree, int loop, InputRun* input) {
  Talk* next = input->talks.data();
  Talk* const end = next + input->talks.size();
  for (int64_t r = 0; r < input->ranks; ++r) {
    Talk* last = next;
    while (last != end && int64_t(last->rank) == r) ++last;
    IterationCounter counter(tree, loop, next, last);
    WalkRun(tree, input->runs[size_t(r)], 0, 0, 1, counter);
    next = last;
  }
}

uint64_t IterationsOf(const RankRun& run, int loop) {
  return loop == 0 ? 1 : run.nodes[size_t(loop)].starts.back();
}

}  // namespace ranksight::online_model
