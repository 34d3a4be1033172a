// Several files as one input: for each the number of its name in a list, its
// length in three bytes, and its content. Damage to the lengths moves content
// from file to file.
#pragma once

#include <algorithm>
#include <map>
#include <span>

#include "reduction/api/codec.h"
#include "tests/fuzz/target.h"

namespace ranksight::fuzz {

inline void PackFile(uint8_t number, const Bytes& content, Bytes* input) {
  input->push_back(number);
  for (const int shift : {16, 8, 0}) {
    input->push_back(static_cast<uint8_t>(content.size() >> shift));
  }
  input->insert(input->end(), content.begin(), content.end());
}

// The files of `names` that are in the folder.
inline Bytes PackFolder(const std::string& folder,
                        std::span<const char* const> names) {
  Bytes input;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto content = reduction::ReadWholeFile(folder + "/" + names[i]);
    if (content.ok()) PackFile(static_cast<uint8_t>(i), *content, &input);
  }
  return input;
}

// By name; of two of one name the last.
inline std::map<std::string, Bytes> UnpackFiles(
    const uint8_t* data, size_t size, std::span<const char* const> names) {
  std::map<std::string, Bytes> files;
  for (size_t at = 0; at + 4 <= size;) {
    const size_t length =
        size_t{data[at + 1]} << 16 | size_t{data[at + 2]} << 8 | data[at + 3];
    const uint8_t* const from = data + at + 4;
    const size_t taken = std::min(length, size - at - 4);
    files[names[data[at] % names.size()]].assign(from, from + taken);
    at += 4 + taken;
  }
  return files;
}

}  // namespace ranksight::fuzz
