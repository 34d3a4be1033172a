// Deflater: the parts of one gzip file (RFC 1952) that several threads may make
// side by side. A part refers to nothing outside itself and ends at a whole
// byte, so that parts behind one another are one stream: some readers take no
// more than one (chrome://tracing).
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ranksight::adapters {

// What a reader checks of the bytes that come out.
struct Unpacked {
  uint32_t crc = 0;
  uint64_t bytes = 0;
  // With those of the part behind it.
  void Append(const Unpacked& behind);
};

class Deflater {
 public:
  Deflater();
  ~Deflater();
  // Whether this build has it.
  static bool IsThere();

  // Appends to *out what is ready of the bytes; the rest comes with later ones.
  void Add(std::string_view bytes, std::string* out);
  // All of it, to the end of a byte; the next part begins.
  Unpacked EndPart(std::string* out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// In front of the first part, and behind the last.
std::string_view GzipHead();
std::string GzipTail(const Unpacked& all);

}  // namespace ranksight::adapters
