// Laws of exchanges among any number of ranks, or any number of bits, found
// from formulas: each must give the formula at sizes never shown.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {
namespace {

using Sizes = std::vector<int64_t>;
using Formula = std::function<int64_t(const Context&)>;
// How many places the loop around has at a size; 0: no loop.
using Places = std::function<int64_t(const Context&)>;

const Sizes kAny{2, 3, 4, 5, 6, 7, 9, 11}, kPowers{2, 4, 8, 16};

int64_t None(const Context&) { return 0; }

std::vector<Context> ContextsOn(const Grid& grid, const Places& places) {
  std::vector<Context> all;
  for (int64_t r = 0; r < grid.ranks(); ++r) {
    Context c(grid, r);
    const int64_t n = places(c);
    c.length = n;
    for (c.position = 0; c.position < std::max<int64_t>(n, 1); ++c.position) {
      all.push_back(c);
    }
  }
  return all;
}

struct Search {
  bool ranked = false, counts = false;
  Places places = None;
};

void ExpectHolds(const Sizes& sizes, const Sizes& targets, const Formula& f,
                 const Search& search) {
  std::vector<Grid> grids;
  for (const int64_t n : sizes) grids.push_back({{n}});
  SearchSpace space;
  space.ranked = search.ranked;
  space.counts = search.counts;
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (const Context& c : ContextsOn(g, search.places)) {
      space.array = space.array || c.length > 0;
      samples.push_back({c, f(c)});
    }
  }
  const auto law = FindScalarLaw(samples, space);
  ASSERT_TRUE(law.has_value());
  for (const int64_t n : targets) {
    const Grid grid{{n}};
    for (const Context& c : ContextsOn(grid, search.places)) {
      ASSERT_EQ(law->At(c), f(c)) << law->ToString() << " at rank " << c.rank
                                  << " of " << n << ", place " << c.position;
    }
  }
}

// The rank with the bits of r, bit i taken from source(i, bits).
int64_t Reordered(const Context& c,
                  const std::function<int(int, int)>& source) {
  int bits = 0;
  while (int64_t{1} << bits < c.ranks()) ++bits;
  int64_t v = 0;
  for (int i = 0; i < bits; ++i) v += (c.rank >> source(i, bits) & 1) << i;
  return v;
}

int64_t Reverse(const Context& c) {
  return Reordered(c, [](int i, int n) { return n - 1 - i; });
}

TEST(FindBits, InReverse) {
  ExpectHolds(kPowers, {32, 64, 1024}, Reverse, {.ranked = true});
}

TEST(FindBits, InReverseAndTurnedOver) {
  ExpectHolds(kPowers, {32, 64, 1024},
              [](const Context& c) { return c.ranks() - 1 - Reverse(c); },
              {.ranked = true});
}

TEST(FindBits, APerfectShuffle) {
  const auto shuffled = [](const Context& c) {
    return 2 * c.rank % c.ranks() + 2 * c.rank / c.ranks();
  };
  ExpectHolds(kPowers, {32, 64, 1024}, shuffled, {.ranked = true});
}

TEST(FindBits, ATransposedMatrix) {
  // Of 2^(n - n/2) rows and 2^(n/2) columns.
  const auto transposed = [](const Context& c) {
    int64_t bits = 0;
    while (int64_t{1} << bits < c.ranks()) ++bits;
    const int64_t columns = int64_t{1} << bits / 2;
    return c.rank % columns * (c.ranks() / columns) + c.rank / columns;
  };
  ExpectHolds(kPowers, {32, 64, 1024}, transposed, {.ranked = true});
}

TEST(FindBits, EvenOnesBeforeOddOnes) {
  // The place in row order of what lies at r in Morton order.
  const auto rows = [](const Context& c) {
    return Reordered(c, [](int i, int n) {
      const int evens = (n + 1) / 2;
      return i < evens ? 2 * i : 2 * (i - evens) + 1;
    });
  };
  ExpectHolds({2, 4, 8, 16, 32}, {64, 1024}, rows, {.ranked = true});
}

int64_t StagesTo(int64_t n) {
  int64_t stages = 0;
  while (int64_t{1} << stages < n) ++stages;
  return stages;
}

// Children of a binomial tree in which a rank's parent lacks its lowest bit.
int64_t LowChildren(const Context& c) {
  int64_t children = 0;
  for (int64_t bit = 1; bit < c.ranks() && (c.rank & bit) == 0; bit *= 2) {
    children += c.rank + bit < c.ranks();
  }
  return children;
}

// The same where it lacks its highest bit.
int64_t HighChildren(const Context& c) {
  int64_t children = 0, bit = 1;
  while (bit <= c.rank) bit *= 2;
  for (; c.rank + bit < c.ranks(); bit *= 2) ++children;
  return children;
}

TEST(FindTree, ChildrenByLowBitsOfAnyNumberOfRanks) {
  ExpectHolds(kAny, {12, 13, 32, 100}, LowChildren, {.counts = true});
}

TEST(FindTree, ChildrenByHighBitsOfAnyNumberOfRanks) {
  ExpectHolds(kAny, {12, 13, 32, 100}, HighChildren, {.counts = true});
}

TEST(FindTree, TheChildAtEachPlace) {
  const auto child = [](const Context& c) {
    return c.rank + (int64_t{1} << (c.length - 1 - c.position));
  };
  // Only ranks with children have places.
  std::vector<Grid> grids;
  for (const int64_t n : kAny) grids.push_back({{n}});
  std::vector<Sample> samples;
  SearchSpace space;
  space.array = space.ranked = true;
  for (const Grid& g : grids) {
    for (const Context& c : ContextsOn(g, LowChildren)) {
      if (c.length > 0) samples.push_back({c, child(c)});
    }
  }
  const auto law = FindScalarLaw(samples, space);
  ASSERT_TRUE(law.has_value());
  const Grid larger{{100}};
  for (const Context& c : ContextsOn(larger, LowChildren)) {
    if (c.length == 0) continue;
    ASSERT_EQ(law->At(c), child(c)) << law->ToString();
  }
}

TEST(FindBlocks, ThatBrucksExchangeSendsAtEachStage) {
  const auto blocks = [](const Context& c) {
    int64_t n = 0;
    for (int64_t i = 0; i < c.ranks(); ++i) n += i >> c.position & 1;
    return 8 * n;
  };
  ExpectHolds(kAny, {12, 13, 32, 100}, blocks,
              {.places = [](const Context& c) { return StagesTo(c.ranks()); }});
}

TEST(FindBlocks, ThatBrucksGatheringSendsAtEachStage) {
  const auto blocks = [](const Context& c) {
    const int64_t most = int64_t{1} << c.position;
    return 24 * std::min(most, c.ranks() - most);
  };
  ExpectHolds(kAny, {12, 13, 32, 100}, blocks,
              {.places = [](const Context& c) { return StagesTo(c.ranks()); }});
}

TEST(FindBlocks, ThatTravelAroundARing) {
  for (const int64_t from : {0, -1, 1}) {
    const auto block = [from](const Context& c) {
      const int64_t n = c.ranks();
      return 8 * BlockSize(103, n, ((c.rank + from - c.position) % n + n) % n);
    };
    ExpectHolds({2, 3, 4, 5, 7}, {9, 12, 31}, block,
                {.places = [](const Context& c) { return c.ranks() - 1; }});
  }
}

// The root's counts of a gather: a shift of three places gives them at all of
// these sizes, but not at others.
TEST(FindBlocks, ThatOneRankHasStandWhereTheyStand) {
  const auto block = [](int64_t n, int64_t k) {
    return 100000 / n + (k < 100000 % n ? 1 : 0);
  };
  std::vector<Grid> grids;
  for (const int64_t n : {3, 4, 5, 7, 11}) grids.push_back({{n}});
  std::vector<Sample> samples, expected;
  for (const Grid& g : grids) {
    Context c(g, 0);
    c.length = g.ranks();
    for (c.position = 0; c.position < c.length; ++c.position) {
      auto& where = g.ranks() == 11 ? expected : samples;
      where.push_back({c, block(g.ranks(), c.position)});
    }
  }
  SearchSpace space;
  space.array = true;
  const auto law = FindScalarLaw(samples, space);
  ASSERT_TRUE(law.has_value());
  for (const Sample& s : expected) {
    ASSERT_EQ(law->At(s.where), s.value) << law->ToString();
  }
}

}  // namespace
}  // namespace ranksight::online_model
