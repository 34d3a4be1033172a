// Which lines of a long table people get to see: programs have hundreds of call
// sites, of which a few send nearly everything.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ranksight::cli {

struct Heaviest {
  // Indexes into what was given, ascending.
  std::vector<size_t> shown;
  // A line on those that are not shown and their share of the bytes; empty
  // where all are.
  std::string rest;
};

// The lines with the most bytes, the earlier ones of equals.
Heaviest HeaviestOf(std::span<const uint64_t> bytes);

}  // namespace ranksight::cli
