#include "reduction/merge/lay_out.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "reduction/api/pause.h"
#include "reduction/merge/normal_form.h"
#include "reduction/merge/unite_parameters.h"
#include "reduction/merge/wrap.h"
#include "reduction/section/restrict.h"

namespace ranksight::reduction {
namespace {

bool SameKind(const Node& a, const Skeleton& b) {
  if (a.is_event() != b.is_event()) return false;
  return !a.is_event() || (a.call == b.call && a.site == b.site);
}

// What a node of the new tree takes from one of the old one.
struct Share {
  const Node* from;  // nullptr: trips of a loop that is new
  // Classes whose trips are as they were, and how many ranks these are.
  std::vector<const AlikeRanks*> alike;
  size_t alike_ranks = 0;
  // And ranks that have others.
  std::vector<std::pair<int64_t, Section>> trips;

  size_t ranks() const { return alike_ranks + trips.size(); }
  // All of them, ascending.
  std::vector<int64_t> Alike() const {
    std::vector<int64_t> all;
    for (const AlikeRanks* c : alike) {
      all.insert(all.end(), c->ranks.begin(), c->ranks.end());
    }
    std::sort(all.begin(), all.end());
    return all;
  }
};

class Shares {
 public:
  Share* Of(const Skeleton* to, const Node* from) {
    std::vector<Share>& all = by_node_[to];
    const auto at =
        std::find_if(all.begin(), all.end(),
                     [from](const Share& s) { return s.from == from; });
    if (at != all.end()) return &*at;
    all.push_back({from, {}, 0, {}});
    return &all.back();
  }
  std::vector<Share>& For(const Skeleton* to) { return by_node_[to]; }

 private:
  std::unordered_map<const Skeleton*, std::vector<Share>> by_node_;
};

bool RunsOn(const Node& node, int64_t rank) { return node.trips.Has(rank); }
bool RunsOn(const Skeleton& node, size_t form) { return node.on.Has(form); }

// The children that a rank, or a form, runs.
template <class NodeT, class Who>
class Present {
 public:
  Present(const NodeT& node, Who who) : children_(node.children), who_(who) {
    Skip();
  }
  bool done() const { return at_ == children_.size(); }
  const NodeT& Get() const { return children_[at_]; }
  void Next() {
    ++at_;
    Skip();
  }

 private:
  void Skip() {
    while (!done() && !RunsOn(Get(), who_)) ++at_;
  }
  const std::vector<NodeT>& children_;
  Who who_;
  size_t at_ = 0;
};
using OnRank = Present<Node, int64_t>;
using OnForm = Present<Skeleton, size_t>;

template <class NodeT, class Who>
size_t EventsIn(const NodeT& node, Who who) {
  if (node.is_event()) return 1;
  size_t events = 0;
  for (Present<NodeT, Who> p(node, who); !p.done(); p.Next()) {
    events += EventsIn(p.Get(), who);
  }
  return events;
}

// Where the nodes that a class of ranks runs go.
class ClassLayOut {
 public:
  ClassLayOut(const AlikeRanks& of, Shares* shares)
      : of_(of), shares_(shares) {}

  // Children of `from` to those of `to`. REQUIRES: the ranks run both in the
  // same iterations. False: `to` is no tree of theirs.
  bool LayOut(const Node& from, const Skeleton& to) {
    Pairs same, loops;
    if (!Match(from, to, &same)) {
      for (const int64_t rank : of_.ranks) {
        same.clear();
        loops.clear();
        const uint64_t iterations =
            from.trips.empty() ? 1 : uint64_t(from.trips.At(rank).Sum());
        Fitting fitting{rank, true, &same, &loops};
        if (!Fit(to, NormalChildren(from, rank, of_.own), iterations,
                 fitting)) {
          return false;
        }
      }
    }
    for (const auto& [x, y] : same) {
      Share* share = shares_->Of(y, x);
      share->alike.push_back(&of_);
      share->alike_ranks += of_.ranks.size();
      if (!x->is_event()) loops.emplace_back(x, y);
    }
    return std::all_of(loops.begin(), loops.end(), [this](const auto& pair) {
      return LayOut(*pair.first, *pair.second);
    });
  }

 private:
  using Pairs = std::vector<std::pair<const Node*, const Skeleton*>>;

  // Whether the children go one by one, with their trips.
  bool Match(const Node& from, const Skeleton& to, Pairs* pairs) const {
    const int64_t rank = of_.ranks[0];
    OnRank a(from, rank);
    OnForm b(to, of_.form);
    for (; !a.done() && !b.done(); a.Next(), b.Next()) {
      Pause();
      const Node& x = a.Get();
      const Skeleton& y = b.Get();
      if (!SameKind(x, y)) return false;
      pairs->emplace_back(&x, &y);
      if (x.is_event()) continue;
      if (RunsTwice(x.trips.At(rank)) != y.twice.Has(of_.form) ||
          EventsIn(x, rank) != EventsIn(y, of_.form)) {
        return false;
      }
    }
    return a.done() && b.done();
  }

  struct Fitting {
    int64_t rank;
    bool outermost;  // of the nodes that are in need of it
    Pairs* same;     // nodes that stay as they are, with their places
    Pairs* loops;    // own loops that get other trips, with theirs
  };

  // Where children, run in so many iterations, go on one rank.
  bool Fit(const Skeleton& to, std::vector<RankNode> children,
           uint64_t iterations, const Fitting& fitting) {
    size_t i = 0;
    for (OnForm p(to, of_.form); !p.done(); p.Next()) {
      Pause();
      const Skeleton& place = p.Get();
      if (i == children.size()) return false;
      if (place.is_event() || IsLoop(place, children[i])) {
        if (!SameKind(*children[i].node, place)) return false;
        Give(std::move(children[i++]), place, fitting);
        continue;
      }
      RankNode loop{nullptr, {}, {}};
      if (!WrapInto(place, iterations, fitting.rank, &children, &i, &loop)) {
        return false;
      }
      const auto inside = uint64_t(loop.trips.Sum());
      shares_->Of(&place, nullptr)
          ->trips.emplace_back(fitting.rank, std::move(loop.trips));
      Fitting below = fitting;
      below.outermost = false;
      if (!Fit(place, std::move(loop.children), inside, below)) return false;
    }
    return i == children.size();
  }

  void Give(RankNode child, const Skeleton& place, const Fitting& fitting) {
    if (fitting.outermost && child.trips.empty()) {
      fitting.same->emplace_back(child.node, &place);
      return;
    }
    if (!child.node->is_event()) {
      fitting.loops->emplace_back(child.node, &place);
    }
    shares_->Of(&place, child.node->is_event() ? child.node : nullptr)
        ->trips.emplace_back(fitting.rank, std::move(child.trips));
  }

  size_t EventsOf(const RankNode& child) const {
    return child.node->is_event() ? 1 : of_.own.at(child.node);
  }

  // Whether this is the ranks' own loop: one that others need around it runs
  // at most once.
  bool IsLoop(const Skeleton& place, const RankNode& child) const {
    return !child.node->is_event() && place.twice.Has(of_.form) &&
           EventsOf(child) == EventsIn(place, of_.form);
  }

  // As many children from *next on as stand in the place, in a loop.
  bool WrapInto(const Skeleton& place, uint64_t iterations, int64_t rank,
                std::vector<RankNode>* children, size_t* next,
                RankNode* loop) const {
    const size_t events = EventsIn(place, of_.form);
    std::vector<Section> trips;
    for (size_t inside = 0; inside < events; ++*next) {
      if (*next == children->size()) return false;
      RankNode& child = (*children)[*next];
      inside += EventsOf(child);
      if (inside > events) return false;
      if (child.trips.empty()) child.trips = child.node->trips.At(rank);
      trips.push_back(std::move(child.trips));
      loop->children.push_back(std::move(child));
    }
    const std::vector<bool> alone(trips.size(),
                                  events == 1 && place.twice.Has(of_.form));
    WrappedTrips wrapped = WrapTrips(iterations, alone, std::move(trips));
    loop->trips = std::move(wrapped.loop);
    for (size_t i = 0; i < loop->children.size(); ++i) {
      loop->children[i].trips = std::move(wrapped.children[i]);
    }
    return true;
  }

  const AlikeRanks& of_;
  Shares* shares_;
};

bool HasDistribution(const Node& event) {
  return std::any_of(
      event.params.begin(), event.params.end(),
      [](const Parameter& p) { return p.distribution() != nullptr; });
}

// Where the times of an event go, and whether others take of it, too.
struct Goal {
  const Skeleton* to = nullptr;
  size_t ranks = 0;
  bool only = true;
};
using Goals = std::unordered_map<const Node*, Goal>;

void FindGoals(Shares* shares, const Skeleton& to, Goals* goals) {
  for (const Skeleton& child : to.children) {
    for (const Share& s : shares->For(&child)) {
      if (s.from == nullptr || !child.is_event()) continue;
      Goal& goal = (*goals)[s.from];
      goal.only = goal.to == nullptr;
      if (s.ranks() <= goal.ranks) continue;
      goal.to = &child;
      goal.ranks = s.ranks();
    }
    FindGoals(shares, child, goals);
  }
}

// Puts together what nodes take. Parameters of many events are one and the
// same (unite_parameters.h), and so are the ranks they are taken for.
class Taking {
 public:
  Taking(Shares* shares, const Goals& goals) : shares_(shares), goals_(goals) {}

  Node Take(const Skeleton& from) {
    Node node;
    node.kind = from.kind;
    node.call = from.call;
    node.site = from.site;
    for (Share& s : shares_->For(&from)) {
      Pause();
      TakeTrips(&s, &node.trips);
      if (!node.is_event()) continue;
      TakeParameters(s, &node);
      if (goals_.at(s.from).to == &from) node.times.Merge(s.from->times);
    }
    node.children.reserve(from.children.size());
    for (const Skeleton& child : from.children) {
      node.children.push_back(Take(child));
    }
    return node;
  }

  void End() { uniter_.Discard(); }

 private:
  // Merge, where the first is shared.
  void Add(Parameter from, bool ranked, Parameter* to) {
    if (to->empty()) {
      *to = std::move(from);
    } else {
      uniter_.Unite(to, std::move(from), ranked);
    }
  }

  void TakeTrips(Share* share, Parameter* trips) {
    std::sort(share->trips.begin(), share->trips.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    Parameter changed;
    for (const auto& [rank, section] : share->trips) {
      changed.Add(rank, section, false);
    }
    Add(std::move(changed), false, trips);
    if (share->alike.empty()) return;
    const Parameter& p = share->from->trips;
    const bool all = share->alike_ranks == p.Ranks().size();
    Add(all ? p : Part(p, share->Alike()), false, trips);
  }

  // REQUIRES: its trips were taken.
  void TakeParameters(const Share& share, Node* to) {
    const Node& from = *share.from;
    std::vector<int64_t> ranks;
    const bool all = share.ranks() == from.trips.Ranks().size();
    if (!all) {
      ranks = share.Alike();
      for (const auto& [rank, section] : share.trips) ranks.push_back(rank);
      std::sort(ranks.begin(), ranks.end());
    }
    const auto kinds = Info(to->call).params;
    to->params.resize(from.params.size());
    for (size_t i = 0; i < to->params.size(); ++i) {
      const Parameter& p = from.params[i];
      Add(all ? p : Part(p, ranks), IsRank(kinds[i]), &to->params[i]);
    }
  }

  Parameter Part(const Parameter& p, const std::vector<int64_t>& ranks) {
    if (!p.is_shared()) return Restrict(p, ranks);
    const auto [at, is_new] = parts_.try_emplace({p.identity(), ranks});
    if (is_new) at->second = Restrict(p, ranks);
    return at->second;
  }

  Shares* shares_;
  const Goals& goals_;
  ParameterUniter uniter_;
  std::map<std::pair<const void*, std::vector<int64_t>>, Parameter> parts_;
};

}  // namespace

bool LayOut(const std::vector<AlikeRanks>& classes, const Node& from,
            const Skeleton& to, Node* out) {
  Shares shares;
  for (const AlikeRanks& alike : classes) {
    if (!ClassLayOut(alike, &shares).LayOut(from, to)) return false;
  }
  Goals goals;
  FindGoals(&shares, to, &goals);
  for (const auto& [event, goal] : goals) {
    if (!goal.only && HasDistribution(*event)) return false;
  }
  Taking taking(&shares, goals);
  *out = taking.Take(to);
  taking.End();
  return true;
}

}  // namespace ranksight::reduction
