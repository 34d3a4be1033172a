// Twins of programs whose partners follow no law, against their real runs.
#include "online_model/api/twin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/look/deadlock.h"
#include "reduction/api/codec.h"
#include "reduction/api/communicators.h"
#include "reduction/api/cursor.h"
#include "tests/idioms/grammar.h"
#include "tests/idioms/likeness.h"
#include "tests/idioms/run.h"

namespace ranksight::idioms {
namespace {

using reduction::Call;
using reduction::Trace;

class TwinTest : public ::testing::Test {
 protected:
  void Take(const char* idiom, uint64_t seed) {
    program_ = DrawProgram(FindIdiom(idiom), seed);
    inputs_.clear();
    for (const int ranks : program_.inputs) {
      inputs_.push_back(*RunProgram(program_, ranks, 1));
    }
    request_.ranks = program_.targets[0];
  }

  // It ends, and its collectives go together.
  static void ExpectEnds(const reduction::Trace& trace) {
    const auto found = cli::FindDeadlock(trace, true, 1);
    ASSERT_TRUE(found.ok()) << found.status().message();
    EXPECT_EQ(found->progress.mismatch, "");
    EXPECT_EQ(found->kind, cli::Deadlock::Kind::kNone);
  }

  reduction::Result<online_model::Extrapolation> Make() {
    return online_model::MakeTwin(inputs_, request_);
  }

  Program program_;
  std::vector<Trace> inputs_;
  online_model::ExtrapolationRequest request_;
};

std::vector<uint8_t> BytesOf(const Trace& trace) {
  return reduction::Encode(trace, reduction::SketchForm::kFull);
}

uint64_t CallsOf(const Trace& trace, Call call) {
  uint64_t calls = 0;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto cursor = reduction::Cursor::Open(trace, rank);
    while (cursor.ok() && cursor->Next()) {
      calls += cursor->event().call() == call;
    }
  }
  return calls;
}

TEST_F(TwinTest, HasAboutAsManyMessagesAndBytesAsTheRealRun) {
  // Bounds far above what is seen (docs/idioms.md): a twin of other things
  // than the program's fails, chance does not.
  for (const char* idiom : {"tables", "particles", "consensus", "refinement"}) {
    Take(idiom, 1);
    const auto twin = Make();
    ASSERT_TRUE(twin.ok()) << idiom << ": " << twin.status().message();
    const auto real = RunProgram(program_, program_.targets[0], 1);
    const Likeness off = LikenessOf(twin->trace, *real);
    EXPECT_LT(off.messages, 40) << idiom;
    EXPECT_LT(off.bytes, 50) << idiom;
    EXPECT_LT(off.partners, 40) << idiom;
  }
}

TEST_F(TwinTest, HasTheBytesOfFacesThatFollowTheSidesOfAGrid) {
  // Shares of points that no single rank's law tells.
  Take("guards", 501);
  const auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto real = RunProgram(program_, program_.targets[0], 1);
  EXPECT_LT(LikenessOf(twin->trace, *real).bytes, 3);
}

TEST_F(TwinTest, KeepsTheSumOfSharesOfAFewElements) {
  // 64 elements on 128 ranks: each rounded for itself all would have one.
  Take("v_collectives", 503);
  request_.ranks = program_.targets[1];
  auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  auto real = RunProgram(program_, program_.targets[1], 1);
  EXPECT_LT(LikenessOf(twin->trace, *real).bytes, 1);
  // Who sends has no law for how much, who receives has one.
  Take("dealt_sizes", 504);
  twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  real = RunProgram(program_, program_.targets[0], 1);
  EXPECT_LT(LikenessOf(twin->trace, *real).bytes, 1);
}

TEST_F(TwinTest, DrawsWhoIsTogetherInACommunicator) {
  // Splits by colours without a law, and broadcasts from roots in their parts.
  for (const auto& [idiom, seed] :
       {std::pair("panels", 501), std::pair("summa", 503)}) {
    Take(idiom, uint64_t(seed));
    const auto twin = Make();
    ASSERT_TRUE(twin.ok()) << twin.status().message();
    SCOPED_TRACE(idiom);
    ExpectEnds(twin->trace);
    const auto made = reduction::Communicators::Find(twin->trace);
    ASSERT_TRUE(made.ok()) << made.status().message();
    EXPECT_GT(made->all().size(), 2u) << idiom;
    const auto& estimates = twin->trace.meta.estimates;
    EXPECT_TRUE(std::ranges::any_of(estimates, [](const auto& e) {
      return e.call == "MPI_Comm_split";
    })) << idiom;
    const auto real = RunProgram(program_, program_.targets[0], 1);
    EXPECT_LT(LikenessOf(twin->trace, *real).bytes, 50) << idiom;
  }
}

// Of the first graph that is made: whom each rank leads to, and who leads to
// it.
using GraphEdgesOf = std::set<std::pair<int64_t, int64_t>>;
std::pair<GraphEdgesOf, GraphEdgesOf> GraphOf(const Trace& trace) {
  GraphEdgesOf out, in;
  const Call call = Call::MPI_Dist_graph_create_adjacent_;
  const auto params = reduction::Info(call).params;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto cursor = reduction::Cursor::Open(trace, rank);
    while (cursor.ok() && cursor->Next()) {
      if (cursor->event().call() != call) continue;
      for (size_t i = 0; i < params.size(); ++i) {
        for (const int64_t r : cursor->event().ValuesAt(int(i))) {
          if (params[i] == reduction::Param::kDestinations)
            out.insert({rank, r});
          if (params[i] == reduction::Param::kSources) in.insert({r, rank});
        }
      }
    }
  }
  return {out, in};
}

TEST_F(TwinTest, DrawsNeighboursOfAGraph) {
  Take("graph_neighbours", 502);  // along a Morton curve
  const auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  ExpectEnds(twin->trace);
  const auto [out, in] = GraphOf(twin->trace);
  EXPECT_EQ(out, in);
  for (const auto& [from, to] : out) EXPECT_TRUE(out.contains({to, from}));
  const auto real = RunProgram(program_, program_.targets[0], 1);
  EXPECT_NEAR(double(out.size()), double(GraphOf(*real).first.size()),
              0.1 * double(out.size()));
  // What is sent along them is as many lists of as many elements.
  for (int64_t rank = 0; rank < twin->trace.meta.ranks; ++rank) {
    const auto to = std::ranges::count_if(
        out, [rank](const auto& edge) { return edge.first == rank; });
    auto cursor = reduction::Cursor::Open(twin->trace, rank);
    while (cursor.ok() && cursor->Next()) {
      const auto& e = cursor->event();
      if (e.call() != Call::MPI_Neighbor_alltoallv_) continue;
      EXPECT_EQ(e.Get(reduction::Param::kPeerCount), to);
      EXPECT_EQ(e.Get(reduction::Param::kRecvPeerCount), to);
    }
  }
}

TEST_F(TwinTest, PartnersAreTogetherInTheCommunicatorOfTheirMessages) {
  Take("panels", 502);  // passed round within pairs, back and forth
  const auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  ExpectEnds(twin->trace);
  const auto real = RunProgram(program_, program_.targets[0], 1);
  const Likeness off = LikenessOf(twin->trace, *real);
  EXPECT_LT(off.messages, 5);
  EXPECT_LT(off.partners, 5);
}

TEST_F(TwinTest, MessagesOfADatatypeWhoseSizeHasNoLawGetLonger) {
  Take("face_types", 502);  // one element each; faces of a mesh in shares
  request_.ranks = program_.targets[1];
  const auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto real = RunProgram(program_, program_.targets[1], 1);
  EXPECT_LT(LikenessOf(twin->trace, *real).bytes, 10);
}

TEST_F(TwinTest, EdgesOfALoopWithMoreIterationsHaveAsManyMessagesAsTheirLike) {
  Take("halvings", 501);  // a stage more for twice as many ranks
  request_.ranks = program_.targets[1];
  const auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto real = RunProgram(program_, program_.targets[1], 1);
  EXPECT_LT(LikenessOf(twin->trace, *real).messages, 10);
  // Where a rank has several partners drawn it waits for each by itself.
  const int count = reduction::ParamPlace(reduction::Call::MPI_Wait_,
                                          reduction::Param::kRequestCount);
  ForEachEvent(twin->trace.root, [count](const reduction::Node& n) {
    if (n.call != reduction::Call::MPI_Wait_) return;
    for (const auto& [rank, requests] : n.params[size_t(count)].ByRank()) {
      EXPECT_EQ(requests.Max(), 1) << "rank " << rank;
    }
  });
}

TEST_F(TwinTest, CallsOfPartsThatStandInSeveralLoopsKeepTheirOrder) {
  // Panels of a matrix: who takes part in the next step depends on the step.
  for (const uint64_t seed : {501, 503}) {
    Take("block_cyclic", seed);
    const auto twin = Make();
    ASSERT_TRUE(twin.ok()) << twin.status().message();
    ExpectEnds(twin->trace);
    const auto real = RunProgram(program_, program_.targets[0], 1);
    EXPECT_LT(LikenessOf(twin->trace, *real).bytes, 30) << seed;
  }
}

TEST_F(TwinTest, DrawsBothEndsWhereLawsContradictEachOther) {
  // Parts by datatypes: by its law what a rank sends is not what rank 0 gets.
  Take("gathered_parts", 503);
  const auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto& estimates = twin->trace.meta.estimates;
  for (const char* call : {"MPI_Send", "MPI_Recv"}) {
    EXPECT_TRUE(std::ranges::any_of(estimates, [&](const auto& e) {
      return e.call == call;
    })) << call;
  }
  const auto real = RunProgram(program_, program_.targets[0], 1);
  const Likeness off = LikenessOf(twin->trace, *real);
  EXPECT_LT(off.messages, 5);
  EXPECT_LT(off.bytes, 25);
}

TEST_F(TwinTest, EndsWhateverTheLibraryHoldsBack) {
  for (const char* idiom : {"tables", "particles", "consensus", "refinement"}) {
    Take(idiom, 5);
    const auto twin = Make();
    ASSERT_TRUE(twin.ok()) << idiom << ": " << twin.status().message();
    SCOPED_TRACE(idiom);
    ExpectEnds(twin->trace);
  }
}

TEST_F(TwinTest, ShiftsWhatHasNoLawToOneRankWhileItComesFromAnother) {
  Take("sendrecv", 1);  // along a Morton curve
  const auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto found = cli::FindDeadlock(twin->trace, true, 1);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->kind, cli::Deadlock::Kind::kNone);
  const Likeness off =
      LikenessOf(twin->trace, *RunProgram(program_, program_.targets[0], 1));
  EXPECT_LT(off.messages, 5);
  EXPECT_LT(off.bytes, 5);
  EXPECT_LT(off.partners, 5);
}

TEST_F(TwinTest, StartsAndCompletesThePersistentRequestsThatAreDrawn) {
  Take("persistent", 1);
  const auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto found = cli::FindDeadlock(twin->trace, true, 1);
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_EQ(found->kind, cli::Deadlock::Kind::kNone);
  // Each is started in every step, as in the real run.
  const auto real = RunProgram(program_, program_.targets[0], 1);
  EXPECT_LT(LikenessOf(twin->trace, *real).messages, 25);
}

// By the name of the call.
std::map<std::string, int64_t> CallsByName(const reduction::Trace& trace) {
  std::map<std::string, int64_t> calls;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto cursor = reduction::Cursor::Open(trace, rank);
    while (cursor.ok() && cursor->Next()) {
      const reduction::Call call = cursor->event().call();
      ++calls[std::string(reduction::Info(call).name)];
    }
  }
  return calls;
}

TEST_F(TwinTest, MarksWhatIsCalledForEachDrawnRequest) {
  Take("persistent", 2);
  const auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  std::set<std::string> marked;
  for (const auto& e : twin->trace.meta.estimates) marked.insert(e.call);
  const auto real = CallsByName(*RunProgram(program_, program_.targets[0], 1));
  auto drawn = CallsByName(twin->trace);
  ASSERT_NE(drawn.at("MPI_Request_free"), real.at("MPI_Request_free"));
  for (const auto& [call, number] : real) {
    if (drawn[call] != number) EXPECT_TRUE(marked.contains(call)) << call;
  }
}

TEST_F(TwinTest, AnswersWhoeverAsksAsManyAsThereAreTasks) {
  Take("workers", 6);  // a share of 60 tasks; answers come from any source
  const auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto found = cli::FindDeadlock(twin->trace, true, 1);
  ASSERT_TRUE(found.ok());
  EXPECT_NE(found->kind, cli::Deadlock::Kind::kAlways);
  const auto real = RunProgram(program_, program_.targets[0], 1);
  EXPECT_LT(LikenessOf(twin->trace, *real).messages, 20);
}

TEST_F(TwinTest, GivesCollectivesOfSomeRanksAmountsThatGoTogether) {
  Take("transpose", 3);  // lists of counts in rows and columns
  const auto twin = Make();
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  ExpectEnds(twin->trace);
}

TEST_F(TwinTest, KeepsWhatIsDealtOutBeforeTheSumThatFollows) {
  // Three vectors, a sum of all ranks behind each; who gets nothing of a short
  // one is sent nothing, and how many that are has no law.
  Take("dealt_sizes", 307);
  auto maker = online_model::TwinMaker::Of(inputs_);
  ASSERT_TRUE(maker.ok());
  for (const uint64_t seed : {1, 2, 3}) {
    request_.seed = seed;
    const auto twin = maker->Make(request_);
    ASSERT_TRUE(twin.ok()) << twin.status().message();
    const auto found = cli::FindDeadlock(twin->trace, true, 1);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->kind, cli::Deadlock::Kind::kNone) << "seed " << seed;
  }
}

TEST_F(TwinTest, OfOneMakerIsThatWhichIsMadeAlone) {
  Take("particles", 1);
  auto maker = online_model::TwinMaker::Of(inputs_);
  ASSERT_TRUE(maker.ok());
  request_.ranks = program_.targets[1];
  ASSERT_TRUE(maker->Make(request_).ok());
  request_.ranks = program_.targets[0];
  const auto second = maker->Make(request_), alone = Make();
  ASSERT_TRUE(second.ok() && alone.ok());
  EXPECT_EQ(BytesOf(second->trace), BytesOf(alone->trace));
}

TEST_F(TwinTest, IsTheSameForTheSameInputsAndSeed) {
  Take("tables", 1);
  const auto first = Make(), again = Make();
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ(BytesOf(first->trace), BytesOf(again->trace));
  request_.seed = 2;
  const auto other = Make();
  ASSERT_TRUE(other.ok());
  EXPECT_NE(BytesOf(first->trace), BytesOf(other->trace));
}

TEST_F(TwinTest, NamesWhatIsEstimatedAndLeavesTheRestExact) {
  Take("tables", 1);  // with a sum over all ranks every other step
  const auto twin = Make();
  ASSERT_TRUE(twin.ok());
  const auto& estimates = twin->trace.meta.estimates;
  const auto marks = [&](const std::string& call) {
    return std::any_of(estimates.begin(), estimates.end(),
                       [&](const auto& e) { return e.call == call; });
  };
  EXPECT_TRUE(marks("MPI_Irecv") && marks("MPI_Isend"));
  EXPECT_FALSE(marks("MPI_Allreduce"));
  const auto real = RunProgram(program_, program_.targets[0], 1);
  EXPECT_EQ(CallsOf(twin->trace, Call::MPI_Allreduce_),
            CallsOf(*real, Call::MPI_Allreduce_));
}

TEST_F(TwinTest, SitesAreInsideWhereTheRealRunIsWithinWhatIsStated) {
  Take("tables", 1);
  auto twin = Make();
  ASSERT_TRUE(twin.ok());
  const auto real = RunProgram(program_, program_.targets[0], 1);
  Trace stated = std::move(twin->trace);
  const auto state = [&](double by, double width) {
    for (auto& e : stated.meta.estimates) {
      e.messages *= by;
      e.messages_width = width * e.messages;
    }
    return InsideOf(stated, *real);
  };
  const Inside wide = state(1, 10), wrong = state(50, 0);
  EXPECT_GE(wide.sites, 2);
  EXPECT_EQ(wide.messages, wide.sites);
  EXPECT_EQ(wrong.sites, wide.sites);
  EXPECT_EQ(wrong.messages, 0);
}

TEST_F(TwinTest, OfAProgramWithLawsAtASizeItCannotHaveIsRefused) {
  Take("butterfly", 1);
  request_.ranks = 3 * program_.inputs[4];
  const auto twin = Make();
  ASSERT_FALSE(twin.ok());
  EXPECT_NE(twin.status().message().find("do not hold"), std::string::npos);
}

}  // namespace
}  // namespace ranksight::idioms
