#include "bgq_support/mapping/digits.h"

#include <utility>

#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {
namespace {

// The digits [begin, end) of a coordinate, low first, Gray coded or not. A
// reflected digit runs backwards where the number above it is odd.
void Split(int64_t coordinate, bool folded, const Digit* begin,
           const Digit* end, int64_t* values) {
  for (; begin != end; ++begin, ++values) {
    const int64_t digit = coordinate % begin->radix;
    coordinate /= begin->radix;
    const bool reflected = folded && coordinate % 2 == 1;
    *values = reflected ? begin->radix - 1 - digit : digit;
  }
}

int64_t Join(bool folded, const Digit* begin, const Digit* end,
             const int64_t* values) {
  int64_t coordinate = 0;
  for (auto i = end - begin; i-- > 0;) {
    const int64_t radix = begin[i].radix;
    const bool reflected = folded && coordinate % 2 == 1;
    coordinate =
        coordinate * radix + (reflected ? radix - 1 - values[i] : values[i]);
  }
  return coordinate;
}

}  // namespace

std::vector<Digit> DigitsOf(const Lengths& lengths) {
  std::vector<Digit> digits;
  for (size_t owner = 0; owner < lengths.size(); ++owner) {
    int64_t rest = lengths[owner];
    for (int64_t radix = 2; rest > 1; ++radix) {
      if (radix * radix > rest) radix = rest;
      for (; rest % radix == 0; rest /= radix) digits.push_back({owner, radix});
    }
  }
  return digits;
}

std::optional<Layout> Layout::Make(const Lengths& grid, const Lengths& machine,
                                   bool folded,
                                   const std::vector<size_t>& order) {
  Layout layout;
  layout.grid_ = grid;
  layout.machine_ = machine;
  layout.folded_ = folded;
  layout.grid_digits_ = DigitsOf(grid);
  layout.machine_digits_ = DigitsOf(machine);
  const size_t count = layout.grid_digits_.size();
  if (layout.machine_digits_.size() != count) return std::nullopt;
  std::vector<size_t> free;
  for (const size_t owner : order) {
    for (size_t i = 0; i < count; ++i) {
      if (layout.machine_digits_[i].owner == owner) free.push_back(i);
    }
  }
  layout.target_.resize(count);
  // The last dimension of the grid, in which ranks are neighbours, takes the
  // first free digits of the machine.
  for (size_t dim = grid.size(); dim-- > 0;) {
    for (size_t i = 0; i < count; ++i) {
      if (layout.grid_digits_[i].owner != dim) continue;
      size_t at = 0;
      while (at < free.size() && layout.machine_digits_[free[at]].radix !=
                                     layout.grid_digits_[i].radix) {
        ++at;
      }
      if (at == free.size()) return std::nullopt;
      layout.target_[i] = free[at];
      free.erase(free.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  return layout;
}

void Layout::PlaceOf(int64_t rank, std::vector<int64_t>* coordinates) const {
  RANKSIGHT_REQUIRE(rank >= 0);
  RANKSIGHT_REQUIRE(coordinates != nullptr);
  int64_t from[64], to[64];  // no product below 2^63 has more prime factors
  const Digit* const digits = grid_digits_.data();
  size_t end = grid_digits_.size();
  for (size_t dim = grid_.size(); dim-- > 0; rank /= grid_[dim]) {
    size_t begin = end;
    while (begin > 0 && digits[begin - 1].owner == dim) --begin;
    Split(rank % grid_[dim], folded_, digits + begin, digits + end,
          from + begin);
    end = begin;
  }
  for (size_t i = 0; i < target_.size(); ++i) to[target_[i]] = from[i];
  coordinates->resize(machine_.size());
  size_t begin = 0;
  for (size_t dim = 0; dim < machine_.size(); ++dim) {
    end = begin;
    while (end < machine_digits_.size() && machine_digits_[end].owner == dim) {
      ++end;
    }
    (*coordinates)[dim] = Join(folded_, machine_digits_.data() + begin,
                               machine_digits_.data() + end, to + begin);
    begin = end;
  }
}

Mapping Layout::Build(const Torus& torus, int64_t ranks) const {
  RANKSIGHT_REQUIRE(ranks > 0);
  std::vector<Place> places;
  places.reserve(static_cast<size_t>(ranks));
  std::vector<int64_t> at;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    PlaceOf(rank, &at);
    const Coordinates node(at.begin(), at.end() - 1);
    places.push_back({torus.NodeAt(node), static_cast<int32_t>(at.back())});
  }
  return Mapping(std::move(places));
}

bool Layout::Swap(size_t a, size_t b) {
  RANKSIGHT_REQUIRE(a < target_.size() && b < target_.size());
  const Digit& x = machine_digits_[target_[a]];
  const Digit& y = machine_digits_[target_[b]];
  if (a == b || x.radix != y.radix) return false;
  std::swap(target_[a], target_[b]);
  return true;
}

}  // namespace ranksight::bgq_support
