#include "online_model/parse/parse.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "online_model/parse/call_tree.h"
#include "online_model/parse/nest.h"
#include "online_model/parse/numbering.h"
#include "online_model/parse/streams.h"
#include "reduction/api/cursor.h"

namespace ranksight::online_model {
namespace {

using reduction::Cursor;
using reduction::Event;
using reduction::Node;
using reduction::Result;
using reduction::Section;
using reduction::Status;
using reduction::Trace;

// The places of one trace's tree that a rank may come to, iterations of loops
// that no rank has included, are walked for each rank: so many for each event.
constexpr uint64_t kMostWalked = 64;

// How often a loop runs: by loop, by the iterations around it.
using Trips = std::map<std::pair<int, Iterations>, int64_t>;

// Adds those of one rank.
void AddTrips(const Stream& rank, const std::vector<Iterations>& numbers,
              const CallTree& tree, Trips* trips) {
  for (size_t i = 0; i < rank.size(); ++i) {
    const auto& leaf = tree.places[size_t(tree.leaf_of[rank[i].kind])];
    Iterations around{};
    for (size_t l = 0; l < leaf.loops.size(); ++l) {
      const int32_t at = numbers[i][l];
      int64_t& most = (*trips)[{leaf.loops[l], around}];
      most = std::max<int64_t>(most, at + 1);
      around[l] = at;
    }
  }
}

// One trace in the new tree.
class Rebuilt {
 public:
  // of_rank: loops run as often on each rank as it has iterations, not as often
  // as any has.
  Rebuilt(const Trace& trace, const Streams& streams, size_t index,
          const CallTree& tree, const Numbers& numbers, bool of_rank)
      : trace_(trace),
        streams_(streams),
        ranks_(streams.traces[index]),
        tree_(tree),
        numbers_(numbers),
        of_rank_(of_rank) {
    nodes_.resize(tree.places.size());
    for (size_t r = 0; r < ranks_.size() && !of_rank; ++r) {
      AddTrips(ranks_[r], numbers_[r], tree_, &trips_);
    }
  }

  Result<Node> Run() {
    for (rank_ = 0; rank_ < ranks_.size(); ++rank_) {
      if (of_rank_) {
        trips_.clear();
        AddTrips(ranks_[rank_], numbers_[rank_], tree_, &trips_);
      }
      trips_of_rank_.assign(nodes_.size(), {});
      values_.assign(nodes_.size(), {});
      at_ = walked_ = 0;
      if (!Walk(0, 0, {})) {
        return Status::No("iterations are mostly empty");
      }
      if (at_ != ranks_[rank_].size()) {
        return Status::Internal("a stream was not parsed to its end");
      }
      const Status s = ReadValues();
      if (!s.ok()) return s;
      Keep();
    }
    return Assemble(0);
  }

 private:
  // One iteration of the children of a loop, or of the root.
  bool Walk(int loop, size_t depth, const Iterations& around) {
    const auto& stream = ranks_[rank_];
    for (const int child : tree_.places[size_t(loop)].children) {
      if (++walked_ > kMostWalked * (stream.size() + nodes_.size())) {
        return false;
      }
      const auto& place = tree_.places[size_t(child)];
      if (place.kind >= 0) {
        const bool runs = at_ < stream.size() &&
                          int(stream[at_].kind) == place.kind &&
                          numbers_[rank_][at_] == around;
        trips_of_rank_[size_t(child)].Append(runs ? 1 : 0);
        at_ += runs ? 1 : 0;
        continue;
      }
      const auto it = trips_.find({child, around});
      const int64_t n = it == trips_.end() ? 0 : it->second;
      trips_of_rank_[size_t(child)].Append(n);
      Iterations inner = around;
      for (int64_t k = 0; k < n; ++k) {
        inner[depth] = int32_t(k);
        if (!Walk(child, depth + 1, inner)) return false;
      }
    }
    return true;
  }

  Status ReadValues() {
    auto cursor = Cursor::Open(trace_, int64_t(rank_));
    if (!cursor.ok()) return cursor.status();
    for (const StreamEvent& e : ranks_[rank_]) {
      if (!cursor->Next()) return cursor->status();
      const Event& event = cursor->event();
      auto& values = values_[size_t(tree_.leaf_of[e.kind])];
      values.resize(size_t(event.param_count()));
      for (size_t p = 0; p < values.size(); ++p) {
        for (const int64_t v : event.ValuesAt(int(p))) values[p].Append(v);
      }
    }
    return Status::Ok();
  }

  void Keep() {
    for (size_t n = 1; n < nodes_.size(); ++n) {
      const Section& trips = trips_of_rank_[n];
      if (trips.empty() || trips.Max() == 0) continue;
      nodes_[n].trips.Add(int64_t(rank_), trips, false);
      const int kind = tree_.places[n].kind;
      if (kind < 0) continue;
      const auto params =
          reduction::Info(streams_.kinds[size_t(kind)].call).params;
      nodes_[n].params.resize(params.size());
      for (size_t p = 0; p < values_[n].size(); ++p) {
        nodes_[n].params[p].Add(int64_t(rank_), values_[n][p],
                                reduction::IsRank(params[p]));
      }
    }
  }

  Node Assemble(int place) {
    const auto& from = tree_.places[size_t(place)];
    Node& node = nodes_[size_t(place)];
    if (from.kind >= 0) {
      const Kind& kind = streams_.kinds[size_t(from.kind)];
      node.kind = Node::Kind::kEvent;
      node.call = kind.call;
      node.site = kind.site;
      node.params.resize(reduction::Info(kind.call).params.size());
    }
    for (const int child : from.children) {
      node.children.push_back(Assemble(child));
    }
    return std::move(node);
  }

  const Trace& trace_;
  const Streams& streams_;
  const std::vector<Stream>& ranks_;
  const CallTree& tree_;
  const Numbers& numbers_;
  const bool of_rank_;
  Trips trips_;
  std::vector<Node> nodes_;  // by place
  // Of the rank at hand, by place.
  std::vector<Section> trips_of_rank_;
  std::vector<std::vector<Section>> values_;
  size_t rank_ = 0, at_ = 0;
  uint64_t walked_ = 0;
};

// Times cannot be split, so the first place of a call site has them all.
void MoveTimes(const Node& from, Node* to) {
  std::map<std::pair<reduction::Call, uint32_t>, Node*> first;
  ForEachEvent(*to, [&first](Node& n) {
    if (!n.trips.empty()) first.try_emplace({n.call, n.site}, &n);
  });
  ForEachEvent(from, [&first](const Node& n) {
    const auto it = first.find({n.call, n.site});
    if (it != first.end()) it->second->times.Merge(n.times);
  });
}

}  // namespace

Status ParseAgain(std::span<Trace> traces, TagKinds tags, IterationBody body,
                  Nesting nesting) {
  auto streams = ReadStreams(traces, tags);
  if (!streams.ok()) return streams.status();
  const bool nests = nesting == Nesting::kRepeatedAndInner;
  CallTree tree = MakeCallTree(*streams, traces[0].sites, nests);
  if (nests && !tree.any_inner) {
    return Status::No("no loop has an inner one");
  }
  if (IsByChains(body) && !tree.begins_differ) {
    return Status::No("all loops begin alike");
  }
  std::vector<Numbers> numbers;
  for (size_t t = 0; t < traces.size(); ++t) {
    auto of_trace = NumberIterations(*streams, t, tree, body);
    if (!of_trace.ok()) return of_trace.status();
    numbers.push_back(std::move(*of_trace));
  }
  // What repeats itself after as many iterations on all ranks.
  if (!IsOfRank(body)) NestRepeated(*streams, &tree, &numbers);
  if (body == IterationBody::kAllOfRank &&
      !NestRepeatedOfRanks(*streams, &tree, &numbers)) {
    return Status::No("no rank repeats itself within a loop");
  }
  if (nesting == Nesting::kRepeatedAndRuns &&
      !NestRuns(*streams, &tree, &numbers)) {
    return Status::No("no loop reaches the same ranks in several iterations");
  }
  std::vector<Node> roots;
  for (size_t t = 0; t < traces.size(); ++t) {
    auto root =
        Rebuilt(traces[t], *streams, t, tree, numbers[t], IsOfRank(body)).Run();
    if (!root.ok()) return root.status();
    MoveTimes(traces[t].root, &*root);
    roots.push_back(std::move(*root));
  }
  // Last, so that nothing has changed where one of them fails.
  for (size_t t = 0; t < traces.size(); ++t) {
    traces[t].root = std::move(roots[t]);
  }
  return Status::Ok();
}

}  // namespace ranksight::online_model
