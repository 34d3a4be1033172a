#include "reduction/api/folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/unit/reduction/program.h"

namespace ranksight::reduction {
namespace {

using testing::Program;
using testing::Read;

// Folds a word whose letters are call sites in code order.
class Letters {
 public:
  void Push(const std::string& word) {
    for (const char c : word) {
      CallSite site{{{module_, uint64_t(c)}}};
      Event e(Call::MPI_Barrier_);
      e.Add(0);
      e.site = folder_.AddSite(site);
      folder_.Push(e, 5, 1);
    }
  }
  Trace trace() const { return folder_.Snapshot(0, 1); }
  // The tree as text: A B(trips) {...}(trips).
  std::string Tree() const { return Text(trace().root, trace()); }
  std::string Expanded() const {
    const Trace t = trace();
    std::string word;
    auto cursor = Cursor::Open(t, 0);
    while (cursor->Next()) word += Letter(cursor->node(), t);
    return cursor->status().ok() ? word : cursor->status().message();
  }
  // How often the i-th child of the first loop runs, by iteration.
  std::vector<int64_t> Trips(size_t i) const {
    const Trace t = trace();
    return t.root.children[0].children[i].trips.At(0).Expand();
  }

 private:
  static char Letter(const Node& n, const Trace& t) {
    return char(t.sites.sites[n.site].frames[0].offset);
  }
  static std::string Text(const Node& node, const Trace& t) {
    std::string text;
    for (const Node& child : node.children) {
      text += child.is_event() ? std::string(1, Letter(child, t))
                               : "{" + Text(child, t) + "}";
    }
    return text;
  }
  Folder folder_;
  uint32_t module_ = folder_.AddModule({"00", "letters"});
};

std::string Times(int n, const std::string& word) {
  std::string all;
  for (int i = 0; i < n; ++i) all += word;
  return all;
}

TEST(Folder, StraightCodeStaysALine) {
  Letters l;
  l.Push("ABCD");
  EXPECT_EQ(l.Tree(), "ABCD");
}

TEST(Folder, ALoopIsFoundWhenItsFirstSiteComesAgain) {
  Letters l;
  l.Push("X" + Times(50, "ABC") + "Y");
  EXPECT_EQ(l.Tree(), "X{ABC}Y");
}

TEST(Folder, NestedLoopsWithChangingTripCountsAreTwoLoops) {
  Letters l;
  std::string word;
  for (int i = 0; i < 20; ++i) word += "A" + Times(1 + i % 4, "BC") + "D";
  l.Push(word);
  EXPECT_EQ(l.Tree(), "{A{BC}D}");
  EXPECT_EQ(l.Expanded(), word);
}

// Compilers put what rarely runs behind the end of the function, as Z here.
TEST(Folder, WhatFollowsALoopStaysBehindItWhereverPartsOfTheLoopWerePut) {
  Letters l;
  const std::string word = Times(3, Times(20, "ABC") + "Z") + "XYY";
  l.Push(word);
  EXPECT_EQ(l.Tree(), "{{ABC}Z}XY");
  EXPECT_EQ(l.Expanded(), word);
}

// As the case of a rank with two neighbours, which jumps there and back.
TEST(Folder, WhatFollowsALoopStaysBehindItWhereItsMiddleWasPutBehindBoth) {
  Letters l;
  const std::string word = Times(5, "AZBC") + "XYY";
  l.Push(word);
  EXPECT_EQ(l.Tree(), "{AZBC}XY");
  EXPECT_EQ(l.Expanded(), word);
}

TEST(Folder, WhatOnlyALastIterationCallsInTheMiddleOfALoopIsPartOfIt) {
  Letters l;
  const std::string word = Times(5, "AC") + "ABCD";
  l.Push(word);
  EXPECT_EQ(l.Tree(), "{ABC}D");
  EXPECT_EQ(l.Expanded(), word);
}

// On ranks that do not call Z nothing tells X from the end of a loop inside,
// wherever Z was put: all have the tree of those.
TEST(Folder, WhatEndsRoundsOfALoopEndsThemWhereItsMiddleWasPutBehindBoth) {
  const struct {
    std::string word, tree;
  } cases[] = {
      {Times(3, "AZB") + "X" + Times(3, "AZB") + "Y", "{{AZB}X}Y"},
      {Times(3, Times(2, "AZBC") + "X"), "{{AZBC}X}"},
      {Times(4, Times(3, Times(2, "AZBC") + "X") + "Y"), "{{{AZBC}X}Y}"},
      {Times(4, Times(2, "AZBC") + "XY") + "W", "{{AZBC}XY}W"},
      // The code of G, of earlier rounds only, stands behind what follows.
      {"BFFFCBGBFFFCBFFFCDE", "{{BFC}G}DE"},
  };
  for (const auto& [word, tree] : cases) {
    Letters l, without;
    l.Push(word);
    EXPECT_EQ(l.Tree(), tree) << word;
    EXPECT_EQ(l.Expanded(), word);
    std::string rest = word, expected = tree;
    std::erase(rest, 'Z');
    std::erase(expected, 'Z');
    without.Push(rest);
    EXPECT_EQ(without.Tree(), expected) << rest;
  }
}

// X alone is an iteration of the loop when it is found, and then none.
TEST(Folder, NoIterationIsLeftOfALoopInWhichOnlyWhatFollowsRan) {
  Letters l;
  const std::string word =
      "P" + Times(3, "AZBC") + "XQPXQP" + Times(2, "AZBC") + "XQ";
  l.Push(word);
  EXPECT_EQ(l.Tree(), "{P{AZBC}XQ}");
  EXPECT_EQ(l.Trips(1), (std::vector<int64_t>{3, 0, 2}));
  EXPECT_EQ(l.Expanded(), word);
}

TEST(Folder, AnEventOfSomeIterationsIsOptionalNotANewLoop) {
  Letters l;
  std::string word;
  for (int i = 0; i < 30; ++i) word += i % 5 == 3 ? "ABC" : "AC";
  l.Push(word);
  EXPECT_EQ(l.Tree(), "{ABC}");
  EXPECT_EQ(l.Expanded(), word);
}

TEST(Folder, WhatFollowsALoopInTheCodeIsNotPartOfIt) {
  Letters l;
  l.Push(Times(9, "ABC") + "AB" + "YZ");  // left by a break after B
  EXPECT_EQ(l.Tree(), "{ABC}YZ");
}

std::string Letter(int i) { return std::string(1, char(i)); }

// Loops that each enclose the one before, told by which letters come again.
std::vector<std::string> DeepWords(int letters) {
  std::string cases, overlapping, growing, inside;
  for (int i = 2; i < letters; ++i) {
    cases += Letter(1) + Letter(i);
    overlapping += Letter(1) + Letter(i - 1) + Letter(i);
  }
  for (int i = letters - 1; i > 0; --i) {
    for (int j = i; j < letters; ++j) growing += Letter(j);
  }
  for (int round = 0; round < 3; ++round) inside += growing + cases;
  std::string straight;
  for (int i = 1; i < letters; ++i) straight += Letter(i);
  return {cases,
          overlapping,
          straight + growing,
          inside,
          straight + growing + cases,
          cases + overlapping + growing};
}

int Levels(const Node& node) {
  int levels = 0;
  for (const Node& child : node.children) {
    if (!child.is_event()) levels = std::max(levels, 1 + Levels(child));
  }
  return levels;
}

// As in a loop over the cases of a switch: each round may enclose all before.
TEST(Folder, LoopsNeverNestDeeperThanFilesMay) {
  for (const int letters : {20, 60, 70, 250}) {
    for (const std::string& word : DeepWords(letters)) {
      Letters l;
      l.Push(word);
      ASSERT_EQ(l.Expanded(), word);
      EXPECT_LE(Levels(l.trace().root), 64);
    }
  }
}

TEST(Folder, WhatADeepLoopTakesUpKeepsItsPlace) {
  std::mt19937 rng(7);
  for (int round = 0; round < 60; ++round) {
    std::string word;
    while (word.size() < 6000) {
      const auto words = DeepWords(int(100 + rng() % 150));
      const std::string& whole = words[rng() % words.size()];
      const size_t from = rng() % whole.size();
      word += whole.substr(from, rng() % 600);
    }
    Letters l;
    l.Push(word);
    ASSERT_EQ(l.Expanded(), word);
    ASSERT_LE(Levels(l.trace().root), 64);
  }
}

TEST(Folder, OneSiteRepeatedIsATripCount) {
  Letters l;
  l.Push("AAAB" + Times(4, "AAAB"));
  EXPECT_EQ(l.Tree(), "{AB}");
}

TEST(Folder, EveryWordOfFourSitesUpToSixLettersIsKept) {
  for (int length = 1; length <= 6; ++length) {
    for (int code = 0; code < 1 << (2 * length); ++code) {
      std::string word;
      for (int i = 0; i < length; ++i) word += char('A' + (code >> 2 * i) % 4);
      Letters l;
      l.Push(word);
      ASSERT_EQ(l.Expanded(), word);
    }
  }
}

TEST(Folder, EachSiteStandsInTheTreeOnce) {
  std::mt19937 rng(5);
  for (int round = 0; round < 200; ++round) {
    std::string word;
    for (int i = 0; i < 200; ++i) word += char('A' + rng() % 6);
    Letters l;
    l.Push(word);
    ASSERT_EQ(l.Expanded(), word);
    int events = 0;
    const Trace t = l.trace();
    ForEachEvent(t.root, [&events](const Node&) { ++events; });
    ASSERT_LE(events, 6);
  }
}

TEST(Folder, KeepsEveryEventOfMadeUpPrograms) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    Program program(seed);
    for (int64_t rank = 0; rank < 3; ++rank) {
      Folder folder;
      const auto raw = program.Run(rank, 3, &folder);
      ASSERT_EQ(Read(folder.Snapshot(rank, 3), rank), raw) << "seed " << seed;
      ASSERT_EQ(CountEvents(folder.Snapshot(rank, 3)), raw.size());
    }
  }
}

TEST(Folder, SnapshotsDoNotDisturbFolding) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    Letters once, often;
    std::mt19937 rng(seed);
    for (int i = 0; i < 100; ++i) {
      const std::string c(1, char('A' + rng() % 4));
      once.Push(c);
      often.Push(c);
      (void)often.trace();
    }
    ASSERT_EQ(once.trace(), often.trace());
  }
}

TEST(Folder, FormDoesNotDependOnWhenALoopWasFound) {
  // The inner loop first runs in the fourth iteration.
  Letters l;
  std::string word = Times(3, "AD") + "ABCBCD" + Times(3, "AD") + "ABCD";
  l.Push(word);
  EXPECT_EQ(l.Tree(), "{A{BC}D}");
  EXPECT_EQ(l.Expanded(), word);
  const Trace t = l.trace();
  const Node& inner = t.root.children[0].children[1];
  EXPECT_EQ(inner.trips.At(0).Expand(),
            (std::vector<int64_t>{0, 0, 0, 2, 0, 0, 0, 1}));
  EXPECT_EQ(inner.children[0].trips.At(0).Expand(),
            (std::vector<int64_t>{1, 1, 1}));
}

TEST(Folder, ManyEventsOfALoopStaySmall) {
  Letters l;
  for (int i = 0; i < 100; ++i) l.Push(Times(500, "ABCD"));
  EXPECT_EQ(CountNodes(l.trace()), 5u);
  EXPECT_EQ(CountEvents(l.trace()), 200000u);
}

}  // namespace
}  // namespace ranksight::reduction
