#include "online_model/structure/dims_rule.h"

#include <algorithm>
#include <cmath>

#include "online_model/structure/grid.h"

namespace ranksight::online_model {
namespace {

struct BestShape {
  std::vector<int64_t> dims;

  // Smaller spread first, then the larger tail.
  bool Beats(const std::vector<int64_t>& shape) const {
    if (dims.empty()) return false;
    const int64_t mine = dims.front() - dims.back();
    const int64_t other = shape.front() - shape.back();
    if (mine != other) return mine < other;
    return !std::lexicographical_compare(dims.rbegin(), dims.rend(),
                                         shape.rbegin(), shape.rend());
  }
};

void Search(int64_t rest, int left, const std::vector<int64_t>& divisors,
            std::vector<int64_t>* shape, BestShape* best) {
  const int64_t limit = shape->empty() ? rest : shape->back();
  if (left == 1) {
    if (rest > limit) return;
    shape->push_back(rest);
    if (!best->Beats(*shape)) best->dims = *shape;
    shape->pop_back();
    return;
  }
  for (const int64_t d : divisors) {
    if (d > limit || rest % d != 0) continue;
    if (std::pow(double(d), left) < double(rest) * (1 - 1e-9)) continue;
    shape->push_back(d);
    Search(rest / d, left - 1, divisors, shape, best);
    shape->pop_back();
  }
}

std::optional<int64_t> ExactRoot(int64_t n, int power) {
  const int64_t guess = std::llround(std::pow(double(n), 1.0 / power));
  int64_t product = 1;
  for (int i = 0; i < power; ++i) product *= guess;
  if (product != n) return std::nullopt;
  return guess;
}

bool HoldsAt(const DimsRule& rule, const std::vector<int64_t>& sizes) {
  return std::all_of(sizes.begin(), sizes.end(),
                     [&](int64_t n) { return rule.DimsFor(n).has_value(); });
}

// Of a side that is 1 at all sizes nothing was seen: how a program goes along
// it is not known, and all that was seen fewer dimensions tell.
bool HasEmptySide(const DimsRule& rule, const std::vector<int64_t>& sizes) {
  for (int d = 0; d < rule.ndims && rule.ndims > 1; ++d) {
    const bool empty = std::all_of(sizes.begin(), sizes.end(), [&](int64_t n) {
      return (*rule.DimsFor(n))[size_t(d)] == 1;
    });
    if (empty) return true;
  }
  return false;
}

bool SameShapes(const DimsRule& a, const DimsRule& b,
                const std::vector<int64_t>& sizes) {
  return std::all_of(sizes.begin(), sizes.end(),
                     [&](int64_t n) { return a.DimsFor(n) == b.DimsFor(n); });
}

std::vector<DimsRule> AllRules() {
  using Kind = DimsRule::Kind;
  std::vector<DimsRule> rules{{Kind::kLine, 1, false, 0, {}}};
  for (int d = 2; d <= kMaxDims; ++d) {
    rules.push_back({Kind::kEqual, d, false, 0, {}});
    rules.push_back({Kind::kBalanced, d, false, 0, {}});
    rules.push_back({Kind::kBalanced, d, true, 0, {}});
  }
  for (int64_t fixed = 2; fixed <= 8; ++fixed) {
    rules.push_back({Kind::kFixed, 2, false, fixed, {}});
    rules.push_back({Kind::kFixed, 2, true, fixed, {}});
  }
  return rules;
}

}  // namespace

std::vector<int64_t> DimsCreate(int64_t n, int ndims) {
  std::vector<int64_t> divisors;
  for (int64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    divisors.push_back(d);
    if (d * d != n) divisors.push_back(n / d);
  }
  BestShape best;
  std::vector<int64_t> shape;
  Search(n, ndims, divisors, &shape, &best);
  return best.dims;
}

std::optional<std::vector<int64_t>> DimsRule::DimsFor(int64_t n) const {
  if (n < 1) return std::nullopt;
  std::vector<int64_t> dims;
  switch (kind) {
    case Kind::kLine:
      return std::vector<int64_t>{n};
    case Kind::kEqual: {
      const std::optional<int64_t> side = ExactRoot(n, ndims);
      if (!side) return std::nullopt;
      return std::vector<int64_t>(size_t(ndims), *side);
    }
    case Kind::kBalanced:
      dims = DimsCreate(n, ndims);
      break;
    case Kind::kFixed:
      if (n % fixed != 0) return std::nullopt;
      dims = {n / fixed, fixed};
      break;
    case Kind::kGiven: {
      const auto it = given.find(n);
      if (it == given.end()) return std::nullopt;
      return it->second;
    }
  }
  if (reversed) std::reverse(dims.begin(), dims.end());
  return dims;
}

std::string DimsRule::ToString() const {
  const std::string shape = std::to_string(ndims) + "-D";
  switch (kind) {
    case Kind::kLine:
      return "1-D line of all ranks";
    case Kind::kEqual:
      return shape + " grid with equal sides";
    case Kind::kBalanced:
      return shape + " grid by MPI_Dims_create" +
             (reversed ? ", smallest first" : "");
    case Kind::kFixed:
      return "2-D grid with one side of " + std::to_string(fixed) +
             (reversed ? ", first" : ", last");
    case Kind::kGiven:
      return shape + " grid as given to MPI_Cart_create";
  }
  return shape;
}

std::vector<DimsRule> CandidateRules(
    const std::vector<int64_t>& sizes,
    const std::map<int64_t, std::vector<int64_t>>& recorded) {
  std::vector<DimsRule> rules;
  const bool all_recorded = recorded.size() == sizes.size() && !sizes.empty();
  const DimsRule given{DimsRule::Kind::kGiven,
                       all_recorded ? int(recorded.begin()->second.size()) : 0,
                       false, 0, recorded};
  for (const DimsRule& rule : AllRules()) {
    if (!HoldsAt(rule, sizes)) continue;
    const bool used = all_recorded && SameShapes(rule, given, sizes);
    if (!used && HasEmptySide(rule, sizes)) continue;
    const bool known = std::any_of(
        rules.begin(), rules.end(),
        [&](const DimsRule& r) { return SameShapes(r, rule, sizes); });
    if (!known) rules.push_back(rule);
  }
  if (!all_recorded) return rules;
  const auto first = std::stable_partition(
      rules.begin(), rules.end(),
      [&](const DimsRule& r) { return SameShapes(r, given, sizes); });
  if (first == rules.begin()) rules.insert(rules.begin(), given);
  return rules;
}

std::vector<int64_t> NearbySizes(const DimsRule& rule, int64_t n, int count) {
  std::vector<int64_t> found;
  // Twice the distance between neighbouring fourth powers near 10^4.
  const int64_t reach = std::min<int64_t>(1'000'000, 4 * std::abs(n) + 64);
  for (int64_t step = 0; step <= reach; ++step) {
    if (int(found.size()) >= count) break;
    if (rule.DimsFor(n - step)) found.push_back(n - step);
    if (step > 0 && rule.DimsFor(n + step)) found.push_back(n + step);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace ranksight::online_model
