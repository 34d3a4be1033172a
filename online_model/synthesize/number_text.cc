#include "online_model/synthesize/number_text.h"

namespace ranksight::online_model {
namespace {

// Five bits of the number and whether more follow, a character each.
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr int kBits = 5;
constexpr uint64_t kMore = 1 << kBits;

}  // namespace

std::string TextOf(const std::vector<int64_t>& numbers) {
  std::string text;
  for (const int64_t n : numbers) {
    uint64_t v = uint64_t(n) << 1 ^ uint64_t(n >> 63);
    for (; v >= kMore; v >>= kBits) text += kDigits[v % kMore + kMore];
    text += kDigits[v];
  }
  return text;
}

std::optional<std::vector<int64_t>> NumbersIn(std::string_view text) {
  std::vector<int64_t> numbers;
  uint64_t v = 0;
  int shift = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos || shift > 63) return std::nullopt;
    v |= uint64_t(digit % kMore) << shift;
    shift += kBits;
    if (digit >= kMore) continue;
    numbers.push_back(int64_t(v >> 1) ^ -int64_t(v & 1));
    v = 0;
    shift = 0;
  }
  if (shift != 0) return std::nullopt;
  return numbers;
}

}  // namespace ranksight::online_model
