#include "cli/base/locate.h"

#include <unistd.h>

#include <algorithm>
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

bool IsInBuildTree() {
  const auto folder = OwnFolder();
  return folder.ok() &&
         Exists(fs::path(*folder).parent_path() / "CMakeCache.txt");
}

std::string FindProgram(const std::string& program) {
  if (program.find('/') != program.npos) return program;
  const char* path = std::getenv("PATH");
  std::string_view left = path == nullptr ? "" : path;
  while (!left.empty()) {
    const size_t end = std::min(left.find(':'), left.size());
    const fs::path candidate = fs::path(left.substr(0, end)) / program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate.string();
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return {};
}

std::string MpiOfLauncher(const std::string& program) {
  if (const char* chosen = std::getenv("RANKSIGHT_MPI");
      chosen != nullptr && *chosen != '\0') {
    return chosen;
  }
  std::error_code error;
  const fs::path file = fs::canonical(FindProgram(program), error);
  if (error) return "";
  const std::string name = file.filename().string();
  // What mpiexec and mpirun are links to. Open MPI 5 has a program of its own
  // there, beside which lies ompi_info.
  if (name == "orterun" || name == "prterun") return "openmpi";
  if (name == "mpiexec.hydra" || name == "mpiexec.mpich") return "mpich";
  if (!name.starts_with("mpirun") && !name.starts_with("mpiexec")) return "";
  return Exists(file.parent_path() / "ompi_info") ? "openmpi" : "mpich";
}

Result<std::string> FindMpiTool(const std::string& name,
                                const std::vector<std::string>& launcher) {
  const std::string mpi =
      launcher.empty() ? "" : MpiOfLauncher(launcher.front());
  if (!mpi.empty()) {
    const auto special = FindTool(name + "-" + mpi);
    if (special.ok()) return special;
  }
  return FindTool(name);
}

std::string DefaultLauncher() {
  return !FindProgram("mpiexec.mpich").empty() ? "mpiexec.mpich -n {ranks}"
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
