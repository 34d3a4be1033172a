#include "online_model/structure/box_value.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <iterator>

#include "online_model/structure/box_cells.h"
#include "online_model/structure/dims_rule.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Kind = Feature::Kind;
using Op = Expression::Op;

class LawEvaluator {
 public:
  explicit LawEvaluator(const Box& box) : box_(box) {}

  Affine Of(const ScalarLaw& law) const {
    switch (law.kind) {
      case ScalarLaw::Kind::kAffine: {
        Affine v = Constant(law.constant);
        for (const auto& [factor, feature] : law.terms) {
          v = Add(v, Of(feature), factor);
        }
        return v;
      }
      case ScalarLaw::Kind::kNeighbour:
        return Neighbour(law);
      case ScalarLaw::Kind::kXor:
        return Xor(box_.Rank(), Constant(law.constant), box_);
      case ScalarLaw::Kind::kGuarded:
        return IsEqual(Of(law.condition), Constant(1), box_)
                   ? Constant(law.constant)
                   : Of(*law.otherwise);
      case ScalarLaw::Kind::kBlock:
        return BlockLaw(law);
      case ScalarLaw::Kind::kExpression:
        return Of(*law.expression);
      case ScalarLaw::Kind::kThere:
        return There(*law.otherwise, law.each());
    }
    return Constant(kNotWhole);
  }

 private:
  Affine Constant(int64_t v) const { return box_.Constant(v); }
  int64_t side(int d) const { return box_.grid->dims[size_t(d)]; }
  Affine Truth(bool v) const { return Constant(v ? 1 : 0); }
  Affine Equals(const Affine& v, int64_t to) const {
    return Truth(IsEqual(v, Constant(to), box_));
  }
  Affine PowerOf(const Affine& exponent) const {
    const int64_t e = ConstantOf(exponent, box_);
    return Constant(e < 0 || e > 40 ? 0 : int64_t{1} << e);
  }
  Affine FromEnd(const Affine& v, int64_t end) const {
    return Add(Constant(end), v, -1);
  }

  Affine Of(const Feature& f) const {
    const int64_t n = box_.grid->ranks();
    switch (f.kind) {
      case Kind::kRank:
        return box_.Rank();
      case Kind::kCoord:
        return box_.Coordinate(f.index);
      case Kind::kFirst:
        return Equals(box_.Coordinate(f.index), 0);
      case Kind::kLast:
        return Equals(box_.Coordinate(f.index), side(f.index) - 1);
      case Kind::kPosition:
        return box_.Place();
      case Kind::kLength:
        return box_.length;
      case Kind::kDegree:
        return Constant(Degree(*f.list));
      case Kind::kZeroRank:
        return Equals(box_.Rank(), 0);
      case Kind::kOtherRank:
        return Constant(IsEqual(box_.Rank(), Constant(0), box_) ? 0 : 1);
      case Kind::kEndRank:
        return Equals(box_.Rank(), n - 1);
      case Kind::kBack:
        return PlacesBehind();
      case Kind::kPower:
        return PowerOf(box_.Place());
      case Kind::kBackPower:
        return PowerOf(PlacesBehind());
      case Kind::kFirstPlace:
        return Equals(box_.Place(), 0);
      case Kind::kLastPlace:
        return Equals(PlacesBehind(), 0);
      case Kind::kTwos:
        return Twos(box_.Coordinate(f.index), side(f.index));
      case Kind::kCoarsest:
        return Coarsest(0);
      case Kind::kCoarsestFromOne:
        return Coarsest(1);
      case Kind::kLeft:
        return FromEnd(box_.Coordinate(f.index), side(f.index));
      case Kind::kTransposed:
        return Transposed();
      case Kind::kZeros:
        return Constant(Zeros());
      case Kind::kLowBit:
        return Constant(int64_t{1} << Zeros());
      case Kind::kStagesLeft:
        return Constant(StagesLeft());
      case Kind::kAbove:
        return Constant(int64_t{1} << Bits());
      case Kind::kChildren:
        return Constant(std::max<int64_t>(0, StagesLeft() - Bits()));
      case Kind::kWithBit:
        return OfPlace(f);
      case Kind::kBitsApart:
        return BitsApart(f);
      case Kind::kSumOfBoth:
        return SumOfBoth();
      case Kind::kPowerLeft:
        return FromEnd(PowerOf(box_.Place()), n);
      default: {
        assert(f.IsOfSize());
        return Constant(f.At(Context(*box_.grid, 0)));
      }
    }
  }

  // Of the list, behind the one at hand.
  Affine PlacesBehind() const {
    return Add(FromEnd(box_.Place(), -1), box_.length);
  }

  // What follows from the place and the number of ranks alone.
  Affine OfPlace(const Feature& f) const {
    Context somewhere(*box_.grid, 0);
    somewhere.position = ConstantOf(box_.Place(), box_);
    return Constant(f.At(somewhere));
  }

  Affine SumOfBoth() const {
    const Affine& k = box_.Place();
    const Affine ranks = Constant(box_.grid->ranks());
    if (IsEqual(box_.length, ranks, box_)) return k;
    if (!IsEqual(box_.length, FromEnd(Constant(1), box_.grid->ranks()), box_)) {
      return Constant(kNotWhole);
    }
    const Affine own =
        Remainder(Multiply(Constant(2), box_.Rank(), box_), ranks, box_);
    return IsLess(k, own, box_) ? k : Add(k, Constant(1));
  }

  // At one place of one rank.
  Affine BitsApart(const Feature& f) const {
    Context at(*box_.grid, ConstantOf(box_.Rank(), box_));
    at.position = ConstantOf(box_.Place(), box_);
    at.length = ConstantOf(box_.length, box_);
    return Constant(f.At(at));
  }

  int64_t Zeros() const {
    int64_t k = 0;
    while ((int64_t{1} << k) < box_.grid->ranks() &&
           IsEqual(Remainder(box_.Rank(), Constant(int64_t{2} << k), box_),
                   Constant(0), box_)) {
      ++k;
    }
    return k;
  }

  int64_t StagesLeft() const {
    const Affine left = FromEnd(box_.Rank(), box_.grid->ranks());
    int64_t k = 0;
    while (IsLess(Constant(int64_t{1} << k), left, box_)) ++k;
    return k;
  }

  // Bits that the rank takes.
  int64_t Bits() const {
    int64_t bits = 0;
    while (!IsLess(box_.Rank(), Constant(int64_t{1} << bits), box_)) ++bits;
    return bits;
  }

  int64_t Degree(const Neighbours& list) const {
    int64_t degree = 0;
    for (size_t slot = 0; slot < list.slots.size(); ++slot) {
      degree += NeighbourOn(box_, list, slot).has_value();
    }
    return degree;
  }

  // See feature.cc.
  Affine Twos(const Affine& x, int64_t n) const {
    int64_t k = 0;
    while ((int64_t{2} << k) < n &&
           IsEqual(Remainder(x, Constant(int64_t{2} << k), box_), Constant(0),
                   box_)) {
      ++k;
    }
    return Constant(k);
  }

  Affine Coarsest(int64_t first) const {
    const auto takes_part = [&](int64_t level) {
      for (int d = 0; d < box_.grid->size(); ++d) {
        const int64_t apart = std::max<int64_t>(1, side(d) >> level);
        const Affine from = Add(box_.Coordinate(d), Constant(first));
        const Affine past = Remainder(from, Constant(apart), box_);
        if (!IsEqual(past, Constant(0), box_)) return false;
      }
      return true;
    };
    // Who has a part in a level has one in all finer ones, where each has twice
    // the ranks. From the finest, boxes are cut to every second rank, and these
    // again, not all over.
    const auto& sides = box_.grid->dims;
    const int64_t longest = *std::max_element(sides.begin(), sides.end());
    int64_t level = 0;
    if (!std::all_of(sides.begin(), sides.end(), IsPowerOfTwo)) {
      while (!takes_part(level)) ++level;
      return Constant(level);
    }
    while (longest >> level > 1) ++level;
    while (level > 0 && takes_part(level - 1)) --level;
    return Constant(level);
  }

  Affine Transposed() const {
    const int64_t rows = side(0), columns = side(1);
    const Affine x = box_.Coordinate(0), y = box_.Coordinate(1);
    if (columns % rows == 0) {
      const Affine q = Constant(columns / rows);
      const Affine part = FloorDivide(y, q, box_);
      const Affine to = Add(x, part, rows);
      return Add(Remainder(y, q, box_), to, q.constant);
    }
    if (rows % columns != 0) return box_.Rank();
    const Affine q = Constant(rows / columns);
    const Affine row = Add(Remainder(x, q, box_), y, q.constant);
    return Add(FloorDivide(x, q, box_), row, columns);
  }

  Affine Neighbour(const ScalarLaw& law) const {
    std::optional<Affine> rank;
    if (law.on_line) {
      rank = Along(Add(box_.Rank(), Constant(law.by[0])), box_.grid->ranks(),
                   law.periodic != 0);
    } else {
      rank = DisplacedOn(box_, law.by, law.periodic);
    }
    return rank.value_or(Constant(reduction::kPeerNull));
  }

 public:
  std::optional<Affine> Along(const Affine& to, int64_t n,
                              bool periodic) const {
    if (periodic) return Remainder(to, Constant(n), box_);
    if (IsLess(to, Constant(0), box_) || !IsLess(to, Constant(n), box_)) {
      return std::nullopt;
    }
    return to;
  }

 private:
  Affine Block(int64_t whole, int dim) const {
    const int64_t n =
        dim == kPlaceDimension ? ConstantOf(box_.length, box_) : side(dim);
    if (n < 1) return Constant(kNotWhole);
    const bool larger = IsLess(box_.Coordinate(dim), Constant(whole % n), box_);
    return Constant(whole / n + (larger ? 1 : 0));
  }

  // See Context::There.
  Affine There(const ScalarLaw& law, int64_t each) const {
    const Affine whole = FloorDivide(box_.length, Constant(each), box_);
    const Affine missing = FromEnd(whole, box_.grid->ranks());
    const bool own_missing = IsEqual(missing, Constant(1), box_);
    if ((!own_missing && !IsEqual(missing, Constant(0), box_)) ||
        !IsEqual(Add(box_.length, whole, -each), Constant(0), box_) ||
        !IsLess(box_.Place(), box_.length, box_)) {
      return Constant(kNotWhole);
    }
    const Affine of = FloorDivide(box_.Place(), Constant(each), box_);
    const bool behind = own_missing && !IsLess(of, box_.Rank(), box_);
    Box there = box_;
    there.place = Add(box_.Place(), of, -each);
    there.length = Constant(each > 1 ? each : 0);
    there.rank = Add(of, Constant(behind ? 1 : 0));
    there.coordinates = box_.CoordinatesOf(there.rank);
    return LawEvaluator(there).Of(law);
  }

  Affine BlockLaw(const ScalarLaw& law) const {
    const Affine block = Block(law.constant, law.dim);
    if (block.constant == kNotWhole) return block;
    return Add(Constant(law.add), block, law.scale);
  }

  Affine Of(const Expression& e) const {
    switch (e.op) {
      case Op::kConstant:
        return Constant(e.value);
      case Op::kFeature:
        return Of(e.feature);
      case Op::kSelect: {
        const Affine condition = Of(*e.a);
        if (condition.constant == kNotWhole) return condition;
        return IsEqual(condition, Constant(0), box_) ? Of(*e.c) : Of(*e.b);
      }
      case Op::kMove:
        return Moved(int(e.value), Of(*e.a));
      case Op::kBlock: {
        const int64_t whole = ConstantOf(Of(*e.a), box_);
        return whole == kNotWhole ? Constant(kNotWhole)
                                  : Block(whole, int(e.value));
      }
      case Op::kCells:
        return CellsOn(*e.cells, box_);
      case Op::kOwn:
        // Nothing is known of it.
        return Constant(e.own->At(ContextOf(box_)));
      case Op::kShare: {
        const Affine parts = Of(*e.c);
        const Affine low = Apply(Op::kDivide, Of(*e.a), parts);
        const Affine high = Apply(Op::kDivide, Of(*e.b), parts);
        return IsEqual(low, high, box_) ? low : Constant(kNotWhole);
      }
      case Op::kAgreed: {
        const Affine one = Of(*e.a);
        return IsEqual(one, Of(*e.b), box_) ? one : Constant(kNotWhole);
      }
      case Op::kBits:
        return Reordered(e.bits);
      case Op::kBlockAt:
        return BlockAt(ConstantOf(Of(*e.a), box_), ConstantOf(Of(*e.c), box_),
                       Of(*e.b));
      default:
        return Apply(e.op, Of(*e.a), Of(*e.b));
    }
  }

  Affine Reordered(const BitOrder& order) const {
    const int64_t ranks = box_.grid->ranks();
    if (!IsPowerOfTwo(ranks)) return Constant(kNotWhole);
    const int n = std::bit_width(uint64_t(ranks)) - 1;
    std::vector<Affine> above;  // the rank without its last bits
    for (int i = 0; i <= n; ++i) {
      above.push_back(
          FloorDivide(box_.Rank(), Constant(int64_t{1} << i), box_));
    }
    Affine v = Constant(0);
    for (int i = 0; i < n; ++i) {
      const auto from = size_t(order.SourceOf(i, n));
      const Affine bit = Add(above[from], above[from + 1], -2);
      v = Add(v, bit, int64_t{1} << i);
    }
    return v;
  }

  Affine BlockAt(int64_t whole, int64_t parts, const Affine& at) const {
    if (whole == kNotWhole || parts == kNotWhole || parts < 1 ||
        at.constant == kNotWhole || IsLess(at, Constant(0), box_) ||
        !IsLess(at, Constant(parts), box_)) {
      return Constant(kNotWhole);
    }
    const bool larger = IsLess(at, Constant(whole % parts), box_);
    return Constant(whole / parts + (larger ? 1 : 0));
  }

  Affine Moved(int dim, const Affine& by) const {
    if (by.constant == kNotWhole) return by;
    std::vector<Affine> to = box_.coordinates;
    Affine& x = to[size_t(dim)];
    x = Remainder(Add(x, by), Constant(side(dim)), box_);
    return box_.RankAt(to);
  }

  Affine Limit(const Affine& v) const {
    return v.constant == kNotWhole ? v : Limited(v, kLargestValue, box_);
  }

  Affine Apply(Op op, const Affine& a, const Affine& b) const {
    if (a.constant == kNotWhole || b.constant == kNotWhole) {
      return Constant(kNotWhole);
    }
    switch (op) {
      case Op::kAdd:
        return Limit(Add(a, b));
      case Op::kSubtract:
        return Limit(Add(a, b, -1));
      case Op::kMultiply:
        return Limit(Multiply(a, b, box_));
      case Op::kDivide:
        return FloorDivide(a, b, box_);
      case Op::kDivideExactly:
        return DivideExactly(a, b, box_);
      case Op::kRemainder:
        return Remainder(a, b, box_);
      case Op::kXor:
        return Xor(a, b, box_);
      case Op::kShiftLeft:
      case Op::kShiftRight: {
        const int64_t by = ConstantOf(b, box_);
        if (by < 0 || by > (op == Op::kShiftLeft ? 40 : 62) ||
            (op == Op::kShiftRight && IsLess(a, Constant(0), box_))) {
          return Constant(kNotWhole);
        }
        const Affine power = Constant(int64_t{1} << by);
        return op == Op::kShiftLeft ? Limit(Multiply(a, power, box_))
                                    : FloorDivide(a, power, box_);
      }
      case Op::kMinimum:
        return IsLess(b, a, box_) ? b : a;
      case Op::kMaximum:
        return IsLess(a, b, box_) ? b : a;
      case Op::kEqual:
        return Truth(IsEqual(a, b, box_));
      case Op::kLess:
        return Truth(IsLess(a, b, box_));
      default:
        return Constant(kNotWhole);
    }
  }

  const Box& box_;
};

// x + by where the digits of the box are bits of x: whoever has the same low
// bits carries alike, which no comparison with an end of the side shows.
std::optional<Affine> CountedOn(const Affine& x, int64_t by, int64_t n,
                                bool periodic, const Box& box) {
  Affine sum = box.Constant(0);
  int64_t carried = by;
  for (int64_t worth = 1; worth < n; worth *= 2) {
    const Affine above = FloorDivide(x, box.Constant(worth), box);
    Affine bit = Remainder(above, box.Constant(2), box);
    if (carried != 0) {
      const int64_t here = ConstantOf(bit, box) + carried;
      bit = box.Constant(here & 1);
      carried = here >> 1;
    }
    sum = Add(sum, bit, worth);
  }
  if (carried != 0 && !periodic) return std::nullopt;
  return sum;
}

}  // namespace

Affine ValueOn(const ScalarLaw& law, const Box& box) {
  return LawEvaluator(box).Of(law);
}

std::optional<Affine> DisplacedOn(const Box& box, const Displacement& by,
                                  unsigned periodic) {
  const LawEvaluator on(box);
  std::vector<Affine> at;
  for (int d = 0; d < box.grid->size(); ++d) {
    const int64_t n = box.grid->dims[size_t(d)], step = by[size_t(d)];
    const bool around = (periodic >> d & 1) != 0;
    const Affine& x = box.Coordinate(d);
    const auto to = box.grid->order == RankOrder::kMorton
                        ? CountedOn(x, step, n, around, box)
                        : on.Along(Add(x, box.Constant(step)), n, around);
    if (!to) return std::nullopt;
    at.push_back(*to);
  }
  return box.RankAt(at);
}

std::optional<Affine> NeighbourOn(const Box& box, const Neighbours& list,
                                  size_t slot) {
  if (!list.leaves_out() && list.Skips(box.grid->dims, slot)) {
    return std::nullopt;
  }
  Displacement by = list.slots[slot];
  for (int d = 0; list.turned && d < box.grid->size(); ++d) {
    if (by[size_t(d)] == 0) continue;
    const Affine place =
        Add(box.Coordinate(d), box.Constant(-list.left_out_first));
    const Affine odd = Remainder(place, box.Constant(2), box);
    if (!IsEqual(odd, box.Constant(0), box)) by[size_t(d)] = -by[size_t(d)];
  }
  if (!list.leaves_out()) return DisplacedOn(box, by, list.periodic);
  const Affine place = Add(box.Rank(), box.Constant(-list.left_out_first));
  const int64_t n = list.PartOf(box.grid->ranks());
  if (IsLess(place, box.Constant(0), box) ||
      !IsLess(place, box.Constant(n), box) || list.Skips({n}, slot)) {
    return std::nullopt;
  }
  const auto to = LawEvaluator(box).Along(Add(place, box.Constant(by[0])), n,
                                          (list.periodic & 1) != 0);
  if (!to) return std::nullopt;
  return Add(*to, box.Constant(list.left_out_first));
}

std::vector<std::pair<size_t, Affine>> NeighboursOn(const Box& box,
                                                    const Neighbours& list) {
  std::vector<std::pair<size_t, Affine>> kept;
  for (size_t slot = 0; slot < list.slots.size(); ++slot) {
    const auto rank = NeighbourOn(box, list, slot);
    if (!rank) continue;
    auto at = kept.end();
    while (list.ascending && at != kept.begin() &&
           IsLess(*rank, std::prev(at)->second, box)) {
      --at;
    }
    kept.insert(at, {slot, *rank});
  }
  return kept;
}

}  // namespace ranksight::online_model
