#include "reduction/api/meaning.h"

#include <algorithm>
#include <utility>

#include "reduction/api/canonical.h"
#include "reduction/api/contract.h"

namespace ranksight::reduction {

Result<MeaningWalk> MeaningWalk::Open(const Trace& trace, int64_t rank) {
  Result<RankWalk> walk = RankWalk::Open(trace, rank);
  if (!walk.ok()) return walk.status();
  return MeaningWalk(std::move(*walk));
}

bool MeaningWalk::Advance() {
  if (has_call_) return true;
  has_call_ = walk_.Next();
  calls_ += has_call_;
  return has_call_;
}

void MeaningWalk::TakeCompletions() {
  while (Advance() && Info(walk_.event().call()).completes) {
    has_call_ = false;
    const std::vector<Request>& completed = walk_.completed();
    if (completed.empty()) continue;
    if (completed_.empty()) {
      position_ = calls_;
      text_ = CanonicalText(walk_.event());
    }
    is_by_chance_ = is_by_chance_ || CompletesSome(walk_.event().call());
    for (const Request& r : completed) completed_.push_back(r.number);
  }
  open_ -= int64_t(completed_.size());
  std::sort(completed_.begin(), completed_.end());
}

bool MeaningWalk::Next() {
  completed_.clear();
  is_by_chance_ = false;
  TakeCompletions();
  completes_ = !completed_.empty();
  if (completes_) return true;
  if (!Advance()) return false;
  has_call_ = false;
  position_ = calls_;
  text_ = CanonicalText(walk_.event());
  open_ += Info(walk_.event().call()).makes_request;
  open_ += int64_t(walk_.started().size());
  open_ -= int64_t(walk_.freed().size());
  return true;
}

namespace {

bool SameStep(const MeaningWalk& a, const MeaningWalk& b, bool by_chance) {
  if (a.completes() != b.completes()) return false;
  if (!a.completes()) return a.text() == b.text();
  return by_chance ? a.completed().size() == b.completed().size()
                   : a.completed() == b.completed();
}

}  // namespace

bool SameMeaning(MeaningWalk* a, MeaningWalk* b,
                 MeaningDifference* difference) {
  RANKSIGHT_REQUIRE(a != nullptr && b != nullptr);
  bool by_chance = false;
  while (true) {
    const bool more_a = a->Next(), more_b = b->Next();
    if (!more_a && !more_b) return true;
    by_chance = by_chance || (more_a && a->is_by_chance()) ||
                (more_b && b->is_by_chance());
    if (!more_a || !more_b || !SameStep(*a, *b, by_chance)) {
      if (more_a) difference->position_a = a->position();
      if (more_b) difference->position_b = b->position();
      if (more_a) difference->text_a = a->text();
      if (more_b) difference->text_b = b->text();
      return false;
    }
    // Nothing is open on either side: whatever chance had exchanged is made up
    // for.
    if (a->open() == 0 && b->open() == 0) by_chance = false;
  }
}

}  // namespace ranksight::reduction
