// Twins of made runs, one thing without a law each.
#include "online_model/api/twin.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "online_model/structure/own_law.h"
#include "tests/unit/online_model/made_run.h"

namespace ranksight::online_model {
namespace {

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

}  // namespace
}  // namespace ranksight::online_model
