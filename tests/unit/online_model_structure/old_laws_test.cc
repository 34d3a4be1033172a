// Traces that carry laws as older writers wrote them (tests/golden/laws) stay
// readable and give the same laws: the lines beside them say what those are,
// and how many ranks the trace that they give is compared with.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "online_model/synthesize/carried_laws.h"
#include "online_model/synthesize/law_code.h"
#include "reduction/api/canonical.h"
#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"
#include "reduction/api/fnv.h"

namespace ranksight::online_model {
namespace {

using reduction::Trace;

std::vector<std::filesystem::path> OldTraces() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(RANKSIGHT_OLD_LAWS)) {
    if (entry.path().extension() == ".trace") paths.push_back(entry.path());
  }
  return paths;
}

Trace Read(const std::filesystem::path& path) {
  auto trace = reduction::ReadTraceFile(path.string());
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return trace.ok() ? std::move(trace).value() : Trace();
}

std::vector<std::string> LinesOf(std::filesystem::path path,
                                 const char* ending) {
  std::ifstream in(path.replace_extension(ending));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

SymbolicLaws Laws(const Trace& trace) {
  const auto numbers = CarriedLaws(trace);
  EXPECT_TRUE(numbers.ok()) << numbers.status().message();
  if (!numbers.ok()) return {};
  auto laws = DecodeLaws(*numbers, trace.root, {});
  EXPECT_TRUE(laws.ok()) << laws.status().message();
  return laws.ok() ? std::move(*laws) : SymbolicLaws();
}

// What was written for people when the laws were found is the golden text.
TEST(OldLaws, MeanWhatTheirLinesSay) {
  ASSERT_GE(OldTraces().size(), 13u);
  for (const auto& path : OldTraces()) {
    SCOPED_TRACE(path.filename());
    const Trace trace = Read(path);
    ASSERT_TRUE(trace.law_code.empty());
    ASSERT_TRUE(IsSymbolic(trace));
    const SymbolicLaws laws = Laws(trace);
    std::vector<std::string> lines = {"ranks form a " + laws.rule.ToString()};
    DescribeLaws(laws.root, trace.root, trace.sites, &lines);
    const auto readable = ReadableLaws(trace);
    EXPECT_EQ(lines, std::vector(readable.begin(), readable.end()));
    EXPECT_EQ(lines, LinesOf(path, ".laws.txt"));
  }
}

// Of all ranks' canonical text: "RANKS EVENTS HASH" as `show --events` gave it.
std::string Digest(const Trace& trace) {
  reduction::Fnv hash;
  uint64_t events = 0;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto cursor = reduction::Cursor::Open(trace, rank);
    EXPECT_TRUE(cursor.ok());
    for (; cursor.ok() && cursor->Next(); ++events) {
      for (const char c : CanonicalText(cursor->event()) + "\n") {
        hash.Add(uint8_t(c));
      }
    }
  }
  return std::to_string(trace.meta.ranks) + " " + std::to_string(events) + " " +
         std::to_string(hash.value());
}

TEST(OldLaws, GiveTheSameTracesAsWhenTheyWereWritten) {
  for (const auto& path : OldTraces()) {
    SCOPED_TRACE(path.filename());
    const Trace trace = Read(path);
    for (const std::string& line : LinesOf(path, ".made.txt")) {
      ExtrapolationRequest request;
      request.ranks = std::stoll(line);
      const auto made = FromLaws(trace, request);
      ASSERT_TRUE(made.ok()) << made.status().message();
      EXPECT_EQ(Digest(made->trace), line);
    }
  }
}

TEST(OldLaws, AreWrittenAnewAsAChunk) {
  for (const auto& path : OldTraces()) {
    SCOPED_TRACE(path.filename());
    Trace trace = Read(path);
    const SymbolicLaws laws = Laws(trace);
    DropCarriedLaws(&trace);
    ASSERT_FALSE(IsSymbolic(trace));
    trace.law_code = EncodeLaws(laws, trace.root);
    const auto read = reduction::Decode(
        reduction::Encode(trace, reduction::SketchForm::kFull));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->law_code, trace.law_code);
    EXPECT_EQ(EncodeLaws(Laws(*read), trace.root), trace.law_code);
  }
}

}  // namespace
}  // namespace ranksight::online_model
