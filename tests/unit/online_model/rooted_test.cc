#include "online_model/walk/rooted.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "tests/unit/online_model/compiled_run.h"
#include "tests/unit/online_model/made_run.h"

namespace ranksight::online_model {
namespace {

using testing::Compiled;
using testing::CompileRun;

constexpr CollectiveForm kRooted[] = {
    CollectiveForm::kTreeDown, CollectiveForm::kTreeUp, CollectiveForm::kFanOut,
    CollectiveForm::kFanIn};

// All members' steps where a message is through when both have come to it: what
// each member has sent; none where they wait for one another.
std::vector<double> SentInTurn(CollectiveForm form, bool flat, uint32_t members,
                               uint32_t root, double bytes) {
  std::vector<std::vector<RootedStep>> steps;
  for (uint32_t m = 0; m < members; ++m) {
    steps.push_back(RootedSteps(form, flat, members, m, root, bytes));
  }
  std::vector<double> sent(members);
  std::map<std::pair<uint32_t, uint32_t>, std::deque<double>> offered, asked;
  std::vector<std::map<uint32_t, std::pair<uint32_t, uint32_t>>> open(members);
  std::map<std::pair<uint32_t, uint32_t>, int> through;
  std::vector<size_t> at(members);
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t m = 0; m < members; ++m) {
      while (at[m] < steps[m].size()) {
        const RootedStep& s = steps[m][at[m]];
        if (s.kind == RootedStep::Kind::kWait) {
          bool all = true;
          for (uint32_t i = 0; i < s.count; ++i) {
            all = all && through[open[m].at(s.slot + i)] > 0;
          }
          if (!all) break;
        } else {
          const bool sends = s.kind == RootedStep::Kind::kSend;
          const auto way =
              sends ? std::pair(m, s.member) : std::pair(s.member, m);
          open[m][s.slot] = way;
          (sends ? offered : asked)[way].push_back(s.bytes);
          if (!offered[way].empty() && !asked[way].empty()) {
            EXPECT_DOUBLE_EQ(offered[way].front(), asked[way].front());
            sent[way.first] += offered[way].front();
            ++through[way];
          }
        }
        ++at[m];
        moved = true;
      }
    }
  }
  for (uint32_t m = 0; m < members; ++m) {
    if (at[m] < steps[m].size()) return {};
  }
  return sent;
}

TEST(Rooted, EveryMemberSendsWhatTheOthersReceiveAndNobodyWaitsInACircle) {
  for (const CollectiveForm form : kRooted) {
    for (const bool flat : {false, true}) {
      for (uint32_t members = 2; members < 20; ++members) {
        for (const uint32_t root : {0u, 1u, members - 1}) {
          const auto sent = SentInTurn(form, flat, members, root, members);
          ASSERT_EQ(sent.size(), members) << int(form) << flat << members;
          double all = 0;
          for (const double bytes : sent) all += bytes;
          // The whole to each of the others, or a block for each, which in a
          // tree is handed on.
          const bool splits =
              form == CollectiveForm::kFanOut || form == CollectiveForm::kFanIn;
          const double least = (members - 1) * (splits ? 1.0 : members);
          EXPECT_GE(all, least);
          if (flat || !splits) {
            EXPECT_EQ(all, least);
          }
          if (IsUp(form)) {
            EXPECT_EQ(sent[root], 0);
          } else if (splits) {
            EXPECT_EQ(sent[root], members - 1);
          }
        }
      }
    }
  }
}

// A block from each of eight: the root's children are 1, 2 and 4 behind it and
// hand on as many blocks.
TEST(Rooted, UpATreeEachHandsOnWhatIsBelow) {
  const auto steps =
      RootedSteps(CollectiveForm::kFanIn, false, 8, 3, 3, 8 * 10);
  ASSERT_EQ(steps.size(), 6u);
  const uint32_t from[] = {4, 5, 7};
  const double bytes[] = {10, 20, 40};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(steps[2 * i].member, from[i]);
    EXPECT_EQ(steps[2 * i].bytes, bytes[i]);
    EXPECT_EQ(steps[2 * i + 1].kind, RootedStep::Kind::kWait);
  }
}

constexpr double kHop = 1e-6, kByte = 1e-9;

std::shared_ptr<const Links> RingOf(int64_t nodes) {
  std::string reason;
  const auto ring =
      bgq_support::Network::Parse("torus:" + std::to_string(nodes), &reason);
  const auto mapping = PlaceInOrder(*ring, nodes, 1, &reason);
  return NetworkLinks(*ring, *mapping);
}

Network OnRing(int64_t nodes, bool flat) {
  Network network;
  network.links = RingOf(nodes);
  network.hop = kHop;
  network.byte = network.link_byte = network.gap = kByte;
  network.eager_limit = 1e9;
  network.stage.fill(1);
  network.volume.fill(1);
  network.flat.fill(flat);
  return network;
}

reduction::Trace SumsAtRoot(int64_t ranks, int64_t bytes, int steps = 1) {
  return testing::MadeRun("sums", ranks, [&](int64_t rank) {
    testing::MadeRank made;
    for (int i = 0; i < steps; ++i) {
      made.Rooted(reduction::Call::MPI_Reduce_, 2, bytes, 0, 1e-9);
    }
    return made.End(rank, ranks, 1);
  });
}

// On a ring of four: 1 and 3 give to 0 and 2, one hop each, and then 2 to 0,
// two hops. Flat, 2 is the farthest.
TEST(Walk, ARootedCollectiveOnLinksIsItsMessages) {
  const Compiled c = CompileRun(SumsAtRoot(4, 8));
  const auto tree = Walk(c.program, c.costs.At(4), OnRing(4, false));
  const auto flat = Walk(c.program, c.costs.At(4), OnRing(4, true));
  ASSERT_TRUE(tree.ok() && flat.ok());
  EXPECT_NEAR(tree->seconds, 3 * kHop, 0.1 * kHop);
  EXPECT_NEAR(flat->seconds, 2 * kHop, 0.1 * kHop);
}

// What messages take between two neighbours on it.
std::shared_ptr<const MessageCurve> CurveOfRing() {
  std::vector<AtBytes> times;
  for (double bytes = 1000; bytes < 1e6; bytes *= 2) {
    times.push_back({bytes, kHop + kByte * bytes});
  }
  return std::make_shared<MessageCurve>(times);
}

// As a machine whose roots are flat, or are not, would have run it.
Measured RunOn(int64_t ranks, bool flat) {
  const reduction::Trace trace = SumsAtRoot(ranks, 4000, 10);
  Measured run = testing::MeasuredRun(trace, 1);
  Network network = OnRing(64, flat);
  network.curve = CurveOfRing();
  const auto walked = Walk(run.program, run.costs, network);
  EXPECT_TRUE(walked.ok());
  run.in_call = walked->in_call;
  run.seconds = walked->seconds;
  return run;
}

TEST(Calibration, WhetherARootDealsWithAllItselfIsToldByTheRuns) {
  KnownNetwork known;
  known.links = RingOf(64);
  known.curve = CurveOfRing();
  known.measured_hops = 1;
  known.pulled = false;
  for (const bool flat : {false, true}) {
    const std::vector<Measured> runs = {RunOn(4, flat), RunOn(8, flat),
                                        RunOn(12, flat), RunOn(16, flat)};
    const auto fitted = Calibration::Fit(runs, known);
    ASSERT_TRUE(fitted.ok()) << fitted.status().message();
    const Measured large = RunOn(48, flat);
    const auto there = fitted->Predict(large.program, large.costs, {});
    ASSERT_TRUE(there.ok()) << there.status().message();
    EXPECT_NEAR(there->seconds / large.seconds, 1, 0.15) << flat;
  }
}

// All others wait for the root's work, whatever rank has least elsewhere.
TEST(Costs, WhatTheRootAloneComputesIsTheRoots) {
  constexpr int kSteps = 10;
  constexpr double kWork = 1e-3;
  const int64_t ranks = 8;
  const reduction::Trace run =
      testing::MadeRun("tells", ranks, [&](int64_t rank) {
        testing::MadeRank made;
        for (int i = 0; i < kSteps; ++i) {
          made.Rooted(reduction::Call::MPI_Bcast_, 2, 8, rank == 0 ? kWork : 0,
                      1e-9);
        }
        return made.End(rank, ranks, 1);
      });
  const Compiled c = CompileRun(run);
  const auto walked = Walk(c.program, c.costs.At(ranks), OnRing(ranks, false));
  ASSERT_TRUE(walked.ok()) << walked.status().message();
  double in_call = 0;
  for (const double seconds : walked->in_call) in_call += seconds;
  EXPECT_NEAR(in_call / (kSteps * kWork * double(ranks - 1)), 1, 0.05);
}

// Runs under one switch say nothing of how much farther the next one is.
TEST(Calibration, WhatDistanceTakesIsLeftOpenWhereAllAreAsFar) {
  std::vector<bgq_support::Place> places;
  for (int32_t node = 0; node < 64; ++node) places.push_back({node, 0});
  std::string reason;
  const auto machine =
      bgq_support::Network::Parse("fat-tree:16x4:1x8", &reason);
  ASSERT_TRUE(machine) << reason;
  Network network = OnRing(64, false);
  network.links = NetworkLinks(*machine, bgq_support::Mapping(places));
  const auto run_on = [&](int64_t ranks) {
    Measured run = testing::MeasuredRun(SumsAtRoot(ranks, 8, 10), 1);
    const auto walked = Walk(run.program, run.costs, network);
    EXPECT_TRUE(walked.ok());
    run.in_call = walked->in_call;
    run.seconds = walked->seconds;
    return run;
  };
  KnownNetwork known;
  known.links = network.links;
  const std::vector<Measured> runs = {run_on(4), run_on(8), run_on(16)};
  const auto fitted = Calibration::Fit(runs, known);
  ASSERT_TRUE(fitted.ok()) << fitted.status().message();
  const Measured large = run_on(64);
  const auto there = fitted->Predict(large.program, large.costs, {});
  ASSERT_TRUE(there.ok()) << there.status().message();
  const double off = std::abs(std::log(there->seconds / large.seconds));
  EXPECT_GT(off, 0.05);  // the runs do not tell
  EXPECT_LT(off, 1.8 * there->deviation);
}

}  // namespace
}  // namespace ranksight::online_model
