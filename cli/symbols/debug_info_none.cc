// Where libdw is not installed: no names.
#include "cli/symbols/debug_info.h"

namespace ranksight::cli {

bool DebugInfo::IsThere() { return false; }

std::unique_ptr<DebugInfo> DebugInfo::Open(const std::string&,
                                           const std::string&) {
  return nullptr;
}

}  // namespace ranksight::cli
