// Twins of made runs, one thing without a law each.
#include "online_model/api/twin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "online_model/structure/own_law.h"
#include "reduction/api/cursor.h"
#include "tests/unit/online_model/made_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Trace;
using testing::MadeRank;

int64_t Lawless(int64_t ranks) { return 16 + ranks * ranks * ranks % 13; }

// The rank counts at which a law of one's own was asked for a value.
std::set<int64_t>& AskedAt() {
  static std::set<int64_t> ranks;
  return ranks;
}

int64_t NoteAsked(const ranksight_law_place* place) {
  AskedAt().insert(place->ranks);
  return RANKSIGHT_LAW_NONE;
}

TEST(Twin, WhatHasNoLawOnSmallerRunsIsNotSearchedOnAll) {
  std::vector<Trace> inputs;
  for (const int64_t n : {4, 8, 12, 16}) {
    // All but the bytes is the same everywhere: no law of one's own is asked.
    inputs.push_back(testing::MadeRun("told", n, [&](int64_t rank) {
      MadeRank made;
      made.Broadcast(2, Lawless(n), 1e-6, 1e-6);
      return made.End(rank, n, 1e-3);
    }));
  }
  AskedAt().clear();
  const OwnLaws own{
      std::make_shared<const OwnLaw>(OwnLaw{"asked", NoteAsked, {}})};
  ASSERT_TRUE(TwinMaker::Of(inputs, own).ok());
  EXPECT_EQ(AskedAt(), (std::set<int64_t>{4, 8, 12}));
}

// Ranks tell rank 0 something, how often follows no law: what it takes that as
// is said at the root alone.
Trace Gathered(int64_t ranks) {
  return testing::MadeRun("gathered", ranks, [&](int64_t rank) {
    MadeRank made;
    for (int64_t k = 0; k < Lawless(ranks); ++k) {
      made.GatherByte(2, rank == 0, 1e-6, 1e-6);
    }
    return made.End(rank, ranks, 1e-3);
  });
}

// Of the rank's first such call.
int64_t FirstOf(const Trace& trace, int64_t rank, Call call,
                reduction::Param param) {
  const auto params = reduction::Info(call).params;
  const auto index = std::ranges::find(params, param) - params.begin();
  auto cursor = reduction::Cursor::Open(trace, rank);
  while (cursor.ok() && cursor->Next()) {
    if (cursor->event().call() != call) continue;
    return cursor->event().ValuesAt(int(index))[0];
  }
  return -1;
}

TEST(Twin, GathersOfAnyNumberAreDrawnWithTheRootsDatatype) {
  std::vector<Trace> inputs;
  for (const int64_t n : {4, 8, 12, 16}) inputs.push_back(Gathered(n));
  ExtrapolationRequest request;
  request.ranks = 32;
  const auto twin = MakeTwin(inputs, request);
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  std::vector<int64_t> taken_as;
  for (const int64_t rank : {0, 1, 31}) {
    taken_as.push_back(FirstOf(twin->trace, rank, Call::MPI_Gather_,
                               reduction::Param::kRecvTypeKind));
  }
  const int64_t byte = reduction::TypeCodeByName("MPI_BYTE");
  EXPECT_EQ(taken_as, (std::vector<int64_t>{byte, 0, 0}));
}

}  // namespace
}  // namespace ranksight::online_model
