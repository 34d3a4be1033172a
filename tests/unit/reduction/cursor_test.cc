#include "reduction/api/cursor.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/reduction/program.h"

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

TEST(Cursor, SkippingIsStepping) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    testing::Program program(seed);
    Folder folder;
    const auto lines = program.Run(1, 3, &folder);
    const Trace trace = folder.Snapshot(1, 3);
    const size_t step = 1 + lines.size() / 40;
    for (size_t skipped = 0; skipped <= lines.size() + 1; skipped += step) {
      auto cursor = Cursor::Open(trace, 1);
      ASSERT_TRUE(cursor.ok());
      cursor->Skip(skipped);
      std::map<const Node*, uint64_t> next;
      for (size_t i = skipped; i < lines.size(); ++i) {
        ASSERT_TRUE(cursor->Next()) << "seed " << seed << " " << skipped;
        ASSERT_EQ(CanonicalText(cursor->event()), lines[i])
            << "seed " << seed << " " << skipped;
        const auto [at, is_new] =
            next.try_emplace(&cursor->node(), cursor->occurrence());
        ASSERT_EQ(cursor->occurrence(), at->second++) << "seed " << seed;
      }
      ASSERT_FALSE(cursor->Next());
      ASSERT_TRUE(cursor->status().ok());
    }
  }
}

// Splits and duplicates in a loop, some into nothing, with a reduction over the
// latest after each; the sizes by hand.
TEST(Cursor, KnowsHowManyShareWhereverItBegins) {
  Folder folder;
  const uint32_t module = folder.AddModule({"ab12", "made-up"});
  std::vector<std::string> lines;
  const auto push = [&](Event e, uint64_t address) {
    e.site = folder.AddSite({{{module, address}}});
    folder.Push(e, 0, 0);
  };
  const auto reduce = [&](int64_t comm, int64_t members) {
    Event e(Call::MPI_Reduce_scatter_block_);
    for (const Param p : Info(e.call()).params) {
      e.Add(p == Param::kComm                             ? comm
            : p == Param::kCount || p == Param::kTypeSize ? 2
                                                          : 0);
    }
    push(e, 16);
    lines.push_back("MPI_Reduce_scatter_block comm=" + std::to_string(comm) +
                    " bytes=" + std::to_string(4 * members));
  };
  int64_t next = 2;
  for (int64_t i = 0; i < 12; ++i) {
    reduce(0, 7);
    const int64_t size = i % 4;
    Event split(Call::MPI_Comm_split_);
    for (const Param p : Info(split.call()).params) {
      split.Add(p == Param::kCommSize ? size : 0);
    }
    push(split, 32);
    lines.push_back("MPI_Comm_split comm=0 n=" + std::to_string(size));
    if (size > 0) reduce(next++, size);
    reduce(1, 1);
  }
  const Trace trace = folder.Snapshot(3, 7);
  for (size_t skipped = 0; skipped < lines.size(); ++skipped) {
    auto cursor = Cursor::Open(trace, 3);
    cursor->Skip(skipped);
    for (size_t i = skipped; i < lines.size(); ++i) {
      ASSERT_TRUE(cursor->Next());
      ASSERT_EQ(CanonicalText(cursor->event()), lines[i]) << skipped;
    }
  }
}

// Where iterations of loops begin when they are walked one by one, in a tree of
// one rank: by the loop, first event and how many.
using Stretches = std::map<const Node*, std::vector<std::pair<size_t, size_t>>>;

class IterationWalk {
 public:
  explicit IterationWalk(const Trace& trace) { Iterate(trace.root); }
  const Stretches& stretches() const { return stretches_; }

 private:
  void Iterate(const Node& loop) {
    const size_t begin = events_;
    const size_t number = stretches_[&loop].size();
    stretches_[&loop].emplace_back(begin, 0);
    for (const Node& child : loop.children) {
      const Section trips = child.trips.At(1);
      if (trips.empty()) continue;
      const int64_t runs = trips.At(taken_[&child]++);
      for (int64_t i = 0; i < runs; ++i) {
        if (child.is_event()) {
          ++events_;
        } else {
          Iterate(child);
        }
      }
    }
    stretches_[&loop][number].second = events_ - begin;
  }
  Stretches stretches_;
  std::map<const Node*, uint64_t> taken_;  // trip counts
  size_t events_ = 0;
};

TEST(Cursor, FindsEachIterationOfEachLoop) {
  size_t loops = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    testing::Program program(seed);
    Folder folder;
    program.Run(1, 3, &folder);
    const Trace trace = folder.Snapshot(1, 3);
    const IterationWalk walk(trace);
    const auto cursor = Cursor::Open(trace, 1);
    ASSERT_TRUE(cursor.ok());
    for (const auto& [loop, all] : walk.stretches()) {
      ++loops;
      for (size_t i = 0; i < all.size(); ++i) {
        const auto found = cursor->FindIteration(*loop, i);
        ASSERT_TRUE(found.has_value()) << "seed " << seed << " " << i;
        EXPECT_EQ(found->before, all[i].first) << "seed " << seed << " " << i;
        EXPECT_EQ(found->events, all[i].second) << "seed " << seed << " " << i;
      }
      EXPECT_FALSE(cursor->FindIteration(*loop, all.size()).has_value());
    }
  }
  EXPECT_GT(loops, 100u);
}

TEST(Cursor, RoundsGoOnBehindWhatWasSkipped) {
  testing::Program program(3);
  Folder folder;
  const auto lines = program.Run(1, 3, &folder);
  const Trace trace = folder.Snapshot(1, 3);
  auto walked = Cursor::Open(trace, 1);
  for (size_t skipped = 0; walked->Next(); ++skipped) {
    auto cursor = Cursor::Open(trace, 1);
    cursor->Skip(skipped);
    ASSERT_TRUE(cursor->Next());
    ASSERT_EQ(cursor->round(), walked->round());
    ASSERT_EQ(cursor->occurrence(), walked->occurrence());
  }
}

}  // namespace
}  // namespace ranksight::reduction
