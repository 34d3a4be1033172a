// Computation by predecessor, compared with a table of every pair of call sites
// that came behind one another.
#include "reduction/api/times.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/condense.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"

namespace ranksight::reduction {
namespace {

using Kind = ComputeParts::Kind;

// By site and the site before, of firsts and of the rest.
struct Reference {
  std::map<std::pair<uint32_t, Predecessor>, Moments> first, rest;
};

Event BarrierAt(uint32_t site) {
  Event event;
  event.Reset(Call::MPI_Barrier_);
  event.Add(0);
  event.site = site;
  return event;
}

// One rank's calls, at sites 0..sites - 1 in an order in which some come often
// behind others.
Trace RunRank(int64_t rank, int64_t ranks, uint32_t sites, uint32_t seed,
              Reference* reference) {
  std::mt19937 rng(seed + uint32_t(rank));
  Folder folder;
  const uint32_t module = folder.AddModule({"ab12", "made-up"});
  for (uint32_t s = 0; s < sites; ++s) {
    folder.AddSite({{{module, 16 * uint64_t(s + 1)}}});
  }
  std::vector<bool> seen(sites);
  Predecessor before = kNoPredecessor;
  for (int i = 0; i < 600; ++i) {
    const bool regular = rng() % 8 != 0;
    const uint32_t site = regular ? uint32_t(i) % sites : rng() % sites;
    const uint64_t ns = rng() % 100 + 1000 * (before % 7);
    const Event event = BarrierAt(site);
    Variant* predicted = folder.predicted();
    if (predicted != nullptr && Folder::EventOf(*predicted).site == site) {
      if (!folder.HasRoom()) folder.AddUpTicks();
      folder.FollowInTicks(int64_t(ns), 1);
    } else {
      folder.Push(event, ns, 1);
    }
    auto& table = seen[site] ? reference->rest : reference->first;
    table[{site, before}].Add(double(ns));
    seen[site] = true;
    before = site;
  }
  return folder.Snapshot(rank, ranks);
}

Trace RunAll(int64_t ranks, uint32_t sites, uint32_t seed, Reference* reference,
             bool backwards) {
  Trace all;
  for (int64_t i = 0; i < ranks; ++i) {
    const int64_t r = backwards ? ranks - 1 - i : i;
    Trace mine = RunRank(r, ranks, sites, seed, reference);
    if (i == 0) {
      all = std::move(mine);
    } else {
      EXPECT_TRUE(MergeInto(&all, std::move(mine)).ok());
    }
  }
  return all;
}

void ExpectSame(const Moments& a, const Moments& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.sum, b.sum);
  EXPECT_EQ(a.min, b.min);
  EXPECT_EQ(a.max, b.max);
}

// But for the ranks' means, whose sums are rounded.
void ExpectSame(const ComputeParts& a, const ComputeParts& b) {
  EXPECT_EQ(a.sole(), b.sole());
  ASSERT_EQ(a.apart().size(), b.apart().size());
  for (size_t i = 0; i < a.apart().size(); ++i) {
    EXPECT_EQ(a.apart()[i].after, b.apart()[i].after);
    EXPECT_EQ(a.apart()[i].compute.rest, b.apart()[i].compute.rest);
    ExpectSame(a.apart()[i].compute.first, b.apart()[i].compute.first);
  }
}

// Ranks may nest the same calls in ways that cross: then a site has two places.
std::map<uint32_t, EventTimes> TimesBySite(const Trace& trace) {
  std::map<uint32_t, EventTimes> times;
  ForEachEvent(trace.root,
               [&times](const Node& n) { times[n.site].Merge(n.times); });
  return times;
}

TEST(ComputeParts, AreWhatWasComputedBehindEachSite) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const int64_t ranks = 1 + seed % 5;
    const uint32_t sites = 2 + seed % 6;  // and none: at most 8
    Reference reference;
    const Trace trace = RunAll(ranks, sites, seed, &reference, false);
    auto times = TimesBySite(trace);
    for (const auto& [key, moments] : reference.rest) {
      const TimeSummary* part = times[key.first].KnownRestAfter(key.second);
      ASSERT_NE(part, nullptr) << seed;
      ExpectSame(part->rest.moments(), moments);
      EXPECT_DOUBLE_EQ(times[key.first].MeanCompute(false, key.second),
                       moments.Mean());
    }
    for (const auto& [key, moments] : reference.first) {
      EXPECT_DOUBLE_EQ(times[key.first].MeanCompute(true, key.second),
                       moments.Mean());
    }
  }
}

TEST(ComputeParts, MoreThanAreToldApartAreOne) {
  Reference reference;
  const Trace trace = RunAll(4, 20, 3, &reference, false);
  bool many = false;
  for (const auto& [site, times] : TimesBySite(trace)) {
    size_t predecessors = 0;
    for (const auto& entry : reference.rest) {
      predecessors += entry.first.first == site;
    }
    if (predecessors <= ComputeParts::kMost) continue;
    many = true;
    EXPECT_EQ(times.rest_after.sole(), kAnyPredecessor);
    EXPECT_EQ(&times.RestAfter(0), &times.compute);
  }
  EXPECT_TRUE(many);
}

TEST(ComputeParts, TheOrderOfMergingDoesNotMatter) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Reference ignored;
    const Trace a = RunAll(5, 2 + seed % 12, seed, &ignored, false);
    const Trace b = RunAll(5, 2 + seed % 12, seed, &ignored, true);
    auto expected = TimesBySite(a);
    for (const auto& [site, times] : TimesBySite(b)) {
      ExpectSame(times.first_after, expected[site].first_after);
      ExpectSame(times.rest_after, expected[site].rest_after);
    }
  }
}

// Of a trace that says nothing of predecessors, as older files.
TEST(ComputeParts, WhatIsNotKnownOfSomeIsNotToldApart) {
  EventTimes known, unknown;
  for (const uint64_t ns : {10, 20}) {
    known.compute.rest.Add(ns);
    unknown.compute.rest.Add(ns);
  }
  known.rest_after = ComputeParts::Of(3);
  EventTimes both = known;
  both.Merge(unknown);
  EXPECT_EQ(both.KnownRestAfter(3), nullptr);
  EventTimes nothing;
  nothing.Merge(known);
  EXPECT_EQ(nothing.KnownRestAfter(3), &nothing.compute);
}

// Two predecessors between which a millionth of the computation differs, or
// all of it.
TEST(ComputeParts, WhatDoesNotMatterIsCondensed) {
  for (const bool matters : {false, true}) {
    Reference ignored;
    Trace trace = RunRank(0, 2, 3, 1, &ignored);
    Node& node = trace.root.children[0];
    ASSERT_FALSE(node.is_event());
    EventTimes& times = node.children[0].times;
    TimeSummary low, high;
    for (int i = 0; i < 50; ++i) {
      low.rest.Add(matters ? 0 : 999999);
      high.rest.Add(1000000);
    }
    times.compute = low;
    times.compute.Merge(high);
    times.rest_after = ComputeParts::Of({{1, low}, {2, high}});
    Condense(&trace);
    EXPECT_EQ(!times.rest_after.apart().empty(), matters);
    const Trace once = trace;
    Condense(&trace);
    EXPECT_EQ(trace, once);
  }
}

// Forecasts multiply durations.
TEST(ComputeParts, DurationsBeyondAllMeasureAreWrittenSoThatTheyAreRead) {
  Reference ignored;
  Trace trace = RunRank(0, 2, 3, 1, &ignored);
  for (const double factor : {1.0, 1e12, 1e25}) {
    TimeSummary low, high;
    for (const uint64_t ns : {uint64_t{1} << 62, uint64_t{5}}) {
      low.rest.Add(ns);
      high.rest.Add(ns + 7);
    }
    low.rest.Scale(factor);
    high.rest.Scale(factor);
    trace.root.children[0].children[0].times.rest_after =
        ComputeParts::Of({{1, low}, {2, high}});
    for (const SketchForm form : {SketchForm::kFull, SketchForm::kQuantiles}) {
      const auto bytes = Encode(trace, form);
      const Result<Trace> back = Decode(bytes);
      ASSERT_TRUE(back.ok()) << back.status().message();
      if (factor == 1) {
        EXPECT_EQ(Encode(*back, form), bytes);
      }
    }
  }
}

}  // namespace
}  // namespace ranksight::reduction
