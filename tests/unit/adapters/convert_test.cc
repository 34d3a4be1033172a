#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "adapters/api/adapter.h"
#ifdef RANKSIGHT_HAVE_OTF2
#include "adapters/otf2/otf2_adapter.h"
#endif
#include "adapters/text/read_line.h"
#include "reduction/api/call.h"
#include "reduction/api/canonical.h"
#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"
#include "reduction/api/folder.h"
#include "tests/unit/adapters/sample.h"

namespace ranksight::adapters {

const Adapter& TemplateAdapter();

namespace {

using reduction::Call;
using reduction::Param;
using reduction::Trace;

// Converts and returns what was counted.
Conversion Convert(const Trace& trace, const std::string& name,
                   const std::string& out) {
  const Adapter* adapter = FindAdapter(name);
  EXPECT_NE(adapter, nullptr) << name;
  Conversion done;
  const auto status = adapter->write({&trace, 1}, out, &done);
  EXPECT_TRUE(status.ok()) << status.message();
  return done;
}

void ExpectSameEvents(const Trace& a, const Trace& b) {
  ASSERT_EQ(a.meta.ranks, b.meta.ranks);
  for (int64_t rank = 0; rank < a.meta.ranks; ++rank) {
    auto ours = reduction::Cursor::Open(a, rank);
    auto theirs = reduction::Cursor::Open(b, rank);
    while (ours->Next()) {
      ASSERT_TRUE(theirs->Next());
      EXPECT_EQ(CanonicalText(ours->event()), CanonicalText(theirs->event()));
    }
    EXPECT_FALSE(theirs->Next());
  }
}

TEST(Registry, EveryFormatSaysWhatItIsAndWhatItCannotHold) {
  for (const Adapter* adapter : Adapters()) {
    EXPECT_FALSE(adapter->what.empty()) << adapter->name;
    EXPECT_TRUE(adapter->cannot.ends_with('.')) << adapter->name;
    EXPECT_TRUE(adapter->write != nullptr || adapter->read != nullptr);
    EXPECT_EQ(FindAdapter(adapter->name), adapter);
  }
  EXPECT_EQ(FindAdapter("nothing"), nullptr);
}

TEST(Registry, EveryFormatTellsHowMuchIsWritten) {
  const Trace trace = RingTrace(4, 2);
  for (const Adapter* adapter : Adapters()) {
    if (adapter->write == nullptr) continue;
    const std::string folder = TestFolder();
    Conversion done;
    std::vector<double> told;
    done.tell_share = [&told](double share) { told.push_back(share); };
    const auto status = adapter->write(
        {&trace, 1}, folder + (adapter->folder ? "" : "/out"), &done);
    ASSERT_TRUE(status.ok()) << adapter->name << ": " << status.message();
    EXPECT_EQ(told, (std::vector<double>{0.25, 0.5, 0.75, 1})) << adapter->name;
  }
}

TEST(Timeline, TheRingIsASliceForEachCall) {
  const std::string out = TestFolder() + "/ring.json";
  EXPECT_EQ(Convert(RingTrace(2, 1), "timeline", out).events, 16u);
  ExpectGolden("ring.timeline.json", ReadText(out));
}

TEST(Simgrid, CollectivesOfPartOfTheRanksAreMessages) {
  const std::string out = TestFolder();
  const Conversion done = Convert(RingTrace(4, 2), "simgrid", out);
  EXPECT_EQ(done.files, 5u);
  ExpectGolden("ring.simgrid.txt", ReadText(out + "/2.trace.txt"));
}

TEST(Simgrid, AlltoallvSaysWhatEachRankGets) {
  const int64_t integer = reduction::TypeCodeByName("MPI_INT");
  std::vector<std::vector<reduction::Event>> events;
  for (int64_t rank = 0; rank < 2; ++rank) {
    events.push_back({MakeEvent(Call::MPI_Init_, 1, {}),
                      MakeEvent(Call::MPI_Alltoallv_, 2,
                                {{Param::kPeerCount, {2}},
                                 {Param::kCounts, {rank, 3}},
                                 {Param::kTypeKind, {integer}},
                                 {Param::kTypeSize, {4}},
                                 {Param::kRecvPeerCount, {2}},
                                 {Param::kRecvCounts, {2 * rank, 5}},
                                 {Param::kRecvTypeKind, {integer}},
                                 {Param::kRecvTypeSize, {4}}}),
                      MakeEvent(Call::MPI_Finalize_, 3, {})});
  }
  const std::string out = TestFolder();
  Convert(MakeTrace(events), "simgrid", out);
  EXPECT_NE(
      ReadText(out + "/1.trace.txt").find("1 alltoallv 16 4 12 28 8 20\n"),
      std::string::npos)
      << ReadText(out + "/1.trace.txt");
}

TEST(Goal, TheRingIsAGraph) {
  const std::string out = TestFolder() + "/ring.goal";
  Convert(RingTrace(4, 1), "goal", out);
  ExpectGolden("ring.goal.txt", ReadText(out));
}

// Counts sends and receives by (from, to, tag, bytes).
TEST(Goal, EverySendHasItsReceive) {
  const std::string out = TestFolder() + "/ring.goal";
  Convert(RingTrace(6, 3), "goal", out);
  std::map<std::tuple<int, int, int, int>, int> open;
  std::ifstream file(out);
  std::string line;
  int rank = -1, sends = 0;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string first, what, bytes, way, tag_word;
    int peer = 0, tag = 0;
    words >> first;
    if (first == "rank") words >> rank;
    words >> what >> bytes >> way >> peer >> tag_word >> tag;
    if (what == "send") {
      ++open[{rank, peer, tag, std::stoi(bytes)}];
      ++sends;
    } else if (what == "recv") {
      --open[{peer, rank, tag, std::stoi(bytes)}];
    }
  }
  EXPECT_GT(sends, 6 * 3);
  for (const auto& [message, count] : open) {
    EXPECT_EQ(count, 0) << std::get<0>(message) << " to "
                        << std::get<1>(message);
  }
}

TEST(Template, WritesALineForEachMessageAndCountsTheRest) {
  const std::string out = TestFolder() + "/ring.txt";
  const Trace ring = RingTrace(2, 1);
  Conversion done;
  ASSERT_TRUE(TemplateAdapter().write({&ring, 1}, out, &done).ok());
  EXPECT_EQ(done.events, 16u);
  EXPECT_EQ(done.not_expressed.at("calls that are no messages"), 12u);
  ExpectGolden("ring.template.txt", ReadText(out));
}

TEST(Dimemas, TheRingIsRecordsOfEachTask) {
  const std::string out = TestFolder() + "/ring.dim";
  const auto done = Convert(RingTrace(4, 2), "dimemas", out);
  EXPECT_EQ(done.not_expressed.at("waits for sends"), 8u);
  ExpectGolden("ring.dim.txt", ReadText(out));
}

std::string Hex(const std::string& bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char* digits = "0123456789abcdef";
    text += digits[(unsigned char)bytes[i] >> 4];
    text += digits[(unsigned char)bytes[i] & 15];
    text += i % 32 == 31 || i + 1 == bytes.size() ? '\n' : ' ';
  }
  return text;
}

TEST(Dumpi, TheRingIsAFileForEachRank) {
  const std::string out = TestFolder();
  const auto done = Convert(RingTrace(4, 1), "dumpi", out);
  EXPECT_EQ(done.files, 5u);
  EXPECT_TRUE(done.not_expressed.empty());
  // The last ranks' calls; what follows says how many and where.
  const std::string bytes = ReadText(out + "/dumpi-ring-0003.bin");
  ExpectGolden("ring.dumpi.txt", Hex(bytes.substr(0, bytes.find("ranksight"))) +
                                     ReadText(out + "/dumpi-ring.meta"));
}

// What the format has room for is written, and the loss counted, also where an
// event repeats one.
TEST(Dumpi, CountsThatNoIntHoldsAreCounted) {
  const reduction::Event large =
      MakeEvent(Call::MPI_Send_, 2,
                {{Param::kCount, {3'000'000'000}}, {Param::kTypeSize, {1}}});
  const reduction::Event many =
      MakeEvent(Call::MPI_Alltoallv_, 3,
                {{Param::kPeerCount, {1}},
                 {Param::kCounts, {3'000'000'000}},
                 {Param::kTypeSize, {1}},
                 {Param::kRecvPeerCount, {1}},
                 {Param::kRecvCounts, {3'000'000'000}},
                 {Param::kRecvTypeSize, {1}}});
  const std::string out = TestFolder();
  const auto done = Convert(
      MakeTrace({{MakeEvent(Call::MPI_Init_, 1, {}), large, large, many}}),
      "dumpi", out);
  const std::string file = ReadText(out + "/dumpi-ring-0000.bin");
  EXPECT_EQ(file.find("\xb2\xd0\x5e"), std::string::npos);
  size_t written = 0;
  for (size_t at = file.find("\x7f\xff\xff\xff"); at != std::string::npos;
       at = file.find("\x7f\xff\xff\xff", at + 4)) {
    ++written;
  }
  EXPECT_EQ(written, 4u);
  EXPECT_EQ(done.not_expressed.at(
                "counts and sizes above 2147483647 (written as that)"),
            4u);
}

// Those beside the root, in its group, give MPI_PROC_NULL.
TEST(Dumpi, NoRootIsNotTheRoot) {
  const auto root_in = [](int64_t root) {
    const std::string out = TestFolder();
    Convert(MakeTrace({{MakeEvent(Call::MPI_Init_, 1, {}),
                        MakeEvent(Call::MPI_Bcast_, 2,
                                  {{Param::kCount, {0x11223344}},
                                   {Param::kTypeSize, {1}},
                                   {Param::kRoot, {root}}})}}),
            "dumpi", out);
    const std::string file = ReadText(out + "/dumpi-ring-0000.bin");
    // The count in 4 bytes, the type in 2, the root.
    const size_t count = file.find("\x11\x22\x33\x44");
    return count == std::string::npos ? "" : Hex(file.substr(count + 6, 4));
  };
  EXPECT_EQ(root_in(0), Hex(std::string(4, '\0')));
  EXPECT_EQ(root_in(reduction::kPeerRoot), Hex("\xff\xff\xff\xfe"));
  EXPECT_EQ(root_in(reduction::kPeerNull), Hex("\xff\xff\xff\xff"));
}

TEST(Otf2, AnArchiveIsWrittenOnceAndNeverOver) {
  const Adapter* adapter = FindAdapter("otf2");
  if (adapter == nullptr) GTEST_SKIP() << "built without OTF2";
  const std::string out = TestFolder();
  const Trace trace = RingTrace(4, 2);
  const Conversion done = Convert(trace, "otf2", out);
  EXPECT_EQ(done.events, 4u * 13);
  EXPECT_TRUE(done.not_expressed.empty());
  EXPECT_TRUE(std::filesystem::exists(out + "/traces.otf2"));
  Conversion again;
  EXPECT_EQ(adapter->write({&trace, 1}, out, &again).code(),
            reduction::StatusCode::kIo);
}

TEST(Otf2, ReadsBackAsTheSameEvents) {
  const Adapter* adapter = FindAdapter("otf2");
  if (adapter == nullptr) GTEST_SKIP() << "built without OTF2";
  const std::string out = TestFolder();
  const Trace trace = RingTrace(4, 3);
  Convert(trace, "otf2", out);
  EXPECT_EQ(adapter->read(TestFolder(), {}).status().code(),
            reduction::StatusCode::kIo);
  const auto back = adapter->read(out, {});
  ASSERT_TRUE(back.ok()) << back.status().message();
  ExpectSameEvents(trace, *back);
}

#ifdef RANKSIGHT_HAVE_OTF2
// As from an archive of Score-P, which has no fields of ours.
TEST(Otf2, EventsAreRebuiltFromTheMpiRecordsAlone) {
  const std::string out = TestFolder();
  const Trace trace = RingTrace(4, 3);
  Convert(trace, "otf2", out);
  const auto back = otf2::ReadArchive(out + "/traces.otf2", false);
  ASSERT_TRUE(back.ok()) << back.status().message();
  ExpectSameEvents(trace, *back);
}
#endif

TEST(Report, TheRingAsATableOfCallSites) {
  const std::string out = TestFolder() + "/ring.csv";
  Convert(RingTrace(4, 3), "csv", out);
  ExpectGolden("ring.csv", ReadText(out));
}

TEST(Report, TheRingAsMpipWouldSayIt) {
  const std::string out = TestFolder() + "/ring.mpiP";
  Convert(RingTrace(4, 3), "mpip", out);
  ExpectGolden("ring.mpip.txt", ReadText(out));
}

TEST(Report, EachRankCountHasItsLinesForExtraP) {
  const std::string out = TestFolder() + "/ring.jsonl";
  const std::vector<Trace> traces = {RingTrace(2, 3), RingTrace(4, 3)};
  Conversion done;
  ASSERT_TRUE(FindAdapter("extrap")->write(traces, out, &done).ok());
  ExpectGolden("ring.extrap.jsonl", ReadText(out));
}

// Extra-P builds its call tree from main on.
TEST(Report, CallPathsForExtraPBeginAtMain) {
  reduction::Folder folder;
  const uint32_t app = folder.AddModule({"", "app"});
  const uint32_t step = folder.AddModule(reduction::RegionModule("step"));
  auto event = MakeEvent(Call::MPI_Barrier_, 0, {});
  event.site =
      folder.AddSite({{{app, 0x10}, {app, 0x200}, {app, 0x3000}, {step, 0}}});
  folder.Push(event, 0, 0);
  const Trace trace = folder.Snapshot(0, 1);
  const std::string out = TestFolder() + "/nested.jsonl";
  Convert(trace, "extrap", out);
  EXPECT_NE(
      ReadText(out).find(
          "\"main->[step]->app+0x10->app+0x200->app+0x3000->MPI_Barrier\""),
      std::string::npos)
      << ReadText(out);
}

TEST(Text, WhatWasWrittenReadsBackAsTheSameEvents) {
  const std::string out = TestFolder();
  const Trace trace = RingTrace(4, 3);
  Convert(trace, "text", out);
  const auto back = FindAdapter("text")->read(out, {});
  ASSERT_TRUE(back.ok()) << back.status().message();
  ExpectSameEvents(trace, *back);
}

TEST(Text, SharesReadBackAsTheSameLines) {
  const std::string lines =
      "MPI_Init\nMPI_Reduce_scatter_block comm=0 bytes=24\n"
      "MPI_Comm_split comm=0 n=2\nMPI_Comm_split comm=0 n=0\n"
      "MPI_Comm_dup comm=2 n=3\n"
      "MPI_Reduce_scatter_block comm=2 bytes=16\n"
      "MPI_Ireduce_scatter_block comm=3 bytes=6\n"
      "MPI_Reduce_scatter_block comm=none bytes=?\nMPI_Finalize\n";
  const std::string in = TestFolder(), out = in + "/again";
  std::filesystem::create_directory(out);
  for (const char* rank : {"0", "1", "2", "3"}) {
    std::ofstream(in + "/" + rank + ".txt") << lines;
  }
  const auto read = FindAdapter("text")->read(in, {});
  ASSERT_TRUE(read.ok()) << read.status().message();
  Convert(*read, "text", out);
  EXPECT_EQ(ReadText(out + "/2.txt"), lines);
  auto cursor = reduction::Cursor::Open(*read, 0);
  while (cursor->Next() && cursor->event().Get(Param::kComm) != 2) continue;
  ASSERT_TRUE(cursor->Next());
  EXPECT_EQ(cursor->event().Get(Param::kCount), 8);
}

// Of which requests MPI_Waitany completed one stood in version 4; as text then.
TEST(OldVersions, NameTheSameCompletedRequests) {
  const std::filesystem::path golden = RANKSIGHT_GOLDEN;
  const auto traces = golden.parent_path() / "traces";
  const auto old =
      reduction::ReadTraceFile((traces / "waitany.v4.trace").string());
  ASSERT_TRUE(old.ok()) << old.status().message();
  const auto again =
      reduction::Decode(reduction::Encode(*old, reduction::SketchForm::kFull));
  ASSERT_TRUE(again.ok()) << again.status().message();
  std::stringstream expected;
  expected << std::ifstream(traces / "waitany.v4.goal.txt").rdbuf();
  for (const Trace* trace : {&*old, &*again}) {
    const std::string out = ::testing::TempDir() + "waitany.goal";
    Convert(*trace, "goal", out);
    std::stringstream made;
    made << std::ifstream(out).rdbuf();
    EXPECT_EQ(made.str(), expected.str());
    std::filesystem::remove(out);
  }
}

TEST(Text, ALineOfEachCallIsRead) {
  for (const reduction::CallInfo& info : reduction::AllCalls()) {
    reduction::Event event(info.call);
    event.comm_size = 1;
    for (const Param p : info.params) {
      if (reduction::IsArray(p)) {
        event.AddArray(std::vector<int64_t>(
            size_t(event.Get(reduction::LengthOf(event.call(), p))), 1));
      } else {
        event.Add(1);
      }
    }
    const std::string line = reduction::CanonicalText(event);
    reduction::Event read;
    const auto status = LineReader(reduction::CommSizes(2)).Read(line, &read);
    EXPECT_TRUE(status.ok()) << line << ": " << status.message();
    EXPECT_EQ(reduction::CanonicalText(read), line);
  }
}

TEST(Text, ADamagedLineIsNamedByFileAndOffset) {
  for (const char* line :
       {"MPI_Sent comm=0", "MPI_Send comm=x", "MPI_Send comm=0",
        "MPI_Wait n=-1", "MPI_Waitall n=99999999999", "MPI_Barrier comm=0 n=1",
        "MPI_Send  comm=0 peer=1 tag=0 bytes=1",
        "MPI_Send comm=0 peer=1 tag=0 bytes=?",
        "MPI_Reduce_scatter_block comm=0 bytes=?",
        "MPI_Reduce_scatter_block comm=2 bytes=4",
        "MPI_Send comm=0 peer=1 tag=0 bytes=576460752303423489", ""}) {
    const std::string out = TestFolder();
    std::ofstream(out + "/0.txt") << "MPI_Init\n" << line << "\n";
    const auto back = FindAdapter("text")->read(out, {});
    EXPECT_EQ(back.status().code(), reduction::StatusCode::kBadInput) << line;
    EXPECT_NE(back.status().message().find("0.txt:9: "), std::string::npos)
        << back.status().message();
  }
}

TEST(Text, AFolderWithoutRankZeroCannotBeRead) {
  EXPECT_EQ(FindAdapter("text")->read(TestFolder(), {}).status().code(),
            reduction::StatusCode::kIo);
}

}  // namespace
}  // namespace ranksight::adapters
