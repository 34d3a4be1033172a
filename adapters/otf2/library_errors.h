// What the OTF2 library says of errors, which it would otherwise print.
// Thread-safety: one at a time in a process; OTF2 has one handler.
#pragma once

#include <otf2/otf2.h>

#include <string>

namespace ranksight::adapters::otf2 {

class LibraryErrors {
 public:
  LibraryErrors();
  ~LibraryErrors();
  LibraryErrors(const LibraryErrors&) = delete;
  LibraryErrors& operator=(const LibraryErrors&) = delete;
  // The first since this was made, which the others follow from; empty
  // without any.
  const std::string& first() const { return first_; }

 private:
  static OTF2_ErrorCode Keep(void* self, const char* file, uint64_t line,
                             const char* function, OTF2_ErrorCode code,
                             const char* format, va_list arguments);
  std::string first_;
  OTF2_ErrorCallback before_;
};

}  // namespace ranksight::adapters::otf2
