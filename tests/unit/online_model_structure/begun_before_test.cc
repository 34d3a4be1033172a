#include "online_model/synthesize/begun_before.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Node;

Node CallEvent(Call call) {
  Node event;
  event.kind = Node::Kind::kEvent;
  event.call = call;
  return event;
}

// Once where somebody is before, or behind, along one side and then the other.
SequenceLaw UntilEnd(Feature::Kind end) {
  SequenceLaw trips;
  for (int d = 0; d < 2; ++d) {
    trips.values.push_back(OfExpression(
        SelectExpression(FeatureExpression(end, d), ConstantExpression(0),
                         ConstantExpression(1))));
  }
  return trips;
}

SequenceLaw AlwaysTimes(int64_t times) {
  SequenceLaw trips;
  trips.values.emplace_back();
  trips.values[0].constant = times;
  return trips;
}

struct LoopOfSides {
  void Add(Node node, SequenceLaw trips) {
    around.children.push_back(std::move(node));
    laws.children.emplace_back();
    laws.children.back().trips = std::move(trips);
  }
  // How many requests a wait behind all has, along each side.
  auto Find(int64_t more) const {
    std::vector<RankPattern> values;
    for (const Grid& g : grids) {
      for (int64_t r = 0; r < g.ranks(); ++r) {
        const Context c(g, r);
        std::vector<int64_t> list;
        for (size_t d = 0; d < 2; ++d) {
          const int64_t x = c.at[d];
          list.push_back(2 * (x > 0) + 2 * (x + 1 < g.dims[d]) + more);
        }
        values.push_back({c, {{}, Shortest(list)}, {}, {}});
      }
    }
    return FindBegunBefore(around, laws, around.children.size(), values);
  }

  const std::vector<Grid> grids{{{2, 2}}, {{3, 2}}};
  Node around;
  NodeLaw laws;
};

LoopOfSides AlongSides() {
  LoopOfSides loop;
  for (const auto end : {Feature::Kind::kFirst, Feature::Kind::kLast}) {
    for (const Call call : {Call::MPI_Irecv_, Call::MPI_Isend_}) {
      loop.Add(CallEvent(call), UntilEnd(end));
    }
  }
  return loop;
}

TEST(FindBegunBefore, AddsUpWhatSiblingsBegin) {
  const auto law = AlongSides().Find(0);
  ASSERT_TRUE(law.has_value());
  const Grid target{{5, 4}};
  const auto at = [&](int64_t x, int64_t y) {
    return law->At(Context(target, 4 * x + y), {}, {}).period;
  };
  EXPECT_EQ(at(2, 1), std::vector<int64_t>{4});
  EXPECT_EQ(at(0, 1), (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(at(4, 0), std::vector<int64_t>{2});
}

TEST(FindBegunBefore, AreNotWhatWasWaitedFor) {
  LoopOfSides loop;
  loop.Add(CallEvent(Call::MPI_Irecv_), AlwaysTimes(1));
  loop.Add(CallEvent(Call::MPI_Wait_), AlwaysTimes(1));
  for (size_t c = 0; c < 4; ++c) {
    const LoopOfSides along = AlongSides();
    loop.Add(along.around.children[c], along.laws.children[c].trips);
  }
  EXPECT_TRUE(loop.Find(0));
  EXPECT_FALSE(loop.Find(1));
}

TEST(FindBegunBefore, CountsThoseOfLoopsWithinAsOftenAsTheyRun) {
  LoopOfSides loop = AlongSides();
  Node inner;
  inner.kind = Node::Kind::kLoop;
  inner.children = {CallEvent(Call::MPI_Isend_)};
  loop.Add(inner, AlwaysTimes(3));
  // Nothing is known yet of what is within.
  EXPECT_FALSE(loop.Find(6));
  loop.laws.children.back().children.emplace_back();
  loop.laws.children.back().children[0].trips = AlwaysTimes(2);
  EXPECT_TRUE(loop.Find(6));
  EXPECT_FALSE(loop.Find(3));
}

// In each iteration of a loop that each rank runs as often as it says, until
// `last`; and always.
SequenceLaw UntilIteration(int64_t last) {
  SequenceLaw trips;
  trips.form = SequenceLaw::Form::kByIteration;
  trips.values = {OfExpression(Combine(
      Expression::Op::kLess, FeatureExpression(Feature::Kind::kPosition),
      ConstantExpression(last)))};
  return trips;
}

TEST(FindBegunBefore, AddsUpWhatIsBegunInEachIteration) {
  LoopOfSides loop;
  loop.Add(CallEvent(Call::MPI_Irecv_), AlwaysTimes(1));
  loop.Add(CallEvent(Call::MPI_Isend_), UntilIteration(3));
  loop.Add(CallEvent(Call::MPI_Isend_), UntilIteration(1));
  const Grid line{{4}};
  std::vector<RankPattern> values;
  for (int64_t r = 0; r < 4; ++r) {
    std::vector<int64_t> list{3, 2, 2, 1, 1, 1};
    list.resize(size_t(2 + r));
    Round round;
    round.iterations = 2 + r;
    round.each = 1;
    values.push_back({Context(line, r), {{}, Shortest(list)}, {round}, {}});
  }
  const auto law = FindBegunBefore(loop.around, loop.laws, 3, values);
  ASSERT_TRUE(law.has_value());
  Round longer;
  longer.iterations = 8;
  longer.each = 1;
  EXPECT_EQ(law->At(Context(line, 0), {longer}, {}).period,
            (std::vector<int64_t>{3, 2, 2, 1, 1, 1, 1, 1}));
  // By turns and by iteration do not add up.
  loop.Add(CallEvent(Call::MPI_Irecv_), UntilEnd(Feature::Kind::kFirst));
  EXPECT_FALSE(FindBegunBefore(loop.around, loop.laws, 4, values).has_value());
}

}  // namespace
}  // namespace ranksight::online_model
