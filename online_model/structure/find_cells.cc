#include "online_model/structure/find_cells.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Samples = std::span<const Sample>;

// Sides tried; the largest of the NAS classes up to E is 1020.
constexpr int64_t kMostSide = 1024;
// Values that differ between ranks are what tells layouts apart.
constexpr size_t kLeastCellValues = 3;

std::vector<CellCoordinate> Directions(int64_t sign0, int64_t sign1) {
  return {{0, 1, sign1, 0}, {1, 0, sign0, 0}, {0, 0, 1, 0}};
}

// Sums over a rank's cells: faces in one direction, with or without the
// cells at an end of it.
void AddSums(std::vector<Cells>* layouts) {
  for (const int64_t sign0 : {-1, 1}) {
    for (const int64_t sign1 : {1, -1}) {
      const auto along = Directions(sign0, sign1);
      for (size_t d = 0; d < along.size(); ++d) {
        Cells c;
        c.summed = true;
        c.sides = {along[(d + 1) % 3], along[(d + 2) % 3]};
        c.guard = along[d];
        for (const bool inner : {false, true}) {
          c.inner = inner;
          c.guarded = true;
          for (const bool last : {false, true}) {
            c.at_last = last;
            layouts->push_back(c);
          }
          c.guarded = false;
          layouts->push_back(c);
        }
      }
    }
  }
}

// Coordinates of one cell: of the place in a list, or without one.
std::vector<CellCoordinate> CoordinatesOf(bool array) {
  std::vector<CellCoordinate> found;
  for (const int64_t ak :
       array ? std::vector<int64_t>{0, 1, -1} : std::vector<int64_t>{0}) {
    for (const int64_t add : {0, 1, -1, 2, -2}) {
      for (const int64_t a0 : {0, 1, -1}) {
        for (const int64_t a1 : {0, 1, -1}) {
          found.push_back({a0, a1, ak, add});
        }
      }
    }
  }
  return found;
}

// One cell for each place of the list: the stages of a sweep.
void AddStages(const std::vector<CellCoordinate>& coordinates,
               std::vector<Cells>* layouts) {
  for (size_t i = 0; i < coordinates.size(); ++i) {
    for (size_t j = i; j < coordinates.size(); ++j) {
      Cells c;
      c.sides = {coordinates[i], coordinates[j]};
      for (const bool inner : {false, true}) {
        c.inner = inner;
        layouts->push_back(c);
      }
    }
  }
}

bool Possible(Samples samples, const std::vector<Sample>& probes,
              const SearchSpace& space) {
  if (space.ndims != 2 || samples.empty()) return false;
  std::set<int64_t> values;
  for (const Sample& p : probes) {
    if (p.where.dim(0) != p.where.dim(1)) return false;
    values.insert(p.value);
  }
  return values.size() >= kLeastCellValues;
}

// The factor that makes the layout give every probe, or 0.
int64_t ScaleOf(const Cells& layout, const std::vector<Sample>& probes) {
  int64_t scale = 0;
  for (const Sample& p : probes) {
    const int64_t v = layout.At(p.where);
    if (v == 0 || p.value % v != 0) return 0;
    if (scale == 0) scale = p.value / v;
    if (scale <= 0 || v * scale != p.value) return 0;
  }
  return scale;
}

ExpressionPtr LawOf(const Cells& layout, Samples samples) {
  Expression e;
  e.op = Expression::Op::kCells;
  e.cells = std::make_shared<const Cells>(layout);
  if (!Gives(e, samples)) return nullptr;
  return std::make_shared<const Expression>(std::move(e));
}

ExpressionPtr FindNumber(Samples samples, const std::vector<Sample>& order,
                         const std::vector<CellCoordinate>& coordinates) {
  Cells c;
  c.numbered = true;
  for (const CellCoordinate& low : coordinates) {
    for (const CellCoordinate& high : coordinates) {
      c.sides = {low, high};
      c.whole = 0;
      c.whole = order[0].value - c.At(order[0].where);
      const bool gives = std::all_of(
          order.begin(), order.end(),
          [&c](const Sample& s) { return c.At(s.where) == s.value; });
      if (!gives) continue;
      if (ExpressionPtr e = LawOf(c, samples)) return e;
    }
  }
  return nullptr;
}

}  // namespace

ExpressionPtr FindCells(Samples samples, const std::vector<Sample>& probes,
                        const SearchSpace& space) {
  if (!Possible(samples, probes, space)) return nullptr;
  // Samples that differ most come first: most layouts fail at once.
  std::vector<Sample> order = probes;
  std::stable_sort(order.begin(), order.end(),
                   [](const Sample& a, const Sample& b) {
                     return a.where.ranks() > b.where.ranks();
                   });
  const auto coordinates = CoordinatesOf(space.array);
  if (ExpressionPtr e = FindNumber(samples, order, coordinates)) return e;
  // Amounts: no share of a whole is zero.
  if (std::any_of(order.begin(), order.end(),
                  [](const Sample& s) { return s.value <= 0; })) {
    return nullptr;
  }
  std::vector<Cells> layouts;
  if (!space.array) AddSums(&layouts);
  AddStages(coordinates, &layouts);
  std::vector<int64_t> wholes;
  if (space.wholes) wholes.assign(space.wholes->begin(), space.wholes->end());
  for (int64_t whole = 2; whole <= kMostSide; ++whole) {
    wholes.push_back(whole);
  }
  for (const int64_t whole : wholes) {
    for (Cells& layout : layouts) {
      layout.whole = whole;
      layout.scale = 1;
      layout.scale = ScaleOf(layout, order);
      if (layout.scale == 0) continue;
      ExpressionPtr e = LawOf(layout, samples);
      if (e == nullptr) continue;
      if (space.wholes) space.wholes->insert(whole);
      return e;
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
