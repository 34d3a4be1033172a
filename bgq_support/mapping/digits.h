// Layout: a mapping that deals the prime digits of grid coordinates out to
// the digits of machine coordinates.
//
// Digits are in mixed radix, the factors of each length, ascending from the
// low digit. Folded, every coordinate is written in reflected Gray code on
// both sides, so that two coordinates next to each other differ in one digit
// by one.
//
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bgq_support/api/mapping.h"

namespace ranksight::bgq_support {

// Lengths of a grid (or of a machine, the slots last), the last one fastest.
using Lengths = std::vector<int64_t>;

struct Digit {
  size_t owner = 0;  // which length it is a part of
  int64_t radix = 2;
};

// The digits of all lengths, owner by owner, low digits first.
std::vector<Digit> DigitsOf(const Lengths& lengths);

class Layout {
 public:
  // Grid digits, from the fastest dimension's low one up, take in turn the
  // next free machine digit of their radix; those are gone through by
  // `order` (owners, fastest first). nullopt when the radices do not match.
  static std::optional<Layout> Make(const Lengths& grid, const Lengths& machine,
                                    bool folded,
                                    const std::vector<size_t>& order);

  // Machine coordinates and slot of a rank.
  void PlaceOf(int64_t rank, std::vector<int64_t>* coordinates) const;
  Mapping Build(const Torus& torus, int64_t ranks) const;

  // Exchanges the machine digits of two grid digits; false when their
  // radices or owners make that pointless.
  bool Swap(size_t a, size_t b);
  size_t digits() const { return target_.size(); }
  bool folded() const { return folded_; }
  const Lengths& grid() const { return grid_; }
  const Lengths& machine() const { return machine_; }

 private:
  Lengths grid_, machine_;
  bool folded_ = false;
  std::vector<Digit> grid_digits_, machine_digits_;
  std::vector<size_t> target_;  // machine digit of each grid digit
};

}  // namespace ranksight::bgq_support
