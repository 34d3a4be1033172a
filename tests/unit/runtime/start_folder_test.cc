#include "runtime/process/start_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace ranksight::runtime {
namespace {

TEST(StartFolder, IsWhereTheProcessBegan) {
  const std::filesystem::path here = std::filesystem::current_path();
  ASSERT_EQ(chdir("/"), 0);
  EXPECT_EQ(FromStartFolder("a.trace"), (here / "a.trace").string());
  EXPECT_EQ(FromStartFolder("/b/a.trace"), "/b/a.trace");
  EXPECT_EQ(FromStartFolder(""), "");
  ASSERT_EQ(chdir(here.c_str()), 0);
}

TEST(StartFolder, IsTheOneThatTheEnvironmentNames) {
  setenv("RANKSIGHT_FOLDER", "/job", 1);
  EXPECT_EQ(FromStartFolder("a.trace"), "/job/a.trace");
  setenv("RANKSIGHT_FOLDER", "job", 1);
  EXPECT_NE(FromStartFolder("a.trace"), "job/a.trace");
  unsetenv("RANKSIGHT_FOLDER");
}

}  // namespace
}  // namespace ranksight::runtime
