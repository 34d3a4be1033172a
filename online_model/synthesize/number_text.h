// Lists of numbers as printable text: a character for each five bits of a
// number, the least first, the sign in the lowest bit.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ranksight::online_model {

std::string TextOf(const std::vector<int64_t>& numbers);
// Nothing when the text is not such a list.
std::optional<std::vector<int64_t>> NumbersIn(std::string_view text);

}  // namespace ranksight::online_model
