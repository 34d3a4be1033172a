#include "online_model/synthesize/carried_laws.h"

#include <optional>
#include <string_view>

#include "online_model/synthesize/law_numbers.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

constexpr std::string_view kMark = "laws 1 ";

// Five bits of the number and whether more follow, a character each.
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr int kBits = 5;
constexpr uint64_t kMore = 1 << kBits;

// Adds the numbers of the text; false when it is not such a list.
bool AppendNumbersIn(std::string_view text, std::vector<int64_t>* numbers) {
  uint64_t v = 0;
  int shift = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos || shift > 63) return false;
    v |= uint64_t(digit % kMore) << shift;
    shift += kBits;
    if (digit >= kMore) continue;
    numbers->push_back(int64_t(v >> 1) ^ -int64_t(v & 1));
    v = 0;
    shift = 0;
  }
  return shift == 0;
}

// Nothing where the trace has no such line.
std::optional<std::string_view> LineOfNumbers(const Trace& trace) {
  if (!trace.law_code.empty() || trace.meta.laws.empty()) return std::nullopt;
  const std::string_view last = trace.meta.laws.back();
  if (!last.starts_with(kMark) || last.size() == kMark.size()) {
    return std::nullopt;
  }
  return last.substr(kMark.size());
}

}  // namespace

bool CarriesLaws(const Trace& trace) {
  return !trace.law_code.empty() || LineOfNumbers(trace).has_value();
}

Result<std::vector<int64_t>> CarriedLaws(const Trace& trace) {
  const auto text = LineOfNumbers(trace);
  if (!text) return trace.law_code;
  // The numbers mean what those of the first chunks do.
  std::vector<int64_t> numbers = {kFirstLawCoding};
  if (AppendNumbersIn(*text, &numbers)) return numbers;
  return Status::BadInput("the laws are no list of numbers");
}

void DropCarriedLaws(Trace* trace) {
  if (LineOfNumbers(*trace)) trace->meta.laws.pop_back();
  trace->law_code.clear();
}

std::span<const std::string> LinesToRead(const Trace& trace) {
  const std::span<const std::string> all = trace.meta.laws;
  return LineOfNumbers(trace) ? all.first(all.size() - 1) : all;
}

}  // namespace ranksight::online_model
