#include "cli/look/compare.h"

#include <gtest/gtest.h>

#include <random>

#include "reduction/api/canonical.h"
#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::cli {
namespace {

Comparison CompareSamples(const Sample& a, const Sample& b) {
  auto result = Compare(a.trace, b.trace, "a", "b");
  EXPECT_TRUE(result.ok()) << result.status().message();
  return *result;
}

// The slow, obvious way: all lines of all ranks, one by one.
Comparison CompareLines(const Sample& a, const Sample& b) {
  Comparison result;
  for (size_t rank = 0; rank < a.events.size(); ++rank) {
    const auto& as = a.events[rank];
    const auto& bs = b.events[rank];
    for (size_t i = 0; i < std::max(as.size(), bs.size()); ++i) {
      result.line_a = i < as.size() ? CanonicalText(as[i]) : "";
      result.line_b = i < bs.size() ? CanonicalText(bs[i]) : "";
      if (result.line_a == result.line_b) continue;
      result.identical = false;
      result.rank = static_cast<int64_t>(rank);
      result.position = i + 1;
      return result;
    }
    result.events += as.size();
  }
  return result;
}

Sample Steps(int64_t ranks, int steps, int64_t count, uint32_t line = 10) {
  return MakeSample(ranks, [=](int64_t rank, Script* s) {
    s->Init();
    for (int i = 0; i < steps; ++i) s->Send(line, (rank + 1) % ranks, count);
    s->Finalize();
  });
}

TEST(Compare, EqualStreamsAreIdenticalAndCounted) {
  const Comparison result = CompareSamples(Steps(3, 5, 8), Steps(3, 5, 8));
  EXPECT_TRUE(result.identical);
  EXPECT_EQ(result.events, 3u * 7);
}

TEST(Compare, CallSitesAreNotPartOfTheText) {
  EXPECT_TRUE(CompareSamples(Steps(3, 5, 8), Steps(3, 5, 8, 77)).identical);
}

TEST(Compare, StructureIsNotPartOfTheText) {
  const Sample loop = Steps(2, 2, 8);
  const Sample unrolled = MakeSample(2, [](int64_t rank, Script* s) {
    s->Init();
    s->Send(10, 1 - rank, 8);
    s->Send(11, 1 - rank, 8);
    s->Finalize();
  });
  const Comparison result = CompareSamples(loop, unrolled);
  EXPECT_TRUE(result.identical);
  EXPECT_EQ(result.events, 8u);
}

TEST(Compare, SaysWhereTheFirstDifferenceIs) {
  const Comparison result = CompareSamples(Steps(3, 5, 8), Steps(3, 5, 9));
  EXPECT_FALSE(result.identical);
  EXPECT_EQ(result.rank, 0);
  EXPECT_EQ(result.position, 2u);
  EXPECT_EQ(result.line_a, "MPI_Send comm=0 peer=1 tag=0 bytes=64");
  EXPECT_EQ(result.line_b, "MPI_Send comm=0 peer=1 tag=0 bytes=72");
}

TEST(Compare, TellsHowManyRanksAreDone) {
  // Nothing says without a walk that other ranks are the same.
  const Sample a = Steps(4, 5, 8), b = Steps(4, 5, 8, 11);
  std::vector<double> told;
  const auto tell = [&told](double share) { told.push_back(share); };
  Comparison meaning;
  ASSERT_TRUE(CompareMeaning(a.trace, b.trace, &meaning, tell).ok());
  EXPECT_EQ(told, (std::vector<double>{0.25, 0.5, 0.75}));
  told.clear();
  ASSERT_TRUE(Compare(a.trace, Steps(4, 6, 8).trace, "a", "b", tell).ok());
  EXPECT_TRUE(std::ranges::is_sorted(told));
}

TEST(Compare, AShorterStreamDiffersWhereItEnds) {
  const Sample whole = Steps(1, 2, 8);
  const Sample cut = MakeSample(1, [](int64_t, Script* s) {
    s->Init();
    s->Send(10, 0, 8);
    s->Send(10, 0, 8);
  });
  const Comparison result = CompareSamples(whole, cut);
  EXPECT_EQ(result.position, 4u);
  EXPECT_EQ(result.line_a, "MPI_Finalize");
  EXPECT_EQ(result.line_b, "");
}

TEST(Compare, FindsWhatComparingAllLinesFinds) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const auto make = [seed](uint32_t change) {
      return MakeSample(3, [=](int64_t rank, Script* s) {
        std::mt19937 draw(seed);
        for (uint32_t i = 0; i < 12; ++i) {
          const bool changed = change == 12 * rank + i;
          s->Send(10 + draw() % 3, draw() % 2, draw() % 2 + (changed ? 1 : 0));
        }
      });
    };
    std::mt19937 draw(seed + 1);
    const Sample a = make(UINT32_MAX), b = make(draw() % 40);
    const Comparison fast = CompareSamples(a, b), slow = CompareLines(a, b);
    ASSERT_EQ(fast.identical, slow.identical) << seed;
    if (fast.identical) {
      EXPECT_EQ(fast.events, slow.events);
      continue;
    }
    EXPECT_EQ(fast.rank, slow.rank);
    EXPECT_EQ(fast.position, slow.position);
    EXPECT_EQ(fast.line_a, slow.line_a);
    EXPECT_EQ(fast.line_b, slow.line_b);
  }
}

using reduction::MakeSample;
using reduction::Parameter;
using reduction::Sample;
using reduction::Script;
using reduction::Section;

Parameter OnRanks(int64_t first, uint64_t count, const Section& sequence) {
  Parameter p;
  p.Add(first, sequence, false);
  reduction::ParameterPieces pieces = p.pieces();
  pieces[0].ranks = Section::Run(first, 1, count);
  for (reduction::Column& c : pieces[0].columns) {
    c.values = Section::Constant(c.values.At(0), count);
  }
  EXPECT_TRUE(Parameter::FromPieces(std::move(pieces), &p));
  return p;
}

// Barriers in a loop; the last rank but one makes one on communicator 1.
constexpr int64_t kMany = 100'000, kSteps = 1'000'000, kOdd = kMany - 2;

reduction::Trace ManyBarriers(int64_t odd_step) {
  reduction::Trace trace;
  trace.meta.ranks = kMany;
  trace.sites.sites.resize(1);
  reduction::Node barrier, loop;
  barrier.kind = reduction::Node::Kind::kEvent;
  barrier.call = reduction::Call::MPI_Barrier_;
  barrier.trips = OnRanks(0, kMany, Section::Constant(1, kSteps));
  Section odd = Section::Constant(0, uint64_t(odd_step));
  odd.Append(1);
  odd.AppendRun(0, uint64_t(kSteps - odd_step - 1));
  Parameter comm = OnRanks(0, kOdd, Section::Constant(0, kSteps));
  comm.Merge(OnRanks(kOdd, 1, odd), false);
  comm.Merge(OnRanks(kOdd + 1, 1, Section::Constant(0, kSteps)), false);
  barrier.params.push_back(std::move(comm));
  loop.trips = OnRanks(0, kMany, Section::Constant(kSteps, 1));
  loop.children.push_back(std::move(barrier));
  trace.root.children.push_back(std::move(loop));
  return trace;
}

// A walk over all ranks would take hours.
TEST(Compare, WalksOnlyRanksThatMayDiffer) {
  const auto same = Compare(ManyBarriers(50), ManyBarriers(50), "a", "b");
  ASSERT_TRUE(same.ok()) << same.status().message();
  EXPECT_TRUE(same->identical);
  EXPECT_EQ(same->events, uint64_t{kMany} * kSteps);
  const auto other = Compare(ManyBarriers(50), ManyBarriers(60), "a", "b");
  ASSERT_TRUE(other.ok()) << other.status().message();
  EXPECT_FALSE(other->identical);
  EXPECT_EQ(other->rank, kOdd);
  EXPECT_EQ(other->position, 51u);
  EXPECT_EQ(other->line_a, "MPI_Barrier comm=1");
  EXPECT_EQ(other->line_b, "MPI_Barrier comm=0");
}

// Steps of three calls, the second left out in every other one, in two
// halves; one call is another.
constexpr int64_t kLong = 1'000'000'000;

reduction::Node Sends(const Section& trips, const Section& bytes) {
  reduction::Node send;
  send.kind = reduction::Node::Kind::kEvent;
  send.call = reduction::Call::MPI_Barrier_;
  send.trips = OnRanks(0, 2, trips);
  send.params.push_back(OnRanks(0, 2, bytes));
  return send;
}

reduction::Trace LongRun(int64_t other_at) {
  reduction::Trace trace;
  trace.meta.ranks = 2;
  trace.sites.sites.resize(3);
  reduction::Node loop;
  loop.trips = OnRanks(0, 2, Section::Constant(kLong, 2));
  Section every_other, comm = Section::Constant(0, uint64_t(other_at));
  const int64_t round[] = {1, 0};
  every_other.AppendRepeated(round, kLong);
  comm.Append(1);
  comm.AppendRun(0, uint64_t(2 * kLong - other_at - 1));
  const Section once = Section::Constant(1, 2 * kLong);
  loop.children = {Sends(once, Section::Constant(2, 2 * kLong)),
                   Sends(every_other, Section::Constant(3, kLong)),
                   Sends(once, comm)};
  for (uint32_t i = 0; i < 3; ++i) loop.children[i].site = i;
  trace.root.children.push_back(loop);
  // Two visits of kLong iterations need a loop around.
  reduction::Node outer;
  outer.trips = OnRanks(0, 2, Section::Constant(2, 1));
  outer.children = std::move(trace.root.children);
  trace.root.children = {outer};
  return trace;
}

TEST(Compare, TakesNoLongerForADifferenceThatComesLate) {
  const int64_t late = 2 * kLong - 5, later = 2 * kLong - 2;
  const auto found = Compare(LongRun(late), LongRun(later), "a", "b");
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_EQ(found->rank, 0);
  // Iterations 0, 2, 4, ... have three calls, the others two; this is the
  // last call of iteration `late`, an odd one.
  EXPECT_EQ(found->position, uint64_t((late + 1) / 2 * 5));
  EXPECT_EQ(found->line_a, "MPI_Barrier comm=1");
  EXPECT_EQ(found->line_b, "MPI_Barrier comm=0");
}

TEST(Compare, TreesThatCallSitesAlignAreNotWalked) {
  reduction::Trace plain = LongRun(7), wrapped = LongRun(7);
  reduction::Node once;
  once.trips = OnRanks(0, 2, Section::Constant(1, 1));
  once.children = std::move(wrapped.root.children);
  wrapped.root.children = {once};
  const auto same = Compare(plain, wrapped, "a", "b");
  ASSERT_TRUE(same.ok()) << same.status().message();
  EXPECT_TRUE(same->identical);
  EXPECT_EQ(same->events, uint64_t{2} * 5 * kLong);
}

}  // namespace
}  // namespace ranksight::cli
