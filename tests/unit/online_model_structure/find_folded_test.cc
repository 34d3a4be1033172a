// Against the algorithm as MPICH's allreduce writes it, rank by rank.
#include "online_model/structure/find_folded.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/online_model_structure/shapes.h"

namespace ranksight::online_model {
namespace {

using testing::ExpectGives;

int64_t Power(int64_t n) {
  int64_t power = 1;
  while (2 * power <= n) power *= 2;
  return power;
}

// -1 where the rank is folded into another.
int64_t PlaceOf(int64_t rank, int64_t rest) {
  if (rank >= 2 * rest) return rank - rest;
  return rank % 2 == 0 ? -1 : rank / 2;
}

std::vector<int64_t> PeersOf(int64_t rank, int64_t n) {
  const int64_t power = Power(n), rest = n - power;
  const int64_t place = PlaceOf(rank, rest);
  std::vector<int64_t> peers;
  for (int64_t mask = 1; mask < power && place >= 0; mask <<= 1) {
    const int64_t other = place ^ mask;
    peers.push_back(other < rest ? other * 2 + 1 : other + rest);
  }
  return peers;
}

std::vector<Sample> PeerSamples(const std::vector<Grid>& grids) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const auto peers = PeersOf(r, g.ranks());
      for (size_t k = 0; k < peers.size(); ++k) {
        Sample s{Context(g, r), peers[k]};
        s.where.position = int64_t(k);
        s.where.length = int64_t(peers.size());
        samples.push_back(s);
      }
    }
  }
  return samples;
}

template <class F>
std::vector<Sample> CountSamples(const std::vector<Grid>& grids, F count) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      samples.push_back({Context(g, r), count(r, g.ranks())});
    }
  }
  return samples;
}

const std::vector<Grid> kSeen{{{6}}, {{8}}, {{12}}};
const std::vector<Grid> kUnseen{{{7}}, {{32}}, {{45}}, {{100}}};

TEST(FindFolded, PeersOfEachDoubling) {
  ExpectGives(FindFoldedPeer(PeerSamples(kSeen)), PeerSamples(kUnseen));
}

TEST(FindFolded, WhoSendsFirstWhoReceivesAndHowOftenTheyDouble) {
  const auto sends = [](int64_t r, int64_t n) {
    return int64_t{PlaceOf(r, n - Power(n)) < 0};
  };
  const auto receives = [](int64_t r, int64_t n) {
    return int64_t{r < 2 * (n - Power(n)) && r % 2 == 1};
  };
  const auto doubles = [](int64_t r, int64_t n) {
    return int64_t(PeersOf(r, n).size());
  };
  ExpectGives(FindFoldedCount(CountSamples(kSeen, sends)),
              CountSamples(kUnseen, sends));
  ExpectGives(FindFoldedCount(CountSamples(kSeen, receives)),
              CountSamples(kUnseen, receives));
  ExpectGives(FindFoldedCount(CountSamples(kSeen, doubles)),
              CountSamples(kUnseen, doubles));
}

TEST(FindFolded, RunsOnPowersOfTwoShowNobodyFolded) {
  const std::vector<Grid> powers{{{4}}, {{8}}, {{16}}};
  EXPECT_EQ(FindFoldedPeer(PeerSamples(powers)), nullptr);
  const auto even = [](int64_t r, int64_t) { return r % 2; };
  EXPECT_EQ(FindFoldedCount(CountSamples(powers, even)), nullptr);
  EXPECT_EQ(FindFoldedCount(CountSamples(kSeen, even)), nullptr);
  const auto doublings = [](int64_t, int64_t n) { return Power(n) / 2; };
  EXPECT_EQ(FindFoldedCount(CountSamples({{{6}}, {{9}}}, doublings)), nullptr);
}

}  // namespace
}  // namespace ranksight::online_model
