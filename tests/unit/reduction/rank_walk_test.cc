#include "reduction/api/rank_walk.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/folder.h"
#include "tests/unit/reduction/program.h"

namespace ranksight::reduction {
namespace {

// Any event of the call whose parameters all have a value.
Event Some(Call call) {
  Event e(call);
  for (const Param p : Info(call).params) {
    if (IsArray(p)) {
      e.AddArray({});
    } else if (p == Param::kRequestCount || p == Param::kMatchCount) {
      e.Add(0);
    } else {
      e.Add(1);
    }
  }
  return e;
}

// Of the request that the call makes, persistent or not.
Request::Kind MadeBy(Call call) {
  Folder folder;
  const uint32_t module = folder.AddModule({"ab", "app"});
  Event e = Some(call);
  e.site = folder.AddSite({{{module, 16}}});
  folder.Push(e, 1, 1);
  const Trace trace = folder.Snapshot(0, 4);
  auto walk = RankWalk::Open(trace, 0);
  EXPECT_TRUE(walk.ok());
  EXPECT_TRUE(walk->Next());
  return walk->made().kind;
}

TEST(RankWalk, EveryCallThatMakesARequestForAMessageSaysWhichWayItGoes) {
  int seen = 0;
  for (const CallInfo& info : AllCalls()) {
    if (!info.makes_request && !info.makes_persistent) continue;
    const std::string name(info.name);  // MPI_Send_init, MPI_Isendrecv, ...
    const bool sends = name.find("end") != name.npos;
    const bool receives = name.find("ecv") != name.npos;
    if (!sends && !receives) continue;
    ++seen;
    EXPECT_EQ(MadeBy(info.call), sends && receives ? Request::Kind::kBoth
                                 : sends           ? Request::Kind::kSend
                                                   : Request::Kind::kReceive)
        << name;
  }
  EXPECT_EQ(seen, 15);
}

TEST(RankWalk, EventsOfOneFormAreOneNodeWithTheSameValues) {
  uint64_t repeated = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    testing::Program program(seed);
    Folder folder;
    program.Run(1, 3, &folder);
    const Trace trace = folder.Snapshot(1, 3);
    auto walk = RankWalk::Open(trace, 1);
    ASSERT_TRUE(walk.ok());
    std::map<size_t, std::pair<const Node*, std::vector<int64_t>>> first;
    std::set<std::pair<const Node*, std::vector<int64_t>>> known;
    while (walk->Next()) {
      if (walk->form() == RankWalk::kNoForm) continue;
      const auto values = walk->event().values();
      const std::pair<const Node*, std::vector<int64_t>> is = {
          &walk->node(), {values.begin(), values.end()}};
      const auto [at, is_new] = first.try_emplace(walk->form(), is);
      ASSERT_EQ(at->second, is) << "seed " << seed;
      ASSERT_EQ(is_new, known.insert(is).second) << "seed " << seed;
      repeated += !is_new;
    }
    ASSERT_EQ(first.empty() ? 0 : first.rbegin()->first + 1, first.size());
  }
  EXPECT_GT(repeated, 1000u);
}

// A loop whose every event has a tag of its own leaves none to remember.
TEST(RankWalk, EventsThatNeverRepeatHaveNoForm) {
  Folder folder;
  const uint32_t module = folder.AddModule({"ab", "app"});
  const uint32_t site = folder.AddSite({{{module, 16}}});
  for (int i = 0; i < 100; ++i) {
    Event e(Call::MPI_Barrier_);
    e.Add(i * i);
    e.site = site;
    folder.Push(e, 1, 1);
  }
  const Trace trace = folder.Snapshot(0, 4);
  auto walk = RankWalk::Open(trace, 0);
  ASSERT_TRUE(walk.ok());
  int formless = 0;
  while (walk->Next()) formless += walk->form() == RankWalk::kNoForm;
  EXPECT_EQ(formless, 84);  // all but 16
}

TEST(RankWalk, CollectivesMakeRequestsForNoMessage) {
  for (const Call call :
       {Call::MPI_Ibarrier_, Call::MPI_Iallreduce_, Call::MPI_Barrier_init_}) {
    EXPECT_EQ(MadeBy(call), Request::Kind::kOther) << Info(call).name;
  }
}

}  // namespace
}  // namespace ranksight::reduction
