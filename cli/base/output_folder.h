// A folder of results, filled beside its place and put there when it is whole.
// Thread-safety: one thread.
#pragma once

#include <string>

#include "reduction/api/status.h"

namespace ranksight::cli {

class OutputFolder {
 public:
  // What to do when there are files in the folder already.
  enum class Existing { kRefuse, kReplaceThoseOfTheSameName };

  // Check status() before anything is written.
  OutputFolder(std::string place, Existing existing);
  ~OutputFolder();  // without Put nothing is left
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const reduction::Status& status() const { return status_; }
  // Where to write.
  const std::string& path() const { return beside_; }
  // Without files of the same name the folder appears at once, else file by
  // file, each of them whole.
  [[nodiscard]] reduction::Status Put();

 private:
  std::string place_, beside_;
  reduction::Status status_;
};

}  // namespace ranksight::cli
