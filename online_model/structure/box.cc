#include "online_model/structure/box.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace ranksight::online_model {
namespace {

using Wide = __int128;

constexpr Wide kFarthest = Wide{1} << 61;

// The least or the largest value of v over digits 0 .. n - 1. A digit whose
// size depends on others is at its first or at its last place there.
Wide Extreme(const Affine& v, const Box& box, size_t n, bool largest) {
  Wide end = v.constant;
  for (size_t i = n; i-- > 0;) {
    const int64_t c = v.by[i];
    if (c == 0) continue;
    const Affine& size = box.digits[i].size;
    if (size.IsConstant()) {
      if ((c > 0) == largest) end += Wide{c} * (size.constant - 1);
      continue;
    }
    Affine first = v;
    first.by[i] = 0;
    Affine last = Add(first, size, c);
    last.constant -= c;
    const Wide at_first = Extreme(first, box, i, largest) - v.constant;
    const Wide at_last = Extreme(last, box, i, largest) - v.constant;
    return end + (largest ? std::max(at_first, at_last)
                          : std::min(at_first, at_last));
  }
  return end;
}

Part Low(const Box& box, const Cut& cut) {
  Part part{box, cut, false, {}};
  Digit& digit = part.box.digits[cut.digit];
  if (!cut.refine) {
    digit.size = cut.at;
    return part;
  }
  Digit upper = digit;
  upper.size.constant /= cut.at.constant;
  digit.size.constant = cut.at.constant;
  part.box.digits.insert(part.box.digits.begin() + long(cut.digit),
                         std::move(upper));
  return part;
}

Part High(const Box& box, const Cut& cut) {
  Part part{box, cut, true, {}};
  Affine& size = part.box.digits[cut.digit].size;
  size = Add(size, cut.at, -1);
  return part;
}

// Brings all numbers of the box to the digits of the part.
void Settle(Part* part) {
  Box& box = part->box;
  if (part->high || part->cut.refine) {
    for (Affine& v : box.coordinates) v = part->Of(v);
    box.rank = part->Of(box.rank);
    box.place = part->Of(box.place);
    box.length = part->Of(box.length);
    for (Digit& d : box.digits) d.size = part->Of(d.size);
  }
  const auto is_dropped = [](const Digit& d) { return d.size.Is(1); };
  while (true) {
    const auto at =
        std::find_if(box.digits.begin(), box.digits.end(), is_dropped);
    if (at == box.digits.end()) return;
    const auto i = size_t(at - box.digits.begin());
    const auto drop = [i](Affine* v) { v->by.erase(v->by.begin() + long(i)); };
    box.digits.erase(at);
    for (Affine& v : box.coordinates) drop(&v);
    drop(&box.rank);
    drop(&box.place);
    drop(&box.length);
    for (Digit& d : box.digits) drop(&d.size);
    part->dropped.push_back(i);
  }
}

void AddPlaceDigit(const Affine& size, Box* box) {
  for (Affine& v : box->coordinates) v.by.push_back(0);
  box->rank.by.push_back(0);
  for (Digit& d : box->digits) d.size.by.push_back(0);
  box->length.by.push_back(0);
  box->place.by.push_back(1);
  box->digits.push_back({Digit::kPlace, size});
  box->digits.back().size.by.push_back(0);
}

// Bit `level` of a number, which is at least 0.
Affine BitOf(const Affine& v, int level, const Box& box) {
  const Affine above = FloorDivide(v, box.Constant(int64_t{1} << level), box);
  return Remainder(above, box.Constant(2), box);
}

// Some places along a side: its coordinate there is from + y * by, the place
// that ranks are counted by is first + y * step, for y = 0 .. count - 1.
struct Line {
  int64_t from = 0, by = 1;
  int64_t first = 0, step = 1;
  int64_t count = 0;
};

Box BoxOf(const Grid& grid, const std::vector<Line>& lines) {
  Box box;
  box.grid = &grid;
  for (size_t d = 0; d < lines.size(); ++d) {
    if (lines[d].count > 1)
      box.digits.push_back({int(d), {lines[d].count, {}}});
  }
  for (Digit& d : box.digits) d.size.by.resize(box.digits.size());
  box.place = box.length = box.rank = box.Constant(0);
  size_t digit = 0;
  for (size_t d = 0; d < lines.size(); ++d) {
    const Line& line = lines[d];
    Affine x = box.Constant(line.from), place = box.Constant(line.first);
    if (line.count > 1) {
      x.by[digit] = line.by;
      place.by[digit++] = line.step;
    }
    box.coordinates.push_back(std::move(x));
    box.rank = Add(place, box.rank, grid.dims[d]);
  }
  return box;
}

// The same for every further side, which where ranks are counted back and forth
// goes down behind odd places: those and the even ones are boxes of their own.
void AddLines(const Grid& grid, const std::vector<Line>& lines,
              std::vector<Box>* boxes) {
  const size_t d = lines.size();
  if (d == grid.dims.size()) {
    boxes->push_back(BoxOf(grid, lines));
    return;
  }
  const int64_t n = grid.dims[d];
  const bool winds = grid.order == RankOrder::kBackAndForth;
  const bool down = winds && d > 0 && lines.back().from % 2 != 0;
  const int64_t step = winds && d + 1 < grid.dims.size() ? 2 : 1;
  for (int64_t parity = 0; parity < step && parity < n; ++parity) {
    const int64_t count = (n - parity + step - 1) / step;
    const int64_t last = parity + (count - 1) * step;
    std::vector<Line> more = lines;
    more.push_back(down ? Line{last, -step, n - 1 - last, step, count}
                        : Line{parity, step, parity, step, count});
    AddLines(grid, more, boxes);
  }
}

Box AllBits(const Grid& grid) {
  std::vector<MortonBit> bits = MortonBits(grid.dims);
  std::reverse(bits.begin(), bits.end());
  Box box;
  box.grid = &grid;
  for (const MortonBit& bit : bits) box.digits.push_back({bit.dim, {2, {}}});
  for (Digit& d : box.digits) d.size.by.resize(bits.size());
  box.place = box.length = box.rank = box.Constant(0);
  box.coordinates.assign(grid.dims.size(), box.Constant(0));
  for (size_t i = 0; i < bits.size(); ++i) {
    box.rank.by[i] = int64_t{1} << (bits.size() - 1 - i);
    box.coordinates[size_t(bits[i].dim)].by[i] = int64_t{1} << bits[i].level;
  }
  return box;
}

}  // namespace

bool Affine::IsConstant() const {
  return std::all_of(by.begin(), by.end(), [](int64_t c) { return c == 0; });
}

std::vector<Box> Box::All(const Grid& grid) {
  if (grid.order == RankOrder::kMorton) return {AllBits(grid)};
  std::vector<Box> boxes;
  AddLines(grid, {}, &boxes);
  return boxes;
}

Box Box::WithPlaces(int64_t n, int64_t from, int64_t to) const {
  Box box = *this;
  box.length = Constant(n);
  box.place.constant = from;
  if (to - from > 1) AddPlaceDigit(Constant(to - from), &box);
  return box;
}

Box Box::WithPlaces(const Affine& n) const {
  Box box = *this;
  box.length = n;
  if (!n.Is(1)) AddPlaceDigit(n, &box);
  return box;
}

Affine Box::Constant(int64_t v) const {
  return {v, std::vector<int64_t>(digits.size(), 0)};
}

Affine Box::RankAt(const std::vector<Affine>& at) const {
  Affine number = Constant(0);
  if (grid->order == RankOrder::kMorton) {
    int64_t worth = 1;
    for (const MortonBit& bit : MortonBits(grid->dims)) {
      number = Add(number, BitOf(at[size_t(bit.dim)], bit.level, *this), worth);
      worth *= 2;
    }
    return number;
  }
  for (size_t d = 0; d < at.size(); ++d) {
    const int64_t n = grid->dims[d];
    number = Add(OnLine(d, at, at[d]), number, n);
  }
  return number;
}

std::vector<Affine> Box::CoordinatesOf(const Affine& of_rank) const {
  std::vector<Affine> at(grid->dims.size(), Constant(0));
  if (grid->order == RankOrder::kMorton) {
    int number = 0;
    for (const MortonBit& bit : MortonBits(grid->dims)) {
      Affine& x = at[size_t(bit.dim)];
      x = Add(x, BitOf(of_rank, number++, *this), int64_t{1} << bit.level);
    }
    return at;
  }
  Affine rest = of_rank;
  for (size_t d = at.size(); d-- > 0;) {
    const Affine n = Constant(grid->dims[d]);
    at[d] = Remainder(rest, n, *this);
    rest = FloorDivide(rest, n, *this);
  }
  for (size_t d = 0; d < at.size(); ++d) at[d] = OnLine(d, at, at[d]);
  return at;
}

Affine Box::OnLine(size_t d, const std::vector<Affine>& at,
                   const Affine& x) const {
  if (grid->order != RankOrder::kBackAndForth || d == 0) return x;
  const bool back = IsEqual(BitOf(at[d - 1], 0, *this), Constant(1), *this);
  return back ? Add(Constant(grid->dims[d] - 1), x, -1) : x;
}

Affine Part::Of(const Affine& v) const {
  Affine there = v;
  const size_t i = cut.digit;
  if (cut.refine) {
    there.by.insert(there.by.begin() + long(i), v.by[i] * cut.at.constant);
  } else if (high && v.by[i] != 0) {
    there = Add(there, cut.at, v.by[i]);
  }
  for (const size_t d : dropped) there.by.erase(there.by.begin() + long(d));
  return there;
}

std::vector<Part> Parts(const Box& box, const Cut& cut) {
  std::vector<Part> parts;
  const Affine& size = box.digits[cut.digit].size;
  if (cut.refine && size.constant % cut.at.constant == 0) {
    parts.push_back(Low(box, cut));
  } else {
    Cut plain{cut.digit, cut.at, false};
    if (cut.refine) {
      plain.at.constant = size.constant - size.constant % cut.at.constant;
    }
    parts.push_back(Low(box, plain));
    parts.push_back(High(box, plain));
  }
  for (Part& part : parts) Settle(&part);
  return parts;
}

std::pair<int64_t, int64_t> Range(const Affine& v, const Box& box) {
  const size_t n = v.by.size();
  const Wide low = Extreme(v, box, n, false), high = Extreme(v, box, n, true);
  return {int64_t(std::clamp(low, -kFarthest, kFarthest)),
          int64_t(std::clamp(high, -kFarthest, kFarthest))};
}

}  // namespace ranksight::online_model
