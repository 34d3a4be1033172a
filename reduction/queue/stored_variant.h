// A variant with its values; see Variant in reduction/api/folder.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reduction/api/folder.h"

namespace ranksight::reduction {

struct TreeNode;

struct StoredVariant : Variant {
  TreeNode* node = nullptr;
  // What took its place when its event's values were opened.
  StoredVariant* opened = nullptr;
  // Values of all parameters, and where each parameter's begin.
  std::vector<int64_t> values;
  std::vector<uint32_t> offsets;

  std::span<const int64_t> ValuesAt(size_t param) const {
    return {values.data() + offsets[param],
            offsets[param + 1] - offsets[param]};
  }
};

}  // namespace ranksight::reduction
