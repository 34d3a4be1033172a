// What the C interface's handles are, and what its files share.
// Thread-safety: as in api/ranksight_trace.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "reduction/api/cursor.h"
#include "reduction/api/ranksight_trace.h"
#include "reduction/api/section.h"
#include "reduction/api/trace.h"

struct ranksight_trace {
  ranksight::reduction::Trace trace;
};

struct ranksight_section {
  ranksight::reduction::Section section;
};

struct ranksight_cursor {
  ranksight::reduction::Cursor cursor;
  std::string text;
};

namespace ranksight::reduction {

inline void Explain(std::string_view why, char* error, size_t size) {
  if (error == nullptr || size == 0) return;
  const size_t n = std::min(why.size(), size - 1);
  std::memcpy(error, why.data(), n);
  error[n] = 0;
}

inline const Node& In(const ranksight_node* node) {
  return *reinterpret_cast<const Node*>(node);
}

// Exceptions (there is no memory) become NULL.
template <class F>
auto OrNull(F f) -> decltype(f()) {
  try {
    return f();
  } catch (...) {
    return nullptr;
  }
}

}  // namespace ranksight::reduction
