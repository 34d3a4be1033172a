#include "online_model/structure/pattern.h"

#include <algorithm>

namespace ranksight::online_model {
namespace {

using reduction::Section;
using reduction::Term;

// Longest prefix looked for; programs set something up in the first step or
// two, what differs longer is no step loop.
constexpr size_t kMaxPrefix = 2;

// Length of the shortest period (Knuth, Morris, Pratt 1977).
size_t PeriodLength(const int64_t* v, size_t n) {
  std::vector<size_t> border(n, 0);
  for (size_t i = 1, k = 0; i < n; ++i) {
    while (k > 0 && v[i] != v[k]) k = border[k - 1];
    if (v[i] == v[k]) ++k;
    border[i] = k;
  }
  if (n == 0) return 0;
  const size_t period = n - border[n - 1];
  // A list that only ends as it began is not periodic: [a, b, c, a] is one
  // round of four, unless it is long enough to show several of three.
  return n % period == 0 || period <= n / 2 ? period : n;
}

// The same for a list that is repeated as a whole.
size_t DividingPeriod(const std::vector<int64_t>& values) {
  const size_t n = values.size();
  const size_t period = PeriodLength(values.data(), n);
  return period == 0 || n % period == 0 ? period : n;
}

}  // namespace

std::vector<int64_t> Shortest(std::vector<int64_t> values) {
  values.resize(DividingPeriod(values));
  return values;
}

std::optional<Pattern> PatternOf(const Section& section) {
  Pattern p;
  if (section.IsConstant()) {
    if (!section.empty()) p.period = {section.At(0)};
    return p;
  }
  const auto terms = section.terms();
  if (terms.size() == 1 && !terms[0].body.empty() && terms[0].stride == 0) {
    Section once;
    if (!Section::FromTerms(terms[0].body, &once)) return std::nullopt;
    if (once.size() > kMaxPatternValues) return std::nullopt;
    p.period = Shortest(once.Expand());
    return p;
  }
  if (section.size() > kMaxPatternValues) return std::nullopt;
  const std::vector<int64_t> values = section.Expand();
  // The prefix pays only where it makes the rest much shorter.
  size_t best = PeriodLength(values.data(), values.size()), cut = 0;
  for (size_t q = 1; q <= kMaxPrefix && 4 * q < values.size(); ++q) {
    const size_t n = PeriodLength(values.data() + q, values.size() - q);
    if (n + q < best / 2) {
      best = n;
      cut = q;
    }
  }
  p.prefix.assign(values.begin(), values.begin() + long(cut));
  p.period.assign(values.begin() + long(cut),
                  values.begin() + long(cut + best));
  return p;
}

std::optional<Pattern> WholeListOf(const Section& section) {
  if (section.IsConstant()) return PatternOf(section);
  if (section.size() > kMaxPatternValues) return std::nullopt;
  return Pattern{{}, Shortest(section.Expand())};
}

std::vector<int64_t> Expand(const Pattern& pattern, uint64_t count) {
  std::vector<int64_t> values;
  const uint64_t head = std::min<uint64_t>(count, pattern.prefix.size());
  const uint64_t n = pattern.period.size();
  values.reserve(size_t(n == 0 ? head : count));
  values.assign(pattern.prefix.begin(), pattern.prefix.begin() + int64_t(head));
  for (uint64_t i = head; n > 0 && i < count; ++i) {
    values.push_back(pattern.period[size_t((i - head) % n)]);
  }
  return values;
}

}  // namespace ranksight::online_model
