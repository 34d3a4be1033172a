#include "reduction/section/prefix.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "reduction/api/contract.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

using Wide = unsigned __int128;
constexpr Wide kMost = INT64_MAX;

Wide Pairs(uint64_t n) { return Wide{n} * (n == 0 ? 0 : n - 1) / 2; }

// Of the first n values, each `shift` more. At most 2^62 of them below 2^63:
// 128 bits hold all but what saturates anyway.
Wide SumOf(std::span<const Term> terms, uint64_t n, int64_t shift) {
  Wide sum = 0;
  for (const Term& t : terms) {
    if (n == 0) break;
    const uint64_t width = t.body.empty() ? 1 : TermsSize(t.body);
    const uint64_t rounds = std::min(t.count, n / width);
    const auto stride = Wide(t.stride);
    if (t.body.empty()) {
      sum += Wide(__int128{t.value} + shift) * rounds + stride * Pairs(rounds);
    } else {
      sum +=
          SumOf(t.body, width, shift) * rounds + stride * Pairs(rounds) * width;
    }
    n -= rounds * width;
    // The round that n ends in is summed by itself.
    if (rounds == t.count || n == 0) continue;
    return sum +
           SumOf(t.body, n, shift + t.stride * static_cast<int64_t>(rounds));
  }
  return sum;
}

Term Shifted(Term t, int64_t delta) {
  ShiftTerm(&t, delta);
  return t;
}

void AppendRest(std::span<const Term> terms, uint64_t n, int64_t shift,
                std::vector<Term>* rest) {
  for (const Term& t : terms) {
    const uint64_t size = TermSize(t);
    if (n >= size) {
      n -= size;
      continue;
    }
    if (n == 0) {
      rest->push_back(Shifted(t, shift));
      continue;
    }
    const uint64_t width = size / t.count;
    uint64_t rounds = n / width;
    const int64_t after = shift + t.stride * static_cast<int64_t>(rounds);
    // The cut is inside a round: the rest of that round first, then whole ones.
    if (n % width != 0) {
      AppendRest(t.body, n % width, after, rest);
      ++rounds;
    }
    n = 0;
    const uint64_t left = t.count - rounds;
    const int64_t delta = shift + t.stride * static_cast<int64_t>(rounds);
    // A repetition of one round is no repetition.
    if (left == 1 && !t.body.empty()) {
      for (const Term& b : t.body) rest->push_back(Shifted(b, delta));
    } else if (left > 0) {
      Term part = t;
      part.count = left;
      if (left == 1) part.stride = 0;
      rest->push_back(Shifted(std::move(part), delta));
    }
  }
}

// How many values at the beginning have the same terms.
uint64_t SameTerms(std::span<const Term> a, std::span<const Term> b) {
  uint64_t same = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const Term &x = a[i], &y = b[i];
    if (x == y) {
      same += TermSize(x);
      continue;
    }
    // The first terms that differ may still begin alike, and nothing behind
    // them is looked at.
    if (x.body == y.body && x.value == y.value && x.stride == y.stride) {
      same += std::min(TermSize(x), TermSize(y));
    } else if (!x.body.empty() && !y.body.empty()) {
      same += SameTerms(x.body, y.body);
    }
    break;
  }
  return same;
}

}  // namespace

uint64_t SumOfFirst(const Section& section, uint64_t n) {
  RANKSIGHT_REQUIRE(section.empty() || section.Min() >= 0);
  return uint64_t(std::min(SumOf(section.terms(), n, 0), kMost));
}

uint64_t PlaceOfSum(const Section& section, uint64_t sum) {
  RANKSIGHT_REQUIRE(section.empty() || section.Min() >= 0);
  uint64_t low = 0, high = section.size();
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (SumOfFirst(section, middle + 1) > sum) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

Section DropFirst(const Section& section, uint64_t n) {
  std::vector<Term> rest;
  AppendRest(section.terms(), n, 0, &rest);
  Section out;
  (void)Section::FromTerms(std::move(rest), &out);
  return out;
}

std::optional<uint64_t> FirstDifference(const Section& a, const Section& b) {
  if (a == b) return std::nullopt;
  uint64_t at = SameTerms(a.terms(), b.terms());
  // Equal terms are passed over without a look at values; from there on runs of
  // both are compared, as long as the shorter of the two.
  const Section rest_a = DropFirst(a, at), rest_b = DropFirst(b, at);
  SectionCursor on_a(&rest_a), on_b(&rest_b);
  uint64_t more_a = 0, more_b = 0;
  int64_t value_a = 0, value_b = 0;
  while (true) {
    if (more_a == 0 && !on_a.done()) value_a = on_a.NextRun(&more_a);
    if (more_b == 0 && !on_b.done()) value_b = on_b.NextRun(&more_b);
    if (more_a == 0 && more_b == 0) return std::nullopt;
    if (more_a == 0 || more_b == 0 || value_a != value_b) return at;
    const uint64_t both = std::min(more_a, more_b);
    at += both;
    more_a -= both;
    more_b -= both;
  }
}

}  // namespace ranksight::reduction
