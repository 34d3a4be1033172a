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
    const auto drawn = DrawShifts(inputs, {ranks}, {}, true, 1);
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

// Rings of ranks that stand next to one another, `of` in each.
EdgeList RingsOn(int64_t ranks, int64_t of) {
  EdgeList list;
  list.ranks = ranks;
  for (int64_t u = 0; u < ranks; ++u) {
    Edge e;
    e.u = u;
    e.v = u / of * of + (u + 1) % of;
    e.at_u.emplace_back();
    e.messages = 1;
    list.edges.push_back(e);
  }
  return list;
}

TEST(DrawShifts, RingsStayInThePartsOfTheRanks) {
  const std::vector<EdgeList> inputs = {RingsOn(4, 2), RingsOn(6, 3),
                                        RingsOn(8, 4)};
  ExchangeParts parts;
  parts.part_of.resize(15);
  for (int64_t r = 0; r < 8; ++r) {
    parts.place_there.push_back(r % 4);
    parts.size_there.push_back(4);
  }
  // Every third one is together, five in each; like those of the first ring.
  parts.members.resize(3);
  for (int64_t r = 0; r < 15; ++r) {
    parts.part_of[size_t(r)] = int(r % 3);
    parts.members[size_t(r % 3)].push_back(r);
    parts.like.push_back(r / 3 * 4 / 5);
  }
  std::map<int64_t, int64_t> to;
  for (const DrawnEdge& d : DrawShifts(inputs, {15}, parts, true, 1)) {
    to[d.u] = d.v;
  }
  for (int64_t r = 0; r < 15; ++r) EXPECT_EQ(to[r], (r + 3) % 15) << r;
}

}  // namespace
}  // namespace ranksight::online_model
