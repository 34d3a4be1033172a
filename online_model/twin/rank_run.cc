#include "online_model/twin/rank_run.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "online_model/structure/expression.h"
#include "online_model/structure/rounds.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Result;
using reduction::Section;
using reduction::Status;

void AddTo(TwinTree* tree, const Node& node, const NodeLaw& law, int parent,
           bool copied) {
  const int at = int(tree->nodes.size());
  tree->nodes.push_back({&node, &law, parent, {}, copied});
  for (size_t c = 0; c < node.children.size(); ++c) {
    const NodeLaw& child = law.children[c];
    tree->nodes[size_t(at)].children.push_back(int(tree->nodes.size()));
    AddTo(tree, node.children[c], child, at, copied || child.trips_missing);
  }
}

void CollectNodes(const Node& node, std::vector<const Node*>* all) {
  all->push_back(&node);
  for (const Node& child : node.children) CollectNodes(child, all);
}

// Where the node's runs begin, iteration by iteration of its parent.
std::vector<uint64_t> StartsOf(const std::vector<int64_t>& trips) {
  std::vector<uint64_t> starts{0};
  starts.reserve(trips.size() + 1);
  for (const int64_t n : trips) {
    starts.push_back(starts.back() + uint64_t(std::max<int64_t>(n, 0)));
  }
  return starts;
}

bool GivesNumbers(const Pattern& p, bool counts) {
  const auto is_number = [counts](int64_t v) {
    return v != kNotWhole && !(counts && v < 0);
  };
  return std::all_of(p.prefix.begin(), p.prefix.end(), is_number) &&
         std::all_of(p.period.begin(), p.period.end(), is_number);
}

// Whether a call names the communicator of all ranks on every rank that makes
// it; nothing where none does.
std::optional<bool> IsOnWorld(const Node& node, size_t comm) {
  const auto comms = node.params[comm].ByRank();
  if (comms.empty()) return std::nullopt;
  return std::ranges::all_of(comms, [](const auto& c) {
    return c.second.IsConstant() && c.second.At(0) == 0;
  });
}

void SetOnWorld(TwinTree* tree) {
  std::map<std::pair<reduction::Call, uint32_t>, bool> by_site;
  std::vector<std::pair<size_t, size_t>> unused;  // node, parameter
  for (size_t n = 0; n < tree->nodes.size(); ++n) {
    TwinTree::Item& item = tree->nodes[n];
    if (!item.like->is_event()) continue;
    const int comm =
        reduction::ParamPlace(item.like->call, reduction::Param::kComm);
    if (comm < 0) continue;
    const auto is = IsOnWorld(*item.like, size_t(comm));
    if (!is) {
      unused.emplace_back(n, size_t(comm));
      continue;
    }
    item.on_world = *is;
    bool& all = by_site.try_emplace({item.like->call, item.like->site}, true)
                    .first->second;
    all = all && *is;
  }
  for (const auto& [n, comm] : unused) {
    TwinTree::Item& item = tree->nodes[n];
    const auto site = by_site.find({item.like->call, item.like->site});
    if (site != by_site.end()) {
      item.on_world = site->second;
    } else if (!item.HasNoLaw(comm)) {
      const SequenceLaw& law = item.law->params[comm];
      item.on_world = law.IsOneNumber() && law.values[0].constant == 0;
    }
  }
}

class ByLaw {
 public:
  ByLaw(const TwinTree& tree, const Grid& grid, int64_t rank, BadLaw* bad)
      : tree_(tree), where_(grid, rank), bad_(bad) {
    run_.nodes.resize(tree.nodes.size());
    run_.nodes[0].starts = {0, 1};
  }

  Result<RankRun> Take() {
    const Status s = Children(0, {});
    if (!s.ok()) return s;
    return std::move(run_);
  }

 private:
  Status Children(int at, const Rounds& rounds) {
    for (const int child : tree_.nodes[size_t(at)].children) {
      const Status s = Visit(child, rounds);
      if (!s.ok()) return s;
    }
    return Status::Ok();
  }

  Status Visit(int at, const Rounds& rounds) {
    const TwinTree::Item& item = tree_.nodes[size_t(at)];
    NodeRun& run = run_.nodes[size_t(at)];
    if (item.copied) return KeepSingles(at);
    const uint64_t iterations = run_.nodes[size_t(item.parent)].starts.back();
    Pattern pattern{{}, {0}};
    if (iterations > 0) pattern = item.law->trips.At(where_, rounds);
    if (!GivesNumbers(pattern, true) ||
        (pattern.period.empty() && iterations > 0)) {
      *bad_ = {at, -1};
      return Status::No("a trip count would be no number");
    }
    run.starts = StartsOf(Expand(pattern, iterations));
    const Rounds inner = Around(Within(rounds, pattern), pattern);
    return item.like->is_event() ? Params(at, inner) : Children(at, inner);
  }

  // Below a node whose trips have no law.
  Status KeepSingles(int at) {
    const TwinTree::Item& item = tree_.nodes[size_t(at)];
    NodeRun& run = run_.nodes[size_t(at)];
    run.single.resize(item.law->params.size());
    for (size_t i = 0; i < run.single.size(); ++i) {
      if (item.law->absent[i] || item.law->missing[i]) continue;
      run.single[i] = item.law->params[i].values[0].constant;
    }
    for (const int child : item.children) (void)KeepSingles(child);
    return Status::Ok();
  }

  Status Params(int at, const Rounds& rounds) {
    const TwinTree::Item& item = tree_.nodes[size_t(at)];
    NodeRun& run = run_.nodes[size_t(at)];
    const size_t count = item.law->params.size();
    run.params.resize(count);
    run.single.resize(count);
    // Lengths stand before what they are the lengths of.
    for (size_t i = 0; i < count; ++i) {
      if (item.law->absent[i] || item.law->missing[i]) continue;
      const Status s = OneParam(at, i, rounds);
      if (!s.ok()) return s;
    }
    return Status::Ok();
  }

  Status OneParam(int at, size_t i, const Rounds& rounds) {
    const TwinTree::Item& item = tree_.nodes[size_t(at)];
    NodeRun& run = run_.nodes[size_t(at)];
    const size_t length = LengthIndexOf(item.like->call, i);
    uint64_t values = run.starts.back();
    std::vector<int64_t> lengths;
    if (length < run.params.size()) {
      const ValueList& each = run.params[length];
      // What has no length here has one only where the event is made.
      if (each.size() != run.starts.back()) {
        if (item.law->params[i].IsOneNumber()) {
          run.single[i] = item.law->params[i].values[0].constant;
        }
        return Status::Ok();
      }
      values = 0;
      for (uint64_t k = 0; k < each.size(); ++k) {
        lengths.push_back(std::max<int64_t>(each.At(k), 0));
        values += uint64_t(lengths.back());
      }
    }
    if (values == 0) return Status::Ok();
    const Pattern p =
        item.law->params[i].At(where_, rounds, Shortest(std::move(lengths)));
    if (p.period.empty() || !GivesNumbers(p, false)) {
      *bad_ = {at, int(i)};
      return Status::No("a parameter would be no number");
    }
    if (p.prefix.empty() && p.period.size() == 1) run.single[i] = p.period[0];
    run.params[i] = ValueList(p, values);
    return Status::Ok();
  }

  const TwinTree& tree_;
  const Context where_;
  BadLaw* bad_;
  RankRun run_;
};

}  // namespace

bool TwinTree::Item::IsOpen() const {
  return copied || vanishes || is_rounded || is_drawn ||
         std::ranges::any_of(law->missing, std::identity());
}

TwinTree TreeOf(const Node& root, const NodeLaw& law) {
  TwinTree tree;
  AddTo(&tree, root, law, -1, false);
  SetOnWorld(&tree);
  return tree;
}

std::vector<const Node*> NodesOf(const Node& root) {
  std::vector<const Node*> all;
  CollectNodes(root, &all);
  return all;
}

ValueList::ValueList(const Section& values) : size_(values.size()) {
  if (values.empty()) return;
  if (values.IsConstant()) {
    value_ = values.At(0);
  } else {
    all_ = values.Expand();
  }
}

ValueList::ValueList(const Pattern& pattern, uint64_t count) : size_(count) {
  // Most are one number, however often it comes.
  if (pattern.prefix.empty() && pattern.period.size() == 1) {
    value_ = pattern.period[0];
    return;
  }
  all_ = Expand(pattern, count);
  size_ = all_.size();
  const auto differs = [this](int64_t v) { return v != all_[0]; };
  if (all_.empty() || std::ranges::any_of(all_, differs)) return;
  value_ = all_[0];
  all_ = {};
}

size_t LengthIndexOf(reduction::Call call, size_t param) {
  const auto params = reduction::Info(call).params;
  if (!reduction::IsArray(params[param])) return params.size();
  const auto at = std::find(params.begin(), params.end(),
                            reduction::LengthOf(call, params[param]));
  return size_t(at - params.begin());
}

std::vector<int64_t> NodeRun::ListAt(reduction::Call call, size_t array,
                                     uint64_t run) const {
  const ValueList& lengths = params[LengthIndexOf(call, array)];
  uint64_t from = 0;
  for (uint64_t k = 0; k < run; ++k) from += uint64_t(lengths.At(k));
  std::vector<int64_t> list;
  for (int64_t k = 0; k < lengths.At(run); ++k) {
    list.push_back(params[array].At(from + uint64_t(k)));
  }
  return list;
}

RankRun MeasuredRun(const std::vector<const Node*>& nodes, const TwinTree& tree,
                    int64_t rank) {
  RankRun run;
  run.nodes.resize(nodes.size());
  run.nodes[0].starts = {0, 1};
  for (size_t n = 1; n < nodes.size(); ++n) {
    NodeRun& to = run.nodes[n];
    to.starts = StartsOf(nodes[n]->trips.At(rank).Expand());
    // A rank that never comes here has no trips for the parent's iterations.
    const auto& parent = run.nodes[size_t(tree.nodes[n].parent)];
    to.starts.resize(parent.starts.back() + 1, to.starts.back());
    if (to.starts.back() == 0) continue;
    for (const reduction::Parameter& p : nodes[n]->params) {
      to.params.emplace_back(p.At(rank));
    }
  }
  return run;
}

Result<RankRun> RunByLaw(const TwinTree& tree, const Grid& grid, int64_t rank,
                         BadLaw* bad) {
  return ByLaw(tree, grid, rank, bad).Take();
}

}  // namespace ranksight::online_model
