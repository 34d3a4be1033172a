#include "cli/base/output_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/scratch_folder.h"

namespace ranksight::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kReplace = OutputFolder::Existing::kReplaceThoseOfTheSameName;

void Write(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

std::string Read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(OutputFolder, ReplacesFilesOfTheSameNameAndLeavesOthers) {
  const support::ScratchFolder folder;
  const fs::path place = fs::path(folder.path()) / "out";
  fs::create_directory(place);
  Write(place / "a", "old");
  Write(place / "mine", "mine");
  {
    OutputFolder out(place, kReplace);
    ASSERT_TRUE(out.status().ok());
    Write(fs::path(out.path()) / "a", "new");
    EXPECT_EQ(Read(place / "a"), "old");
    EXPECT_TRUE(out.Put().ok());
  }
  EXPECT_EQ(Read(place / "a"), "new");
  EXPECT_EQ(Read(place / "mine"), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(OutputFolder, ReplacesNothingWhereAFolderIsInTheWay) {
  const support::ScratchFolder folder;
  const fs::path place = fs::path(folder.path()) / "out";
  fs::create_directories(place / "b");
  for (const char* name : {"a", "c"}) Write(place / name, "old");
  OutputFolder out(place, kReplace);
  ASSERT_TRUE(out.status().ok());
  for (const char* name : {"a", "b", "c"}) {
    Write(fs::path(out.path()) / name, "new");
  }
  const reduction::Status put = out.Put();
  EXPECT_EQ(put.code(), reduction::StatusCode::kIo);
  EXPECT_EQ(put.message(), (place / "b").string() + ": is a folder");
  for (const char* name : {"a", "c"}) EXPECT_EQ(Read(place / name), "old");
}

}  // namespace
}  // namespace ranksight::cli
