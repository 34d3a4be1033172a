#include "runtime/session/launch_name.h"

#include <sys/stat.h>

namespace ranksight::runtime {
namespace {

// Launches of one command. More write into the last one's file.
constexpr int kMostLaunches = 10'000;

bool WrittenSince(const std::string& path, int64_t began_ns) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  constexpr int64_t kSecond = 1'000'000'000;
  const auto& written = info.st_mtim;
  return int64_t(written.tv_sec) * kSecond + written.tv_nsec > began_ns;
}

}  // namespace

std::string NameOfLaunch(const std::string& output, int64_t began_ns) {
  const size_t slash = output.rfind('/');
  size_t dot = output.rfind('.');
  const size_t first = slash == output.npos ? 0 : slash + 1;
  if (dot == output.npos || dot <= first) dot = output.size();
  std::string name = output;
  for (int k = 2; k <= kMostLaunches && WrittenSince(name, began_ns); ++k) {
    name = output.substr(0, dot) + "." + std::to_string(k) + output.substr(dot);
  }
  return name;
}

}  // namespace ranksight::runtime
