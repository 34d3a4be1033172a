// Comparing two traces call by call, without expanding either.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

struct Comparison {
  bool identical = true;
  // Calls differ, but only in how the same operations are completed.
  bool in_meaning = false;
  uint64_t events = 0;    // of all ranks of A, when identical or in meaning
  uint64_t not_kept = 0;  // values that both keep only as equal distributions
  // The first difference: the lowest rank that has one, its first position
  // (from 1), and both lines, empty where that trace has no more calls.
  int64_t rank = 0;
  uint64_t position = 0;
  std::string line_a, line_b;
};

// Compares the canonical text of every rank. Trees that differ are aligned by
// call sites first. Then only ranks with another sequence of trips or
// arguments are looked at, from the first place on where one differs, which is
// found without walking; all else costs O(structure), and O(ranks) for each
// sequence that differs. What call sites do not bring together (other builds)
// is walked from rank 0 on. Memory does not grow with ranks or events.
// tell_share: told while ranks are walked how much of all is done, above 0, at
// most 1; empty: nobody.
// REQUIRES: as many ranks in both. kBadInput when a trace contradicts
// itself; `a_name` and `b_name` stand before the reason. kNo when everything
// both keep is equal, but values are missing from one that the other has, or
// their distributions differ.
using TellShare = std::function<void(double share)>;
reduction::Result<Comparison> Compare(const reduction::Trace& a,
                                      const reduction::Trace& b,
                                      const std::string& a_name,
                                      const std::string& b_name,
                                      const TellShare& tell_share = {});

// What Compare said is no difference where both mean the same on every rank
// (reduction/api/meaning.h); else it says where they do not. Walks all ranks
// from the one that differs on.
reduction::Status CompareMeaning(const reduction::Trace& a,
                                 const reduction::Trace& b,
                                 Comparison* comparison,
                                 const TellShare& tell_share = {});

}  // namespace ranksight::cli
