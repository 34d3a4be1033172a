// Counts of outcomes, by idiom and case.
// Thread-safety: value type.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "tests/idioms/judge.h"

namespace ranksight::idioms {

class Table {
 public:
  using Counts = std::array<int, kVerdicts>;
  void Add(const std::string& idiom, const Outcome& outcome);
  // A line for each idiom and a sum; a column for each case.
  std::string ToText() const;
  // Of each idiom's twins, the median errors in each case; of all, how many
  // call sites are within their intervals.
  std::string OffText() const;
  // Of refusals that asked for something, how many are exact once told; empty
  // where none was told.
  std::string ToldText() const;
  // Kinds of reasons, the most frequent first.
  std::string WhyText() const;
  const std::map<std::string, std::map<std::pair<int, bool>, Counts>>& counts()
      const {
    return counts_;
  }

 private:
  std::map<std::string, std::map<std::pair<int, bool>, Counts>> counts_;
  std::map<std::string, std::map<std::string, int>> reasons_;
  // By what was told, what came of it.
  std::map<std::string, std::map<std::string, int>> told_;
  using Off = std::array<double, 3>;  // messages, bytes, partners
  std::array<int, 4> inside_{};       // the same, and of how many call sites
  std::map<std::string, std::map<std::pair<int, bool>, std::vector<Off>>> off_;
};

// A reason without the numbers and places in it.
std::string KindOf(const std::string& reason);

}  // namespace ranksight::idioms
