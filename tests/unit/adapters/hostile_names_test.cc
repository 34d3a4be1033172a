// Names of programs, modules and regions that would leave the comment, the
// quotes or the line that they stand in, in every format and program.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "adapters/api/adapter.h"
#include "adapters/api/generate.h"
#include "reduction/api/shown_text.h"
#include "tests/unit/adapters/sample.h"

namespace ranksight::adapters {
namespace {

namespace fs = std::filesystem;
using reduction::Trace;

// What would be outside: MARK.
const std::string kHostile =
    "a\"'*/MARK/*\\MARK\n\rMARK\t$(MARK)`MARK`<script>MARK%s,\x1b[2J?\?/"
    "\u202eMARK\u2028MARK\xff\xfe*/";

Trace HostileTrace() {
  Trace trace = RingTrace(4, 3);
  trace.meta.program = kHostile;
  for (reduction::Module& module : trace.sites.modules) {
    module.name = "=" + kHostile;
  }
  return trace;
}

bool IsBinary(const fs::path& path) {
  return path.extension() == ".bin" || path.extension() == ".def" ||
         path.extension() == ".et" || path.extension() == ".evt" ||
         path.extension() == ".goal-bin" || path.extension() == ".otf2";
}

std::vector<fs::path> TextFiles(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && !IsBinary(entry.path())) {
      files.push_back(entry.path());
    }
  }
  return files;
}

// Nothing in the file is obeyed by a terminal, and no line begins with what
// stood behind a line's end.
void ExpectHarmless(const fs::path& path) {
  const std::string text = ReadText(path.string());
  EXPECT_EQ(reduction::Harmless(text), text) << path;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_FALSE(line.starts_with("MARK")) << path << ": " << line;
  }
}

// As a compiler sees it: lines joined, comments and strings gone.
std::string WithoutComments(std::string text) {
  for (const std::string& joins :
       {std::string("\\\n"), std::string("?\?/\n")}) {
    for (size_t at; (at = text.find(joins)) != text.npos;) {
      text.erase(at, joins.size());
    }
  }
  for (size_t at; (at = text.find("/*")) != text.npos;) {
    const size_t end = text.find("*/", at + 2);
    text.erase(at, end == text.npos ? end : end + 2 - at);
  }
  return text;
}

TEST(HostileNames, LeaveNoFormatTheirPlace) {
  const Trace trace = HostileTrace();
  for (const Adapter* adapter : Adapters()) {
    if (adapter->write == nullptr) continue;
    const std::string folder = TestFolder();
    const std::string out = adapter->folder
                                ? folder
                                : folder + "/out." + std::string(adapter->name);
    Conversion done;
    const auto status = adapter->write({&trace, 1}, out, &done);
    ASSERT_TRUE(status.ok()) << adapter->name << ": " << status.message();
    for (const fs::path& path : TextFiles(folder)) ExpectHarmless(path);
  }
}

TEST(HostileNames, AreNoFormulasInTables) {
  const Trace trace = HostileTrace();
  const std::string out = TestFolder() + "/out.csv";
  Conversion done;
  ASSERT_TRUE(FindAdapter("csv")->write({&trace, 1}, out, &done).ok());
  EXPECT_EQ(ReadText(out).find("\"="), std::string::npos);
}

TEST(HostileNames, RunNothingWhenABenchmarkIsBuilt) {
  const std::string folder = TestFolder();
  ASSERT_TRUE(GenerateC(HostileTrace(), {}, folder).ok());
  bool any = false;
  for (const fs::path& path : TextFiles(folder)) {
    ExpectHarmless(path);
    const std::string text = ReadText(path.string());
    any |= text.find("MARK") != text.npos;
    if (path.filename() == "Makefile") {
      EXPECT_EQ(text.find_first_of("`\"'<"), text.npos) << text;
      EXPECT_EQ(text.find("$(MARK"), text.npos) << text;
    } else {
      EXPECT_EQ(WithoutComments(text).find("(MARK"), std::string::npos) << path;
      EXPECT_EQ(WithoutComments(text).find("<script"), std::string::npos)
          << path;
    }
  }
  EXPECT_TRUE(any);  // or nothing was tried
}

TEST(HostileNames, LeaveNoCommentOfCoNCePTuaL) {
  const std::string folder = TestFolder();
  ASSERT_TRUE(GenerateConceptual(HostileTrace(), {}, folder).ok());
  for (const fs::path& path : TextFiles(folder)) {
    ExpectHarmless(path);
    std::istringstream lines(ReadText(path.string()));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_EQ(line.substr(0, line.find('#')).find("MARK"), std::string::npos)
          << line;
    }
  }
}

}  // namespace
}  // namespace ranksight::adapters
