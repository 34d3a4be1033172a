// Mapping: the place of every rank, and map files in Blue Gene/Q's form.
//
// A map file has one line for each rank, in rank order: the coordinates of
// its node and the slot on it, in columns A B C D E T. '#' starts a comment,
// blank lines are skipped.
//
// Invariants: no two ranks have the same place; no rank lies on a hole.
// Thread-safety: value type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bgq_support/api/machine.h"

namespace ranksight::bgq_support {

struct Place {
  int32_t node = 0;
  int32_t slot = 0;
  bool operator==(const Place&) const = default;
};

// Ranks on each node when as few as will do are put there; at least 1.
int FewestRanksPerNode(const Machine& machine, int64_t ranks);

class Mapping {
 public:
  // By a permutation of the machine's letters and T, the last one fastest
  // ("" is the default: T behind all others). ranks_per_node slots are used
  // on each node. nullopt with *reason when the order is none or the machine
  // too small.
  static std::optional<Mapping> FromOrder(const Machine& machine, int64_t ranks,
                                          int ranks_per_node,
                                          std::string_view order,
                                          std::string* reason);
  // From the text of a map file; lines beyond `ranks` are checked, too.
  // *reason is "LINE: what is wrong".
  static std::optional<Mapping> Read(const Machine& machine, int64_t ranks,
                                     std::string_view text,
                                     std::string* reason);
  // REQUIRES: the invariants, and places on the machine's nodes.
  explicit Mapping(std::vector<Place> places) : places_(std::move(places)) {}

  const std::vector<Place>& places() const { return places_; }
  int64_t ranks() const { return static_cast<int64_t>(places_.size()); }
  // As Read reads it.
  std::string Write(const Machine& machine) const;
  bool operator==(const Mapping&) const = default;

 private:
  std::vector<Place> places_;
};

// One that a search is told of, with the name that people know it by.
struct KnownMapping {
  Mapping mapping;
  std::string name;
};

}  // namespace ranksight::bgq_support
