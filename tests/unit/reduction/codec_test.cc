#include "reduction/api/codec.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/call.h"
#include "reduction/api/distribution.h"
#include "tests/unit/reduction/random_trace.h"

namespace ranksight::reduction {
namespace {

using testing::RandomTrace;
using testing::StencilTrace;

using Bytes = std::vector<uint8_t>;

constexpr uint32_t kSeeds = 60;

TEST(Codec, FullFormGivesTheTraceBack) {
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    const Trace trace = RandomTrace(seed).Make();
    const Result<Trace> back = Decode(Encode(trace, SketchForm::kFull));
    ASSERT_TRUE(back.ok()) << seed << ": " << back.status().message();
    EXPECT_TRUE(*back == trace) << seed;
  }
}

TEST(Codec, EncodingWhatWasDecodedGivesTheSameBytes) {
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    const Trace trace = RandomTrace(seed).Make();
    for (const SketchForm form : {SketchForm::kFull, SketchForm::kQuantiles}) {
      const Bytes bytes = Encode(trace, form);
      const Result<Trace> back = Decode(bytes);
      ASSERT_TRUE(back.ok()) << seed << ": " << back.status().message();
      EXPECT_EQ(Encode(*back, form), bytes) << seed;
    }
  }
}

TEST(Codec, TheHeadIsWhatStandsBeforeTheCalls) {
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    const Bytes bytes =
        Encode(RandomTrace(seed).Make(), SketchForm::kQuantiles);
    const Result<Trace> whole = Decode(bytes);
    const Result<TraceHead> head = DecodeHead(bytes);
    ASSERT_TRUE(whole.ok() && head.ok()) << seed;
    EXPECT_TRUE(head->meta == whole->meta) << seed;
    EXPECT_TRUE(head->sites == whole->sites) << seed;
  }
}

// All but times.
void Strip(Node* node) {
  for (Parameter& p : node->params) {
    if (p.distribution() != nullptr) p = Parameter();
  }
  node->times = EventTimes();
  for (Node& child : node->children) Strip(&child);
}

TEST(Codec, SmallFormLosesNothingButPartsOfTheTimes) {
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    Trace trace = RandomTrace(seed).Make();
    Result<Trace> back = Decode(Encode(trace, SketchForm::kQuantiles));
    ASSERT_TRUE(back.ok()) << seed;
    Strip(&trace.root);
    Strip(&back->root);
    EXPECT_TRUE(*back == trace) << seed;
  }
}

TEST(Codec, SmallFormKeepsCountSumAndExtremesExactly) {
  const Trace trace = StencilTrace(4, 50, true).Make();
  const Result<Trace> back = Decode(Encode(trace, SketchForm::kQuantiles));
  ASSERT_TRUE(back.ok());
  std::vector<const Node*> before, after;
  ForEachEvent(trace.root, [&](const Node& n) { before.push_back(&n); });
  ForEachEvent(back->root, [&](const Node& n) { after.push_back(&n); });
  ASSERT_EQ(before.size(), after.size());
  for (size_t i = 0; i < before.size(); ++i) {
    const Moments& a = before[i]->times.call.rest.moments();
    const Moments& b = after[i]->times.call.rest.moments();
    EXPECT_EQ(a.count, b.count);
    EXPECT_EQ(a.sum, b.sum);
    EXPECT_EQ(a.min, b.min);
    EXPECT_EQ(a.max, b.max);
    EXPECT_NEAR(a.sum_squares, b.sum_squares, 1e-6 * a.sum_squares);
    EXPECT_EQ(before[i]->times.call.first.sum, after[i]->times.call.first.sum);
  }
}

// A quantile of the small form is off by at most the elements of one
// fifteenth, so it lies between neighbouring quantiles of the full form.
TEST(Codec, SmallFormKeepsTheQuantiles) {
  const Trace trace = StencilTrace(4, 200, true).Make();
  const Result<Trace> back = Decode(Encode(trace, SketchForm::kQuantiles));
  ASSERT_TRUE(back.ok());
  const Sketch& a = trace.root.children[1].children[0].times.compute.rest;
  const Sketch& b = back->root.children[1].children[0].times.compute.rest;
  for (double q = 0.1; q < 0.95; q += 0.1) {
    EXPECT_LE(a.Quantile(q - 1.0 / 15), b.Quantile(q)) << q;
    EXPECT_GE(a.Quantile(q + 1.0 / 15), b.Quantile(q)) << q;
  }
}

TEST(Codec, AStencilOf64RanksStaysBelowTheTarget) {
  for (const bool periodic : {true, false}) {
    const Trace trace = StencilTrace(8, 200, periodic).Make();
    EXPECT_LE(Encode(trace, SketchForm::kQuantiles).size(), 2600u) << periodic;
  }
}

TEST(Codec, SizeHardlyDependsOnSteps) {
  const auto size = [](uint64_t steps) {
    const Trace trace = StencilTrace(4, steps, true).Make();
    return double(Encode(trace, SketchForm::kQuantiles).size());
  };
  EXPECT_LE(size(2000), 1.05 * size(200));
}

TEST(Codec, SizeHardlyDependsOnRanks) {
  const auto size = [](int64_t side) {
    const Trace trace = StencilTrace(side, 20, true).Make();
    return double(Encode(trace, SketchForm::kQuantiles).size());
  };
  EXPECT_LE(size(24), 1.1 * size(6));
}

// 20,000 random counts of 1 to 1000 hold 10 bits each.
TEST(Codec, IrregularValuesCostLittleMoreThanTheirBits) {
  std::mt19937 rng(3);
  Trace trace;
  trace.meta.ranks = 4;
  trace.sites.modules = {{"", "a"}};
  trace.sites.sites = {{{{0, 16}}}};
  Node node;
  node.kind = Node::Kind::kEvent;
  node.call = Call::MPI_Barrier_;
  node.params.resize(1);
  constexpr int kValues = 20000;
  for (int64_t r = 0; r < 4; ++r) {
    Section s;
    for (int i = 0; i < kValues; ++i) s.Append(1 + int64_t(rng() % 1000));
    node.params[0].Add(r, s, false);
    node.trips.Add(r, Section::Constant(kValues, 1), false);
  }
  trace.root.children = {std::move(node)};
  const Bytes bytes = Encode(trace, SketchForm::kQuantiles);
  EXPECT_LE(bytes.size(), 4 * kValues * 12 / 8u);
  const Result<Trace> back = Decode(bytes);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_TRUE(*back == trace);
}

Node* FirstEvent(Node* node) {
  while (!node->is_event()) node = &node->children[0];
  return node;
}

TEST(Codec, TimesBelowZeroAreRefused) {
  const auto of = [](EventTimes* t, int which) -> Moments& {
    Moments* all[] = {&t->compute.first, &t->compute.ranks, &t->call.first,
                      &t->call.ranks};
    return *all[which];
  };
  for (int which = 0; which < 4; ++which) {
    for (double Moments::*part :
         {&Moments::min, &Moments::max, &Moments::sum, &Moments::sum_squares}) {
      for (const auto form : {SketchForm::kFull, SketchForm::kQuantiles}) {
        Trace trace = StencilTrace(3, 2, true).Make();
        EventTimes& times = FirstEvent(&trace.root)->times;
        of(&times, which) = {2, 5, 13, 2, 3};
        ASSERT_TRUE(Decode(Encode(trace, form)).ok());
        of(&times, which).*part = -1;
        const Result<Trace> back = Decode(Encode(trace, form));
        ASSERT_FALSE(back.ok()) << which;
        EXPECT_EQ(back.status().code(), StatusCode::kBadInput);
      }
    }
  }
}

TEST(Codec, WhatIsEstimatedComesBack) {
  Trace trace = StencilTrace(3, 2, true).Make();
  trace.meta.estimates = {{"MPI_Send", "a+0x1", 10, 1.5, 80, 8, 4, 0},
                          {"MPI_Wait", "a+0x2", 0, 0, 0, 0, 0, 0}};
  const Result<Trace> back = Decode(Encode(trace, SketchForm::kFull));
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(back->meta.estimates, trace.meta.estimates);
  trace.meta.estimates[0].bytes_width = -1;
  EXPECT_EQ(Decode(Encode(trace, SketchForm::kFull)).status().code(),
            StatusCode::kBadInput);
}

TEST(Codec, WhatWasForecastComesBack) {
  Trace trace = StencilTrace(3, 2, true).Make();
  trace.meta.forecast = {1e6, 2.5e6, "too wide", "walked", "bgq"};
  const Result<Trace> back = Decode(Encode(trace, SketchForm::kFull));
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(back->meta.forecast, trace.meta.forecast);
  trace.meta.forecast->low_ns = -1;
  EXPECT_EQ(Decode(Encode(trace, SketchForm::kFull)).status().code(),
            StatusCode::kBadInput);
}

TEST(Codec, AnEmptyTraceComesBack) {
  const Trace trace;
  const Result<Trace> back = Decode(Encode(trace, SketchForm::kFull));
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_TRUE(*back == trace);
}

// The worked example of FORMAT.md.
Trace WorkedExample() {
  Trace trace;
  trace.meta.program = "ring";
  trace.meta.ranks = 4;
  trace.sites.modules = {{"c0ffee", "ring"}};
  trace.sites.sites = {{{{0, 0x1150}, {0, 0x11a3}}}};
  Node event;
  event.kind = Node::Kind::kEvent;
  event.call = Call::MPI_Barrier_;
  event.params.resize(1);
  for (int64_t r = 0; r < 4; ++r) {
    event.trips.Add(r, Section::Constant(3, 1), false);
    event.params[0].Add(r, Section::Constant(0, 3), false);
    event.times.compute.first.Add(100);
    event.times.call.first.Add(20);
    event.times.compute.ranks.Add(50);
    event.times.call.ranks.Add(double(8 + r));
    for (int i = 0; i < 2; ++i) {
      event.times.compute.rest.Add(50);
      event.times.call.rest.Add(uint64_t(8 + r));
    }
  }
  trace.root.children.push_back(std::move(event));
  return trace;
}

// The bytes of the ```hex block of FORMAT.md: what stands before '|'.
Bytes BytesOfTheDocument() {
  std::ifstream in(RANKSIGHT_FORMAT_MD);
  Bytes bytes;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) inside = line == "```hex";
    if (!inside || line.starts_with("```")) continue;
    std::istringstream words(line.substr(0, line.find('|')));
    for (std::string byte; words >> byte;) {
      bytes.push_back(uint8_t(std::stoi(byte, nullptr, 16)));
    }
  }
  return bytes;
}

Bytes FromHex(const std::string& hex) {
  std::istringstream words(hex);
  Bytes bytes;
  for (std::string byte; words >> byte;) {
    bytes.push_back(uint8_t(std::stoi(byte, nullptr, 16)));
  }
  return bytes;
}

// As the writers of version 1 wrote it.
TEST(Codec, VersionOneIsRead) {
  const Bytes bytes = FromHex(
      "89 52 53 54 0d 0a 1a 0a 01 01 00 09 01 04 72 69 6e 67 04 01 04 26 51 55 "
      "1b 02 00 11 01 07 c0 ff ee 04 72 69 6e 67 01 02 c0 8a 01 cc 02 a3 83 02 "
      "e6 03 00 18 01 00 02 46 0a 02 02 01 00 01 20 28 01 00 01 20 38 01 3c 0a "
      "02 38 03 20 5d db 25 ca 05 00 25 17 08 10 65 15 33 09 0c 4d 00 00 37 44 "
      "00 00 48 42 00 00 00 41 00 00 30 41 00 00 18 42 00 00 b7 43 12 00 08 08 "
      "70 55 9a d5 00 00 00 7a a3 64 60");
  const Result<Trace> trace = Decode(bytes);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_TRUE(*trace == WorkedExample());
}

Trace WithADistribution() {
  Trace trace = WorkedExample();
  Distribution counts;
  for (int64_t r = 0; r < 4; ++r) {
    counts.Merge(Distribution::Of(Section::Run(10 * r, 3, 5)));
  }
  Node send = trace.root.children[0];
  send.call = Call::MPI_Send_;
  send.params.resize(FindCall(uint16_t(send.call))->params.size());
  send.params[0] = Parameter::Of(std::move(counts));
  trace.root.children.push_back(std::move(send));
  return trace;
}

// As the writers of version 2 wrote it, in full form.
TEST(Codec, VersionTwoIsRead) {
  const Bytes bytes = FromHex(
      "89 52 53 54 0d 0a 1a 0a 02 01 00 09 01 04 72 69 6e 67 04 01 04 26 51 55 "
      "1b 02 00 11 01 07 c0 ff ee 04 72 69 6e 67 01 02 c0 8a 01 cc 02 a3 83 02 "
      "e6 03 00 48 01 00 02 46 0a 02 02 01 00 01 20 28 01 00 01 20 38 02 3c 0a "
      "03 38 04 20 0a 08 03 38 02 00 14 00 2a c8 06 a1 5b 00 12 01 00 00 01 00 "
      "00 01 00 01 01 02 00 02 03 01 02 04 01 04 1f b5 01 a5 03 99 ba 03 00 00 "
      "00 00 00 00 b7 d4 f7 5c 04 00 30 17 08 10 65 15 33 09 0c 4d dd 05 33 09 "
      "0c 27 ef 02 12 01 08 08 02 04 04 17 00 00 65 15 33 09 0c 4d dd 05 33 09 "
      "0c 27 ef 02 12 01 08 08 02 04 04 3d 0b cd d1 00 00 00 7a a3 64 60");
  const Result<Trace> trace = Decode(bytes);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_TRUE(*trace == WithADistribution());
}

// Field 20 as FORMAT.md has it, the last one: readers that do not know it pass
// over it by its length.
TEST(Codec, WhatTheLauncherSaidIsOneMoreFieldOfMeta) {
  Trace trace = WorkedExample();
  const Bytes without = Encode(trace, SketchForm::kFull);
  trace.meta.launch = {"slurm", "4711", "0", 2, "2(x2)"};
  const Bytes with = Encode(trace, SketchForm::kFull);
  const Bytes meta = FromHex(
      "01 00 1f 01 04 72 69 6e 67 04 01 04 14 14 05 73 6c 75 72 6d 04 34 37 31 "
      "31 01 30 05 32 28 78 32 29 02");
  ASSERT_EQ(with.size(), without.size() + 22);
  EXPECT_TRUE(std::equal(meta.begin(), meta.end(), with.begin() + 9));
  const Result<Trace> back = Decode(with);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_TRUE(*back == trace);
}

// Field 22 likewise: 6 places as 3x2, where nothing was asked for, and 12 with
// the second side of 2; and none at all, which is more than not to know.
TEST(Codec, GridsThatMpiMadeAreOneMoreFieldOfMeta) {
  Trace trace = WorkedExample();
  const Bytes without = Encode(trace, SketchForm::kFull);
  trace.meta.made_dims = {{6, {0, 0}, {3, 2}}, {12, {0, 2}, {6, 2}}};
  const Bytes with = Encode(trace, SketchForm::kFull);
  const Bytes field = FromHex("16 0c 06 02 00 03 00 02 0c 02 00 06 02 02");
  ASSERT_EQ(with.size(), without.size() + field.size());
  EXPECT_NE(std::search(with.begin(), with.end(), field.begin(), field.end()),
            with.end());
  EXPECT_TRUE(*Decode(with) == trace);
  trace.meta.made_dims->clear();
  EXPECT_TRUE(Decode(Encode(trace, SketchForm::kFull))->meta.made_dims);
}

// Field 21 as FORMAT.md has it, by hand.
TEST(Codec, MemoryIsOneMoreFieldOfMeta) {
  Trace trace = WorkedExample();
  const Bytes without = Encode(trace, SketchForm::kFull);
  RunMemory& memory = trace.meta.memory;
  memory.unknown = 1;
  memory.peak.Add(4096);
  memory.peak.Add(8192);
  memory.along.Add(0, 5);
  memory.along.Add(17 * MemoryTimeline::kShortestNs, 300);
  const Bytes with = Encode(trace, SketchForm::kFull);
  const Bytes field = FromHex(
      "15 27"
      " 01"                    // a rank of which nothing is known
      " 00"                    // as MPI_Init returned
      " 02 81 20 81 40 81 60"  // least 4096, greatest 8192, sum
      " 81 80 80 28"           // squares
      " 00 00 00 00"
      " 01 09"        // periods of 16 ms, nine
      " 01 05 00 05"  // one sample of 5 KiB
      " 00 00 00 00 00 00 00"
      " 01 ac 02 00 ac 02");
  const auto at =
      std::search(with.begin(), with.end(), field.begin() + 2, field.end());
  ASSERT_NE(at, with.end());
  EXPECT_EQ(at[-2], 0x15);
  EXPECT_EQ(size_t(at[-1]), field.size() - 2);
  ASSERT_EQ(with.size(), without.size() + field.size());
  const Result<Trace> back = Decode(with);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_TRUE(*back == trace);
}

TEST(Codec, PeriodsOfMemoryBeyondWhatThereCanBeAreRefused) {
  Trace trace = WorkedExample();
  std::vector<MemoryLevel> periods(MemoryTimeline::kPeriods + 1);
  trace.meta.memory.along.Restore(0, periods);
  EXPECT_FALSE(Decode(Encode(trace, SketchForm::kFull)).ok());
  trace.meta.memory.along.Restore(MemoryTimeline::kMostDoublings + 1, {});
  EXPECT_FALSE(Decode(Encode(trace, SketchForm::kFull)).ok());
}

// As FORMAT.md has the chunk: tag 129 before the end, one zigzag number each.
TEST(Codec, LawsStandInAChunkThatOldReadersSkip) {
  Trace trace = WorkedExample();
  const Bytes without = Encode(trace, SketchForm::kFull);
  trace.law_code = {1, 0, -1, 64};
  const Bytes with = Encode(trace, SketchForm::kFull);
  const Bytes end = FromHex("00 00 00 7a a3 64 60");
  Bytes expected(without.begin(), without.end() - long(end.size()));
  const Bytes chunk = FromHex("81 00 05 02 00 01 80 01");
  expected.insert(expected.end(), chunk.begin(), chunk.end());
  ASSERT_EQ(with.size(), expected.size() + 4 + end.size());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), with.begin()));
  const Result<Trace> back = Decode(with);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_TRUE(*back == trace);
}

// What others give costs nothing: two floats of 16 bytes each, and a sum.
TEST(Codec, SpreadOfEventsThatOccurredOnceIsNotWritten) {
  Trace trace = WorkedExample();
  EventTimes& times = trace.root.children[0].times;
  times.compute.rest = times.call.rest = Sketch();
  times.call.first = Moments();
  for (int r = 0; r < 4; ++r) times.call.first.Add(1000 * r + 1);
  times.compute.ranks = times.compute.first;
  times.call.ranks = times.call.first;
  const size_t size = Encode(trace, SketchForm::kQuantiles).size();
  const Result<Trace> back = Decode(Encode(trace, SketchForm::kFull));
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_TRUE(*back == trace);
  times.call.ranks.Merge(times.call.first);
  EXPECT_GE(Encode(trace, SketchForm::kQuantiles).size(), size + 16);
}

TEST(Codec, TheWorkedExampleHasTheBytesOfTheDocument) {
  const Bytes bytes = BytesOfTheDocument();
  ASSERT_FALSE(bytes.empty());
  EXPECT_EQ(Encode(WorkedExample(), SketchForm::kQuantiles), bytes);
  const Result<Trace> trace = Decode(bytes);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_TRUE(*trace == WorkedExample());
}

}  // namespace
}  // namespace ranksight::reduction
