#include "online_model/twin/completion_style.h"

#include <algorithm>
#include <vector>

namespace ranksight::online_model {
namespace {

using reduction::Param;

struct OpenRequest {
  int64_t number;  // persistent ones as references have them: -1, -2, ...
  SiteKey maker;
};

struct Seen {
  uint64_t calls = 0, taking = 0, taken = 0, whole = 0, ones = 0;
  uint64_t oldest = 0, newest = 0;  // of single ones among several
  uint64_t passes_open = 0, rounds = 0, ended = 0;
  CompletionStyle style;
};

using Act = CompletionStyle::Act;

Act ActOf(reduction::Call call) {
  switch (call) {
    case reduction::Call::MPI_Start_:
    case reduction::Call::MPI_Startall_:
      return Act::kStart;
    case reduction::Call::MPI_Request_free_:
      return Act::kFree;
    default:
      return Act::kComplete;
  }
}

// One rank's requests. First learns who completes what, then how.
class Watcher {
 public:
  Watcher(const TwinTree& tree, const InputRun& input, uint32_t rank,
          bool learns_how, std::map<SiteKey, Seen>* seen)
      : tree_(tree),
        run_(input.runs[rank]),
        rank_(rank),
        learns_how_(learns_how),
        seen_(seen) {}
  void Enter(int) {}
  void Leave(int) {}

  void Event(int node, uint64_t run) {
    const reduction::Node& like = *tree_.nodes[size_t(node)].like;
    const auto& info = reduction::Info(like.call);
    const Act act = ActOf(like.call);
    if (act != Act::kComplete || info.completes) {
      Handle(node, run, SiteOf(like), act);
    } else if (in_round_ != nullptr) {
      EndRound();
    }
    if (info.makes_request) open_.push_back({made_++, SiteOf(like)});
    if (info.makes_persistent) {
      persistent_.push_back({-++made_persistent_, SiteOf(like)});
    }
  }

 private:
  std::vector<int64_t> References(int node, uint64_t run) {
    const reduction::Call call = tree_.nodes[size_t(node)].like->call;
    const int at = reduction::ParamPlace(call, Param::kRequests);
    std::vector<int64_t> references;
    if (at < 0) return references;
    const NodeRun& values = run_.nodes[size_t(node)];
    const ValueList& lengths = values.params[LengthIndexOf(call, size_t(at))];
    uint64_t& next = next_[node];
    const auto n = uint64_t(std::max<int64_t>(lengths.At(run), 0));
    for (uint64_t k = 0; k < n; ++k) {
      references.push_back(values.params[size_t(at)].At(next++));
    }
    return references;
  }

  void Handle(int node, uint64_t run, const SiteKey& site, Act act) {
    const std::vector<int64_t> references = References(node, run);
    Seen& seen = (*seen_)[site];
    seen.style.act = act;
    const size_t open_before =
        CountOf(act == Act::kComplete ? open_ : persistent_, seen);
    uint64_t taken = 0;
    for (const int64_t r : references) {
      taken += act == Act::kComplete ? Take(r, references.size(), &seen)
                                     : Turn(r, act, &seen);
    }
    if (!learns_how_) return;
    if (in_round_ != &seen && in_round_ != nullptr) EndRound();
    in_round_ = &seen;
    ended_ = references.empty();
    ++seen.calls;
    seen.taking += taken > 0;
    seen.taken += taken;
    seen.ones += references.size() <= 1;
    seen.whole += taken == open_before;
    const int passed = reduction::ParamPlace(
        tree_.nodes[size_t(node)].like->call, Param::kRequestCount);
    seen.passes_open +=
        passed >= 0 && run_.nodes[size_t(node)].params[size_t(passed)].At(
                           run) == int64_t(references.size());
    seen.style.node = node;
    seen.style.rank = rank_;
    seen.style.run = run;
  }

  static size_t CountOf(const std::vector<OpenRequest>& requests,
                        const Seen& seen) {
    return size_t(std::ranges::count_if(requests, [&](const OpenRequest& r) {
      return seen.style.of.count(r.maker) > 0;
    }));
  }

  // Starts or frees a persistent request.
  bool Turn(int64_t reference, Act act, Seen* seen) {
    const auto it =
        std::ranges::find(persistent_, reference, &OpenRequest::number);
    if (it == persistent_.end()) return false;
    if (!learns_how_) seen->style.of.insert(it->maker);
    if (act == Act::kStart) {
      open_.push_back(*it);
    } else {
      persistent_.erase(it);
    }
    return true;
  }

  bool Take(int64_t reference, size_t together, Seen* seen) {
    const int64_t number = reference < 0 ? reference : made_ - reference;
    const auto it = std::ranges::find(open_, number, &OpenRequest::number);
    if (it == open_.end()) return false;
    if (together == 1 && open_.size() > 1) {
      seen->oldest += it == open_.begin();
      seen->newest += it + 1 == open_.end();
    }
    if (!learns_how_) seen->style.of.insert(it->maker);
    open_.erase(it);
    return true;
  }

  void EndRound() {
    ++in_round_->rounds;
    in_round_->ended += ended_;
    in_round_ = nullptr;
  }

  const TwinTree& tree_;
  const RankRun& run_;
  uint32_t rank_;
  bool learns_how_;
  std::map<SiteKey, Seen>* seen_;
  std::vector<OpenRequest> open_, persistent_;
  int64_t made_ = 0, made_persistent_ = 0;
  std::map<int, uint64_t> next_;  // of the requests of a node
  Seen* in_round_ = nullptr;      // whose calls are right behind one another
  bool ended_ = false;            // the last of them completed nothing
};

CompletionStyle StyleOf(const Seen& seen) {
  CompletionStyle style = seen.style;
  style.passes_open = seen.passes_open == seen.calls;
  style.newest_first = seen.newest > seen.oldest;
  style.ends_with_none = 2 * seen.ended > seen.rounds;
  style.taken = seen.taking == 0 ? 1 : double(seen.taken) / double(seen.taking);
  if (seen.whole == seen.calls) {
    style.kind = CompletionStyle::Kind::kAll;
    style.ends_with_none = false;
  } else {
    style.kind = seen.ones == seen.calls ? CompletionStyle::Kind::kEach
                                         : CompletionStyle::Kind::kSome;
  }
  return style;
}

// Whether what the site completes has no law.
bool IsOpen(const TwinTree& tree, const SiteKey& site) {
  return std::ranges::any_of(tree.nodes, [&](const TwinTree::Item& item) {
    return item.like->is_event() && SiteOf(*item.like) == site && item.IsOpen();
  });
}

bool MeetAny(const std::set<SiteKey>& a, const std::set<SiteKey>& b) {
  return std::ranges::any_of(
      a, [&](const SiteKey& site) { return b.count(site) > 0; });
}

std::set<SiteKey> Wanted(const TwinTree& tree,
                         const std::map<SiteKey, Seen>& seen,
                         const std::map<SiteKey, int>& drawn_loops) {
  std::set<SiteKey> makers, wanted;
  for (const auto& [maker, loop] : drawn_loops) makers.insert(maker);
  for (const auto& [site, what] : seen) {
    const auto& of = what.style.of;
    if (IsOpen(tree, site)) makers.insert(of.begin(), of.end());
  }
  // Who completes some of a site's requests knows what others have left.
  for (bool more = true; more;) {
    more = false;
    for (const auto& [site, what] : seen) {
      const auto& of = what.style.of;
      if (wanted.count(site) > 0 || !MeetAny(of, makers)) continue;
      wanted.insert(site);
      makers.insert(of.begin(), of.end());
      more = true;
    }
  }
  return wanted;
}

bool IsWithin(const TwinTree& tree, int node, int loop) {
  while (node != loop && node > 0) node = tree.nodes[size_t(node)].parent;
  return node == loop;
}

// Persistent requests are made once, before.
int LoopOf(const TwinTree& tree, const SiteKey& site,
           const CompletionStyle& style,
           const std::map<SiteKey, int>& drawn_loops) {
  std::vector<SiteKey> sites{site};
  for (const SiteKey& maker : style.of) {
    if (reduction::Info(maker.first).makes_request) sites.push_back(maker);
  }
  int loop = LoopAround(tree, sites);
  for (const SiteKey& maker : sites) {
    const auto drawn = drawn_loops.find(maker);
    if (drawn == drawn_loops.end()) continue;
    while (!IsWithin(tree, drawn->second, loop)) {
      loop = tree.nodes[size_t(loop)].parent;
    }
  }
  return loop;
}

}  // namespace

CompletionStyles StylesOf(const TwinTree& tree, const InputRun& input,
                          const std::map<SiteKey, int>& drawn_loops) {
  std::map<SiteKey, Seen> seen;
  for (const bool learns_how : {false, true}) {
    for (size_t r = 0; r < input.runs.size(); ++r) {
      Watcher watcher(tree, input, uint32_t(r), learns_how, &seen);
      WalkRun(tree, input.runs[r], 0, 0, 1, watcher);
    }
  }
  CompletionStyles styles;
  for (const SiteKey& site : Wanted(tree, seen, drawn_loops)) {
    CompletionStyle& style = styles[site];
    style = StyleOf(seen[site]);
    style.loop = LoopOf(tree, site, style, drawn_loops);
  }
  return styles;
}

}  // namespace ranksight::online_model
