// The net: cases and what came of them, so that nothing that was exact is lost
// unnoticed.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "tests/idioms/judge.h"
#include "tests/idioms/table.h"

namespace ranksight::idioms {

struct NetCase {
  std::string idiom;
  uint64_t seed = 0;
  Case which;
  Verdict verdict = Verdict::kExact;
};

// Lines of `IDIOM SEED INPUTS TIMES VERDICT`, TIMES 2 or 4, and `setting`
// behind it where that is Case::setting; # begins a comment.
reduction::Result<std::vector<NetCase>> ReadNet(const std::string& path);

// Idioms of which fewer cases are exact than in the net, or more wrong. Empty:
// none.
std::string WhatIsWorse(const std::vector<NetCase>& net, const Table& table);

}  // namespace ranksight::idioms
