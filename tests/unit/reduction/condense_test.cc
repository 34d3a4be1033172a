#include "reduction/api/condense.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/merge.h"
#include "tests/unit/reduction/program.h"

namespace ranksight::reduction {
namespace {

using testing::Program;
using testing::Read;

using Lists = std::vector<std::vector<int64_t>>;

// One event; rank r sends lists[r] over and over.
Trace Repeating(const Lists& lists, int rounds) {
  Trace trace;
  trace.meta.ranks = int64_t(lists.size());
  trace.sites.modules.push_back({"ab", "app"});
  trace.sites.sites.push_back({{{0, 16}}});
  Node event;
  event.kind = Node::Kind::kEvent;
  event.call = Call::MPI_Barrier_;
  event.params.emplace_back();
  for (size_t r = 0; r < lists.size(); ++r) {
    Section values;
    for (int i = 0; i < rounds; ++i) {
      for (const int64_t v : lists[r]) values.Append(v);
    }
    event.params[0].Add(int64_t(r), values, false);
    event.trips.Add(int64_t(r), Section::Constant(int64_t(values.size()), 1),
                    false);
  }
  trace.root.children.push_back(std::move(event));
  return trace;
}

const Parameter& Values(const Trace& t) { return t.root.children[0].params[0]; }

Lists RandomLists(size_t ranks, size_t length, uint32_t seed) {
  std::mt19937 rng(seed);
  Lists lists(ranks, std::vector<int64_t>(length));
  for (auto& list : lists) {
    for (int64_t& v : list) v = 4 + int64_t(rng() % 3);
  }
  return lists;
}

TEST(Condense, RepeatedListsOfOneLengthAreOnePiece) {
  Trace trace = Repeating(RandomLists(40, 7, 1), 300);
  EXPECT_GT(Values(trace).pieces().size(), 8u);
  Trace condensed = trace;
  Condense(&condensed);
  EXPECT_EQ(Values(condensed).pieces().size(), 1u);
  for (int64_t r = 0; r < 40; ++r) {
    EXPECT_TRUE(Values(condensed).At(r).SameValues(Values(trace).At(r)));
  }
  EXPECT_LT(Encode(condensed, SketchForm::kQuantiles).size(),
            Encode(trace, SketchForm::kQuantiles).size());
}

TEST(Condense, ListsOfDifferentLengthStayAsTheyAre) {
  Lists lists = RandomLists(12, 6, 2);
  lists[5].push_back(9);
  Trace trace = Repeating(lists, 300);
  const Trace before = trace;
  Condense(&trace);
  EXPECT_EQ(trace, before);
}

TEST(Condense, AListThatChangesAtEitherEndIsNotARepetition) {
  for (const bool front : {true, false}) {
    Trace trace = Repeating(RandomLists(20, 5, 3), 100);
    Parameter changed;
    for (int64_t r = 0; r < 20; ++r) {
      auto values = Values(trace).At(r).Expand();
      if (r == 11) values[front ? 0 : values.size() - 1] = 77;
      changed.Add(r, Section::Of(values), false);
    }
    trace.root.children[0].params[0] = changed;
    Condense(&trace);
    for (int64_t r = 0; r < 20; ++r) {
      EXPECT_TRUE(Values(trace).At(r).SameValues(changed.At(r)));
    }
  }
}

TEST(Condense, TwiceIsOnceAndStreamsStay) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Trace all;
    std::vector<std::vector<std::string>> raw;
    for (int64_t r = 0; r < 9; ++r) {
      Program program(seed);
      Folder folder;
      raw.push_back(program.Run(r, 9, &folder));
      Trace mine = folder.Snapshot(r, 9);
      if (r == 0) {
        all = std::move(mine);
      } else {
        ASSERT_TRUE(MergeInto(&all, std::move(mine)).ok());
      }
    }
    Condense(&all);
    Trace again = all;
    Condense(&again);
    ASSERT_EQ(again, all);
    for (int64_t r = 0; r < 9; ++r) ASSERT_EQ(Read(all, r), raw[size_t(r)]);
  }
}

TEST(Parameter, ByRankAgreesWithAt) {
  const Trace trace = Repeating(RandomLists(30, 4, 5), 50);
  const auto all = Values(trace).ByRank();
  ASSERT_EQ(all.size(), 30u);
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].first, int64_t(i));
    EXPECT_EQ(all[i].second, Values(trace).At(int64_t(i)));
  }
}

}  // namespace
}  // namespace ranksight::reduction
