// Traces that carry laws, and what is made from them.
#include <gtest/gtest.h>

#include <random>

#include "online_model/api/extrapolate.h"
#include "reduction/api/canonical.h"
#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"
#include "tests/unit/online_model_structure/shapes.h"
#include "tests/unit/online_model_structure/stencil_run.h"

namespace ranksight::online_model {
namespace {

using reduction::CanonicalText;
using reduction::Trace;
using testing::Dims;
using testing::EventsOf;
using testing::kSquares;
using testing::RunOf;
using testing::ShapeList;
using testing::Stencil;

const ShapeList kFiveBricks{
    {2, 2, 2}, {3, 2, 2}, {3, 3, 2}, {3, 3, 3}, {4, 3, 3}};

Trace LawsOf(const Stencil& s, const ShapeList& shapes) {
  std::vector<Trace> runs;
  for (const Dims& dims : shapes) runs.push_back(RunOf(s, dims));
  ExtrapolationRequest request;
  request.ranks = runs.back().meta.ranks;
  request.symbolic = true;
  auto made = Extrapolate(runs, request);
  EXPECT_TRUE(made.ok()) << made.status().message();
  return made.ok() ? std::move(made->trace) : Trace();
}

Trace At(const Trace& laws, int64_t ranks) {
  ExtrapolationRequest request;
  request.ranks = ranks;
  auto made = FromLaws(laws, request);
  EXPECT_TRUE(made.ok()) << made.status().message();
  return made.ok() ? std::move(made->trace) : Trace();
}

void ExpectRank(const Trace& trace, const Stencil& s, const Dims& dims,
                int64_t rank) {
  auto cursor = reduction::Cursor::Open(trace, rank);
  ASSERT_TRUE(cursor.ok());
  for (const auto& expected : EventsOf(s, dims, rank)) {
    ASSERT_TRUE(cursor->Next()) << "rank " << rank << " ends early";
    ASSERT_EQ(CanonicalText(cursor->event()), CanonicalText(expected))
        << "rank " << rank;
  }
  ASSERT_FALSE(cursor->Next()) << "rank " << rank << " goes on";
  ASSERT_TRUE(cursor->status().ok());
}

TEST(Symbolic, GivesEveryRankOfACubeItsEvents) {
  for (const bool periodic : {false, true}) {
    const Stencil s{.periodic = {periodic, periodic, periodic}};
    const Trace laws = LawsOf(s, kFiveBricks);
    ASSERT_TRUE(IsSymbolic(laws));
    const Dims dims{11, 11, 11};
    const Trace made = At(laws, 1331);
    for (int64_t r = 0; r < 1331 && !HasFailure(); ++r) {
      ExpectRank(made, s, dims, r);
    }
  }
}

TEST(Symbolic, GivesRanksOfAMillionTheirEvents) {
  const Stencil s{.periodic = {false, false}};
  const int64_t side = 1024;
  const Trace made = At(LawsOf(s, kSquares), side * side);
  std::mt19937 random(5);
  std::vector<int64_t> ranks{0, side - 1, side, side * side - 1};
  for (int i = 0; i < 50; ++i) ranks.push_back(random() % (side * side));
  for (const int64_t r : ranks) ExpectRank(made, s, {side, side}, r);
}

TEST(Symbolic, StructureDoesNotGrowWithRanks) {
  const Stencil s{.periodic = {false, false}};
  const Trace laws = LawsOf(s, kSquares);
  const auto size = [&laws](int64_t side) {
    return reduction::Encode(At(laws, side * side),
                             reduction::SketchForm::kFull,
                             reduction::Packing::kSmallest)
        .size();
  };
  EXPECT_LT(size(30000), size(100) + 200);
}

TEST(Symbolic, BlocksWithRemainderAreExact) {
  const Stencil s{.periodic = {false, false}, .cells = 203};
  const Trace made = At(LawsOf(s, kSquares), 81 * 81);
  for (int64_t r = 0; r < 81 * 81 && !HasFailure(); r += 7) {
    ExpectRank(made, s, {81, 81}, r);
  }
}

TEST(Symbolic, LawsSurviveTheFile) {
  const Stencil s{.periodic = {true, false}};
  const Trace laws = LawsOf(s, kSquares);
  const auto read = reduction::Decode(reduction::Encode(
      laws, reduction::SketchForm::kFull, reduction::Packing::kSmallest));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(At(*read, 2500), At(laws, 2500));
  EXPECT_EQ(read->law_code, laws.law_code);
  EXPECT_EQ(ReadableLaws(*read).size(), read->meta.laws.size());
}

// With receives twice as long as what is sent.
Trace WithLongReceives(Trace run) {
  reduction::ForEachEvent(run.root, [&](reduction::Node& node) {
    if (node.call != reduction::Call::MPI_Irecv_) return;
    const auto params = reduction::Info(node.call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (params[i] != reduction::Param::kCount) continue;
      reduction::Parameter twice;
      for (const auto& [rank, values] : node.params[i].ByRank()) {
        reduction::Section section;
        for (const int64_t v : values.Expand()) section.Append(2 * v);
        twice.Add(rank, section, false);
      }
      node.params[i] = twice;
    }
  });
  return run;
}

TEST(Symbolic, MessagesThatDoNotGoTogetherAreRefused) {
  const Stencil s{.periodic = {true, true}};
  std::vector<Trace> runs;
  for (const Dims& dims : kSquares) {
    runs.push_back(WithLongReceives(RunOf(s, dims)));
  }
  ExtrapolationRequest request;
  request.ranks = 25;
  request.symbolic = true;
  const auto made = Extrapolate(runs, request);
  ASSERT_TRUE(made.ok()) << made.status().message();
  // Its laws, on a run whose messages do go together.
  Trace laws = LawsOf(s, kSquares);
  laws.law_code = made->trace.law_code;
  for (const int64_t ranks : {36, 1048576}) {
    request.ranks = ranks;
    const auto refused = FromLaws(laws, request);
    ASSERT_FALSE(refused.ok()) << ranks;
    EXPECT_NE(refused.status().message().find("contradict"), std::string::npos)
        << refused.status().message();
  }
}

// No size lies between the largest input and the target, which is too large to
// be checked with others.
TEST(Symbolic, MessagesOfALongRunAtTheNextSizeAreLookedAtToo) {
  Stencil s{.periodic = {true, true}};
  s.steps = 20'000;
  std::vector<Trace> runs, wrong;
  for (const Dims& dims : {Dims{2, 2}, Dims{3, 3}, Dims{4, 4}}) {
    runs.push_back(RunOf(s, dims));
    wrong.push_back(WithLongReceives(runs.back()));
  }
  ExtrapolationRequest request;
  request.ranks = 25;
  request.hold_out = false;
  request.symbolic = true;
  const auto made = Extrapolate(wrong, request);
  ASSERT_TRUE(made.ok()) << made.status().message();
  auto laws = Extrapolate(runs, request);
  ASSERT_TRUE(laws.ok()) << laws.status().message();
  laws->trace.law_code = made->trace.law_code;
  const auto refused = FromLaws(laws->trace, request);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.status().message().find("contradict"), std::string::npos)
      << refused.status().message();
}

TEST(Symbolic, RefusesATargetOffTheGrid) {
  ExtrapolationRequest request;
  request.ranks = 1000;
  const auto made =
      FromLaws(LawsOf({.periodic = {true, true}}, kSquares), request);
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.status().message().find("961, 1024"), std::string::npos)
      << made.status().message();
}

TEST(Symbolic, DamagedLawsAreRefusedOrStillLaws) {
  const Trace laws = LawsOf({.periodic = {true, false}}, kSquares);
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    Trace damaged = laws;
    std::vector<int64_t>& numbers = damaged.law_code;
    const size_t at = 1 + random() % (numbers.size() - 1);
    if (i % 3 == 0) {
      numbers.resize(at);
    } else {
      numbers[at] = int64_t(random() % 40) - 8;
    }
    ExtrapolationRequest request;
    request.ranks = 36;
    (void)FromLaws(damaged, request);
  }
}

TEST(Symbolic, LawsInACodingThatIsNotKnownAreRefusedNotMisread) {
  Trace laws = LawsOf({.periodic = {true, false}}, kSquares);
  laws.law_code[0] = 1000;
  ASSERT_TRUE(IsSymbolic(laws));
  ExtrapolationRequest request;
  request.ranks = 36;
  const auto made = FromLaws(laws, request);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.status().code(), reduction::StatusCode::kBadInput);
}

}  // namespace
}  // namespace ranksight::online_model
