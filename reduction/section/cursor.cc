#include "reduction/api/contract.h"
#include "reduction/api/section.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {

SectionCursor::SectionCursor(const Section* section) : left_(section->size()) {
  RANKSIGHT_REQUIRE(section != nullptr);
  if (left_ == 0) return;
  stack_.push_back({section->terms(), 0, 0, 0});
  Settle();
}

// Goes down until the term at hand is a run.
void SectionCursor::Settle() {
  for (;;) {
    const Level& top = stack_.back();
    const Term& term = top.terms[top.index];
    if (term.body.empty()) return;
    const int64_t shift = top.shift + term.stride * int64_t(top.round);
    stack_.push_back({term.body, 0, 0, shift});
  }
}

// Goes past the term at hand.
void SectionCursor::Advance() {
  ++stack_.back().index;
  stack_.back().round = 0;
  while (stack_.back().index == stack_.back().terms.size()) {
    stack_.pop_back();
    Level& parent = stack_.back();
    if (++parent.round == parent.terms[parent.index].count) {
      ++parent.index;
      parent.round = 0;
    }
    if (parent.index < parent.terms.size()) break;
  }
  Settle();
}

int64_t SectionCursor::Next() {
  RANKSIGHT_REQUIRE(!done());
  Level& top = stack_.back();
  const Term& run = top.terms[top.index];
  const int64_t v = run.value + run.stride * int64_t(top.round) + top.shift;
  if (--left_ != 0 && ++top.round == run.count) Advance();
  return v;
}

int64_t SectionCursor::NextRun(uint64_t* count) {
  RANKSIGHT_REQUIRE(!done());
  RANKSIGHT_REQUIRE(count != nullptr);
  Level& top = stack_.back();
  const Term& run = top.terms[top.index];
  const int64_t v = run.value + run.stride * int64_t(top.round) + top.shift;
  *count = run.stride == 0 ? run.count - top.round : 1;
  left_ -= *count;
  top.round += *count;
  if (left_ != 0 && top.round == run.count) Advance();
  return v;
}

int64_t PositionOf(const RankSet& set, int64_t rank) {
  return PositionIn(set.terms(), rank);
}

}  // namespace ranksight::reduction
