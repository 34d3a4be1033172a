#include "cli/base/locate.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace ranksight::cli {
namespace {

namespace fs = std::filesystem;
using reduction::Result;
using reduction::Status;

Result<std::string> OwnFolder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return Status::Io("/proc/self/exe: " + error.message());
  return self.parent_path().string();
}

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool OnPath(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string_view left = path == nullptr ? "" : path;
  while (!left.empty()) {
    const size_t end = std::min(left.find(':'), left.size());
    const fs::path candidate = fs::path(left.substr(0, end)) / program;
    if (access(candidate.c_str(), X_OK) == 0) return true;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return false;
}

}  // namespace

Result<std::string> FindLibraryFrom(const std::string& bin_folder,
                                    const std::string& name) {
  const fs::path prefix = fs::path(bin_folder).parent_path();
  for (const char* folder : {"lib", "lib64"}) {
    const fs::path candidate = prefix / folder / name;
    if (Exists(candidate)) return candidate.string();
  }
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(prefix / "lib", error)) {
    const fs::path candidate = entry.path() / name;
    if (Exists(candidate)) return candidate.string();
  }
  return Status::Io(name + " is neither in " + (prefix / "lib").string() +
                    " nor in " + (prefix / "lib64").string());
}

Result<std::string> FindLibrary(const std::string& name) {
  const auto folder = OwnFolder();
  return folder.ok() ? FindLibraryFrom(*folder, name) : folder;
}

Result<std::string> FindTool(const std::string& name) {
  const auto folder = OwnFolder();
  if (!folder.ok()) return folder;
  const fs::path path = fs::path(*folder) / name;
  if (Exists(path)) return path.string();
  return Status::Io(path.string() + " is not there");
}

std::string DefaultLauncher() {
  return OnPath("mpiexec.mpich") ? "mpiexec.mpich -n {ranks}"
                                 : "mpiexec -n {ranks}";
}

std::string LauncherOf(const std::string& option) {
  return option.empty() ? DefaultLauncher() : option;
}

std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  return error ? path : absolute.lexically_normal().string();
}

}  // namespace ranksight::cli
