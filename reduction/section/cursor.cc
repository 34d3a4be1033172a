#include "reduction/api/section.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {

SectionCursor::SectionCursor(const Section* section) : left_(section->size()) {
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
  Level& top = stack_.back();
  const Term& run = top.terms[top.index];
  const int64_t v = run.value + run.stride * int64_t(top.round) + top.shift;
  if (--left_ != 0 && ++top.round == run.count) Advance();
  return v;
}

int64_t SectionCursor::NextRun(uint64_t* count) {
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
  std::span<const Term> terms = set.terms();
  int64_t before = 0;
  for (size_t i = 0; i < terms.size();) {
    const Term& t = terms[i];
    const int64_t first = FirstValue(t);
    if (rank < first) return -1;
    const uint64_t width = t.body.empty() ? 1 : TermsSize(t.body);
    // Ascending values: rounds do not overlap, so the round is a quotient.
    uint64_t round = 0;
    if (t.stride > 0) round = uint64_t(rank - first) / uint64_t(t.stride);
    if (round >= t.count) round = t.count - 1;
    const int64_t rest = rank - t.stride * int64_t(round);
    if (t.body.empty()) {
      if (rest == first) return before + int64_t(round);
      before += int64_t(t.count);
      ++i;
      continue;
    }
    int64_t shift = 0;
    const Term& last = LastRun(t.body.back(), &shift);
    const int64_t largest =
        last.value + shift + last.stride * int64_t(last.count - 1);
    if (rest > largest) {
      if (round + 1 < t.count) return -1;
      before += int64_t(width * t.count);
      ++i;
      continue;
    }
    before += int64_t(width * round);
    rank = rest;
    terms = t.body;
    i = 0;
  }
  return -1;
}

}  // namespace ranksight::reduction
