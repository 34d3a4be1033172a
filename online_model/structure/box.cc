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
    drop(&box.place);
    drop(&box.length);
    for (Digit& d : box.digits) drop(&d.size);
    part->dropped.push_back(i);
  }
}

void AddPlaceDigit(const Affine& size, Box* box) {
  for (Affine& v : box->coordinates) v.by.push_back(0);
  for (Digit& d : box->digits) d.size.by.push_back(0);
  box->length.by.push_back(0);
  box->place.by.push_back(1);
  box->digits.push_back({Digit::kPlace, size});
  box->digits.back().size.by.push_back(0);
}

}  // namespace

bool Affine::IsConstant() const {
  return std::all_of(by.begin(), by.end(), [](int64_t c) { return c == 0; });
}

Box Box::All(const Grid& grid) {
  Box box;
  box.grid = &grid;
  for (int d = 0; d < grid.size(); ++d) {
    const int64_t n = grid.dims[size_t(d)];
    if (n > 1) box.digits.push_back({d, {n, {}}});
  }
  for (Digit& d : box.digits) d.size.by.resize(box.digits.size());
  box.place = box.length = box.Constant(0);
  box.coordinates.assign(grid.dims.size(), box.Constant(0));
  for (size_t i = 0; i < box.digits.size(); ++i) {
    box.coordinates[size_t(box.digits[i].dim)].by[i] = 1;
  }
  return box;
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

Affine Box::Rank() const {
  Affine rank = Constant(0);
  for (int d = 0; d < grid->size(); ++d) {
    const int64_t n = grid->dims[size_t(d)];
    for (int64_t& c : rank.by) c *= n;
    rank.constant *= n;
    rank = Add(rank, Coordinate(d));
  }
  return rank;
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
