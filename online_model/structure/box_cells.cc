#include "online_model/structure/box_cells.h"

#include <cstdlib>
#include <vector>

namespace ranksight::online_model {
namespace {

// Cells factor * [start <= coordinate < start + length], modulo q.
struct Interval {
  int64_t factor, start, length;
};

class CellsEvaluator {
 public:
  CellsEvaluator(const Cells& cells, const Box& box)
      : cells_(cells), box_(box), q_(box.grid->dims[0]) {}

  Affine Value() const {
    const auto& sides = cells_.sides;
    if (cells_.numbered) {
      const Affine low = At(sides[0], box_.Place());
      const Affine high = At(sides[1], box_.Place());
      return Add(Add(Constant(cells_.whole), low), high, q_);
    }
    if (!cells_.summed) return SizeAt(box_.Place());
    if (!InClosedForm()) return Constant(cells_.At(ContextOf(box_)));
    const Affine all = Scaled(Total());
    if (!cells_.guarded) return all;
    // The cell left out: the one whose guard is at the end.
    const CellCoordinate& guard = cells_.guard;
    const Affine end = Constant(cells_.at_last ? q_ - 1 : 0);
    const Affine from_here = Add(end, Start(guard), -1);
    return Add(all, SizeAt(Add(Constant(0), from_here, guard.ak)), -1);
  }

 private:
  Affine Constant(int64_t v) const { return box_.Constant(v); }
  Affine Scaled(const Affine& v) const {
    return Add(Constant(0), v, cells_.scale);
  }
  Affine Modulo(const Affine& v) const {
    return Remainder(v, Constant(q_), box_);
  }

  // A coordinate, not yet modulo q, of cell 0.
  Affine Start(const CellCoordinate& c) const {
    Affine v = Add(Constant(c.add), box_.Coordinate(0), c.a0);
    return Add(v, box_.Coordinate(1), c.a1);
  }

  Affine At(const CellCoordinate& c, const Affine& k) const {
    return Modulo(Add(Start(c), k, c.ak));
  }

  // A cell's side is the sum of these at its coordinate.
  std::vector<Interval> Side() const {
    std::vector<Interval> side;
    if (cells_.whole >= q_) side.push_back({cells_.whole / q_, 0, q_});
    if (cells_.whole % q_ > 0) side.push_back({1, 0, cells_.whole % q_});
    if (cells_.inner) {
      side.push_back({-1, 0, 1});
      side.push_back({-1, q_ - 1, 1});
    }
    return side;
  }

  Affine SizeAt(const Affine& k) const {
    int64_t product = cells_.scale;
    for (const CellCoordinate& side : cells_.sides) {
      const Affine x = At(side, k);
      int64_t length = 0;
      for (const Interval& i : Side()) {
        const bool in = !IsLess(x, Constant(i.start), box_) &&
                        IsLess(x, Constant(i.start + i.length), box_);
        length += in ? i.factor : 0;
      }
      product *= length;
    }
    return Constant(product);
  }

  // Both coordinates run once through all of the ring as the cell does.
  bool InClosedForm() const {
    if (cells_.whole < 0 || cells_.sides.size() != 2) return false;
    for (const CellCoordinate& side : cells_.sides) {
      if (std::abs(side.ak) != 1) return false;
    }
    return !cells_.guarded || std::abs(cells_.guard.ak) == 1;
  }

  // The product of both sides, summed over all cells. With t for the first
  // coordinate the second is apart + turn * t.
  Affine Total() const {
    const CellCoordinate &a = cells_.sides[0], &b = cells_.sides[1];
    const int64_t turn = a.ak * b.ak;
    const Affine apart = Add(Start(b), Start(a), -turn);
    Affine sum = Constant(0);
    for (const Interval& i : Side()) {
      for (const Interval& j : Side()) {
        // The t for which the second coordinate lies in j start here.
        const Affine start =
            turn == 1 ? Add(Constant(j.start), apart, -1)
                      : Add(apart, Constant(j.start + j.length - 1), -1);
        const Affine common = Overlap(
            i.length, Modulo(Add(start, Constant(i.start), -1)), j.length);
        sum = Add(sum, common, i.factor * j.factor);
      }
    }
    return sum;
  }

  // What [0, m) and [start, start + n) share on a ring of q places.
  Affine Overlap(int64_t m, const Affine& start, int64_t n) const {
    if (m == q_) return Constant(n);
    if (n == q_) return Constant(m);
    const Affine end = Add(start, Constant(n));
    const Affine before = Least(end, Constant(m));
    const Affine ahead = Least(Constant(0), Add(start, before, -1));
    const Affine around = Least(Constant(0), Add(Constant(q_), end, -1));
    const Affine wrapped = Least(Constant(m), Add(Constant(0), around, -1));
    return Add(wrapped, ahead, -1);
  }

  Affine Least(const Affine& a, const Affine& b) const {
    return IsLess(b, a, box_) ? b : a;
  }

  const Cells& cells_;
  const Box& box_;
  int64_t q_;
};

}  // namespace

Affine CellsOn(const Cells& cells, const Box& box) {
  return CellsEvaluator(cells, box).Value();
}

}  // namespace ranksight::online_model
