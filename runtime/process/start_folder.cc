#include "runtime/process/start_folder.h"

#include <limits.h>
#include <unistd.h>

#include <cstdlib>

namespace ranksight::runtime {
namespace {

char folder_at_loading[PATH_MAX];

[[gnu::constructor]] void NoteFolder() {
  if (getcwd(folder_at_loading, sizeof folder_at_loading) == nullptr) {
    folder_at_loading[0] = '\0';
  }
}

bool IsAbsolute(const char* path) { return path != nullptr && *path == '/'; }

}  // namespace

std::string FromStartFolder(const std::string& path) {
  if (path.empty() || path[0] == '/') return path;
  const char* folder = std::getenv("RANKSIGHT_FOLDER");
  if (!IsAbsolute(folder)) folder = folder_at_loading;
  if (!IsAbsolute(folder)) return path;
  return std::string(folder) + "/" + path;
}

}  // namespace ranksight::runtime
