#include "reduction/api/cursor.h"

#include <gtest/gtest.h>

#include <string>

namespace ranksight::reduction {
namespace {

Trace OneBarrierWithTrips(const Section& trips) {
  Trace trace;
  trace.meta.ranks = 1;
  trace.sites.modules.push_back({"ab", "app"});
  trace.sites.sites.push_back({{{0, 16}}});
  Node event;
  event.kind = Node::Kind::kEvent;
  event.call = Call::MPI_Barrier_;
  event.trips.Add(0, trips, false);
  event.params.emplace_back();
  event.params.back().Add(0, Section::Constant(0, 10), false);
  Node loop;
  loop.trips.Add(0, Section::Constant(int64_t(trips.size()), 1), false);
  loop.children.push_back(event);
  trace.root.children.push_back(loop);
  return trace;
}

TEST(Cursor, TripCountsThatFallBelowZeroContradict) {
  const Trace trace = OneBarrierWithTrips(Section::Run(1, -1, 4));
  auto cursor = Cursor::Open(trace, 0);
  ASSERT_TRUE(cursor.ok());
  EXPECT_TRUE(cursor->Next());   // 1
  EXPECT_FALSE(cursor->Next());  // 0, then -1
  EXPECT_EQ(cursor->status().code(), StatusCode::kBadInput);
  EXPECT_NE(cursor->status().message().find("negative"), std::string::npos);
}

TEST(Cursor, AParameterThatEndsEarlyContradicts) {
  const Trace trace = OneBarrierWithTrips(Section::Constant(4, 3));
  auto cursor = Cursor::Open(trace, 0);
  ASSERT_TRUE(cursor.ok());
  int events = 0;
  while (cursor->Next()) ++events;
  EXPECT_EQ(events, 10);
  EXPECT_EQ(cursor->status().code(), StatusCode::kBadInput);
}

}  // namespace
}  // namespace ranksight::reduction
