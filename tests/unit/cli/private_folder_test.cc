#include "cli/base/private_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace ranksight::cli {
namespace {

TEST(PrivateFolder, OnlyTheOwnerMayEnter) {
  const auto folder = PrivateFolder::Make();
  ASSERT_TRUE(folder.ok());
  struct stat info {};
  ASSERT_EQ(stat(folder->path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST(PrivateFolder, GoesWithItsContentsAndOnlyOnce) {
  std::string path;
  {
    auto first = PrivateFolder::Make();
    ASSERT_TRUE(first.ok());
    path = first->path();
    std::ofstream(path + "/file") << "x";
    {
      PrivateFolder second = std::move(*first);
      EXPECT_EQ(second.path(), path);
      EXPECT_TRUE(std::filesystem::exists(path + "/file"));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

}  // namespace
}  // namespace ranksight::cli
