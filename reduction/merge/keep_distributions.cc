#include <optional>
#include <string>

#include "reduction/api/contract.h"
#include "reduction/api/distribution.h"
#include "reduction/api/pause.h"
#include "reduction/merge/weight.h"
#include "reduction/section/amount.h"

namespace ranksight::reduction {
namespace {

// A distribution takes about 45 bytes in a file, as do 20 numbers and terms
// of a section. A smaller one would make files larger.
constexpr size_t kLeastWeight = 20;

// The one value that p has everywhere, if so.
std::optional<int64_t> OnlyValue(const Parameter& p) {
  std::optional<int64_t> only;
  for (const ParameterPiece& piece : p.pieces()) {
    for (size_t i = 0; i < piece.columns.size(); ++i) {
      const Column& c = piece.columns[i];
      if (i % 3 == 2) continue;
      if (c.relative || !c.values.IsConstant()) return std::nullopt;
      const int64_t v = c.values.At(0);
      if (i % 3 == 1 && v != 0) return std::nullopt;
      if (i % 3 == 1 || piece.shape[i / 3] != 0) continue;
      if (only && *only != v) return std::nullopt;
      only = v;
    }
  }
  return only;
}

// Whether the sum of the amounts gives the bytes, so that these stay exact.
bool SumGivesBytes(const Node& node, Param amount) {
  const SizeOf* of = SizesOf(amount);
  if (of == nullptr) return false;
  const auto params = Info(node.call).params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (!DecidesBytes(params[i], *of)) continue;
    const auto value = OnlyValue(node.params[i]);
    if (!value) return false;
    if (params[i] == Param::kInPlace && value != 0) return false;
  }
  return true;
}

void Keep(Node* node) {
  for (Node& child : node->children) Keep(&child);
  const auto params = Info(node->call).params;
  for (size_t i = 0; i < node->params.size(); ++i) {
    Parameter& p = node->params[i];
    if (p.distribution() != nullptr || !IsAmount(params[i]) ||
        WeightOf(p) < kLeastWeight || !SumGivesBytes(*node, params[i])) {
      continue;
    }
    Distribution all;
    for (const auto& [rank, section] : p.ByRank()) {
      Pause();
      // Rank by rank, so that spread between ranks is known.
      all.Merge(Distribution::Of(section));
    }
    p = Parameter::Of(std::move(all));
  }
}

const Node* FirstWithDistribution(const Node& node, Param* which) {
  const auto params = Info(node.call).params;
  for (size_t i = 0; i < node.params.size(); ++i) {
    if (node.params[i].distribution() == nullptr) continue;
    *which = params[i];
    return &node;
  }
  for (const Node& child : node.children) {
    const Node* found = FirstWithDistribution(child, which);
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace

bool IsAmount(Param p) { return SizesOf(p) != nullptr; }

uint64_t KeepDistributions(Trace* trace) {
  RANKSIGHT_REQUIRE(trace != nullptr);
  for (Node& child : trace->root.children) Keep(&child);
  MarkDistributions(trace);
  const auto& losses = trace->meta.losses;
  const auto kept = losses.find(kLossOfValues);
  return kept == losses.end() ? 0 : kept->second;
}

void MarkDistributions(Trace* trace) {
  uint64_t values = 0;
  ForEachEvent(trace->root, [&values](const Node& event) {
    for (const Parameter& p : event.params) {
      if (p.distribution() != nullptr) values += p.distribution()->count();
    }
  });
  if (values > 0) trace->meta.losses[kLossOfValues] = values;
}

Status RequireValues(const Trace& trace) {
  Param which = Param::kCount;
  const Node* node = FirstWithDistribution(trace.root, &which);
  if (node == nullptr) return Status::Ok();
  return Status::No("the trace keeps only a distribution of " +
                    std::string(ParamName(which)) + " of " +
                    std::string(Info(node->call).name) +
                    ", not the values: it is lossy; where --distributions did "
                    "not ask for that, RANKSIGHT_TIME=off and a larger "
                    "RANKSIGHT_MEMORY keep them");
}

}  // namespace ranksight::reduction
