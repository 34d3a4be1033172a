// ListText: a parameter's values in a message, "[0,null,5]", special values by
// the names they have in canonical text.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "reduction/api/canonical.h"

namespace ranksight::online_model {

// The first few.
inline std::string ListText(std::span<const int64_t> values) {
  constexpr size_t kMost = 6;
  std::string text = "[";
  for (size_t i = 0; i < values.size() && i < kMost; ++i) {
    text += (i > 0 ? "," : "") + reduction::ValueText(values[i]);
  }
  return text + (values.size() > kMost ? ",...]" : "]");
}

}  // namespace ranksight::online_model
