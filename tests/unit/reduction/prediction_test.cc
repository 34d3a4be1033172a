// The folder predicts or does not: the trace must be the same to the bit.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/folder.h"
#include "tests/unit/reduction/program.h"

namespace ranksight::reduction {
namespace {

using testing::Program;

std::vector<uint8_t> Bytes(const Folder& folder) {
  return Encode(folder.Snapshot(1, 4), SketchForm::kQuantiles);
}

// Pushes the letters of a word as calls from sites in code order; the number
// after a letter is its argument.
class Pair {
 public:
  Pair() {
    for (Folder* f : {&predicting_, &plain_}) {
      module_ = f->AddModule({"00", "letters"});
    }
  }
  void Push(char letter, int64_t argument) {
    Event e(Call::MPI_Bcast_);
    for (const int64_t v : {argument, int64_t{1}, int64_t{4}, int64_t{0},
                            int64_t{0}, int64_t{0}}) {
      e.Add(v);
    }
    ++pushed_;
    const CallSite site{{{module_, uint64_t(letter)}}};
    e.site = plain_.AddSite(site);
    plain_.Push(e, pushed_ % 1000, pushed_ % 77);
    e.site = predicting_.AddSite(site);
    const Variant* expected = predicting_.predicted();
    followed_ += expected != nullptr &&
                 expected == predicting_.Push(e, pushed_ % 1000, pushed_ % 77);
    if (expected == nullptr) predicting_.Push(e, pushed_ % 1000, pushed_ % 77);
  }
  void ExpectTheSame() const {
    ASSERT_EQ(predicting_.events(), plain_.events());
    ASSERT_EQ(Bytes(predicting_), Bytes(plain_));
  }
  uint64_t followed() const { return followed_; }
  uint64_t pushed() const { return pushed_; }

 private:
  Folder predicting_;
  Folder plain_{Folder::Prediction::kOff};
  uint32_t module_ = 0;
  uint64_t pushed_ = 0, followed_ = 0;
};

TEST(Prediction, ASteadyLoopIsFollowed) {
  Pair p;
  for (int i = 0; i < 10000; ++i) {
    for (const char c : {'A', 'B', 'C'}) p.Push(c, 7);
  }
  p.ExpectTheSame();
  EXPECT_GT(p.followed(), p.pushed() - 10);
}

TEST(Prediction, NestedLoopsAndNeighbourListsAreFollowed) {
  Pair p;
  for (int i = 0; i < 500; ++i) {
    p.Push('A', 1);
    for (int k = 0; k < 4; ++k) p.Push('B', 10 * k);
    for (int k = 0; k < 9; ++k) {
      p.Push('C', k % 3);
      p.Push('D', 5);
    }
  }
  p.ExpectTheSame();
  EXPECT_GT(p.followed(), p.pushed() * 98 / 100);
}

TEST(Prediction, AnUnpredictableArgumentDoesNotLoseTheThread) {
  std::mt19937 rng(1);
  Pair p;
  for (int i = 0; i < 2000; ++i) {
    p.Push('A', 1);
    p.Push('B', int64_t(rng() % 100000));
    for (int k = 0; k < 4; ++k) p.Push('C', k);
  }
  p.ExpectTheSame();
  EXPECT_GT(p.followed(), p.pushed() * 80 / 100);
}

TEST(Prediction, ArgumentsThatNeverRepeatAreTakenAsTheyCome) {
  std::mt19937 rng(3);
  Pair p;
  for (int i = 0; i < 5000; ++i) {
    p.Push('A', 1);
    for (int k = 0; k < 4; ++k) p.Push('B', int64_t(rng() % 100000));
    if (i % 1000 == 0) p.ExpectTheSame();
  }
  p.ExpectTheSame();
  EXPECT_GT(p.followed(), p.pushed() * 95 / 100);
}

TEST(Prediction, ArgumentsThatSettleAfterALongTimeAreKept) {
  std::mt19937 rng(4);
  Pair p;
  for (int i = 0; i < 80000; ++i) {
    p.Push('A', i < 500 ? int64_t(rng() % 100000) : i / 20000);
    p.Push('B', i % 3);
  }
  p.ExpectTheSame();
}

// A receive from any source: what was matched is part of no prediction.
Event Receive(int matches, std::mt19937* rng) {
  Event e(Call::MPI_Recv_);
  for (const int64_t v : {int64_t{1}, int64_t{1}, int64_t{4}, int64_t{0},
                          kPeerAny, kTagAny, int64_t{0}, int64_t{matches}}) {
    e.Add(v);
  }
  std::vector<int64_t> sources, tags;
  for (int i = 0; i < matches; ++i) {
    sources.push_back(int64_t((*rng)() % 1000));
    tags.push_back(int64_t((*rng)() % 1000));
  }
  e.AddArray(sources);
  e.AddArray(tags);
  EXPECT_TRUE(e.Complete());
  return e;
}

TEST(Prediction, WhatWasMatchedIsTakenAsItComes) {
  std::mt19937 rng(7);
  Folder predicting, plain(Folder::Prediction::kOff);
  uint64_t followed = 0;
  constexpr uint64_t kEvents = 5000;
  for (uint64_t i = 0; i < kEvents; ++i) {
    const int matches = i % 1000 == 999 ? 0 : 1 + int(i % 2);
    Event e = Receive(matches, &rng);
    const CallSite site{{{plain.AddModule({"00", "x"}), 1 + i % 2}}};
    e.site = plain.AddSite(site);
    plain.Push(e, i, i);
    predicting.AddModule({"00", "x"});
    e.site = predicting.AddSite(site);
    const Variant* expected = predicting.predicted();
    const auto sources = e.GetArray(Param::kMatched);
    const auto tags = e.GetArray(Param::kMatchedTags);
    if (expected == nullptr || matches == 0 || i < 10 || i % 7 == 0) {
      followed += predicting.Push(e, i, i) == expected;
      continue;
    }
    // As the runtime does. The first event after a failed one is a surprise.
    std::vector<int64_t> pairs;
    for (size_t m = 0; m < sources.size(); ++m) {
      pairs.insert(pairs.end(), {sources[m], tags[m]});
    }
    const auto count = Folder::EventOf(*expected).Get(Param::kMatchCount);
    if (count != matches) {
      predicting.Push(e, i, i);
      continue;
    }
    predicting.AppendApart({}, pairs);
    predicting.Follow(i, i);
    ++followed;
  }
  EXPECT_GT(followed, kEvents * 98 / 100);
  EXPECT_EQ(Bytes(predicting), Bytes(plain));
}

// Durations handed over in ticks are those handed over in nanoseconds, in
// loops shorter and longer than what is added up at once.
TEST(Prediction, FollowingInTicksIsFollowing) {
  for (const uint32_t sites : {1u, 3u, 100u}) {
    Folder in_ticks, in_ns;
    in_ticks.SetTickNs(0.5);
    Event e(Call::MPI_Barrier_);
    e.Add(0);
    for (Folder* f : {&in_ticks, &in_ns}) {
      const uint32_t module = f->AddModule({"00", "x"});
      for (uint32_t s = 0; s < sites; ++s) f->AddSite({{{module, s + 1}}});
    }
    int64_t followed = 0;
    for (int64_t i = 0; i < 5000; ++i) {
      e.site = uint32_t(i) % sites;
      in_ns.Push(e, uint64_t(i * i % 97), uint64_t(i));
      if (in_ticks.predicted() == nullptr || i % 257 == 0) {
        in_ticks.Push(e, uint64_t(i * i % 97), uint64_t(i));
        continue;
      }
      if (!in_ticks.HasRoom()) in_ticks.AddUpTicks();
      in_ticks.FollowInTicks(2 * (i * i % 97), 2 * i);
      ++followed;
    }
    EXPECT_GT(followed, 4000);
    EXPECT_EQ(in_ticks.Snapshot(0, 1), in_ns.Snapshot(0, 1)) << sites;
  }
}

// Against sketches of one duration each, added one by one.
TEST(Prediction, ManyDurationsAtOnceAreEachAlone) {
  std::mt19937_64 rng(6);
  constexpr auto kNone = TimePair::Ticks{-5, INT64_MIN / 4};
  for (size_t period = 1; period <= 3; ++period) {
    for (const bool some_are_long : {false, true}) {
      TimePair all;
      Sketch compute, call;
      for (int round = 0; round < 2000; ++round) {
        std::vector<TimePair::Ticks> ticks(1 + rng() % 64);
        for (size_t i = 0; i < ticks.size(); ++i) {
          const uint64_t longest = some_are_long ? 2 : 20;
          ticks[i] = {int64_t(rng() >> (longest + rng() % 40)),
                      int64_t(rng() % 20)};
          if (rng() % 50 == 0) ticks[i] = kNone;
          if (i % period != 0) continue;
          compute.Add(uint64_t(std::max<int64_t>(0, ticks[i].compute)));
          call.Add(uint64_t(std::max<int64_t>(0, ticks[i].call)));
        }
        all.Add(ticks, period, 1);
      }
      for (const auto& [one, by_one] :
           {std::pair{all.compute(), compute}, {all.call(), call}}) {
        EXPECT_EQ(one.first_bucket(), by_one.first_bucket());
        EXPECT_EQ(one.counts(), by_one.counts());
        EXPECT_EQ(one.moments().count, by_one.moments().count);
        EXPECT_EQ(one.moments().min, by_one.moments().min);
        EXPECT_EQ(one.moments().max, by_one.moments().max);
        // But for the order of the sums.
        EXPECT_NEAR(one.moments().sum / by_one.moments().sum, 1, 1e-12);
        EXPECT_NEAR(one.moments().sum_squares / by_one.moments().sum_squares, 1,
                    1e-12);
      }
    }
  }
}

TEST(Prediction, LoopsLongerThanTheMemoryAreFoldedAsEver) {
  Pair p;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 9000; ++k) p.Push('A', k % 251);
    p.Push('B', i);
  }
  p.ExpectTheSame();
}

TEST(Prediction, LookingInBetweenChangesNothing) {
  Pair p;
  for (int i = 0; i < 3000; ++i) {
    p.Push('A', i % 3);
    if (i % 5 == 0) p.Push('B', 1);
    if (i % 333 == 0) p.ExpectTheSame();
  }
  p.ExpectTheSame();
}

TEST(Prediction, TripCountsThatSettleAndChangeAgainAreKept) {
  std::mt19937 rng(2);
  Pair p;
  for (int phase = 0; phase < 40; ++phase) {
    const unsigned inner = 1 + rng() % 5, outer = 1 + rng() % 200;
    const unsigned skip = 2 + rng() % 5;
    for (unsigned i = 0; i < outer; ++i) {
      p.Push('A', phase % 3);
      for (unsigned k = 0; k < inner; ++k) {
        p.Push('B', k);
        if (i % skip == 0) p.Push('C', 2);
      }
      p.Push('D', 3);
    }
    if (rng() % 3 == 0) p.Push('E', 1);
  }
  p.ExpectTheSame();
}

TEST(Prediction, MadeUpProgramsGiveTheSameTrace) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Folder predicting, plain(Folder::Prediction::kOff);
    Program a(seed), b(seed);
    for (int run = 0; run < 3; ++run) {
      a.Run(1, 4, &predicting);
      b.Run(1, 4, &plain);
    }
    ASSERT_EQ(Bytes(predicting), Bytes(plain)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ranksight::reduction
