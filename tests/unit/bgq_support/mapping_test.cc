#include "bgq_support/api/mapping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

namespace ranksight::bgq_support {
namespace {

std::string Refusal(const Machine& machine, int64_t ranks,
                    const std::string& text) {
  std::string reason;
  EXPECT_FALSE(Mapping::Read(machine, ranks, text, &reason)) << text;
  return reason;
}

TEST(Mapping, TheDefaultOrderCountsSlotsThenTheLastDimension) {
  std::string reason;
  const Machine machine = *Machine::Parse("bgq:32", &reason);
  const auto mapping = Mapping::FromOrder(machine, 512, 16, "", &reason);
  ASSERT_TRUE(mapping.has_value()) << reason;
  for (int rank = 0; rank < 512; ++rank) {
    EXPECT_EQ(mapping->places()[size_t(rank)], (Place{rank / 16, rank % 16}));
  }
  EXPECT_EQ(*mapping, *Mapping::FromOrder(machine, 512, 16, "ABCDET", &reason));
}

// What the control system of Blue Gene/Q answers for blocks of 4, 8 and 16 node
// boards in its default order, one rank a node: the tests of locate_rank in
// IBM's published sources (runjob, in github.com/jedbrown/bgq-driver).
TEST(Mapping, RanksLieWhereTheControlSystemOfBlueGeneQFindsThem) {
  struct Located {
    const char* machine;
    int ranks, rank;
    Coordinates at;
  };
  for (const Located& l : {Located{"bgq:128", 128, 7, {0, 0, 0, 3, 1}},
                           {"bgq:128", 128, 24, {0, 0, 3, 0, 0}},
                           {"bgq:128", 128, 57, {0, 1, 3, 0, 1}},
                           {"bgq:128", 128, 112, {1, 1, 2, 0, 0}},
                           {"bgq:256", 256, 13, {0, 0, 1, 2, 1}},
                           {"bgq:256", 256, 96, {1, 1, 0, 0, 0}},
                           {"bgq:256", 256, 178, {2, 1, 2, 1, 0}},
                           {"bgq:256", 256, 212, {3, 0, 2, 2, 0}},
                           {"bgq:512", 512, 211, {1, 2, 2, 1, 1}},
                           {"bgq:512", 512, 511, {3, 3, 3, 3, 1}}}) {
    std::string reason;
    const Machine machine = *Machine::Parse(l.machine, &reason);
    const auto mapping =
        Mapping::FromOrder(machine, l.ranks, 1, "ABCDET", &reason);
    ASSERT_TRUE(mapping.has_value()) << reason;
    const Place place = mapping->places()[size_t(l.rank)];
    EXPECT_EQ(machine.torus.CoordinatesOf(place.node), l.at)
        << l.machine << " rank " << l.rank;
  }
}

TEST(Mapping, EveryPermutationOfTheLettersIsAnOrder) {
  std::string reason;
  const Machine machine = *Machine::Parse("bgq:4x2x1x2x2", &reason);
  const std::string letters = "ABCDET";
  std::string order = letters;
  std::set<std::string> files;
  do {
    const auto mapping = Mapping::FromOrder(machine, 64, 2, order, &reason);
    ASSERT_TRUE(mapping.has_value()) << order;
    // Rank by its digits, the last letter fastest.
    for (int rank = 0; rank < 64; ++rank) {
      int rest = rank;
      const Place place = mapping->places()[size_t(rank)];
      const Coordinates at = machine.torus.CoordinatesOf(place.node);
      for (size_t i = 6; i-- > 0;) {
        const size_t d = letters.find(order[i]);
        const int length = d == 5 ? 2 : machine.torus.dimensions()[d].length;
        EXPECT_EQ(d == 5 ? place.slot : at[d], rest % length);
        rest /= length;
      }
    }
    files.insert(mapping->Write(machine));
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(files.size(), 120u);  // C has one coordinate only
}

TEST(Mapping, NodesRunAsManyRanksAsTheirMachineHas) {
  std::string reason;
  const Machine plain = *Machine::Parse("2x2", &reason);
  EXPECT_EQ(FewestRanksPerNode(plain, 510), 128);
  EXPECT_EQ(FewestRanksPerNode(plain, 12), 3);
  EXPECT_TRUE(Mapping::FromOrder(plain, 512, 128, "", &reason)) << reason;
  EXPECT_TRUE(Mapping::Read(plain, 1, "0 0 127\n", &reason)) << reason;
  const Machine blue = *Machine::Parse("bgq:32", &reason);
  EXPECT_EQ(FewestRanksPerNode(blue, 96), 4);
  EXPECT_FALSE(Mapping::FromOrder(blue, 96, 3, "", &reason));
  EXPECT_EQ(reason, "a node of Blue Gene/Q runs 1, 2, 4, ... ranks, not 3");
  EXPECT_FALSE(Mapping::FromOrder(blue, 4096, 128, "", &reason));
  EXPECT_EQ(reason,
            "4096 ranks, 128 a node, do not fit on 32 nodes of 64 slots");
}

TEST(Mapping, HolesTakeNoRanks) {
  std::string reason;
  const Machine machine = *Machine::Parse("2x2-1", &reason);
  const auto mapping = Mapping::FromOrder(machine, 5, 2, "", &reason);
  ASSERT_TRUE(mapping.has_value()) << reason;
  EXPECT_EQ(mapping->places()[2], (Place{2, 0}));
  EXPECT_FALSE(Mapping::FromOrder(machine, 7, 2, "", &reason));
  EXPECT_EQ(Refusal(machine, 1, "0 1 0\n"), "1: no ranks on this node");
}

TEST(Mapping, MapFilesComeBackAsTheyWereWritten) {
  std::string reason;
  for (const char* name :
       {"bgq:64", "4x3mx2", "tofu-d:2x1x3", "bgq-block:0x0x2x2x0+2x2x2x1x2"}) {
    const Machine machine = *Machine::Parse(name, &reason);
    const int64_t ranks = machine.torus.nodes() * 4;
    const auto mapping =
        Mapping::FromOrder(machine, ranks, 4, "T" + machine.Letters(), &reason);
    ASSERT_TRUE(mapping.has_value()) << reason;
    const auto again =
        Mapping::Read(machine, ranks, mapping->Write(machine), &reason);
    ASSERT_TRUE(again.has_value()) << reason;
    EXPECT_EQ(*again, *mapping);
  }
}

TEST(Mapping, CommentsAndBlankLinesInMapFilesAreSkipped) {
  std::string reason;
  const Machine machine = *Machine::Parse("4x2", &reason);
  const auto mapping = Mapping::Read(
      machine, 2, "# X Y T\n\n 3\t1  0 # first\r\n   \n0 0 5\n1 1 1", &reason);
  ASSERT_TRUE(mapping.has_value()) << reason;
  EXPECT_EQ(mapping->places(), (std::vector<Place>{{7, 0}, {0, 5}}));
}

TEST(Mapping, AMapFileIsRefusedWithItsLine) {
  std::string reason;
  const Machine machine = *Machine::Parse("bgq:32", &reason);
  const std::string good = "0 0 0 0 0 0\n";
  EXPECT_EQ(Refusal(machine, 2, good), "1: places of 1 ranks, 2 needed");
  EXPECT_EQ(Refusal(machine, 1, ""), "0: places of 0 ranks, 1 needed");
  EXPECT_EQ(Refusal(machine, 1, good + "# x\n0 0 0 0 0 0\n"),
            "3: this place is taken already");
  EXPECT_EQ(Refusal(machine, 1, "0 0 0 0 0\n"),
            "1: 6 columns (ABCDET) expected, found 5");
  EXPECT_EQ(Refusal(machine, 1, good + "0 0 2 0 0 0\n"),
            "2: coordinate C=2 outside 2x2x2x2x2");
  EXPECT_EQ(Refusal(machine, 1, "0 0 0 0 0 64\n"),
            "1: slot T=64 outside 0 to 63");
  EXPECT_EQ(Refusal(machine, 1, "0 0 0 0 0 x\n"), "1: whole numbers expected");
  EXPECT_EQ(Refusal(machine, 1, "0 0 0 0 0 1.5\n"),
            "1: whole numbers expected");
  EXPECT_EQ(Refusal(machine, 1, "0 0 0 0 0 99999999999\n"),
            "1: whole numbers expected");
}

TEST(Mapping, DamagedMapFilesAreRefusedOrValid) {
  std::string reason;
  const Machine machine = *Machine::Parse("bgq:32", &reason);
  const auto mapping = Mapping::FromOrder(machine, 64, 2, "", &reason);
  const std::string good = mapping->Write(machine);
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text = good.substr(0, random() % (good.size() + 1));
    for (unsigned i = random() % 4; i-- > 0 && !text.empty();) {
      text[random() % text.size()] = static_cast<char>(random() % 256);
    }
    const auto read = Mapping::Read(machine, 20, text, &reason);
    if (!read) {
      EXPECT_NE(reason.find(": "), std::string::npos);
      continue;
    }
    ASSERT_EQ(read->ranks(), 20);
    for (const Place& place : read->places()) {
      EXPECT_TRUE(place.node >= 0 && place.node < 32 && place.slot >= 0 &&
                  place.slot < 64);
    }
  }
}

TEST(Mapping, MachinesTooSmallAreRefused) {
  std::string reason;
  const Machine machine = *Machine::Parse("bgp:512", &reason);
  EXPECT_TRUE(Mapping::FromOrder(machine, 2048, 4, "", &reason));
  EXPECT_FALSE(Mapping::FromOrder(machine, 2049, 4, "", &reason));
  EXPECT_FALSE(Mapping::FromOrder(machine, 8, 5, "", &reason));
  EXPECT_FALSE(Mapping::FromOrder(machine, 8, 1, "XYZ", &reason));
  EXPECT_FALSE(Mapping::FromOrder(machine, 8, 1, "XYZZ", &reason));
}

}  // namespace
}  // namespace ranksight::bgq_support
