#include "reduction/api/merge.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"
#include "reduction/api/distribution.h"
#include "reduction/api/folder.h"
#include "tests/unit/reduction/program.h"

namespace ranksight::reduction {
namespace {

using testing::Program;
using testing::Read;

struct Ranks {
  std::vector<Trace> traces;
  std::vector<std::vector<std::string>> raw;
};

Ranks RunAll(uint32_t seed, int64_t ranks) {
  Ranks out;
  for (int64_t r = 0; r < ranks; ++r) {
    Program program(seed);
    Folder folder;
    out.raw.push_back(program.Run(r, ranks, &folder));
    out.traces.push_back(folder.Snapshot(r, ranks));
  }
  return out;
}

Trace MergeInOrder(std::vector<Trace> traces) {
  Trace all = std::move(traces[0]);
  for (size_t i = 1; i < traces.size(); ++i) {
    auto merged = Merge(std::move(all), std::move(traces[i]));
    EXPECT_TRUE(merged.ok());
    all = std::move(*merged);
  }
  return all;
}

TEST(Merge, KeepsEveryRankOfMadeUpPrograms) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Ranks run = RunAll(seed, 7);
    const Trace all = MergeInOrder(run.traces);
    for (int64_t r = 0; r < 7; ++r) {
      ASSERT_EQ(Read(all, r), run.raw[size_t(r)])
          << "seed " << seed << " rank " << r;
    }
  }
}

TEST(Merge, KeepsEveryRankInAnyOrder) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    Ranks run = RunAll(seed, 6);
    std::vector<Trace> parts = run.traces;
    std::mt19937 rng(seed);
    while (parts.size() > 1) {
      const size_t i = rng() % parts.size();
      Trace a = std::move(parts[i]);
      parts.erase(parts.begin() + long(i));
      const size_t j = rng() % parts.size();
      auto merged = Merge(std::move(a), std::move(parts[j]));
      ASSERT_TRUE(merged.ok());
      parts[j] = std::move(*merged);
    }
    for (int64_t r = 0; r < 6; ++r) {
      ASSERT_EQ(Read(parts[0], r), run.raw[size_t(r)])
          << "seed " << seed << " rank " << r;
    }
  }
}

Trace MergeInRandomOrder(std::vector<Trace> parts, uint32_t seed) {
  auto merged = testing::MergeAtRandom(std::move(parts), seed);
  EXPECT_TRUE(merged.ok());
  return std::move(*merged);
}

double TotalCompute(const Trace& trace) {
  double total = 0;
  ForEachEvent(trace.root,
               [&total](const Node& n) { total += n.times.TotalCompute(); });
  return total;
}

Trace WithoutTimes(Trace trace) {
  ForEachEvent(trace.root, [](Node& n) { n.times = EventTimes(); });
  return trace;
}

TEST(Canonicalize, OneTraceOfAnyOrderOverAnyTree) {
  int changed = 0;
  for (uint32_t seed = 0; seed < 120; ++seed) {
    const Ranks run = RunAll(seed, 7);
    Trace first = MergeInOrder(run.traces);
    Canonicalize(&first);
    const Trace expected = WithoutTimes(std::move(first));
    const auto bytes = Encode(expected, SketchForm::kFull);
    for (uint32_t order = 1; order < 6; ++order) {
      Trace all = MergeInRandomOrder(run.traces, order);
      const uint64_t nodes = CountNodes(all);
      const double total = TotalCompute(all);
      Canonicalize(&all);
      changed += CountNodes(all) != nodes;
      ASSERT_EQ(TotalCompute(all), total) << "seed " << seed;
      for (int64_t r = 0; r < 7; ++r) {
        ASSERT_EQ(Read(all, r), run.raw[size_t(r)])
            << "seed " << seed << " order " << order << " rank " << r;
      }
      ASSERT_EQ(Encode(WithoutTimes(std::move(all)), SketchForm::kFull), bytes)
          << "seed " << seed << " order " << order;
    }
  }
  EXPECT_GT(changed, 20);
}

// Rank r calls barrier i, with a communicator of its own, where bit i of r is
// set, upwards or, above 2^8, downwards.
Ranks RunManyWays(int64_t ranks) {
  Ranks out;
  for (int64_t r = 0; r < ranks; ++r) {
    Folder folder;
    const uint32_t module = folder.AddModule({"ab12", "made-up"});
    out.raw.emplace_back();
    for (int i = 0; i < 8; ++i) {
      const int at = r < 256 ? i : 7 - i;
      if ((r >> at & 1) == 0) continue;
      CallSite site;
      site.frames = {{module, uint64_t(16 + at)}};
      Event e(Call::MPI_Barrier_);
      e.site = folder.AddSite(site);
      e.Add(at);
      folder.Push(e, 1, 1);
      out.raw.back().push_back(CanonicalText(e));
    }
    out.traces.push_back(folder.Snapshot(r, ranks));
  }
  return out;
}

TEST(Canonicalize, OneTraceOfHundredsOfForms) {
  constexpr int64_t kRanks = 512;
  const Ranks run = RunManyWays(kRanks);
  Trace first = MergeInOrder(run.traces);
  Canonicalize(&first);
  for (uint32_t order = 1; order < 4; ++order) {
    Trace all = MergeInRandomOrder(run.traces, order);
    ASSERT_NE(WithoutTimes(all).root, WithoutTimes(first).root);
    Canonicalize(&all);
    ASSERT_EQ(WithoutTimes(all).root, WithoutTimes(first).root);
    for (int64_t r = 0; r < kRanks; ++r) {
      ASSERT_EQ(Read(all, r), run.raw[size_t(r)]) << "rank " << r;
    }
  }
}

TEST(Canonicalize, TwiceIsOnce) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Trace once = MergeInRandomOrder(RunAll(seed, 6).traces, seed);
    Canonicalize(&once);
    Trace twice = once;
    Canonicalize(&twice);
    ASSERT_EQ(twice, once) << "seed " << seed;
  }
}

TEST(Canonicalize, LeavesDistributionsThatCannotBeTakenApart) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Trace all = MergeInRandomOrder(RunAll(seed, 7).traces, seed);
    KeepDistributions(&all);
    const uint64_t events = CountEvents(all);
    const auto count = [](const Trace& trace) {
      uint64_t numbers = 0;
      ForEachEvent(trace.root, [&numbers](const Node& n) {
        for (const Parameter& p : n.params) {
          if (p.distribution() != nullptr) numbers += p.distribution()->count();
          for (const auto& [rank, values] : p.ByRank())
            numbers += values.size();
        }
      });
      return numbers;
    };
    const uint64_t numbers = count(all);
    Canonicalize(&all);
    ASSERT_EQ(CountEvents(all), events) << "seed " << seed;
    ASSERT_EQ(count(all), numbers) << "seed " << seed;
  }
}

TEST(Merge, RefusesARankThatStandsOnBothSides) {
  Ranks run = RunAll(3, 2);
  auto merged = Merge(run.traces[0], run.traces[0]);
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.status().code(), StatusCode::kInternal);
}

// Pushes one event of a small fixed vocabulary.
void Push(char site, int64_t peer, Folder* folder) {
  const uint32_t module = folder->AddModule({"00", "app"});
  Event e(Call::MPI_Send_);
  for (const int64_t v : {int64_t{8}, int64_t{1}, int64_t{4}, int64_t{0}}) {
    e.Add(v);
  }
  e.Add(peer);
  e.Add(0);
  e.Add(0);
  e.site = folder->AddSite({{{module, uint64_t(site)}}});
  folder->Push(e, 1, 1);
}

TEST(Merge, ALoopThatRanOnceOnOneRankIsALoopOnAll) {
  Folder often, once;
  for (int i = 0; i < 4; ++i) {
    Push('A', 1, &often);
    Push('B', 1, &often);
  }
  Push('A', 0, &once);
  Push('B', 0, &once);
  auto merged = Merge(often.Snapshot(0, 2), once.Snapshot(1, 2));
  ASSERT_TRUE(merged.ok());
  ASSERT_EQ(merged->root.children.size(), 1u);
  EXPECT_EQ(merged->root.children[0].trips.At(0).Expand(),
            std::vector<int64_t>{4});
  EXPECT_EQ(merged->root.children[0].trips.At(1).Expand(),
            std::vector<int64_t>{1});
}

TEST(Merge, OpenStencilRowHasOneNodeForEachSite) {
  constexpr int64_t kRanks = 64;
  std::vector<Trace> traces;
  for (int64_t r = 0; r < kRanks; ++r) {
    Folder folder;
    for (int step = 0; step < 30; ++step) {
      if (r > 0) Push('L', r - 1, &folder);
      if (r + 1 < kRanks) Push('R', r + 1, &folder);
      Push('X', 0, &folder);
    }
    traces.push_back(folder.Snapshot(r, kRanks));
  }
  const Trace all = MergeInOrder(traces);
  EXPECT_EQ(CountNodes(all), 4u);
  const Node& left = all.root.children[0].children[0];
  ASSERT_EQ(left.params[4].pieces().size(), 1u);
  const Column& peers = left.params[4].pieces()[0].columns[0];
  EXPECT_TRUE(peers.relative);
  EXPECT_EQ(peers.values, Section::Constant(-1, kRanks - 1));
}

// Barriers at those of so many sites that the rank's seed draws, in an order
// that is not that of addresses, as compilers lay out code; which they were
// goes to *at.
Trace RandomSites(int64_t rank, int64_t ranks, uint64_t sites, uint32_t seed,
                  std::vector<uint64_t>* at) {
  Folder folder;
  const uint32_t module = folder.AddModule({"ab12", "made-up"});
  std::mt19937 rng(seed);
  for (uint64_t i = 0; i < sites; ++i) {
    if (rng() % 3 != 0) continue;
    const uint64_t address = 1 + i * 11 % sites;
    Event e;
    e.Reset(Call::MPI_Barrier_);
    e.Add(0);
    CallSite site;
    site.frames = {{module, address}};
    e.site = folder.AddSite(site);
    folder.Push(e, 100, 10);
    at->push_back(address);
  }
  return folder.Snapshot(rank, ranks);
}

TEST(Align, GivesSitesBehindConditionsOnePlaceEach) {
  constexpr uint64_t kSites = 26;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    std::set<uint64_t> used;
    std::vector<Trace> traces;
    for (const int64_t ranks : {4, 6, 9}) {
      std::vector<Trace> parts;
      for (int64_t r = 0; r < ranks; ++r) {
        std::vector<uint64_t> at;
        const uint32_t own = seed * 1000 + uint32_t(ranks * 10 + r);
        parts.push_back(RandomSites(r, ranks, kSites, own, &at));
        used.insert(at.begin(), at.end());
      }
      traces.push_back(MergeInOrder(std::move(parts)));
    }
    const std::vector<Trace> before = traces;
    ASSERT_TRUE(Align(traces).ok());
    for (size_t t = 0; t < traces.size(); ++t) {
      ASSERT_EQ(CountNodes(traces[t]), used.size()) << "seed " << seed;
      for (int64_t r = 0; r < traces[t].meta.ranks; ++r) {
        ASSERT_EQ(Read(traces[t], r), Read(before[t], r));
      }
    }
  }
}

// Three steps of a line: ranks hear from all below and tell all above.
Trace Triangle(int64_t ranks) {
  std::vector<Trace> parts;
  for (int64_t r = 0; r < ranks; ++r) {
    Folder folder;
    for (int step = 0; step < 3; ++step) {
      for (int64_t below = 0; below < r; ++below) Push('L', below, &folder);
      for (int64_t above = r + 1; above < ranks; ++above) {
        Push('R', above, &folder);
      }
    }
    parts.push_back(folder.Snapshot(r, ranks));
  }
  return MergeInOrder(std::move(parts));
}

TEST(Align, RanksWithOneCallOfALoopHaveTheIterationsOfTheOthers) {
  std::vector<Trace> traces;
  for (const int64_t ranks : {2, 4, 5}) traces.push_back(Triangle(ranks));
  const std::vector<Trace> before = traces;
  ASSERT_TRUE(Align(traces).ok());
  for (size_t t = 0; t < traces.size(); ++t) {
    ASSERT_EQ(traces[t].root.children.size(), 1u);
    const Node& loop = traces[t].root.children[0];
    for (int64_t r = 0; r < traces[t].meta.ranks; ++r) {
      EXPECT_EQ(loop.trips.At(r).Expand(), std::vector<int64_t>{3});
      EXPECT_EQ(Read(traces[t], r), Read(before[t], r));
    }
  }
}

// Two steps on a grid, columns contiguous, that exchange with all neighbours
// there are: on 3 x 2 ranks none has all four, and no site is on all ranks.
Trace Columns(int64_t width, int64_t height) {
  const int64_t ranks = width * height;
  std::vector<Trace> parts;
  for (int64_t r = 0; r < ranks; ++r) {
    Folder folder;
    for (int step = 0; step < 2; ++step) {
      if (r % width > 0) Push('A', r - 1, &folder);
      if (r % width < width - 1) Push('B', r + 1, &folder);
      if (r >= width) Push('C', r - width, &folder);
      if (r < ranks - width) Push('D', r + width, &folder);
    }
    parts.push_back(folder.Snapshot(r, ranks));
  }
  return MergeInOrder(std::move(parts));
}

TEST(Align, LoopsThatMergingMadeAreNotKept) {
  std::vector<Trace> traces{Columns(2, 2), Columns(3, 2), Columns(3, 3)};
  const std::vector<Trace> before = traces;
  ASSERT_TRUE(Align(traces).ok());
  for (size_t t = 0; t < traces.size(); ++t) {
    EXPECT_EQ(CountNodes(traces[t]), 5u);
    for (int64_t r = 0; r < traces[t].meta.ranks; ++r) {
      EXPECT_EQ(Read(traces[t], r), Read(before[t], r));
    }
  }
}

TEST(Align, BringsSizesToOneTreeAndKeepsStreamsAndTimes) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::vector<Trace> traces;
    std::vector<std::vector<std::vector<std::string>>> raw;
    std::vector<double> totals;
    for (const int64_t ranks : {2, 3, 5}) {
      Ranks run = RunAll(seed, ranks);
      traces.push_back(MergeInOrder(run.traces));
      raw.push_back(run.raw);
      double total = 0;
      ForEachEvent(traces.back().root, [&total](const Node& n) {
        total += n.times.TotalCompute();
      });
      totals.push_back(total);
    }
    ASSERT_TRUE(Align(traces).ok()) << "seed " << seed;
    for (size_t t = 0; t < traces.size(); ++t) {
      ASSERT_EQ(CountNodes(traces[t]), CountNodes(traces[0]));
      ASSERT_EQ(traces[t].sites, traces[0].sites);
      double total = 0;
      ForEachEvent(traces[t].root, [&total](const Node& n) {
        total += n.times.TotalCompute();
      });
      ASSERT_EQ(total, totals[t]);
      for (int64_t r = 0; r < traces[t].meta.ranks; ++r) {
        ASSERT_EQ(Read(traces[t], r), raw[t][size_t(r)]) << "seed " << seed;
      }
    }
  }
}

TEST(Merge, TheLargestValuesComeBackInAnyOrder) {
  std::mt19937 random(5);
  std::vector<std::vector<int64_t>> values(5);
  std::vector<Trace> traces;
  for (int64_t rank = 0; rank < 5; ++rank) {
    Folder folder;
    const uint32_t module = folder.AddModule({"ab12", "large"});
    CallSite call_site;
    call_site.frames = {{module, 0x100}};
    const uint32_t site = folder.AddSite(call_site);
    for (int i = 0; i < 200; ++i) {
      const int64_t one[] = {-kLargestKept, kLargestKept, 0};
      values[size_t(rank)].push_back(one[random() % 3]);
      Event e(Call::MPI_Send_);
      for (const int64_t v :
           {values[size_t(rank)].back(), int64_t{1}, int64_t{1}, int64_t{0},
            rank, int64_t{0}, int64_t{0}}) {
        e.Add(v);
      }
      e.site = site;
      folder.Push(e, 1, 1);
    }
    traces.push_back(folder.Snapshot(rank, 5));
  }
  const Trace all = MergeInOrder(std::move(traces));
  const Result<Trace> back = Decode(Encode(all, SketchForm::kQuantiles));
  ASSERT_TRUE(back.ok()) << back.status().message();
  for (int64_t rank = 0; rank < 5; ++rank) {
    auto cursor = Cursor::Open(*back, rank);
    ASSERT_TRUE(cursor.ok());
    for (const int64_t v : values[size_t(rank)]) {
      ASSERT_TRUE(cursor->Next());
      ASSERT_EQ(cursor->event().Get(Param::kCount), v);
    }
    EXPECT_FALSE(cursor->Next());
  }
}

}  // namespace
}  // namespace ranksight::reduction
