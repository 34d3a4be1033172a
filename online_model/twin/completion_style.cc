#include "online_model/twin/completion_style.h"

#include <algorithm>
#include <vector>

namespace ranksight::online_model {
namespace {

using reduction::Param;

struct OpenRequest {
  uint64_t number;
  SiteKey maker;
};

struct Seen {
  uint64_t calls = 0, taking = 0, taken = 0, whole = 0, ones = 0;
  uint64_t oldest = 0, newest = 0;  // of single ones among several
  uint64_t passes_open = 0, rounds = 0, ended = 0;
  CompletionStyle style;
};

int IndexOf(reduction::Call call, Param wanted) {
  const auto params = reduction::Info(call).params;
  const auto at = std::find(params.begin(), params.end(), wanted);
  return at == params.end() ? -1 : int(at - params.begin());
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
    if (info.completes) {
      Complete(node, run, SiteOf(like));
    } else if (in_round_ != nullptr) {
      EndRound();
    }
    if (info.makes_request) open_.push_back({made_++, SiteOf(like)});
  }

 private:
  std::vector<int64_t> References(int node, uint64_t run) {
    const reduction::Call call = tree_.nodes[size_t(node)].like->call;
    const int at = IndexOf(call, Param::kRequests);
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

  void Complete(int node, uint64_t run, const SiteKey& site) {
    const std::vector<int64_t> references = References(node, run);
    Seen& seen = (*seen_)[site];
    const size_t open_before = OpenOf(seen.style.of);
    uint64_t taken = 0;
    for (const int64_t r : references)
      taken += Take(r, references.size(), &seen);
    if (!learns_how_) return;
    if (in_round_ != &seen && in_round_ != nullptr) EndRound();
    in_round_ = &seen;
    ended_ = references.empty();
    ++seen.calls;
    seen.taking += taken > 0;
    seen.taken += taken;
    seen.ones += references.size() <= 1;
    seen.whole += taken == open_before;
    const int passed =
        IndexOf(tree_.nodes[size_t(node)].like->call, Param::kRequestCount);
    seen.passes_open +=
        passed >= 0 && run_.nodes[size_t(node)].params[size_t(passed)].At(
                           run) == int64_t(references.size());
    seen.style.node = node;
    seen.style.rank = rank_;
    seen.style.run = run;
  }

  size_t OpenOf(const std::set<SiteKey>& makers) const {
    return size_t(std::count_if(
        open_.begin(), open_.end(),
        [&](const OpenRequest& r) { return makers.count(r.maker) > 0; }));
  }

  bool Take(int64_t reference, size_t together, Seen* seen) {
    if (reference < 1 || uint64_t(reference) > made_) return false;
    const uint64_t number = made_ - uint64_t(reference);
    const auto it =
        std::find_if(open_.begin(), open_.end(),
                     [&](const OpenRequest& r) { return r.number == number; });
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
  std::vector<OpenRequest> open_;
  uint64_t made_ = 0;
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

}  // namespace

CompletionStyles StylesOf(const TwinTree& tree, const InputRun& input,
                          const std::set<SiteKey>& makers) {
  std::map<SiteKey, Seen> seen;
  for (const bool learns_how : {false, true}) {
    for (size_t r = 0; r < input.runs.size(); ++r) {
      Watcher watcher(tree, input, uint32_t(r), learns_how, &seen);
      WalkRun(tree, input.runs[r], 0, 0, 1, watcher);
    }
  }
  CompletionStyles styles;
  for (const auto& [site, what] : seen) {
    const bool wanted = std::any_of(
        what.style.of.begin(), what.style.of.end(),
        [&](const SiteKey& maker) { return makers.count(maker) > 0; });
    if (wanted) styles[site] = StyleOf(what);
  }
  return styles;
}

}  // namespace ranksight::online_model
