#include "adapters/otf2/library_errors.h"

namespace ranksight::adapters::otf2 {

LibraryErrors::LibraryErrors()
    : before_(OTF2_Error_RegisterCallback(&LibraryErrors::Keep, this)) {}

LibraryErrors::~LibraryErrors() {
  OTF2_Error_RegisterCallback(before_, nullptr);
}

OTF2_ErrorCode LibraryErrors::Keep(void* self, const char* /*file*/,
                                   uint64_t /*line*/, const char* /*function*/,
                                   OTF2_ErrorCode code, const char* /*format*/,
                                   va_list /*arguments*/) {
  std::string& first = static_cast<LibraryErrors*>(self)->first_;
  if (first.empty()) first = OTF2_Error_GetDescription(code);
  return code;
}

}  // namespace ranksight::adapters::otf2
