#include "online_model/twin/shifts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ranksight::online_model {
namespace {

constexpr uint32_t kRounds = 3;

// Each rank sends to the next in round 0, the one after in round 1, ...; of the
// rounds behind the first only every other rank takes part, at even iterations
// or at odd ones.
EdgeList ShiftsOn(int64_t ranks) {
  EdgeList list;
  list.ranks = ranks;
  for (int64_t u = 0; u < ranks; ++u) {
    for (uint32_t round = 0; round < kRounds; ++round) {
      Edge e;
      e.u = u;
      e.v = (u + 1 + round) % ranks;
      e.round = round;
      for (uint64_t i = 0; i < 6; ++i) {
        if (round > 0 && i % 2 != uint64_t(u) % 2) continue;
        EdgeTalk talk;
        talk.iteration = i;
        e.at_u.push_back(talk);
      }
      e.messages = e.at_u.size();
      list.edges.push_back(e);
    }
  }
  return list;
}

std::set<uint64_t> TimesOf(const DrawnEdge& drawn) {
  std::set<uint64_t> times;
  for (const EdgeTalk& talk : drawn.like->at_u) times.insert(talk.iteration);
  return times;
}

TEST(DrawShifts, NobodyReceivesTwiceAtOneTime) {
  const std::vector<EdgeList> inputs = {ShiftsOn(8), ShiftsOn(12),
                                        ShiftsOn(16)};
  for (const int64_t ranks : {16, 24, 100}) {
    std::map<std::pair<uint32_t, int64_t>, std::set<uint64_t>> taken;
    const auto drawn = DrawShifts(inputs, {ranks}, true, 1);
    for (const DrawnEdge& d : drawn) {
      EXPECT_NE(d.u, d.v);
      for (const uint64_t time : TimesOf(d)) {
        EXPECT_TRUE(taken[std::pair(d.round, d.v)].insert(time).second)
            << d.u << " to " << d.v << " in round " << d.round << " at " << time
            << " of " << ranks;
      }
    }
    // Every rank has somebody to send to, but the last may be left with itself.
    EXPECT_GE(drawn.size() + 2 * kRounds, size_t(ranks) * kRounds);
  }
}

}  // namespace
}  // namespace ranksight::online_model
