// What is left of a whole that is shared out, found at few sizes, against the
// formula that programs have for it.
#include "online_model/structure/find_rest.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>
#include <vector>

#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Amount = std::function<int64_t(int64_t ranks)>;

std::vector<Grid> Lines(const std::vector<int64_t>& sizes) {
  std::vector<Grid> lines;
  for (const int64_t n : sizes) lines.push_back({{n}});
  return lines;
}

// All ranks of a run have it.
std::vector<Sample> SamplesOf(const std::vector<Grid>& lines, const Amount& f) {
  std::vector<Sample> samples;
  for (const Grid& line : lines) {
    for (int64_t r = 0; r < line.ranks(); ++r) {
      samples.push_back({Context(line, r), f(line.ranks())});
    }
  }
  return samples;
}

int64_t At(const Expression& e, int64_t ranks) {
  const Grid line{{ranks}};
  return e.At(Context(line, 0));
}

// Of a whole that another law shares out among as many, or of one of these.
void ExpectFound(const std::vector<int64_t>& sizes, const Amount& f,
                 const ExpressionPtr& share) {
  const std::vector<Grid> lines = Lines(sizes);
  SearchSpace space;
  space.said = std::make_shared<SaidParts>();
  const std::vector<Sample> samples = SamplesOf(lines, f);
  EXPECT_EQ(FindRest(samples, space), nullptr);
  space.said->Add(OfExpression(share));
  const ExpressionPtr e = FindRest(samples, space);
  ASSERT_NE(e, nullptr);
  for (const int64_t n : {3, 5, 20, 32, 40, 100}) {
    EXPECT_EQ(At(*e, n), f(n)) << e->ToString() << " at " << n;
  }
}

ExpressionPtr Ranks() { return FeatureExpression(Feature::Kind::kRanks); }

TEST(FindRest, OfALastRound) {
  ExpectFound(
      {6, 8, 12, 16}, [](int64_t n) { return 60 % (n - 1); },
      ShareExpression(58, 62, AffineExpression(1, Ranks(), -1)));
}

TEST(FindRest, BesideTheShareOfTheLastRank) {
  for (const int64_t whole : {9, 97}) {
    ExpectFound(
        {4, 6, 8, 12, 16}, [whole](int64_t n) { return whole / n + whole % n; },
        ShareExpression(9, 99, Ranks()));
  }
}

TEST(FindRest, OfSeveralNumbersEach) {
  ExpectFound(
      {6, 9, 11, 16}, [](int64_t n) { return 3 * (77 % n); },
      ShareExpression(70, 80, Ranks()));
}

TEST(PossibleRests, HaveTheWholeAmongThem) {
  std::mt19937_64 random(7);
  for (int drawn = 0; drawn < 500; ++drawn) {
    std::set<int64_t> sizes;
    while (sizes.size() < 4) sizes.insert(2 + int64_t(random() % 23));
    const int64_t whole = 10 + int64_t(random() % 90);
    const bool with_share = random() % 2 != 0;
    const auto amount = [&](int64_t n) {
      return whole % n + (with_share ? whole / n : 0);
    };
    const std::vector<Grid> lines = Lines({sizes.begin(), sizes.end()});
    const auto samples = SamplesOf(lines, amount);
    const auto rests = PossibleRests(samples, 1);
    bool has = false;
    for (const auto& [law, of, parts] : rests) {
      ASSERT_TRUE(Gives(*law, samples)) << law->ToString();
      has = has || (At(*law, 32) == amount(32) && At(*law, 47) == amount(47));
    }
    ASSERT_TRUE(has) << whole;
  }
}

TEST(PossibleRests, AreNoneWhereRanksDifferOrSizesAreFew) {
  const std::vector<Grid> lines = Lines({4, 5, 7, 9});
  const auto left = [](int64_t n) { return 60 % n; };
  std::vector<Sample> samples = SamplesOf(lines, left);
  EXPECT_FALSE(PossibleRests(samples, 1).empty());
  samples.back().value += 1;
  EXPECT_TRUE(PossibleRests(samples, 1).empty());
  EXPECT_TRUE(PossibleRests(SamplesOf(Lines({7, 9}), left), 1).empty());
}

// 60 tasks are dealt out in rounds, and what is left in a last one: neither
// says enough.
TEST(TellTogether, TellsAShareByWhatIsLeft) {
  const std::vector<Grid> lines = Lines({7, 8, 11, 13});
  const auto shares = SamplesOf(lines, [](int64_t n) { return 60 / n; });
  const auto rests = SamplesOf(lines, [](int64_t n) { return 60 % n; });
  for (const bool shares_first : {true, false}) {
    SearchSpace space;
    space.certain = true;
    space.counts = true;
    space.said = std::make_shared<SaidParts>();
    const auto& first = shares_first ? shares : rests;
    const auto& second = shares_first ? rests : shares;
    EXPECT_FALSE(FindScalarLaw(first, space).has_value());
    const auto law = FindScalarLaw(second, space);
    ASSERT_TRUE(law.has_value());
    const auto again = FindScalarLaw(first, space);
    ASSERT_TRUE(again.has_value());
    const Grid line{{32}};
    const Context at(line, 0);
    EXPECT_EQ((shares_first ? again : law)->At(at), 60 / 32);
    EXPECT_EQ((shares_first ? law : again)->At(at), 60 % 32);
  }
}

TEST(TellTogether, IsNotOfTwoWholes) {
  const std::vector<Grid> lines = Lines({7, 8, 11, 13});
  SearchSpace space;
  space.certain = true;
  space.counts = true;
  space.said = std::make_shared<SaidParts>();
  const auto shares = SamplesOf(lines, [](int64_t n) { return 60 / n; });
  const auto rests = SamplesOf(lines, [](int64_t n) { return 45 % n; });
  EXPECT_FALSE(FindScalarLaw(shares, space).has_value());
  EXPECT_FALSE(FindScalarLaw(rests, space).has_value());
}

}  // namespace
}  // namespace ranksight::online_model
