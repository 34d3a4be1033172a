// Reading CBOR that may be damaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

namespace ranksight::online_model {

// Whether bytes are one item such as ours are (RFC 8949): nested no deeper, all
// lengths stated, no tags. The library takes a frame of the stack for each
// level, and for each piece of a string in pieces of pieces.
inline bool IsPlainCbor(std::span<const uint8_t> bytes) {
  constexpr size_t kMostDepth = 32;
  enum Major { kBytes = 2, kText, kArray, kMap, kTag };
  std::vector<uint64_t> to_come = {1};  // items, by level
  size_t at = 0;
  while (!to_come.empty()) {
    if (to_come.size() > kMostDepth) return false;
    if (to_come.back() == 0) {
      to_come.pop_back();
      continue;
    }
    --to_come.back();
    if (at == bytes.size()) return false;
    const uint8_t head = bytes[at++];
    const int major = head >> 5, info = head & 31;
    uint64_t n = uint64_t(info);
    if (info >= 24) {
      if (info > 27) return false;
      const size_t width = size_t{1} << (info - 24);
      if (bytes.size() - at < width) return false;
      n = 0;
      for (size_t i = 0; i < width; ++i) n = n << 8 | bytes[at++];
    }
    if (major == kTag) return false;
    if (major == kArray) to_come.push_back(n);
    if (major == kMap) {
      if (n > UINT64_MAX / 2) return false;
      to_come.push_back(2 * n);
    }
    if (major != kBytes && major != kText) continue;
    if (n > bytes.size() - at) return false;
    at += n;
  }
  return at == bytes.size();
}

// Discarded when the bytes are none. The library throws at lengths beyond its
// limits even where it is asked not to.
inline nlohmann::json FromCbor(std::span<const uint8_t> bytes) {
  using nlohmann::json;
  if (!IsPlainCbor(bytes)) return json(json::value_t::discarded);
  try {
    return json::from_cbor(bytes.begin(), bytes.end(), true, false);
  } catch (const json::exception&) {
    return json(json::value_t::discarded);
  }
}

}  // namespace ranksight::online_model
