// Compiled schedules read again by another reader, who follows the layout that
// LogGOPSim's own does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "adapters/goal/compiled.h"

namespace ranksight::adapters::goal {
namespace {

using Kind = Operation::Kind;

struct MadeGoalOperation {
  Operation operation;
  std::vector<Dependency> behind;
};

// Operations 1, 2, ..., each behind some that came before it.
std::vector<MadeGoalOperation> RandomGraph(size_t operations, uint32_t seed) {
  std::mt19937 random(seed);
  constexpr Kind kKinds[] = {Kind::kCompute, Kind::kJoin, Kind::kSend,
                             Kind::kReceive};
  std::vector<MadeGoalOperation> graph(operations);
  for (size_t i = 0; i < operations; ++i) {
    Operation& o = graph[i].operation;
    o.kind = kKinds[random() % 4];
    o.amount = int64_t(random()) << (random() % 8);
    o.peer = int64_t(random() % 1000);
    o.tag = int64_t(random() % 20'000'000);
    for (size_t on = 1; on <= i; ++on) {
      if (random() % (i + 1) < 2) {
        graph[i].behind.push_back({int64_t(on), random() % 2 == 0});
      }
    }
  }
  return graph;
}

std::string CompiledOf(const std::vector<MadeGoalOperation>& graph) {
  CompiledRank rank;
  for (const MadeGoalOperation& made : graph)
    rank.Add(made.operation, made.behind);
  EXPECT_TRUE(rank.fits());
  return rank.TakeBytes();
}

template <class T>
T ReadAt(const std::string& bytes, size_t at) {
  T value{};
  EXPECT_LE(at + sizeof value, bytes.size());
  if (at + sizeof value <= bytes.size()) {
    std::memcpy(&value, bytes.data() + at, sizeof value);
  }
  return value;
}

// The record of an operation, and those that stand behind its end or start.
struct ReadGoalOperation {
  uint32_t behind_count;
  uint8_t type;
  uint32_t peer;
  uint64_t size;
  uint32_t tag;
  std::vector<uint32_t> after_end, after_start;
};

std::vector<uint32_t> ReadGoalList(const std::string& bytes, size_t table,
                                   size_t count_at) {
  const auto count = ReadAt<uint32_t>(bytes, count_at);
  const auto place = ReadAt<uint32_t>(bytes, count_at + 4);
  std::vector<uint32_t> list;
  for (uint32_t i = 0; i < count; ++i) {
    list.push_back(ReadAt<uint32_t>(bytes, table + 4 * (place + i)));
  }
  return list;
}

struct ReadGoalRank {
  std::vector<uint32_t> free;
  std::vector<ReadGoalOperation> operations;
};

ReadGoalRank ReadCompiled(const std::string& bytes) {
  ReadGoalRank rank;
  const auto operations = ReadAt<uint32_t>(bytes, 0);
  const auto free = ReadAt<uint32_t>(bytes, 4);
  for (uint32_t i = 0; i < free; ++i) {
    rank.free.push_back(ReadAt<uint32_t>(bytes, 8 + 4 * size_t(i)));
  }
  const size_t records = 8 + 4 * size_t(free);
  const size_t table = records + 39 * size_t(operations);
  for (size_t at = records; at < table; at += 39) {
    rank.operations.push_back(
        {ReadAt<uint32_t>(bytes, at), ReadAt<uint8_t>(bytes, at + 4),
         ReadAt<uint32_t>(bytes, at + 5), ReadAt<uint64_t>(bytes, at + 9),
         ReadAt<uint32_t>(bytes, at + 17), ReadGoalList(bytes, table, at + 23),
         ReadGoalList(bytes, table, at + 31)});
  }
  return rank;
}

// Those behind operation `on`, in the order of the graph.
std::vector<uint32_t> GoalAfter(const std::vector<MadeGoalOperation>& graph,
                                size_t on, bool started_only) {
  std::vector<uint32_t> after;
  for (size_t i = 0; i < graph.size(); ++i) {
    for (const Dependency& d : graph[i].behind) {
      if (d.on == int64_t(on) + 1 && d.started_only == started_only) {
        after.push_back(uint32_t(i));
      }
    }
  }
  return after;
}

TEST(CompiledGoal, ReadsAsTheGraphThatWasWritten) {
  for (const size_t operations : {0, 1, 2, 7, 60}) {
    for (uint32_t seed = 0; seed < 20; ++seed) {
      const auto graph = RandomGraph(operations, seed);
      const ReadGoalRank rank = ReadCompiled(CompiledOf(graph));
      ASSERT_EQ(rank.operations.size(), graph.size());
      std::vector<uint32_t> free;
      for (size_t i = 0; i < graph.size(); ++i) {
        const Operation& made = graph[i].operation;
        const ReadGoalOperation& read = rank.operations[i];
        EXPECT_EQ(read.behind_count, graph[i].behind.size());
        EXPECT_EQ(read.type, made.kind == Kind::kSend      ? 1
                             : made.kind == Kind::kReceive ? 2
                                                           : 3);
        EXPECT_EQ(read.peer, made.peer);
        EXPECT_EQ(read.size, uint64_t(made.amount));
        EXPECT_EQ(read.tag, made.tag);
        EXPECT_EQ(read.after_end, GoalAfter(graph, i, false));
        EXPECT_EQ(read.after_start, GoalAfter(graph, i, true));
        if (graph[i].behind.empty()) free.push_back(uint32_t(i));
      }
      EXPECT_EQ(rank.free, free);
    }
  }
}

TEST(CompiledGoal, TheHeadSaysWhereEachRankLies) {
  const std::vector<uint64_t> sizes = {10, 0, 7};
  const std::string head = CompiledHead(sizes);
  EXPECT_EQ(ReadAt<uint64_t>(head, 0), 4223u);
  EXPECT_EQ(ReadAt<uint32_t>(head, 8), sizes.size());
  // Places are counted from behind the magic number.
  uint64_t at = head.size() - 8;
  for (size_t rank = 0; rank < sizes.size(); ++rank) {
    EXPECT_EQ(ReadAt<uint64_t>(head, 14 + 16 * rank), at);
    at += sizes[rank];
    EXPECT_EQ(ReadAt<uint64_t>(head, 22 + 16 * rank), at);
  }
}

}  // namespace
}  // namespace ranksight::adapters::goal
