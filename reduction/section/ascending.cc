#include "reduction/section/ascending.h"

#include <cstdint>
#include <optional>

namespace ranksight::reduction {
namespace {

// Numbers of hostile input: products of two words must not wrap.
using Wide = __int128;

struct Ends {
  Wide first = 0;
  Wide last = 0;
};

// First and last value of an ascending list; nothing when it is not.
std::optional<Ends> AscendingEnds(std::span<const Term> terms);

std::optional<Ends> AscendingEnds(const Term& t) {
  const Wide climb = Wide{t.stride} * (Wide(t.count) - 1);
  if (t.body.empty()) {
    if (t.count > 1 && t.stride <= 0) return std::nullopt;
    return Ends{t.value, t.value + climb};
  }
  const std::optional<Ends> body = AscendingEnds(t.body);
  if (!body || Wide{t.stride} <= body->last - body->first) {
    return std::nullopt;
  }
  return Ends{body->first, body->last + climb};
}

std::optional<Ends> AscendingEnds(std::span<const Term> terms) {
  std::optional<Ends> all;
  for (const Term& t : terms) {
    const std::optional<Ends> ends = AscendingEnds(t);
    if (!ends || (all && ends->first <= all->last)) return std::nullopt;
    all = Ends{all ? all->first : ends->first, ends->last};
  }
  return all;
}

}  // namespace

bool IsAscending(const RankSet& set) {
  return set.empty() || AscendingEnds(set.terms()).has_value();
}

}  // namespace ranksight::reduction
