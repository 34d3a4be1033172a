#include "online_model/synthesize/mesh_of_laws.h"

#include <array>
#include <map>

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;

// How many laws name a whole, by side.
class Wholes {
 public:
  void Add(const ScalarLaw& law) {
    if (law.kind == ScalarLaw::Kind::kBlock) Note(law.constant, law.dim, &cut_);
    ForEachExpression(law, [this](const Expression& e) { Add(e); });
  }

  std::optional<std::vector<int64_t>> Take(int ndims) const {
    for (const auto& counts : {cut_, divided_}) {
      std::vector<int64_t> mesh;
      for (int d = 0; d < ndims; ++d) {
        int most = 0;
        for (const auto& [whole, count] : counts[size_t(d)]) {
          if (count < most) continue;
          if (int(mesh.size()) == d) mesh.push_back(0);
          most = count;
          mesh.back() = whole;
        }
        if (int(mesh.size()) == d) break;
      }
      if (int(mesh.size()) == ndims) return mesh;
    }
    return std::nullopt;
  }

 private:
  using Counts = std::array<std::map<int64_t, int>, kMaxDims>;

  void Add(const Expression& e) {
    switch (e.op) {
      case Op::kBlock:
        if (e.a->op == Op::kConstant) Note(e.a->value, int(e.value), &cut_);
        break;
      case Op::kBlockAt:
        NoteShare(*e.a, *e.c, &cut_);
        break;
      case Op::kShare:
        if (e.a->value == e.b->value) NoteShare(*e.a, *e.c, &cut_);
        break;
      case Op::kDivide:
      case Op::kRemainder:
        NoteShare(*e.a, *e.b, &cut_);
        break;
      case Op::kDivideExactly:
        NoteShare(*e.a, *e.b, &divided_);
        break;
      default:
        break;
    }
  }

  static void NoteShare(const Expression& whole, const Expression& parts,
                        Counts* counts) {
    const bool of_side = whole.op == Op::kConstant &&
                         parts.op == Op::kFeature &&
                         parts.feature.kind == Feature::Kind::kDim;
    if (of_side) Note(whole.value, parts.feature.index, counts);
  }

  static void Note(int64_t whole, int side, Counts* counts) {
    if (whole > 0 && side >= 0) ++(*counts)[size_t(side)][whole];
  }

  Counts cut_, divided_;
};

}  // namespace

std::optional<std::vector<int64_t>> MeshOfLaws(const NodeLaw& root, int ndims) {
  Wholes wholes;
  ForEachScalarLaw(root, [&wholes](const ScalarLaw& law) { wholes.Add(law); });
  return wholes.Take(ndims);
}

}  // namespace ranksight::online_model
