#include "online_model/synthesize/node_law.h"

#include <algorithm>
#include <map>
#include <string>

#include "online_model/synthesize/law_code.h"

namespace ranksight::online_model {

using reduction::Node;
using reduction::Param;
using reduction::Status;

uint64_t CountLaws(const NodeLaw& law) {
  uint64_t n = law.params.size();
  for (const bool absent : law.absent) n -= absent;
  for (const NodeLaw& child : law.children) n += 1 + CountLaws(child);
  return n;
}

double CostOf(const NodeLaw& law) {
  std::map<std::string, double> costs;
  ForEachScalarLaw(law, [&costs](const ScalarLaw& v) {
    costs.try_emplace(v.ToString(), v.cost());
  });
  double sum = 0;
  for (const auto& [text, cost] : costs) sum += cost;
  return sum;
}

bool ShiftsRanks(const NodeLaw& law) {
  using Op = Expression::Op;
  bool shifts = false;
  ForEachScalarLaw(law, [&shifts](const ScalarLaw& v) {
    ForEachExpression(v, [&shifts](const Expression& e) {
      shifts = shifts || (e.op == Op::kShiftRight && e.b->op == Op::kConstant &&
                          e.a->Uses(Feature::Kind::kRanks, 0));
    });
  });
  return shifts;
}

namespace {

// Whether any law works on the bits of ranks or counts stages.
bool UsesBits(const NodeLaw& law) {
  if (law.trips.UsesBits()) return true;
  for (size_t i = 0; i < law.params.size(); ++i) {
    if (law.absent[i]) continue;
    if (law.params[i].UsesBits()) return true;
  }
  return std::any_of(law.children.begin(), law.children.end(),
                     [](const NodeLaw& child) { return UsesBits(child); });
}

bool WorksWithSides(const SequenceLaw& law) {
  using Kind = Feature::Kind;
  for (int d = 0; d < kMaxDims; ++d) {
    for (const Kind kind : {Kind::kDim, Kind::kPerDim, Kind::kLog2Dim}) {
      if (law.Uses(kind, d)) return true;
    }
  }
  return false;
}

// Whether any law works with the length of a side of the grid, but for those
// that the program itself states (Param::kDims).
bool UsesSides(const NodeLaw& law, const Node& like) {
  // The root of a tree runs once, and has no law.
  for (size_t c = 0; c < law.children.size(); ++c) {
    const NodeLaw& child = law.children[c];
    const Node& node = like.children[c];
    if (WorksWithSides(child.trips) || UsesSides(child, node)) return true;
    for (size_t i = 0; i < child.params.size(); ++i) {
      if (child.absent[i] ||
          reduction::Info(node.call).params[i] == Param::kDims) {
        continue;
      }
      if (WorksWithSides(child.params[i])) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<int64_t> OnlySides(const NodeLaw& root, const Node& like,
                               std::span<const Grid> grids) {
  const std::vector<int64_t>& first = grids[0].dims;
  std::vector<int64_t> only(first.size(), 0);
  if (first.size() == 1 || !UsesSides(root, like)) return only;
  // A side of one rank in the smallest run alone tells nothing of how it grows.
  constexpr size_t kLeastOthers = 3;
  for (size_t d = 0; d < first.size(); ++d) {
    const bool leaves_out = first[d] == 1 && grids.size() > kLeastOthers;
    const auto others = grids.subspan(leaves_out ? 1 : 0);
    const int64_t length = others[0].dims[d];
    const bool is_same =
        std::all_of(others.begin(), others.end(),
                    [&](const Grid& g) { return g.dims[d] == length; });
    if (is_same) only[d] = length;
  }
  return only;
}

bool OnlyPowersOfTwo(const NodeLaw& root, std::span<const Grid> grids) {
  return UsesBits(root) &&
         std::all_of(grids.begin(), grids.end(),
                     [](const Grid& g) { return IsPowerOfTwo(g.ranks()); });
}

namespace {

// Whether it says again what the parameter before it did: that all requests
// passed are completed.
bool IsSaidBefore(const NodeLaw& law, Param p, size_t i) {
  return p == Param::kOpenCount && !law.absent[i - 1] &&
         NumbersOf(law.params[i]) == NumbersOf(law.params[i - 1]);
}

}  // namespace

void DescribeLaws(const NodeLaw& law, const Node& like,
                  const reduction::Sites& sites,
                  std::vector<std::string>* lines) {
  for (size_t c = 0; c < like.children.size(); ++c) {
    const Node& node = like.children[c];
    const NodeLaw& node_law = law.children[c];
    const std::string name =
        node.is_event() ? std::string(reduction::Info(node.call).name) +
                              " at " + reduction::ToString(sites, node.site, 1)
                        : "loop";
    lines->push_back(name + ": trips = " +
                     (node_law.trips_missing
                          ? "an estimate"
                          : node_law.trips.ToString() + "  " +
                                node_law.trips.SupportText()));
    for (size_t i = 0; i < node_law.params.size(); ++i) {
      if (node_law.absent[i]) continue;
      const Param p = reduction::Info(node.call).params[i];
      if (!node_law.missing.empty() && node_law.missing[i]) {
        lines->push_back(name + ": " + std::string(reduction::ParamName(p)) +
                         " = an estimate");
        continue;
      }
      if (IsSaidBefore(node_law, p, i)) continue;
      lines->push_back(name + ": " + std::string(reduction::ParamName(p)) +
                       " = " + node_law.params[i].ToString() + "  " +
                       node_law.params[i].SupportText());
    }
    DescribeLaws(node_law, node, sites, lines);
  }
}

}  // namespace ranksight::online_model
