#include "bgq_support/torus/shape_text.h"

#include <charconv>
#include <utility>

#include "bgq_support/api/torus.h"

namespace ranksight::bgq_support {

std::optional<Torus> Torus::Parse(std::string_view text) {
  std::vector<Dimension> dimensions;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    Dimension d;
    const auto [after, error] = std::from_chars(at, end, d.length);
    if (error != std::errc()) return std::nullopt;
    at = after;
    if (at != end && *at == 'm') {
      d.wraps = false;
      ++at;
    }
    dimensions.push_back(d);
    if (at == end) return Make(std::move(dimensions));
    if (*at != 'x') return std::nullopt;
    ++at;
  }
}

std::string Torus::ToString() const {
  std::string text;
  for (const Dimension& d : dimensions_) {
    if (!text.empty()) text += 'x';
    text += std::to_string(d.length);
    if (!d.wraps) text += 'm';
  }
  return text;
}

std::string ShapeText(const std::vector<int64_t>& lengths) {
  std::string text;
  for (size_t i = 0; i < lengths.size(); ++i) {
    text += (i > 0 ? "x" : "") + std::to_string(lengths[i]);
  }
  return text;
}

}  // namespace ranksight::bgq_support
