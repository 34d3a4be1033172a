#include "reduction/api/distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "reduction/api/canonical.h"
#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"
#include "reduction/api/merge.h"

namespace ranksight::reduction {
namespace {

// Every value on its own: the slow reference.
Distribution Slowly(const Section& values) {
  Distribution d;
  for (const int64_t v : values.Expand()) d.Add(v);
  d.EndRank();
  return d;
}

Section RandomSection(std::mt19937* rng) {
  const auto below = [rng](int64_t n) {
    return int64_t((*rng)() % uint64_t(n));
  };
  Section s;
  for (int64_t piece = 1 + below(4); piece > 0; --piece) {
    const int64_t base = below(3000), stride = below(41) - 20;
    const int64_t period = 1 + below(4), step = below(30) - 5;
    for (int64_t i = below(200); i >= 0; --i) {
      s.Append(base + i % period * stride + i / period * step);
    }
  }
  return s;
}

TEST(Distribution, OfASectionIsAsOfItsValuesOneByOne) {
  std::mt19937 rng(3);
  for (int i = 0; i < 500; ++i) {
    const Section s = RandomSection(&rng);
    ASSERT_EQ(Distribution::Of(s), Slowly(s)) << i;
  }
}

TEST(Distribution, OfALongRunTakesNoLongerThanOfAShortOne) {
  const Distribution d = Distribution::Of(Section::Run(5, 3, 2'000'000'000));
  EXPECT_EQ(d.count(), 2'000'000'000u);
  EXPECT_EQ(d.sum(),
            5 * 2'000'000'000LL + 3 * 1'999'999'999LL * 1'000'000'000LL);
  EXPECT_EQ(d.max(), 5 + 3 * 1'999'999'999LL);
  EXPECT_NEAR(d.Quantile(0.5), 3e9, 0.125 * 3e9);
}

TEST(Distribution, KeepsExactTotalsAndQuantilesWithinAnEighth) {
  std::mt19937 rng(7);
  std::vector<int64_t> values;
  Distribution d;
  int64_t sum = 0;
  for (int i = 0; i < 20000; ++i) {
    values.push_back(1 + int64_t(rng() % 1000));
    d.Add(values.back());
    sum += values.back();
  }
  d.EndRank();
  std::sort(values.begin(), values.end());
  EXPECT_EQ(d.sum(), sum);
  EXPECT_EQ(d.min(), values.front());
  EXPECT_EQ(d.max(), values.back());
  for (const double q : {0.1, 0.25, 0.5, 0.75, 0.9}) {
    const double exact = double(values[size_t(q * 20000)]);
    EXPECT_NEAR(d.Quantile(q), exact, 0.125 * exact + 1);
  }
  EXPECT_LT(d.memory_bytes(), 1024u);
}

TEST(Distribution, MergingDoesNotDependOnOrder) {
  std::mt19937 rng(9);
  std::vector<Distribution> parts;
  for (int i = 0; i < 12; ++i) {
    parts.push_back(Distribution::Of(RandomSection(&rng)));
  }
  Distribution forwards, backwards;
  for (const auto& p : parts) forwards.Merge(p);
  std::reverse(parts.begin(), parts.end());
  for (const auto& p : parts) backwards.Merge(p);
  EXPECT_EQ(forwards, backwards);
  EXPECT_EQ(forwards.ranks().count, 12u);
}

// Every rank exchanges random amounts with every other, `rounds` times.
Trace Irregular(int64_t ranks, int rounds, uint32_t seed) {
  std::mt19937 rng(seed);
  Trace trace;
  trace.meta.ranks = ranks;
  trace.sites.modules.push_back({"ab", "app"});
  trace.sites.sites.push_back({{{0, 16}}});
  Node event;
  event.kind = Node::Kind::kEvent;
  event.call = Call::MPI_Alltoallv_;
  const auto params = Info(event.call).params;
  event.params.resize(params.size());
  for (int64_t r = 0; r < ranks; ++r) {
    event.trips.Add(r, Section::Constant(rounds, 1), false);
    for (size_t i = 0; i < params.size(); ++i) {
      Section s;
      if (IsAmount(params[i])) {
        for (int64_t k = 0; k < rounds * ranks; ++k) {
          s.Append(1 + int64_t(rng() % 1000));
        }
      } else {
        const bool length = params[i] == Param::kPeerCount ||
                            params[i] == Param::kRecvPeerCount;
        const bool size =
            params[i] == Param::kTypeSize || params[i] == Param::kRecvTypeSize;
        s = Section::Constant(length ? ranks : size ? 4 : 0, uint64_t(rounds));
      }
      event.params[i].Add(r, s, IsRank(params[i]));
    }
  }
  trace.root.children.push_back(std::move(event));
  return trace;
}

const Parameter& Counts(const Trace& t) {
  const Node& event = t.root.children[0];
  const auto params = Info(event.call).params;
  const auto at = std::find(params.begin(), params.end(), Param::kCounts);
  return event.params[size_t(at - params.begin())];
}

TEST(KeepDistributions, KeepsTotalsAndMarksTheLoss) {
  Trace trace = Irregular(8, 10, 1);
  uint64_t sum = 0, values = 0;
  for (const auto& [rank, section] : Counts(trace).ByRank()) {
    sum += uint64_t(section.Sum());
    values += section.size();
  }
  EXPECT_TRUE(RequireValues(trace).ok());
  EXPECT_EQ(KeepDistributions(&trace), 2 * values);
  EXPECT_EQ(trace.meta.losses.at(kLossOfValues), 2 * values);
  ASSERT_NE(Counts(trace).distribution(), nullptr);
  EXPECT_EQ(uint64_t(Counts(trace).distribution()->sum()), sum);
  EXPECT_EQ(Counts(trace).distribution()->ranks().count, 8u);
  EXPECT_EQ(RequireValues(trace).code(), StatusCode::kNo);
  EXPECT_EQ(KeepDistributions(&trace), 2 * values);
}

TEST(KeepDistributions, LeavesRegularAmountsAlone) {
  Trace trace = Irregular(8, 10, 1);
  for (size_t i = 0; i < trace.root.children[0].params.size(); ++i) {
    Parameter& p = trace.root.children[0].params[i];
    if (!IsAmount(Info(Call::MPI_Alltoallv_).params[i])) continue;
    p = Parameter();
    for (int64_t r = 0; r < 8; ++r) p.Add(r, Section::Constant(7, 80), false);
  }
  const Trace before = trace;
  EXPECT_EQ(KeepDistributions(&trace), 0u);
  EXPECT_EQ(trace, before);
}

TEST(KeepDistributions, FileDoesNotGrowWithRanks) {
  const auto bytes = [](int64_t ranks) {
    Trace trace = Irregular(ranks, 10, 5);
    KeepDistributions(&trace);
    return Encode(trace, SketchForm::kQuantiles).size();
  };
  EXPECT_LT(bytes(64), bytes(16) * 11 / 10);
  EXPECT_LT(bytes(64), 400u);
}

TEST(KeepDistributions, EncodingLosesNothingMore) {
  Trace trace = Irregular(8, 10, 2);
  KeepDistributions(&trace);
  const auto full = Decode(Encode(trace, SketchForm::kFull));
  ASSERT_TRUE(full.ok()) << full.status().message();
  EXPECT_EQ(*full, trace);
  const auto bytes = Encode(trace, SketchForm::kQuantiles);
  const auto small = Decode(bytes);
  ASSERT_TRUE(small.ok()) << small.status().message();
  EXPECT_EQ(Encode(*small, SketchForm::kQuantiles), bytes);
  const Distribution& kept = *Counts(*small).distribution();
  EXPECT_EQ(kept.sum(), Counts(trace).distribution()->sum());
  EXPECT_EQ(kept.min(), Counts(trace).distribution()->min());
  EXPECT_EQ(kept.max(), Counts(trace).distribution()->max());
  EXPECT_EQ(kept.count(), Counts(trace).distribution()->count());
}

TEST(KeepDistributions, DamagedOnesAreRefusedOrValid) {
  Trace trace = Irregular(4, 10, 2);
  KeepDistributions(&trace);
  const auto bytes = Encode(trace, SketchForm::kQuantiles, Packing::kNone);
  std::mt19937 rng(4);
  for (int i = 0; i < 3000; ++i) {
    auto damaged = bytes;
    damaged[9 + rng() % (damaged.size() - 9)] ^= uint8_t(1 + rng() % 255);
    const auto read = Decode(damaged);
    if (!read.ok()) {
      EXPECT_EQ(read.status().code(), StatusCode::kBadInput);
    }
  }
}

TEST(Merge, ADistributionTakesTheOtherRanksIn) {
  Trace all = Irregular(6, 10, 3);
  Trace exact = all;
  KeepDistributions(&exact);
  for (const int cut : {1, 3, 5}) {
    // Ranks below the cut exact, the others lossy, in both orders.
    const auto part = [&](int64_t low, int64_t high) {
      Trace t = all;
      for (Parameter& p : t.root.children[0].params) p = p.Slice(low, high, 0);
      Parameter& trips = t.root.children[0].trips;
      trips = trips.Slice(low, high, 0);
      return t;
    };
    Trace low = part(0, cut), high = part(cut, 6);
    KeepDistributions(&high);
    Trace swapped = high;
    ASSERT_TRUE(MergeInto(&swapped, low).ok());
    ASSERT_TRUE(MergeInto(&low, std::move(high)).ok());
    MarkDistributions(&low);
    MarkDistributions(&swapped);
    EXPECT_EQ(low, exact);
    EXPECT_EQ(swapped, exact);
  }
}

TEST(Cursor, RefusesMissingValuesUnlessTheyAreAccepted) {
  Trace trace = Irregular(4, 10, 3);
  KeepDistributions(&trace);
  EXPECT_EQ(Cursor::Open(trace, 0).status().code(), StatusCode::kNo);
  auto cursor = Cursor::Open(trace, 0, Missing::kAccepted);
  ASSERT_TRUE(cursor.ok());
  int events = 0;
  while (cursor->Next()) {
    ++events;
    EXPECT_EQ(SendBytes(cursor->event()), kNotKept);
    EXPECT_EQ(CanonicalText(cursor->event()),
              "MPI_Alltoallv comm=0 bytes=? rbytes=?");
  }
  EXPECT_EQ(events, 10);
  EXPECT_TRUE(cursor->status().ok()) << cursor->status().message();
}

}  // namespace
}  // namespace ranksight::reduction
