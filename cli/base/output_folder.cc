#include "cli/base/output_folder.h"

#include <unistd.h>

#include <filesystem>

#include "cli/base/files.h"

namespace ranksight::cli {
namespace fs = std::filesystem;

using reduction::Status;

namespace {

std::string WithoutSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

OutputFolder::OutputFolder(std::string place, Existing existing)
    : place_(WithoutSlashes(std::move(place))), status_(Status::Ok()) {
  std::error_code error;
  const bool exists = fs::exists(place_, error);
  if (exists && !fs::is_directory(place_, error)) {
    status_ = Status::Io(place_ + ": is there and no folder");
  } else if (exists && existing == Existing::kRefuse &&
             !fs::is_empty(place_, error)) {
    status_ = Status::Io(place_ + ": is not empty; name a new folder");
  } else {
    const std::string made = place_ + ".part" + std::to_string(getpid());
    status_ = MakeDirectories(made);
    if (status_.ok()) beside_ = made;
  }
}

OutputFolder::~OutputFolder() {
  std::error_code error;
  if (!beside_.empty()) fs::remove_all(beside_, error);
}

Status OutputFolder::Put() {
  std::error_code error;
  // Takes the place of an empty folder, too.
  fs::rename(beside_, place_, error);
  if (!error) {
    beside_.clear();
    return Status::Ok();
  }
  if (!fs::is_directory(place_)) {
    return Status::Io(place_ + ": " + error.message());
  }
  const fs::path place = place_;
  // All or none, where that can be told before.
  for (const auto& file : fs::directory_iterator(beside_, error)) {
    const fs::path target = place / file.path().filename();
    if (fs::is_directory(target, error)) {
      return Status::Io(target.string() + ": is a folder");
    }
  }
  for (const auto& file : fs::directory_iterator(beside_, error)) {
    const fs::path target = place / file.path().filename();
    fs::rename(file, target, error);
    if (error) return Status::Io(target.string() + ": " + error.message());
  }
  return error ? Status::Io(place_ + ": " + error.message()) : Status::Ok();
}

}  // namespace ranksight::cli
