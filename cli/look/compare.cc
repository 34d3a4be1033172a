#include "cli/look/compare.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/base/files.h"
#include "reduction/api/canonical.h"
#include "reduction/api/contract.h"
#include "reduction/api/cursor.h"
#include "reduction/api/distribution.h"
#include "reduction/api/meaning.h"
#include "reduction/api/merge.h"
#include "reduction/api/same_calls.h"

namespace ranksight::cli {
namespace {

using reduction::Cursor;
using reduction::Event;
using reduction::Node;
using reduction::Param;
using reduction::Parameter;
using reduction::Result;
using reduction::Section;
using reduction::SectionCursor;
using reduction::Status;
using reduction::Trace;

// Whether it stands in the text; the rest may differ from run to run.
bool IsSeen(Param p) {
  switch (p) {
    case Param::kOpenCount:
    case Param::kRequests:
    case Param::kDoneCount:
    case Param::kDone:
    case Param::kMatchCount:
    case Param::kMatched:
    case Param::kMatchedTags:
      return false;
    default:
      return true;
  }
}

bool SameSequence(const Section& a, const Section& b) {
  if (a == b) return true;
  if (a.size() != b.size()) return false;
  SectionCursor at_a(&a), at_b(&b);
  uint64_t more_a = 0, more_b = 0;
  int64_t value_a = 0, value_b = 0;
  while (more_a > 0 || !at_a.done()) {
    if (more_a == 0) value_a = at_a.NextRun(&more_a);
    if (more_b == 0) value_b = at_b.NextRun(&more_b);
    if (value_a != value_b) return false;
    const uint64_t both = std::min(more_a, more_b);
    more_a -= both;
    more_b -= both;
  }
  return true;
}

// In what two trees differ. Where they have the same loops and events, a
// rank's streams are equal when all its trip counts and what it passes are;
// sites and times are not part of the text.
class Differences {
 public:
  Differences(const Trace& a, const Trace& b) { Add(a.root, b.root); }

  bool none() const { return !in_structure_ && sequences_.empty(); }
  bool MayDiffer(int64_t rank) const {
    return in_structure_ ||
           std::ranges::any_of(sequences_, [rank](const auto& pair) {
             return !SameSequence(pair.first->At(rank), pair.second->At(rank));
           });
  }
  // Whether one of them keeps other values only as a distribution, or has
  // another structure.
  bool in_structure() const { return in_structure_; }

 private:
  void Add(const Node& a, const Node& b) {
    in_structure_ = in_structure_ || a.kind != b.kind || a.call != b.call ||
                    a.params.size() != b.params.size() ||
                    a.children.size() != b.children.size();
    if (in_structure_) return;
    Add(a.trips, b.trips);
    for (size_t i = 0; i < a.params.size(); ++i) {
      if (IsSeen(Info(a.call).params[i])) Add(a.params[i], b.params[i]);
    }
    for (size_t i = 0; i < a.children.size(); ++i) {
      Add(a.children[i], b.children[i]);
    }
  }
  void Add(const Parameter& a, const Parameter& b) {
    if (a == b) return;
    // A distribution knows no ranks.
    in_structure_ = in_structure_ || a.distribution() != nullptr ||
                    b.distribution() != nullptr;
    sequences_.emplace_back(&a, &b);
  }

  bool in_structure_ = false;
  std::vector<std::pair<const Parameter*, const Parameter*>> sequences_;
};

bool SameValues(const Event& a, const Event& b) {
  if (a.call() != b.call() || a.param_count() != b.param_count()) return false;
  for (int i = 0; i < a.param_count(); ++i) {
    if (!std::ranges::equal(a.ValuesAt(i), b.ValuesAt(i))) return false;
  }
  return true;
}

// How far a walk over the ranks is; those that need not be walked count, too.
class RankShare {
 public:
  RankShare(const Trace& trace, const TellShare& tell)
      : tell_(tell), ranks_(double(trace.meta.ranks)) {
    if (tell_) of_rank_ = double(CountEvents(trace)) / ranks_;
  }
  // So many events of this rank are done; now and then.
  void At(int64_t rank, uint64_t events) const {
    constexpr uint64_t kEvery = 1 << 16;
    if (!tell_ || events % kEvery != 0) return;
    // A rank may have more events than the mean.
    const double part =
        of_rank_ > 0 ? std::min(1.0, double(events) / of_rank_) : 1.0;
    const double share = (double(rank) + part) / ranks_;
    if (share > 0) tell_(std::min(1.0, share));
  }

 private:
  const TellShare& tell_;
  const double ranks_;
  double of_rank_ = 0;
};

class RankComparer {
 public:
  RankComparer(Cursor a, Cursor b) : a_(std::move(a)), b_(std::move(b)) {}

  // True when both streams are the same; otherwise *out says where not.
  // same: so many events are known to be.
  bool Same(int64_t rank, uint64_t same, const RankShare& share,
            Comparison* out) {
    a_.Skip(same);
    b_.Skip(same);
    uint64_t position = same;
    while (true) {
      ++position;
      share.At(rank, position);
      const bool has_a = a_.Next(), has_b = b_.Next();
      if (!has_a && !has_b) break;
      if (has_a && has_b && SameValues(a_.event(), b_.event())) continue;
      Text(has_a, a_, &line_a_);
      Text(has_b, b_, &line_b_);
      if (line_a_ == line_b_) continue;
      out->identical = false;
      out->position = position;
      out->line_a = line_a_;
      out->line_b = line_b_;
      return false;
    }
    return true;
  }
  const Status& a_status() const { return a_.status(); }
  const Status& b_status() const { return b_.status(); }

 private:
  static void Text(bool there, const Cursor& at, std::string* line) {
    line->clear();
    if (there) AppendCanonicalText(at.event(), line);
  }

  Cursor a_, b_;
  std::string line_a_, line_b_;
};

Result<Comparison> CompareRanks(const Trace& a, const Trace& b,
                                const Differences& differences,
                                const std::string& a_name,
                                const std::string& b_name,
                                const TellShare& tell_share) {
  Comparison result;
  const RankShare share(a, tell_share);
  for (int64_t rank = 0; rank < a.meta.ranks && !differences.none(); ++rank) {
    if (!differences.MayDiffer(rank)) continue;
    share.At(rank, 0);
    auto at_a = Cursor::Open(a, rank, reduction::Missing::kAccepted);
    auto at_b = Cursor::Open(b, rank, reduction::Missing::kAccepted);
    if (!at_a.ok()) return Named(a_name, at_a.status());
    if (!at_b.ok()) return Named(b_name, at_b.status());
    RankComparer comparer(std::move(*at_a), std::move(*at_b));
    const uint64_t known =
        differences.in_structure() ? 0 : CountSame(a, b, rank, IsSeen);
    if (known == UINT64_MAX) continue;
    const bool same = comparer.Same(rank, known, share, &result);
    if (!comparer.a_status().ok()) return Named(a_name, comparer.a_status());
    if (!comparer.b_status().ok()) return Named(b_name, comparer.b_status());
    if (same) continue;
    result.rank = rank;
    return result;
  }
  result.events = CountEvents(a);
  if (!differences.in_structure()) {
    const auto kept = a.meta.losses.find(reduction::kLossOfValues);
    if (kept != a.meta.losses.end()) result.not_kept = kept->second;
    return result;
  }
  // A value that one of them lacks prints as "?" there, so equal lines mean
  // that both lack it.
  for (const Trace* t : {&a, &b}) {
    const Status complete = RequireValues(*t);
    if (!complete.ok()) {
      return Status::No(
          "all calls agree, but what is left of values does "
          "not: " +
          complete.message());
    }
  }
  return result;
}

}  // namespace

Result<Comparison> Compare(const Trace& a, const Trace& b,
                           const std::string& a_name, const std::string& b_name,
                           const TellShare& tell_share) {
  RANKSIGHT_REQUIRE(a.meta.ranks == b.meta.ranks);
  const Differences differences(a, b);
  if (differences.in_structure()) {
    // Call sites show what is the same in both; where they do not, or values
    // are missing, all has to be walked.
    Trace aligned[] = {a, b};
    if (Align(aligned).ok()) {
      const Differences rest(aligned[0], aligned[1]);
      return CompareRanks(aligned[0], aligned[1], rest, a_name, b_name,
                          tell_share);
    }
  }
  return CompareRanks(a, b, differences, a_name, b_name, tell_share);
}

Status CompareMeaning(const Trace& a, const Trace& b, Comparison* comparison,
                      const TellShare& tell_share) {
  const RankShare share(a, tell_share);
  // The ranks before are equal as written.
  for (int64_t rank = comparison->rank; rank < a.meta.ranks; ++rank) {
    share.At(rank, 0);
    auto walk_a = reduction::MeaningWalk::Open(a, rank);
    auto walk_b = reduction::MeaningWalk::Open(b, rank);
    if (!walk_a.ok()) return walk_a.status();
    if (!walk_b.ok()) return walk_b.status();
    reduction::MeaningDifference difference;
    const bool same = SameMeaning(&*walk_a, &*walk_b, &difference);
    if (!walk_a->status().ok()) return walk_a->status();
    if (!walk_b->status().ok()) return walk_b->status();
    if (same) continue;
    comparison->rank = rank;
    comparison->position = difference.position_a != 0 ? difference.position_a
                                                      : difference.position_b;
    comparison->line_a = difference.text_a;
    comparison->line_b = difference.text_b;
    return Status::Ok();
  }
  comparison->in_meaning = true;
  comparison->events = CountEvents(a);
  return Status::Ok();
}

}  // namespace ranksight::cli
