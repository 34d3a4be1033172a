#include "bgq_support/api/torus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>
#include <string>
#include <vector>

namespace ranksight::bgq_support {
namespace {

// Hops from one node to all others by walking the links.
std::vector<int> Flood(const Torus& torus, int from) {
  std::vector<int> hops(static_cast<size_t>(torus.nodes()), -1);
  std::queue<int> next;
  hops[size_t(from)] = 0;
  next.push(from);
  while (!next.empty()) {
    const int node = next.front();
    next.pop();
    for (const int n : torus.Neighbours(node)) {
      if (hops[size_t(n)] >= 0) continue;
      hops[size_t(n)] = hops[size_t(node)] + 1;
      next.push(n);
    }
  }
  return hops;
}

const char* const kShapes[] = {"1",      "2",         "7",         "5m",
                               "4x3",    "4mx3",      "2x2m",      "3x4x5",
                               "3mx1x5", "2x2x4x2x2", "4x2mx3x3x2"};

TEST(Torus, DistancesAreThoseOfWalkingTheLinks) {
  for (const char* shape : kShapes) {
    const Torus torus = *Torus::Parse(shape);
    for (int from = 0; from < torus.nodes(); ++from) {
      const std::vector<int> hops = Flood(torus, from);
      for (int to = 0; to < torus.nodes(); ++to) {
        ASSERT_EQ(torus.Distance(from, to), hops[size_t(to)])
            << shape << " " << from << " " << to;
      }
    }
  }
}

TEST(Torus, NodesAndCoordinatesAreTwoNamesOfTheSame) {
  for (const char* shape : kShapes) {
    const Torus torus = *Torus::Parse(shape);
    Coordinates expected(size_t(torus.dims()), 0);
    for (int node = 0; node < torus.nodes(); ++node) {
      EXPECT_EQ(torus.CoordinatesOf(node), expected) << shape;
      EXPECT_EQ(torus.NodeAt(expected), node) << shape;
      // The next one, last dimension fastest.
      for (size_t i = expected.size(); i-- > 0;) {
        if (++expected[i] < torus.dimensions()[i].length) break;
        expected[i] = 0;
      }
    }
  }
}

TEST(Torus, OffsetsLeadFromOneCoordinateToTheOther) {
  const Torus torus = *Torus::Parse("6x5x4m");
  for (int dim = 0; dim < torus.dims(); ++dim) {
    const auto [length, wraps] = torus.dimensions()[size_t(dim)];
    for (int a = 0; a < length; ++a) {
      for (int b = 0; b < length; ++b) {
        const int offset = torus.Offset(dim, a, b);
        EXPECT_EQ(wraps ? (a + offset + length) % length : a + offset, b);
      }
    }
  }
  EXPECT_EQ(torus.Offset(0, 1, 4), 3);  // half-way: the positive one
  EXPECT_EQ(torus.Offset(0, 4, 1), 3);
}

TEST(Torus, NeighboursAreMutualAndDifferent) {
  for (const char* shape : kShapes) {
    const Torus torus = *Torus::Parse(shape);
    for (int node = 0; node < torus.nodes(); ++node) {
      for (const int n : torus.Neighbours(node)) {
        EXPECT_NE(n, node);
        const std::vector<int> back = torus.Neighbours(n);
        EXPECT_EQ(std::count(back.begin(), back.end(), node), 1) << shape;
      }
    }
  }
}

TEST(Torus, ABlueGeneQMidplaneNodeHasNineNeighboursOnTenLinks) {
  // The two links of dimension E lead to the same node.
  EXPECT_EQ(Torus::BlueGeneQ(512)->Neighbours(137).size(), 9u);
}

TEST(Torus, BlueGeneQPartitionsHaveTheirNodes) {
  for (int nodes = 32; nodes <= 2048; nodes *= 2) {
    const auto torus = Torus::BlueGeneQ(nodes);
    ASSERT_TRUE(torus.has_value()) << nodes;
    EXPECT_EQ(torus->nodes(), nodes);
    EXPECT_EQ(torus->dims(), 5);
    EXPECT_EQ(torus->dimensions().back().length, 2);
  }
  EXPECT_FALSE(Torus::BlueGeneQ(48).has_value());
}

TEST(Torus, TextComesBackAsItWas) {
  for (const char* shape : kShapes) {
    EXPECT_EQ(Torus::Parse(shape)->ToString(), shape);
  }
  EXPECT_FALSE(Torus::Parse("4x4m")->dimensions()[1].wraps);
}

TEST(Torus, TheLongestRingHasOffsetsAndNeighbours) {
  const Torus ring = *Torus::Parse(std::to_string(Torus::kMaxNodes));
  const int last = ring.nodes() - 1;
  EXPECT_EQ(ring.Offset(0, last, 0), 1);
  EXPECT_EQ(ring.Offset(0, 0, last), -1);
  EXPECT_EQ(ring.Neighbours(last), (std::vector<int>{last - 1, 0}));
}

TEST(Torus, TextThatIsNoShapeIsRefused) {
  for (const char* text :
       {"", "x", "4x", "x4", "4xx4", "0x4", "-2x4", "4 x4", "4x4y", "4mm", "m",
        "65536x65536", "2147483647", "2147483647m", "2048x2049", "99999999999",
        "1x1x1x1x1x1x1x1x1"}) {
    EXPECT_FALSE(Torus::Parse(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace ranksight::bgq_support
