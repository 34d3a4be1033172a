#include "reduction/section/term.h"

#include "reduction/api/contract.h"

namespace ranksight::reduction {

uint64_t TermsSize(std::span<const Term> terms) {
  uint64_t total = 0;
  for (const Term& t : terms) {
    if (__builtin_add_overflow(total, TermSize(t), &total)) return UINT64_MAX;
  }
  return total;
}

uint64_t TermSize(const Term& term) {
  if (term.body.empty()) return term.count;
  uint64_t total = 0;
  if (__builtin_mul_overflow(TermsSize(term.body), term.count, &total)) {
    return UINT64_MAX;
  }
  return total;
}

int64_t ValueAt(std::span<const Term> terms, uint64_t i) {
  for (const Term& t : terms) {
    const uint64_t size = TermSize(t);
    if (i >= size) {
      i -= size;
      continue;
    }
    if (t.body.empty()) return t.value + t.stride * int64_t(i);
    const uint64_t width = size / t.count;
    return t.stride * int64_t(i / width) + ValueAt(t.body, i % width);
  }
  return 0;
}

int64_t PositionIn(std::span<const Term> terms, int64_t value) {
  int64_t before = 0;
  for (size_t i = 0; i < terms.size();) {
    const Term& t = terms[i];
    const int64_t first = FirstValue(t);
    if (value < first) return -1;
    const uint64_t width = t.body.empty() ? 1 : TermsSize(t.body);
    // Ascending values: rounds do not overlap, so the round is a quotient.
    uint64_t round = 0;
    if (t.stride > 0) round = uint64_t(value - first) / uint64_t(t.stride);
    if (round >= t.count) round = t.count - 1;
    const int64_t rest = value - t.stride * int64_t(round);
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
    value = rest;
    terms = t.body;
    i = 0;
  }
  return -1;
}

bool IsShifted(const Term& a, const Term& b, int64_t delta) {
  if (a.count != b.count || a.stride != b.stride ||
      a.body.size() != b.body.size()) {
    return false;
  }
  if (a.body.empty()) return int64_t(uint64_t(a.value) + delta) == b.value;
  for (size_t i = 0; i < a.body.size(); ++i) {
    if (!IsShifted(a.body[i], b.body[i], delta)) return false;
  }
  return true;
}

uint32_t HashTerm(const Term& term) {
  uint64_t h = uint64_t(term.value) * 0x9E3779B97F4A7C15u;
  h ^= (uint64_t(term.stride) + 0x7F4A7C15u) * 0xBF58476D1CE4E5B9u;
  h ^= term.count * 0x94D049BB133111EBu;
  for (const Term& t : term.body) {
    h = (h ^ HashTerm(t)) * 0x9E3779B97F4A7C15u;
  }
  return uint32_t(h ^ (h >> 32));
}

const Term& LastRun(const Term& term, int64_t* shift) {
  RANKSIGHT_REQUIRE(shift != nullptr);
  *shift = 0;
  const Term* t = &term;
  while (!t->body.empty()) {
    *shift += t->stride * int64_t(t->count - 1);
    t = &t->body.back();
  }
  return *t;
}

void ShiftTerm(Term* term, int64_t delta) {
  RANKSIGHT_REQUIRE(term != nullptr);
  if (term->body.empty()) {
    term->value = int64_t(uint64_t(term->value) + uint64_t(delta));
    return;
  }
  for (Term& t : term->body) ShiftTerm(&t, delta);
}

}  // namespace ranksight::reduction
