// Reading CBOR that may be damaged.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

namespace ranksight::online_model {

// Goes through bytes that are nested no deeper than ours ever are: the library
// takes a frame of the stack for each level.
class NestingCheck : public nlohmann::json::json_sax_t {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(int64_t) override { return true; }
  bool number_unsigned(uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(nlohmann::json::binary_t&) override { return true; }
  bool key(std::string&) override { return true; }
  bool start_object(size_t) override { return ++depth_ <= kMostDepth; }
  bool start_array(size_t) override { return ++depth_ <= kMostDepth; }
  bool end_object() override { return --depth_ >= 0; }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(size_t, const std::string&,
                   const nlohmann::json::exception&) override {
    return false;
  }

 private:
  static constexpr int kMostDepth = 32;
  int depth_ = 0;
};

// Discarded when the bytes are none. The library throws at lengths beyond its
// limits even where it is asked not to.
inline nlohmann::json FromCbor(std::span<const uint8_t> bytes) {
  using nlohmann::json;
  try {
    NestingCheck check;
    if (!json::sax_parse(bytes.begin(), bytes.end(), &check,
                         json::input_format_t::cbor)) {
      return json(json::value_t::discarded);
    }
    return nlohmann::json::from_cbor(bytes.begin(), bytes.end(), true, false);
  } catch (const nlohmann::json::exception&) {
    return nlohmann::json(nlohmann::json::value_t::discarded);
  }
}

}  // namespace ranksight::online_model
