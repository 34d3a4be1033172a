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

// A folder with these programs, the last a link to the first.
void ExpectMpi(const std::string& mpi, const std::string& target,
               const std::string& beside, const std::string& launcher) {
  const auto folder = PrivateFolder::Make();
  ASSERT_TRUE(folder.ok());
  const fs::path path = folder->path();
  for (const std::string& file : {target, beside}) {
    std::ofstream(path / file) << "#!/bin/sh\n";
  }
  if (launcher != target) fs::create_symlink(target, path / launcher);
  EXPECT_EQ(MpiOfLauncher((path / launcher).string()), mpi) << launcher;
}

TEST(MpiOfLauncher, FollowsLinksToTheLauncherOfAnMpi) {
  ExpectMpi("openmpi", "orterun", "x", "mpiexec");
  ExpectMpi("mpich", "mpiexec.hydra", "x", "mpirun");
  ExpectMpi("openmpi", "mpirun", "ompi_info", "mpiexec");
  ExpectMpi("mpich", "mpirun", "x", "mpiexec");
}

TEST(MpiOfLauncher, SaysNothingOfOthers) {
  ExpectMpi("", "srun", "x", "srun");
  EXPECT_EQ(MpiOfLauncher("no-such-launcher"), "");
}

TEST(FindMpiTool, TakesThePlainOneWhereNothingIsKnown) {
  EXPECT_TRUE(FindMpiTool("cli_test", {"no-such-launcher"}).ok());
  EXPECT_FALSE(FindMpiTool("no-such-tool", {}).ok());
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
