// Files written in pieces, at places or packed, held against the bytes that
// were given.
#include "adapters/base/output_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>

#include "tests/support/scratch_folder.h"
#include "tests/unit/adapters/sample.h"

namespace ranksight::adapters {
namespace {

namespace fs = std::filesystem;

bool IsEmptyFolder(const std::string& folder) {
  return fs::directory_iterator(folder) == fs::directory_iterator();
}

// Short ones, one as long as the buffer, and longer ones.
std::string RandomPiece(std::mt19937* random) {
  const uint32_t kind = (*random)() % 8;
  const size_t bytes = kind == 0   ? (*random)() % 200'000
                       : kind == 1 ? ByteWriter::kBuffer
                                   : (*random)() % 50;
  return std::string(bytes, char('a' + (*random)() % 26));
}

// Puts the same into the file and behind the text.
void WriteSame(std::mt19937* random, OutputFile* file, std::string* text) {
  const uint32_t way = (*random)() % 8;
  if (way == 0) {
    file->Write('c');
    *text += 'c';
  } else if (way == 1) {
    const auto number = int64_t((*random)()) - int64_t(1u << 31);
    file->WriteNumber(number);
    *text += std::to_string(number);
  } else {
    const std::string piece = RandomPiece(random);
    file->Write(piece);
    *text += piece;
  }
}

TEST(OutputFile, HoldsWhatWasWrittenInPiecesAndAtPlaces) {
  const support::ScratchFolder folder;
  const std::string path = folder.path() + "/out";
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    OutputFile file(path);
    std::string expected;
    for (int step = 0; step < 60; ++step) {
      WriteSame(&random, &file, &expected);
      const std::string over = RandomPiece(&random);
      if (step % 7 == 0 && over.size() <= expected.size()) {
        const size_t at = random() % (expected.size() - over.size() + 1);
        file.WriteAt(at, over);
        expected.replace(at, over.size(), over);
      }
      ASSERT_EQ(file.size(), expected.size());
    }
    ASSERT_TRUE(file.Commit().ok());
    EXPECT_EQ(ReadText(path), expected);
  }
}

std::string UnpackedByGzip(const std::string& path) {
  FILE* const gzip = popen(("gzip -dc <'" + path + "'").c_str(), "r");
  if (gzip == nullptr) return "";
  std::string text;
  std::array<char, 4096> some;
  for (size_t read; (read = fread(some.data(), 1, some.size(), gzip)) > 0;) {
    text.append(some.data(), read);
  }
  EXPECT_EQ(pclose(gzip), 0);  // it checks the sum and the length
  return text;
}

TEST(OutputFile, IsUnpackedByGzipWithPartsThatWerePackedElsewhere) {
  if (!Deflater::IsThere()) GTEST_SKIP() << "built without zlib";
  const support::ScratchFolder folder;
  const std::string path = folder.path() + "/out.gz";
  for (uint32_t seed = 0; seed < 8; ++seed) {
    std::mt19937 random(seed);
    OutputFile file(path, OutputFile::Packing::kGzip);
    std::string expected;
    for (uint32_t part = random() % 12; part > 0; --part) {
      WriteSame(&random, &file, &expected);
      Deflater elsewhere;
      std::string packed;
      const std::string piece = RandomPiece(&random);
      elsewhere.Add(piece, &packed);
      const Unpacked what = elsewhere.EndPart(&packed);
      // It may come in several writes.
      file.WritePacked(packed.substr(0, packed.size() / 2));
      file.WritePacked(packed.substr(packed.size() / 2));
      file.EndPacked(what);
      expected += piece;
      EXPECT_EQ(file.size(), expected.size());
    }
    ASSERT_TRUE(file.Commit().ok());
    EXPECT_EQ(UnpackedByGzip(path), expected);
  }
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const support::ScratchFolder folder;
  { OutputFile(folder.path() + "/out").Write("text"); }
  EXPECT_TRUE(IsEmptyFolder(folder.path()));
}

TEST(OutputFile, TheOldFileStaysUntilTheNewOneIsWhole) {
  const support::ScratchFolder folder;
  folder.Put("out", "old");
  const std::string path = folder.path() + "/out";
  OutputFile file(path);
  file.Write("new");
  EXPECT_EQ(ReadText(path), "old");
  ASSERT_TRUE(file.Commit().ok());
  EXPECT_EQ(ReadText(path), "new");
}

TEST(OutputFile, ALinkStaysALinkAndItsFileIsWritten) {
  const support::ScratchFolder folder;
  folder.Put("file", "old");
  fs::create_symlink("file", folder.path() + "/link");
  ASSERT_TRUE(WriteSmallFile(folder.path() + "/link", "new").ok());
  EXPECT_TRUE(fs::is_symlink(folder.path() + "/link"));
  EXPECT_EQ(ReadText(folder.path() + "/file"), "new");
}

TEST(OutputFile, AFolderThatIsNotThereIsAnErrorThatNamesTheFile) {
  const support::ScratchFolder folder;
  const std::string path = folder.path() + "/none/out";
  OutputFile file(path);
  file.Write("text");
  file.WriteAt(0, "T");
  const auto status = file.Commit();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find(path), std::string::npos);
  EXPECT_TRUE(IsEmptyFolder(folder.path()));
}

TEST(OutputFile, AFolderOfThatNameStaysAndNothingBesideIt) {
  const support::ScratchFolder folder;
  const std::string path = folder.path() + "/out";
  fs::create_directory(path);
  EXPECT_FALSE(WriteSmallFile(path, "text").ok());
  EXPECT_TRUE(fs::is_directory(path));
  fs::remove(path);
  EXPECT_TRUE(IsEmptyFolder(folder.path()));
}

TEST(OutputFile, AFullDeviceIsAnErrorAndStays) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_FALSE(WriteSmallFile("/dev/full", "text").ok());
  EXPECT_TRUE(fs::exists("/dev/full"));
}

}  // namespace
}  // namespace ranksight::adapters
