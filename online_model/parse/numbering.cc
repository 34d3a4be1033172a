#include "online_model/parse/numbering.h"

#include <algorithm>
#include <utility>

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using Place = CallTree::Place;
using Numbers = std::vector<std::vector<Iterations>>;

// Rounds until numbers must have settled: each level of a multigrid takes
// about one. Without an end numbers grow in each.
constexpr int kMostSweeps = 64;

class Numberer {
 public:
  Numberer(const std::vector<Stream>& ranks, const CallTree& tree,
           IterationBody body)
      : ranks_(ranks), tree_(tree), body_(body) {
    numbers_.resize(ranks.size());
    for (size_t r = 0; r < ranks.size(); ++r) {
      numbers_[r].resize(ranks[r].size());
    }
  }

  Result<Numbers> Run() {
    Status s = Sweep(false);
    if (!s.ok()) return s;
    if (IsOfRank(body_)) return std::move(numbers_);
    const Numbers alone = numbers_;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      changed_ = false;
      s = Sweep(true);
      if (!s.ok()) return s;
      if (!changed_) return std::move(numbers_);
    }
    return alone;
  }

 private:
  const Place& LeafOf(const StreamEvent& e) const {
    return tree_.places[size_t(tree_.leaf_of[e.kind])];
  }

  static size_t CommonLoops(const Place& a, const Place& b) {
    size_t n = 0;
    while (n < a.loops.size() && n < b.loops.size() &&
           a.loops[n] == b.loops[n]) {
      ++n;
    }
    return n;
  }

  // Of the loop around both that is innermost. REQUIRES: there is one.
  bool InOneChain(const Place& a, const Place& b, size_t common) const {
    const Place& loop = tree_.places[size_t(a.loops[common - 1])];
    const auto chain_of = [&](const Place& of) {
      const auto child = size_t(of.path[loop.path.size()]);
      return tree_.places[size_t(loop.children[child])].chain;
    };
    return chain_of(a) == chain_of(b);
  }

  // The least numbers of b that come behind a with `from`.
  Result<Iterations> Behind(const Place& a, const Iterations& from,
                            const Place& b) const {
    Iterations to{};
    const size_t common = CommonLoops(a, b);
    std::copy(from.begin(), from.begin() + long(common), to.begin());
    const bool goes_on =
        !IsByChains(body_) || common == 0 || InOneChain(a, b, common);
    if (a.path < b.path && goes_on) return to;
    if (common == 0) {
      return Status::No("events come again that stand in no loop");
    }
    ++to[common - 1];
    return to;
  }

  // Raises `to` where the partner of the event is in a later iteration.
  void Raise(const Place& leaf, const Partner& partner, Iterations* to) const {
    if (partner.rank < 0) return;
    const auto& stream = ranks_[size_t(partner.rank)];
    const size_t common = CommonLoops(leaf, LeafOf(stream[partner.event]));
    const Iterations& at = numbers_[size_t(partner.rank)][partner.event];
    const auto end = long(common);
    if (!std::lexicographical_compare(to->begin(), to->begin() + end,
                                      at.begin(), at.begin() + end)) {
      return;
    }
    std::copy(at.begin(), at.begin() + end, to->begin());
    std::fill(to->begin() + end, to->end(), 0);
  }

  Status Sweep(bool messages) {
    for (size_t r = 0; r < ranks_.size(); ++r) {
      const Place* last = nullptr;
      for (size_t i = 0; i < ranks_[r].size(); ++i) {
        const StreamEvent& e = ranks_[r][i];
        const Place& leaf = LeafOf(e);
        if (leaf.loops.size() > kMostLoops) {
          return Status::No("loops nest too deep to parse them again");
        }
        Iterations to{};
        if (last != nullptr) {
          auto behind = Behind(*last, numbers_[r][i - 1], leaf);
          if (!behind.ok()) return behind.status();
          to = *behind;
        }
        Iterations& now = numbers_[r][i];
        if (messages) {
          Raise(leaf, e.sender, &to);
          Raise(leaf, e.receiver, &to);
          to = std::max(to, now);
        }
        changed_ = changed_ || to != now;
        now = to;
        last = &leaf;
      }
    }
    return Status::Ok();
  }

  const std::vector<Stream>& ranks_;
  const CallTree& tree_;
  const IterationBody body_;
  Numbers numbers_;
  bool changed_ = false;
};

}  // namespace

Result<Numbers> NumberIterations(const Streams& streams, size_t trace,
                                 const CallTree& tree, IterationBody body) {
  return Numberer(streams.traces[trace], tree, body).Run();
}

}  // namespace ranksight::online_model
