#include "reduction/api/same_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/reduction/program.h"

namespace ranksight::reduction {
namespace {

using testing::Program;
using testing::Read;

bool All(Param) { return true; }

Trace RunOnce(uint32_t seed, std::vector<std::string>* lines) {
  Program program(seed);
  Folder folder;
  *lines = program.Run(1, 3, &folder);
  return folder.Snapshot(1, 3);
}

// One number of one sequence of rank 1 becomes another one.
void Change(std::mt19937* rng, Parameter* p) {
  std::vector<int64_t> values = p->At(1).Expand();
  if (values.empty()) return;
  values[(*rng)() % values.size()] += 1;
  *p = Parameter();
  p->Add(1, Section::Of(values), false);
}

TEST(CountSame, EventsBeforeAChangedArgument) {
  int late = 0;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::vector<std::string> lines;
    const Trace a = RunOnce(seed, &lines);
    ASSERT_EQ(CountSame(a, a, 1, All), UINT64_MAX);
    Trace b = a;
    std::mt19937 rng(seed);
    std::vector<Node*> sends;
    ForEachEvent(b.root, [&](Node& n) {
      if (n.call == Call::MPI_Send_) sends.push_back(&n);
    });
    if (sends.empty()) continue;
    Node& send = *sends[rng() % sends.size()];
    Change(&rng, &send.params[0]);
    const auto changed = Read(b, 1);
    const auto at =
        std::mismatch(lines.begin(), lines.end(), changed.begin()).first;
    ASSERT_EQ(CountSame(a, b, 1, All), uint64_t(at - lines.begin()))
        << "seed " << seed;
    late += at - lines.begin() > 20;
  }
  EXPECT_GT(late, 20);
}

TEST(CountSame, EventsBeforeTheFirstOfManyChangedArguments) {
  int later_place = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    std::vector<std::string> lines;
    const Trace a = RunOnce(seed, &lines);
    Trace b = a;
    std::mt19937 rng(seed);
    std::vector<Node*> sends;
    ForEachEvent(b.root, [&](Node& n) {
      if (n.call == Call::MPI_Send_) sends.push_back(&n);
    });
    if (sends.size() < 2) continue;
    uint64_t of_first_place = UINT64_MAX;
    for (Node* send : sends) {
      Change(&rng, &send->params[0]);
      if (send == sends.front()) of_first_place = CountSame(a, b, 1, All);
    }
    const auto changed = Read(b, 1);
    const auto at =
        std::mismatch(lines.begin(), lines.end(), changed.begin()).first;
    const uint64_t same =
        at == lines.end() ? UINT64_MAX : uint64_t(at - lines.begin());
    ASSERT_EQ(CountSame(a, b, 1, All), same) << "seed " << seed;
    later_place += same < of_first_place;
  }
  // In some another place of the program differs earlier than the first one.
  EXPECT_GT(later_place, 5);
}

// Behind a changed trip count the next event may happen to be the same.
TEST(CountSame, NoMoreEventsThanAreTheSameWhereATripCountChanged) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::vector<std::string> lines;
    const Trace a = RunOnce(seed, &lines);
    Trace b = a;
    std::mt19937 rng(seed);
    std::vector<Node*> nodes;
    const auto collect = [&](auto& self, Node& n) -> void {
      for (Node& child : n.children) {
        nodes.push_back(&child);
        self(self, child);
      }
    };
    collect(collect, b.root);
    if (nodes.empty()) continue;
    Change(&rng, &nodes[rng() % nodes.size()]->trips);
    const auto changed = Read(b, 1);
    const auto at = std::mismatch(lines.begin(), lines.end(), changed.begin(),
                                  changed.end());
    const uint64_t same = CountSame(a, b, 1, All);
    ASSERT_LE(same, uint64_t(at.first - lines.begin())) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ranksight::reduction
