#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/front/reason.h"
#include "tests/support/scratch_folder.h"

namespace ranksight::runtime {
namespace {

namespace fs = std::filesystem;

TEST(FrontReason, PartsAreJoinedAndCutWhereThereIsNoRoom) {
  const std::vector<std::string> words = {"", "a", "bcd", "", "efghij"};
  for (size_t count = 0; count <= words.size(); ++count) {
    std::string whole;
    std::vector<const char*> parts;
    for (size_t i = 0; i < count; ++i) {
      whole += words[i];
      parts.push_back(words[i].c_str());
    }
    parts.push_back(nullptr);
    for (size_t room = 1; room < 16; ++room) {
      std::string text(room + 1, '#');
      JoinText(text.data(), room, parts.data());
      EXPECT_EQ(std::string(text.c_str()), whole.substr(0, room - 1));
      EXPECT_EQ(text[room], '#');  // nothing behind it
    }
  }
}

// Sets variables for as long as it lives.
class FrontReasonTest : public testing::Test {
 protected:
  ~FrontReasonTest() override {
    for (const char* name :
         {"RANKSIGHT_BEGAN", "RANKSIGHT_OUTPUT", "RANKSIGHT_FOLDER"}) {
      unsetenv(name);
    }
  }
  // The name and text of the only file in a folder, "" where there is none.
  static std::string OnlyFile(const std::string& folder) {
    std::string all;
    for (const auto& entry : fs::directory_iterator(folder)) {
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      all += entry.path().filename().string() + ": " + text.str();
    }
    return all;
  }
  support::ScratchFolder folder_;
};

TEST_F(FrontReasonTest, NothingIsLeftWhereNobodyLooks) {
  setenv("RANKSIGHT_FOLDER", folder_.path().c_str(), 1);
  LeaveReason("no MPI");
  EXPECT_EQ(OnlyFile(folder_.path()), "");
}

TEST_F(FrontReasonTest, TheFirstOneSaysWhy) {
  setenv("RANKSIGHT_FOLDER", folder_.path().c_str(), 1);
  setenv("RANKSIGHT_BEGAN", "123", 1);
  LeaveReason("no MPI");
  LeaveReason("another process says this");
  EXPECT_EQ(OnlyFile(folder_.path()), ".ranksight.123.unrecorded: no MPI");
}

TEST_F(FrontReasonTest, ItLiesBesideTheTraceThatIsNotWritten) {
  const support::ScratchFolder start;
  setenv("RANKSIGHT_FOLDER", start.path().c_str(), 1);
  setenv("RANKSIGHT_OUTPUT", (folder_.path() + "/a.trace").c_str(), 1);
  setenv("RANKSIGHT_BEGAN", "123", 1);
  LeaveReason("no MPI");
  EXPECT_EQ(OnlyFile(start.path()), "");
  EXPECT_EQ(OnlyFile(folder_.path()), ".ranksight.123.unrecorded: no MPI");
}

// The name of an output alone is in the folder where the job began.
TEST_F(FrontReasonTest, AnOutputWithoutAFolderIsInTheOneOfTheStart) {
  setenv("RANKSIGHT_FOLDER", folder_.path().c_str(), 1);
  setenv("RANKSIGHT_OUTPUT", "a.trace", 1);
  setenv("RANKSIGHT_BEGAN", "5", 1);
  LeaveReason("no MPI");
  EXPECT_EQ(OnlyFile(folder_.path()), ".ranksight.5.unrecorded: no MPI");
}

}  // namespace
}  // namespace ranksight::runtime
