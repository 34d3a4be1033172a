#include "reduction/api/file_stem.h"

#include <cstdint>
#include <cstdio>

#include "reduction/api/fnv.h"

namespace ranksight::reduction {
namespace {

// Of 255 bytes (NAME_MAX). Behind it stand ranks, launch, rank of a part, and
// process while it is written: 52 bytes.
constexpr size_t kMostBytes = 190;

bool IsInsideCharacter(char byte) { return (uint8_t(byte) & 0xC0) == 0x80; }

}  // namespace

std::string FileStem(const std::string& program) {
  if (program.size() <= kMostBytes) return program;
  Fnv hash;
  for (const char byte : program) hash.Add(uint8_t(byte));
  char end[16] = "";
  const int length =
      std::snprintf(end, sizeof end, "~%08x", unsigned(hash.value()));
  size_t kept = kMostBytes - size_t(length);
  while (kept > 0 && IsInsideCharacter(program[kept])) --kept;
  return program.substr(0, kept) + end;
}

}  // namespace ranksight::reduction
