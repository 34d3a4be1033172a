// Operations on single terms, shared by Section and its cursor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reduction/api/section.h"

namespace ranksight::reduction {

// Terms, or columns of one number each, that are gone through between two
// pauses (pause.h): a microsecond of work. Doubling it doubles that.
inline constexpr size_t kTermsAPause = 64;

// Values in a term. Saturates at UINT64_MAX.
uint64_t TermSize(const Term& term);
uint64_t TermsSize(std::span<const Term> terms);
// The value at a place, 0 behind the last. O(terms).
int64_t ValueAt(std::span<const Term> terms, uint64_t i);
// Where value is among strictly ascending ones, or -1. O(terms).
int64_t PositionIn(std::span<const Term> terms, int64_t value);
// True when b is a with delta added to every value.
bool IsShifted(const Term& a, const Term& b, int64_t delta);
// First value of the term.
inline int64_t FirstValue(const Term& term) {
  const Term* t = &term;
  while (!t->body.empty()) t = &t->body.front();
  return t->value;
}
uint32_t HashTerm(const Term& term);
// The run that gives the last value of the term, and what is added to it.
const Term& LastRun(const Term& term, int64_t* shift);
// Adds delta to every value of the term.
void ShiftTerm(Term* term, int64_t delta);

}  // namespace ranksight::reduction
