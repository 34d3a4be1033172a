#include "reduction/queue/event_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "reduction/api/distribution.h"

namespace ranksight::reduction {
namespace {

Node NodeOf(Call call) {
  Node node;
  node.kind = Node::Kind::kEvent;
  node.call = call;
  node.site = 3;
  node.params.resize(Info(call).params.size());
  return node;
}

// Events of one node by phases: in each some values stay, some take turns, some
// go up by a step and some have no order; arrays stay, take turns, or change
// their values or their length.
class Phases {
 public:
  Phases(Call call, uint32_t seed) : call_(call), rng_(seed) {
    const size_t phases = 1 + rng_() % 6;
    for (size_t i = 0; i < phases; ++i) AddPhase();
  }
  const std::vector<Event>& events() const { return events_; }
  std::vector<Section> Sections() const {
    std::vector<Section> sections(Info(call_).params.size());
    for (const Event& e : events_) {
      for (size_t i = 0; i < sections.size(); ++i) {
        for (const int64_t v : e.ValuesAt(int(i))) sections[i].Append(v);
      }
    }
    return sections;
  }

 private:
  int64_t Below(int64_t n) { return int64_t(rng_() % uint64_t(n)); }

  // The i-th value of a phase that takes its values in this way.
  int64_t Value(int64_t way, int64_t i) {
    switch (way % 4) {
      case 0:
        return way;
      case 1:
        return i % (2 + way % 3);
      case 2:
        return way + 8 * i;
      default:
        return Below(5);
    }
  }

  void AddPhase() {
    const auto params = Info(call_).params;
    std::vector<int64_t> ways;
    for (size_t i = 0; i < params.size(); ++i) {
      ways.push_back(Below(3) == 0 ? Below(100) : 4 * Below(20));
    }
    const int64_t lengths_vary = Below(4), longest = Below(3) == 0 ? 80 : 9;
    const int64_t length = Below(longest), events = 1 + Below(60);
    for (int64_t i = 0; i < events; ++i) {
      Event e(call_);
      for (size_t p = 0; p < params.size(); ++p) {
        const bool is_length = std::ranges::any_of(params, [&](Param array) {
          return IsArray(array) && LengthOf(call_, array) == params[p];
        });
        if (is_length) {
          e.Add(lengths_vary == 0 ? Below(longest) : length);
        } else if (!IsArray(params[p])) {
          e.Add(Value(ways[p], i));
        } else {
          std::vector<int64_t> values;
          const int64_t n = e.Get(LengthOf(call_, params[p]));
          for (int64_t k = n; k > 0; --k) {
            const int64_t turn = ways[p] % 4 == 1 ? i % 2 : 0;
            values.push_back(ways[p] % 4 == 3 ? Below(9) : ways[p] + k + turn);
          }
          e.AddArray(values);
        }
      }
      events_.push_back(e);
    }
  }

  Call call_;
  std::mt19937 rng_;
  std::vector<Event> events_;
};

// The events of a node with these sections, and where they ended early.
struct Reading {
  Reading(const Node& node, const std::vector<Section>& sections) {
    values.Begin(&node, sections);
  }
  const Event* Next() { return values.Next(&space, &parameter); }
  size_t CountTheRest() {
    size_t events = 0;
    while (Next() != nullptr) ++events;
    return events;
  }
  EventValues values;
  EventValues::Space space;
  size_t parameter = 9;
};

TEST(EventValues, AreTheValuesOfTheSections) {
  for (const Call call : {Call::MPI_Isend_, Call::MPI_Waitsome_,
                          Call::MPI_Alltoallv_, Call::MPI_Finalize_}) {
    const Node node = NodeOf(call);
    for (uint32_t seed = 0; seed < 200; ++seed) {
      const Phases phases(call, seed);
      const std::vector<Section> sections = phases.Sections();
      Reading reading(node, sections);
      for (const Event& wanted : phases.events()) {
        const Event* found = reading.Next();
        ASSERT_NE(found, nullptr) << "seed " << seed;
        ASSERT_TRUE(std::ranges::equal(found->values(), wanted.values()));
        ASSERT_TRUE(std::ranges::equal(found->offsets(), wanted.offsets()));
        ASSERT_EQ(found->call(), call);
        ASSERT_EQ(found->site, node.site);
      }
      if (sections.empty()) continue;
      EXPECT_EQ(reading.Next(), nullptr);
      EXPECT_EQ(reading.parameter, 0u);
    }
  }
}

TEST(EventValues, AParameterThatEndsEarlyIsNamed) {
  const Node node = NodeOf(Call::MPI_Barrier_);
  for (uint64_t n = 0; n < 40; ++n) {
    const std::vector<Section> sections = {Section::Constant(2, n)};
    Reading reading(node, sections);
    EXPECT_EQ(reading.CountTheRest(), n);
    EXPECT_EQ(reading.parameter, 0u);
  }
}

// Requests of MPI_Waitall, of which one is missing in the last event.
TEST(EventValues, AnArrayThatEndsEarlyIsNamed) {
  const Node node = NodeOf(Call::MPI_Waitall_);
  std::vector<Section> sections(node.params.size());
  for (int i = 0; i < 30; ++i) {
    sections[0].Append(3);
    sections[1].Append(3);
    for (int k = 3; k > (i == 29 ? 1 : 0); --k) sections[2].Append(k);
    sections[3].Append(0);
  }
  Reading reading(node, sections);
  EXPECT_EQ(reading.CountTheRest(), 29u);
  EXPECT_EQ(reading.parameter, 2u);
}

TEST(EventValues, WhatIsLeftAsADistributionIsNotKept) {
  Node node = NodeOf(Call::MPI_Isend_);
  const Phases phases(Call::MPI_Isend_, 3);
  std::vector<Section> sections = phases.Sections();
  Distribution counts = Distribution::Of(sections[0]);
  counts.EndRank();
  node.params[0] = Parameter::Of(counts);
  sections[0] = Section();
  Reading reading(node, sections);
  for (const Event& wanted : phases.events()) {
    const Event* found = reading.Next();
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->ValuesAt(0)[0], kNotKept);
    EXPECT_EQ(found->ValuesAt(4)[0], wanted.ValuesAt(4)[0]);
  }
}

}  // namespace
}  // namespace ranksight::reduction
