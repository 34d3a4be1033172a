// Reading CBOR that may be damaged.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

namespace ranksight::online_model {

// Discarded when the bytes are none. The library throws at lengths beyond its
// limits even where it is asked not to.
inline nlohmann::json FromCbor(std::span<const uint8_t> bytes) {
  try {
    return nlohmann::json::from_cbor(bytes.begin(), bytes.end(), true, false);
  } catch (const nlohmann::json::exception&) {
    return nlohmann::json(nlohmann::json::value_t::discarded);
  }
}

}  // namespace ranksight::online_model
