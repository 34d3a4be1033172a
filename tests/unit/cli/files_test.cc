#include "cli/base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/scratch_folder.h"

namespace ranksight::cli {
namespace {

using reduction::StatusCode;

TEST(CheckWritable, AnyNewOrOldFileOfAFolderIsAndStaysAsItWas) {
  const support::ScratchFolder folder;
  folder.Put("old", "content");
  EXPECT_TRUE(CheckWritable(folder.path() + "/old").ok());
  EXPECT_TRUE(CheckWritable(folder.path() + "/new").ok());
  EXPECT_EQ(FileBytes(folder.path() + "/old"), 7u);
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/new"));
}

TEST(CheckWritable, AFolderIsNot) {
  const support::ScratchFolder folder;
  const auto status = CheckWritable(folder.path());
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_EQ(status.message(), folder.path() + ": Is a directory");
}

TEST(CheckWritable, ADeviceIsWhereItTakesSomething) {
  EXPECT_TRUE(CheckWritable("/dev/null").ok());
  const auto status = CheckWritable("/dev/full");
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_EQ(status.message(), "/dev/full: No space left on device");
}

TEST(CheckWritable, TheReaderOfAPipeSeesNothingOfIt) {
  const support::ScratchFolder folder;
  const std::string pipe = folder.path() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  const int writer = ::open(pipe.c_str(), O_WRONLY);
  EXPECT_TRUE(CheckWritable(pipe).ok());
  char byte = 0;
  EXPECT_EQ(::read(reader, &byte, 1), -1) << "something was written";
  ::close(writer);
  ::close(reader);
}

TEST(CheckFolderWritable, NamesWhatIsMissing) {
  const support::ScratchFolder folder;
  EXPECT_TRUE(CheckFolderWritable(folder.path()).ok());
  EXPECT_EQ(CheckFolderWritable(folder.path() + "/none").message(),
            folder.path() + "/none: No such file or directory");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(NewFile, IsThereOnceItWasWrittenAgain) {
  const support::ScratchFolder folder;
  const std::string path = folder.path() + "/file";
  const NewFile absent(path);
  EXPECT_FALSE(absent.Check().ok());
  ASSERT_TRUE(WriteTextFile("old", path).ok());
  EXPECT_TRUE(absent.Check().ok());
  const NewFile old(path);
  EXPECT_EQ(old.Check().code(), StatusCode::kIo);
  ASSERT_TRUE(WriteTextFile("new", path).ok());
  EXPECT_TRUE(old.Check().ok());
  EXPECT_TRUE(NewFile("/dev/null").Check().ok());
}

}  // namespace
}  // namespace ranksight::cli
