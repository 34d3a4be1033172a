#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"
#include "tests/idioms/against.h"
#include "tests/idioms/grammar.h"
#include "tests/idioms/judge.h"
#include "tests/idioms/net.h"
#include "tests/idioms/run.h"
#include "tests/idioms/table.h"
#include "tests/idioms/world/world.h"
#include "tests/support/scratch_folder.h"

namespace ranksight::idioms {
namespace {

using reduction::Call;
using reduction::Param;
using reduction::Trace;

std::vector<std::string> LinesOf(const Trace& trace, int64_t rank) {
  std::vector<std::string> lines;
  auto cursor = reduction::Cursor::Open(trace, rank);
  while (cursor.ok() && cursor->Next()) {
    lines.push_back(reduction::CanonicalText(cursor->event()));
  }
  return lines;
}

Trace TraceOf(int ranks, const std::function<void(Rank*)>& body) {
  World world(ranks, 1);
  EXPECT_TRUE(world.Run([&](Rank* me) {
    me->outermost = __builtin_frame_address(0);
    body(me);
  }));
  return world.MergedTrace();
}

TEST(Grammar, OneSeedGivesOneProgram) {
  for (const uint64_t seed : {1, 2, 3}) {
    const Program a = DrawProgram(nullptr, seed),
                  b = DrawProgram(nullptr, seed);
    ASSERT_EQ(a.phases.size(), b.phases.size());
    for (size_t i = 0; i < a.phases.size(); ++i) {
      EXPECT_EQ(a.phases[i].idiom, b.phases[i].idiom);
      EXPECT_EQ(a.phases[i].form, b.phases[i].form);
    }
    EXPECT_EQ(a.mesh, b.mesh);
  }
}

TEST(Grammar, EveryFieldTakesEveryValueOfItsRange) {
  for (const Idiom& idiom : AllIdioms()) {
    std::vector<std::set<int>> seen(idiom.fields.size());
    for (uint64_t seed = 0; seed < 200; ++seed) {
      const Program p = DrawProgram(&idiom, seed);
      for (size_t f = 0; f < seen.size(); ++f) {
        seen[f].insert(p.phases[0].form[f]);
      }
    }
    for (size_t f = 0; f < seen.size(); ++f) {
      const Field& field = idiom.fields[f];
      if (field.most - field.least > 8) continue;
      EXPECT_EQ(int(seen[f].size()), field.most - field.least + 1)
          << idiom.name << "." << field.name;
    }
  }
}

TEST(Grammar, EveryProgramEndsOnItsSizes) {
  for (const Idiom& idiom : AllIdioms()) {
    for (const uint64_t seed : {1, 2, 3, 4}) {
      const Program p = DrawProgram(&idiom, seed);
      for (const int ranks : p.inputs) {
        const auto made = RunProgram(p, ranks, 1);
        EXPECT_TRUE(made.ok()) << idiom.name << " " << seed << " " << ranks;
      }
    }
  }
}

// Counted by hand from the events, with nothing of the world's own.
TEST(World, EverySendHasItsReceive) {
  for (const Idiom& idiom : AllIdioms()) {
    const Program p = DrawProgram(&idiom, 5);
    const auto made = RunProgram(p, p.inputs[2], 1);
    ASSERT_TRUE(made.ok());
    std::map<int64_t, int64_t> to;  // sends less receives, by receiver
    for (int64_t r = 0; r < made->meta.ranks; ++r) {
      auto cursor = reduction::Cursor::Open(*made, r);
      ASSERT_TRUE(cursor.ok());
      while (cursor->Next()) {
        const auto& e = cursor->event();
        const int64_t peer = e.Get(Param::kPeer, -1);
        switch (e.call()) {
          case Call::MPI_Sendrecv_:
            if (e.Get(Param::kRecvPeer) >= 0) --to[r];
            [[fallthrough]];
          case Call::MPI_Send_:
          case Call::MPI_Isend_:
          case Call::MPI_Issend_:
            if (peer >= 0) ++to[peer];
            break;
          case Call::MPI_Recv_:
          case Call::MPI_Irecv_:
            if (peer != reduction::kPeerNull) --to[r];
            break;
          default:
            break;
        }
      }
    }
    for (const auto& [rank, left] : to) EXPECT_EQ(left, 0) << idiom.name;
  }
}

TEST(World, ArrivalChangesNoLineOfTheText) {
  Program p = DrawProgram(FindIdiom("halo"), 1);
  for (const int finish : {kWaitany, kTestEach, kTestall, kTestRound}) {
    p.phases[0].form[4] = finish;
    const auto a = RunProgram(p, p.inputs[2], 1);
    const auto b = RunProgram(p, p.inputs[2], 2);
    ASSERT_TRUE(a.ok() && b.ok());
    for (int64_t r = 0; r < a->meta.ranks; ++r) {
      EXPECT_EQ(LinesOf(*a, r), LinesOf(*b, r)) << finish;
    }
  }
}

// What came first of several leaves nothing; how many came at once does.
TEST(World, ArrivalDiffersFromRunToRun) {
  Program p = DrawProgram(FindIdiom("halo"), 1);
  for (const int finish : {kWaitany, kWaitsome}) {
    p.phases[0].form[4] = finish;
    const auto a = RunProgram(p, p.inputs[2], 1);
    const auto b = RunProgram(p, p.inputs[2], 2);
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_EQ(a->root == b->root, finish == kWaitany);
  }
}

TEST(World, RanksThatWaitForOneAnotherAreTold) {
  World world(2, 1);
  EXPECT_FALSE(world.Run([](Rank* me) {
    me->outermost = __builtin_frame_address(0);
    double data = 0;
    const int other = 1 - me->number;
    MPI_Recv(&data, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&data, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
  }));
}

TEST(World, AMessageThatNobodyReceivesIsTold) {
  World world(2, 1);
  EXPECT_FALSE(world.Run([](Rank* me) {
    me->outermost = __builtin_frame_address(0);
    double data = 0;
    if (me->number > 0) return;
    MPI_Send(&data, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  }));
}

TEST(World, NumbersAreReducedAndSplit) {
  std::vector<int> sums(6), places(6);
  TraceOf(6, [&](Rank* me) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, me->number % 2, -me->number, &half);
    const int mine = me->number;
    MPI_Allreduce(&mine, &sums[size_t(mine)], 1, MPI_INT, MPI_SUM, half);
    MPI_Comm_rank(half, &places[size_t(mine)]);
  });
  EXPECT_EQ(sums, (std::vector<int>{6, 9, 6, 9, 6, 9}));
  EXPECT_EQ(places, (std::vector<int>{2, 2, 1, 1, 0, 0}));
}

TEST(World, RequestsAreNamedAsARecordingNamesThem) {
  const Trace trace = TraceOf(1, [](Rank*) {
    double a = 0, b = 0;
    MPI_Request r[3];
    MPI_Irecv(&a, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &r[0]);
    r[1] = MPI_REQUEST_NULL;
    MPI_Isend(&b, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &r[2]);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  });
  auto cursor = reduction::Cursor::Open(trace, 0);
  ASSERT_TRUE(cursor.ok());
  while (cursor->Next() && cursor->event().call() != Call::MPI_Waitall_) {
  }
  const auto requests = cursor->event().GetArray(Param::kRequests);
  EXPECT_EQ(std::vector<int64_t>(requests.begin(), requests.end()),
            (std::vector<int64_t>{2, 1}));
}

TEST(Against, AnotherProgramIsToldApart) {
  const Program p = DrawProgram(FindIdiom("rings"), 1);
  Program other = p;
  other.steps += 1;
  const auto a = RunProgram(p, 4, 1), b = RunProgram(other, 4, 1);
  EXPECT_EQ(FirstDifference(p, *a, *a), "");
  EXPECT_NE(FirstDifference(p, *a, *b), "");
}

TEST(Table, ReasonsOfOneKindAreOne) {
  const std::string a =
      "as a 1-D line of all ranks: no law for the peer of MPI_Isend at "
      "idioms+0x1 < idioms+0x2: rank 3 of 4 has [1]";
  EXPECT_EQ(KindOf(a), "no law for the peer of MPI_Isend");
  EXPECT_EQ(KindOf("12 ranks do not form a 2-D grid"),
            KindOf("9 ranks do not form a 3-D grid"));
}

// Vectors hardly longer than there are ranks: who gets what is left of 22 is
// seen on 16 ranks alone. Laws of the others predict 12.
TEST(Extrapolation, HoldsOutTheSecondLargestWhereTheLargestAloneShowsANumber) {
  const Program program = DrawProgram(FindIdiom("dealt_sizes"), 621);
  std::vector<Trace> runs;
  for (const int ranks : program.inputs) {
    if (ranks == program.inputs[0]) continue;
    runs.push_back(*RunProgram(program, ranks, 1));
  }
  online_model::ExtrapolationRequest request;
  request.ranks = program.targets[0];
  const auto made = online_model::Extrapolate(runs, request);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_TRUE(made->report.by_all_others);
  EXPECT_EQ(made->report.held_out_ranks, 12);
  const auto real = RunProgram(program, program.targets[0], 1);
  ASSERT_TRUE(real.ok());
  for (int64_t r = 0; r < request.ranks; ++r) {
    EXPECT_EQ(LinesOf(made->trace, r), LinesOf(*real, r)) << r;
  }
  request.strict = true;
  EXPECT_FALSE(online_model::Extrapolate(runs, request).ok());
}

// Laws that hold in all runs and not at the target name the obstacle, whatever
// a rule that fails at the runs has found.
TEST(Judge, ARefusalNamesWhatStandsInTheWayOfLawsThatHold) {
  Case which;
  which.twin = false;
  std::string reason;
  Judge(DrawProgram(FindIdiom("pipeline"), 156), {which}, 60,
        [&reason](const Outcome& o) { reason = o.reason; });
  EXPECT_NE(reason.find("of the grid is 2 in all runs"), std::string::npos)
      << reason;
}

// What a refusal asks for, told: with the grid it is exact.
TEST(Judge, WhatIsAskedForIsTold) {
  Case which;
  which.twin = false;
  which.told = true;
  std::string reason;
  Judge(DrawProgram(FindIdiom("sendrecv"), 156), {which}, 60,
        [&reason](const Outcome& o) { reason = o.reason; });
  EXPECT_TRUE(reason.starts_with(std::string(kToldDims) + "exact;")) << reason;
}

class NetTest : public ::testing::Test {
 protected:
  Table TableWith(Verdict verdict) {
    Table table;
    table.Add("halo", {{4, false}, verdict, ""});
    return table;
  }
  const std::vector<NetCase> net_ = {{"halo", 1, {4, false}, Verdict::kExact}};
};

TEST_F(NetTest, WhatWasExactMustStaySo) {
  EXPECT_EQ(WhatIsWorse(net_, TableWith(Verdict::kExact)), "");
  EXPECT_NE(WhatIsWorse(net_, TableWith(Verdict::kRefused)), "");
  EXPECT_NE(WhatIsWorse(net_, TableWith(Verdict::kTooLong)), "");
}

TEST_F(NetTest, NothingMayBecomeWrong) {
  const std::vector<NetCase> refused = {
      {"halo", 1, {4, false}, Verdict::kRefused}};
  EXPECT_EQ(WhatIsWorse(refused, TableWith(Verdict::kRefused)), "");
  EXPECT_EQ(WhatIsWorse(refused, TableWith(Verdict::kExact)), "");
  EXPECT_NE(WhatIsWorse(refused, TableWith(Verdict::kWrong)), "");
  EXPECT_NE(WhatIsWorse(refused, TableWith(Verdict::kBroken)), "");
}

TEST_F(NetTest, ALineThatIsNoCaseIsNamed) {
  const support::ScratchFolder folder;
  folder.Put("net.txt", "# a comment\nhalo 1 4 3 exact\n");
  const auto net = ReadNet(folder.path() + "/net.txt");
  ASSERT_FALSE(net.ok());
  EXPECT_NE(net.status().message().find(":2:"), std::string::npos);
}

}  // namespace
}  // namespace ranksight::idioms
