#include "online_model/structure/rule_families.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace ranksight::online_model {

bool HoldsAt(const DimsRule& rule, const std::vector<int64_t>& sizes) {
  return std::all_of(sizes.begin(), sizes.end(),
                     [&](int64_t n) { return rule.GridFor(n).has_value(); });
}

bool SameShapes(const DimsRule& a, const DimsRule& b,
                const std::vector<int64_t>& sizes) {
  return a.order == b.order &&
         std::all_of(sizes.begin(), sizes.end(),
                     [&](int64_t n) { return a.DimsFor(n) == b.DimsFor(n); });
}

bool SameSides(const DimsRule& a, const DimsRule& b,
               const std::vector<int64_t>& sizes) {
  const auto sides = [](const DimsRule& rule, int64_t n) {
    auto dims = rule.DimsFor(n);
    if (dims) std::sort(dims->begin(), dims->end());
    return dims;
  };
  return std::all_of(sizes.begin(), sizes.end(),
                     [&](int64_t n) { return sides(a, n) == sides(b, n); });
}

std::vector<DimsRule> PlainRules() {
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

std::optional<DimsRule> OneFreeRule(
    const std::map<int64_t, std::vector<int64_t>>& shapes, RankOrder order) {
  constexpr size_t kFewestSides = 3, kFewestLengths = 3;
  if (shapes.empty()) return std::nullopt;
  std::vector<int64_t> constants = shapes.begin()->second;
  if (constants.size() < kFewestSides) return std::nullopt;
  std::set<int64_t> lengths;
  for (size_t d = 0; d < constants.size(); ++d) {
    std::set<int64_t> here;
    for (const auto& [n, dims] : shapes) here.insert(dims[d]);
    if (here.size() == 1) continue;
    if (!lengths.empty()) return std::nullopt;
    lengths = std::move(here);
    constants[d] = 0;
  }
  if (lengths.size() < kFewestLengths) return std::nullopt;
  const int ndims = int(constants.size());
  return DimsRule{
      DimsRule::Kind::kOneFree, ndims, false, 0, {}, {}, order, constants};
}

std::vector<std::vector<int64_t>> Meshes(int ndims) {
  constexpr size_t kLongest[] = {16, 10};
  std::vector<int64_t> lengths(kLongest[ndims - 2]);
  std::iota(lengths.begin(), lengths.end(), 1);
  std::set<std::vector<int64_t>> meshes;
  ForEachMesh(ndims, lengths, [&](const std::vector<int64_t>& mesh) {
    int64_t common = 0;
    for (const int64_t side : mesh) common = std::gcd(common, side);
    if (common == 1) meshes.insert(mesh);
  });
  return {meshes.begin(), meshes.end()};
}

}  // namespace ranksight::online_model
