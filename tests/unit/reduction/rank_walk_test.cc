#include "reduction/api/rank_walk.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reduction/api/folder.h"

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

TEST(RankWalk, CollectivesMakeRequestsForNoMessage) {
  for (const Call call :
       {Call::MPI_Ibarrier_, Call::MPI_Iallreduce_, Call::MPI_Barrier_init_}) {
    EXPECT_EQ(MadeBy(call), Request::Kind::kOther) << Info(call).name;
  }
}

}  // namespace
}  // namespace ranksight::reduction
