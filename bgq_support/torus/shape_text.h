// Lengths as text.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ranksight::bgq_support {

// "2x2x2".
std::string ShapeText(const std::vector<int64_t>& lengths);

}  // namespace ranksight::bgq_support
