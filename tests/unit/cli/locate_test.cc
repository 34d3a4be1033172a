#include "cli/base/locate.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/base/private_folder.h"

namespace ranksight::cli {
namespace {

namespace fs = std::filesystem;

// An installation with the library in one folder below the prefix.
void ExpectFound(const std::string& folder) {
  const auto prefix = PrivateFolder::Make();
  ASSERT_TRUE(prefix.ok());
  const fs::path library = fs::path(prefix->path()) / folder;
  fs::create_directories(library);
  std::ofstream(library / "libranksight.so") << "x";
  const auto found = FindLibraryFrom(prefix->path() + "/bin", kRuntimeLibrary);
  ASSERT_TRUE(found.ok()) << folder;
  EXPECT_EQ(*found, (library / "libranksight.so").string());
}

TEST(FindLibrary, LooksWhereBuildTreesAndInstallationsHaveIt) {
  ExpectFound("lib");
  ExpectFound("lib64");
  ExpectFound("lib/x86_64-linux-gnu");
}

TEST(FindLibrary, AMissingOneIsFileTrouble) {
  const auto prefix = PrivateFolder::Make();
  ASSERT_TRUE(prefix.ok());
  const auto found = FindLibraryFrom(prefix->path() + "/bin", kRuntimeLibrary);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.status().code(), reduction::StatusCode::kIo);
}

TEST(FindTool, FindsWhatLiesBesideThisProgram) {
  EXPECT_TRUE(FindTool("cli_test").ok());
  EXPECT_FALSE(FindTool("no-such-tool").ok());
}

TEST(DefaultLauncher, SaysWhereTheRankCountGoes) {
  EXPECT_NE(DefaultLauncher().find("{ranks}"), std::string::npos);
}

TEST(AbsolutePath, StartsAtTheWorkingFolder) {
  EXPECT_EQ(AbsolutePath("a/../b.trace"),
            (fs::current_path() / "b.trace").string());
  EXPECT_EQ(AbsolutePath("/x/y"), "/x/y");
}

}  // namespace
}  // namespace ranksight::cli
