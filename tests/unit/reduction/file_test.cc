#include <fcntl.h>
#include <gtest/gtest.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/file_stem.h"
#include "reduction/api/shown_text.h"
#include "reduction/api/write_all.h"
#include "tests/support/scratch_folder.h"
#include "tests/unit/reduction/random_trace.h"

namespace ranksight::reduction {
namespace {

namespace fs = std::filesystem;

class File : public ::testing::Test {
 protected:
  std::string Path(const char* name) const {
    return folder_.path() + "/" + name;
  }

  const support::ScratchFolder folder_;
};

TEST_F(File, ATraceComesBackFromItsFile) {
  const Trace trace = testing::StencilTrace(2, 3, true).Make();
  ASSERT_TRUE(WriteTraceFile(trace, Path("a.trace")).ok());
  const Result<Trace> back = ReadTraceFile(Path("a.trace"));
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_TRUE(back->meta == trace.meta);
  EXPECT_EQ(Encode(*back, SketchForm::kQuantiles),
            Encode(trace, SketchForm::kQuantiles));
}

TEST_F(File, NamesMayBeAsLongAsTheSystemLetsThem) {
  const std::string longest = Path(std::string(NAME_MAX, 'n').c_str());
  const Trace trace = testing::StencilTrace(2, 3, true).Make();
  const Status written = WriteTraceFile(trace, longest);
  ASSERT_TRUE(written.ok()) << written.message();
  EXPECT_TRUE(ReadTraceFile(longest).ok());
}

TEST_F(File, AStemIsTheProgramsNameWhereThereIsRoom) {
  EXPECT_EQ(FileStem("app"), "app");
  const std::string name(NAME_MAX, 'n');
  const std::string stem = FileStem(name), other = FileStem(name + "2");
  EXPECT_LE(stem.size(), size_t{NAME_MAX} - 60);
  EXPECT_EQ(stem.substr(0, 100), name.substr(0, 100));
  EXPECT_NE(stem, other);
  // Of two bytes each: none is cut through.
  std::string umlauts;
  for (int i = 0; i < NAME_MAX / 2; ++i) umlauts += "\u00e4";
  for (const std::string& program : {umlauts, "x" + umlauts}) {
    EXPECT_EQ(ShownName(FileStem(program)), FileStem(program));
  }
}

TEST_F(File, WritingReplacesAndLeavesNothingBeside) {
  const std::vector<uint8_t> first = {1, 2, 3}, second = {4};
  ASSERT_TRUE(WriteFileAtomically(first, Path("x")).ok());
  ASSERT_TRUE(WriteFileAtomically(second, Path("x")).ok());
  EXPECT_EQ(*ReadWholeFile(Path("x")), second);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(File, WhatALinkNamesIsWrittenAndTheLinkStays) {
  const std::vector<uint8_t> old = {1}, bytes = {2, 3};
  ASSERT_TRUE(fs::create_directory(Path("far")));
  ASSERT_TRUE(WriteFileAtomically(old, Path("far/there")).ok());
  fs::create_symlink("far/there", Path("relative"));
  fs::create_symlink(Path("relative"), Path("of_a_link"));
  fs::create_symlink("new", Path("far/to_nothing"));
  ASSERT_TRUE(WriteFileAtomically(bytes, Path("of_a_link")).ok());
  ASSERT_TRUE(WriteFileAtomically(bytes, Path("far/to_nothing")).ok());
  EXPECT_EQ(*ReadWholeFile(Path("far/there")), bytes);
  EXPECT_EQ(*ReadWholeFile(Path("far/new")), bytes);
  for (const char* link : {"relative", "of_a_link", "far/to_nothing"}) {
    EXPECT_TRUE(fs::is_symlink(Path(link))) << link;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(Path("far")), {}), 3);
}

TEST_F(File, LinksInARingAndThoseOfOthersAreNotFollowed) {
  fs::create_symlink("b", Path("a"));
  fs::create_symlink("a", Path("b"));
  EXPECT_EQ(FollowOwnLinks(Path("a")), Path("a"));
  fs::create_symlink("target", Path("planted"));
  EXPECT_EQ(FollowOwnLinks(Path("planted")), Path("target"));
  if (geteuid() != 0) return;  // who cannot give a link away
  ASSERT_EQ(lchown(Path("planted").c_str(), 65534, 65534), 0);
  EXPECT_EQ(FollowOwnLinks(Path("planted")), Path("planted"));
}

TEST_F(File, WhatIsNoFileIsWrittenTo) {
  const std::string pipe = Path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::vector<uint8_t> bytes = {1, 2, 3};
  EXPECT_EQ(WriteFileAtomically(bytes, pipe).code(), StatusCode::kIo)
      << "nobody reads it";
  const int end = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(end, 0);
  EXPECT_TRUE(WriteFileAtomically(bytes, pipe).ok());
  uint8_t read_back[4];
  EXPECT_EQ(read(end, read_back, sizeof read_back), 3);
  close(end);
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
  // Of a link to it, too.
  fs::create_symlink("/dev/null", Path("null"));
  EXPECT_TRUE(WriteFileAtomically(bytes, Path("null")).ok());
  EXPECT_TRUE(fs::is_character_file(Path("null")));
}

TEST_F(File, ADeviceIsNotRead) {
  const Status status = ReadWholeFile("/dev/zero").status();
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_EQ(status.message(), "/dev/zero: a device, not a file");
}

TEST_F(File, AnEmptyFileIsReadAsEmpty) {
  ASSERT_TRUE(WriteFileAtomically({}, Path("x")).ok());
  EXPECT_TRUE(ReadWholeFile(Path("x"))->empty());
}

TEST_F(File, ErrorsOfTheSystemNameThePath) {
  const Status status = ReadTraceFile(Path("none")).status();
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_EQ(status.message(), Path("none") + ": No such file or directory");
  EXPECT_EQ(WriteFileAtomically({}, Path("no/such/x")).code(), StatusCode::kIo);
  EXPECT_EQ(ReadWholeFile(folder_.path()).status().code(), StatusCode::kIo);
}

TEST_F(File, DamageIsReportedWithPathAndOffset) {
  std::ofstream(Path("x")) << "not a trace";
  const Status status = ReadTraceFile(Path("x")).status();
  EXPECT_EQ(status.code(), StatusCode::kBadInput);
  EXPECT_EQ(status.message(), Path("x") + ":0: not a trace file");
}

TEST_F(File, AFailedRenameLeavesNothingBeside) {
  fs::create_directory(Path("taken"));
  const std::vector<uint8_t> bytes = {1};
  EXPECT_FALSE(WriteFileAtomically(bytes, Path("taken")).ok());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

}  // namespace
}  // namespace ranksight::reduction
