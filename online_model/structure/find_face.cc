#include "online_model/structure/find_face.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Wider halos, and meshes with a longer side for each rank, are not tried.
constexpr int64_t kWidestHalo = 10;
constexpr int64_t kMostBlocks = 512;

// What all ranks of one size have.
struct Size {
  const Grid* grid;
  int64_t value;
};

std::vector<Size> SizesOf(Samples samples) {
  std::vector<Size> sizes;
  for (const Sample& s : samples) {
    const bool known = std::any_of(
        sizes.begin(), sizes.end(),
        [&s](const Size& size) { return size.grid == s.where.grid; });
    if (!known) sizes.push_back({s.where.grid, s.value});
  }
  return sizes;
}

// A product over some sides of the grid.
struct Face {
  std::vector<int> sides;
  std::vector<int64_t> wholes;  // by place in sides
  int64_t halo = 0, scale = 1;

  int64_t Side(size_t i, const Grid& grid) const {
    return wholes[i] / grid.dims[size_t(sides[i])] + halo;
  }

  // The product without the scale, of the first `count` sides.
  int64_t Product(size_t count, const Grid& grid) const {
    int64_t product = 1;
    for (size_t i = 0; i < count; ++i) product *= Side(i, grid);
    return product;
  }

  // The scale by which all values are products; 0 where there is none.
  int64_t ScaleOf(const std::vector<Size>& sizes) const {
    int64_t found = 0;
    for (const Size& s : sizes) {
      const int64_t product = Product(sides.size(), *s.grid);
      if (product <= 0 || s.value % product != 0) return 0;
      const int64_t here = s.value / product;
      if (found != 0 && here != found) return 0;
      found = here;
    }
    return found;
  }

  ExpressionPtr Law() const {
    ExpressionPtr product;
    for (size_t i = 0; i < sides.size(); ++i) {
      const ExpressionPtr side = AffineExpression(
          1,
          Combine(Op::kDivideExactly, ConstantExpression(wholes[i]),
                  FeatureExpression({Feature::Kind::kDim, sides[i], nullptr})),
          halo);
      product =
          product == nullptr ? side : Combine(Op::kMultiply, product, side);
    }
    return AffineExpression(scale, product, 0);
  }
};

// The whole of the last side, given all others, by two sizes between which it
// changes: u / u' = (whole / d + halo) / (whole / d' + halo).
std::optional<int64_t> LastWhole(const Face& face,
                                 const std::vector<Size>& sizes) {
  const size_t last = face.sides.size() - 1;
  const auto side = [&](const Size& s) {
    return s.grid->dims[size_t(face.sides[last])];
  };
  for (const Size& s : sizes) {
    const int64_t d = side(sizes[0]), e = side(s);
    if (d == e) continue;
    const __int128 u = __int128(sizes[0].value) * face.Product(last, *s.grid);
    const __int128 v = __int128(s.value) * face.Product(last, *sizes[0].grid);
    // u (w / e + h) = v (w / d + h)
    const __int128 by = u * d - v * e;
    const __int128 to = (v - u) * face.halo * d * e;
    if (by == 0 || to % by != 0) return std::nullopt;
    const __int128 whole = to / by;
    if (whole <= 0 || whole > kLargestValue) return std::nullopt;
    return int64_t(whole);
  }
  return std::nullopt;
}

bool DividesAll(int64_t whole, int side, const std::vector<Size>& sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [&](const Size& s) {
    return whole % s.grid->dims[size_t(side)] == 0;
  });
}

bool Changes(int side, const std::vector<Size>& sizes) {
  return std::any_of(sizes.begin(), sizes.end(), [&](const Size& s) {
    return s.grid->dims[size_t(side)] != sizes[0].grid->dims[size_t(side)];
  });
}

// With all wholes alike, then with another one for the last side.
bool Complete(const std::vector<Size>& sizes, Face* face) {
  face->scale = face->ScaleOf(sizes);
  if (face->scale > 0) return true;
  const auto last = LastWhole(*face, sizes);
  if (!last || !DividesAll(*last, face->sides.back(), sizes)) return false;
  face->wholes.back() = *last;
  face->scale = face->ScaleOf(sizes);
  return face->scale > 0;
}

// Sets of two sides and more, all of which change.
std::vector<std::vector<int>> SetsOfSides(int ndims,
                                          const std::vector<Size>& sizes) {
  std::vector<std::vector<int>> sets;
  for (unsigned bits = 1; bits < 1u << ndims; ++bits) {
    std::vector<int> sides;
    bool all = true;
    for (int d = 0; d < ndims; ++d) {
      if ((bits >> d & 1) == 0) continue;
      sides.push_back(d);
      all = all && Changes(d, sizes);
    }
    if (all && sides.size() > 1) sets.push_back(std::move(sides));
  }
  return sets;
}

std::optional<Face> FaceOf(const std::vector<Size>& sizes,
                           const std::vector<int>& sides) {
  int64_t step = 1;
  for (const Size& s : sizes) {
    for (const int d : sides) step = std::lcm(step, s.grid->dims[size_t(d)]);
  }
  // Without one it is the whole over some sides, which on one grid or another
  // is anything over another side.
  for (int64_t halo = 1; halo <= kWidestHalo; ++halo) {
    for (int64_t k = 1; k <= kMostBlocks; ++k) {
      Face face{sides, std::vector<int64_t>(sides.size(), k * step), halo, 1};
      if (Complete(sizes, &face)) return face;
    }
  }
  return std::nullopt;
}

}  // namespace

ExpressionPtr FindFace(Samples samples, int ndims) {
  if (ndims < 2 || !DependOnSizeOnly(samples)) return nullptr;
  const std::vector<Size> sizes = SizesOf(samples);
  std::set<int64_t> different;
  for (const Size& s : sizes) {
    if (s.value <= 0) return nullptr;
    different.insert(s.value);
  }
  // A whole, a halo and a scale give two numbers by chance.
  constexpr size_t kLeastNumbers = 3;
  if (different.size() < kLeastNumbers) return nullptr;
  for (const auto& sides : SetsOfSides(ndims, sizes)) {
    if (const auto face = FaceOf(sizes, sides)) return face->Law();
  }
  return nullptr;
}

}  // namespace ranksight::online_model
