// Expressions of coNCePTuaL, evaluated by a reader of their own at every rank
// and every position, held against the values that they were made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/conceptual/domain.h"
#include "adapters/conceptual/expressions.h"
#include "adapters/conceptual/tasks.h"
#include "reduction/api/parameter.h"

namespace ranksight::adapters::conceptual {
namespace {

using reduction::Parameter;
using reduction::Section;
using Variables = std::map<std::string, int64_t>;

// Recursive descent over the part of the language that is written: cases, then
// sums and XOR, then products, from the left.
class ExpressionReader {
 public:
  ExpressionReader(const std::string& text, Variables variables)
      : variables_(std::move(variables)) {
    for (size_t at = 0; at < text.size();) {
      const auto is_word = [&](size_t i) {
        return i < text.size() && (std::isalnum(text[i]) || text[i] == '_');
      };
      size_t end = at + 1;
      if (is_word(at)) {
        while (is_word(end)) ++end;
      } else if (text.compare(at, 3, "...") == 0) {
        end = at + 3;
      } else if (text.compare(at, 2, ">=") == 0) {
        end = at + 2;
      }
      if (text[at] != ' ') tokens_.push_back(text.substr(at, end - at));
      at = end;
    }
  }

  int64_t Value() {
    const int64_t value = Cases();
    EXPECT_EQ(at_, tokens_.size());
    return value;
  }
  bool Condition() {
    const bool holds = Compared();
    EXPECT_EQ(at_, tokens_.size());
    return holds;
  }
  std::set<int64_t> RangeList() {
    const auto values = Ranges();
    EXPECT_EQ(at_, tokens_.size());
    return {values.begin(), values.end()};
  }

 private:
  bool Take(std::string_view token) {
    if (at_ == tokens_.size() || tokens_[at_] != token) return false;
    ++at_;
    return true;
  }
  void Expect(std::string_view token) { EXPECT_TRUE(Take(token)) << token; }

  int64_t Cases() {
    const int64_t value = Sum();
    if (!Take("IF")) return value;
    const bool holds = Compared();
    Expect("OTHERWISE");
    const int64_t other = Cases();
    return holds ? value : other;
  }

  bool Compared() {
    const int64_t value = Sum();
    if (Take("<")) return value < Sum();
    if (Take(">=")) return value >= Sum();
    if (Take("=")) return value == Sum();
    Expect("IS");
    Expect("IN");
    const auto values = Ranges();
    return std::find(values.begin(), values.end(), value) != values.end();
  }

  int64_t Sum() {
    int64_t value = Product();
    for (;;) {
      if (Take("+")) {
        value += Product();
      } else if (Take("-")) {
        value -= Product();
      } else if (Take("XOR")) {
        value ^= Product();
      } else {
        return value;
      }
    }
  }

  int64_t Product() {
    int64_t value = Operand();
    for (;;) {
      if (Take("*")) {
        value *= Operand();
      } else if (Take("/")) {
        value /= Operand();
      } else if (Take("MOD")) {
        value %= Operand();
      } else {
        return value;
      }
    }
  }

  int64_t Operand() {
    if (Take("-")) return -Operand();
    if (Take("(")) {
      const int64_t value = Cases();
      Expect(")");
      return value;
    }
    if (at_ == tokens_.size()) {
      ADD_FAILURE() << "the text ends within an expression";
      return 0;
    }
    const std::string& token = tokens_[at_++];
    if (std::isdigit(token[0])) return std::stoll(token);
    const auto known = variables_.find(token);
    EXPECT_NE(known, variables_.end()) << token;
    return known == variables_.end() ? 0 : known->second;
  }

  std::vector<int64_t> Ranges() {
    std::vector<int64_t> all;
    do {
      const auto some = Range();
      all.insert(all.end(), some.begin(), some.end());
    } while (Take(","));
    return all;
  }

  // {a, b, c}, {a, ..., z}, {a, b, c, ..., z}, or one of expressions.
  std::vector<int64_t> Range() {
    Expect("{");
    const size_t first = at_;
    std::vector<int64_t> values;
    if (!std::isdigit(tokens_[at_][0]) && tokens_[at_] != "-") {
      while (tokens_[at_] != "FOR") ++at_;
      values = ForEach(first);
      Expect("}");
      return values;
    }
    do {
      if (!Take("...")) {
        values.push_back(Sum());
        continue;
      }
      Expect(",");
      const int64_t last = Sum();
      const size_t n = values.size();
      const int64_t step = n > 1 ? values[n - 1] - values[n - 2] : 1;
      while (values.back() != last && values.size() < 10'000) {
        values.push_back(values.back() + step);
      }
    } while (Take(","));
    Expect("}");
    return values;
  }

  // At FOR; the expression begins at `first`.
  std::vector<int64_t> ForEach(size_t first) {
    if (!Take("FOR")) {
      const size_t behind = at_;
      at_ = first;
      const std::vector<int64_t> value = {Sum()};
      at_ = behind;
      return value;
    }
    Expect("EACH");
    const std::string variable = tokens_[at_++];
    Expect("IN");
    const size_t ranges = at_;
    std::vector<int64_t> all;
    for (const int64_t value : Ranges()) {
      const size_t behind = at_;
      variables_[variable] = value;
      const auto some = ForEach(first);
      all.insert(all.end(), some.begin(), some.end());
      behind_ = at_;
      at_ = behind;
    }
    at_ = behind_;
    EXPECT_GT(at_, ranges);
    return all;
  }

  Variables variables_;
  std::vector<std::string> tokens_;
  size_t at_ = 0, behind_ = 0;
};

// Positions of all levels, the innermost index fastest.
int64_t PositionCount(const std::vector<Level>& levels) {
  int64_t positions = 1;
  for (const Level& level : levels) positions *= level.most;
  return positions;
}

Variables VariablesAt(const std::vector<Level>& levels, int64_t position,
                      int64_t rank) {
  Variables variables = {{kTask, rank}};
  for (size_t i = levels.size(); i-- > 0;) {
    variables[levels[i].index] = position % levels[i].most;
    position /= levels[i].most;
  }
  return variables;
}

void ExpectSameValues(const Sequences& sequences,
                      const std::vector<Level>& levels, int64_t ranks) {
  const std::string text = ExpressionText(sequences, levels, ranks);
  ASSERT_FALSE(text.empty());
  for (const auto& [rank, section] : sequences) {
    const auto values = section.Expand();
    for (int64_t at = 0; at < int64_t(values.size()); ++at) {
      ASSERT_EQ(ExpressionReader(text, VariablesAt(levels, at, rank)).Value(),
                values[size_t(at)])
          << text << "\nrank " << rank << ", position " << at;
    }
  }
}

std::vector<Level> RandomLevels(std::mt19937* random) {
  std::vector<Level> levels((*random)() % 4);
  for (size_t i = 0; i < levels.size(); ++i) {
    levels[i] = {"i" + std::to_string(i), 2 + int64_t((*random)() % 5)};
  }
  return levels;
}

// Programs' values: by rank, by round, by parts of rounds, by cases, of none.
int64_t ProgramValue(int64_t kind, int64_t rank, int64_t ranks, int64_t at,
                     const std::vector<int64_t>& numbers) {
  const int64_t a = numbers[0] % 7 - 3, b = numbers[1] % 5 + 1;
  switch (kind) {
    case 0:
      return (rank + b) % ranks;
    case 1:
      return (rank ^ 1) + a * at;
    case 2:
      return rank % b + a * (at / b);
    case 3:
      return rank < ranks / 2 ? a * (at % b) : numbers[2] % 4 - at;
    case 4:
      return at < b ? rank : numbers[size_t(at % b)] % 9;
    default:
      return numbers[size_t(at) % numbers.size()] % 3 - 1;
  }
}

TEST(ConceptualExpressions, HaveTheValuesThatTheyWereMadeOf) {
  std::mt19937 random(5);
  for (int round = 0; round < 600; ++round) {
    const int64_t ranks = 1 + int64_t(random() % 9);
    const std::vector<Level> levels = RandomLevels(&random);
    std::vector<int64_t> numbers(1 + random() % 40 + 5);
    for (int64_t& number : numbers) number = int64_t(random() % 1000);
    Sequences sequences;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      if (round % 3 == 0 && random() % 4 == 0) continue;
      Section section;
      for (int64_t at = 0; at < PositionCount(levels); ++at) {
        section.Append(ProgramValue(round % 6, rank, ranks, at, numbers));
      }
      sequences.push_back({rank, section});
    }
    ExpectSameValues(sequences, levels, ranks);
  }
}

TEST(ConceptualExpressions, OfNoRankTheValueIsZero) {
  EXPECT_EQ(ExpressionReader(ExpressionText({}, {{"i", 4}}, 4), {}).Value(), 0);
}

TEST(ConceptualExpressions, WithMoreCasesThanAnybodyReadsThereIsNone) {
  std::mt19937 random(9);
  Section section;
  for (int i = 0; i < 5000; ++i) section.Append(int64_t(random() % 100'000));
  EXPECT_EQ(ExpressionText({{0, section}}, {{"i", 5000}}, 1), "");
}

TEST(ConceptualExpressions, AConditionHoldsWhereTheValueIsOne) {
  std::mt19937 random(6);
  for (int round = 0; round < 300; ++round) {
    const int64_t ranks = 2 + int64_t(random() % 9);
    Sequences sequences;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      const bool in = round % 2 == 0 ? random() % 2 == 0 : rank % 3 == 1;
      sequences.push_back({rank, Section::Constant(in ? 1 : 0, 1)});
    }
    const std::string text = ConditionOf(ExpressionText(sequences, {}, ranks));
    for (const auto& [rank, section] : sequences) {
      EXPECT_EQ(ExpressionReader(text, {{kTask, rank}}).Condition(),
                section.At(0) == 1)
          << text;
    }
  }
}

TEST(ConceptualTasks, ConditionsHoldForTheSetAlone) {
  constexpr int64_t kRanks = 10;
  for (uint32_t bits = 1; bits < (1u << kRanks) - 1; ++bits) {
    reduction::RankSet set;
    for (int64_t rank = 0; rank < kRanks; ++rank) {
      if ((bits >> rank & 1) != 0) set.Append(rank);
    }
    const std::string text = ConditionText(set, kRanks, kTask);
    for (int64_t rank = 0; rank < kRanks; ++rank) {
      EXPECT_EQ(ExpressionReader(text, {{kTask, rank}}).Condition(),
                (bits >> rank & 1) != 0)
          << text << " of " << rank;
    }
  }
}

TEST(ConceptualTasks, RangeListsNameTheValuesOfTheSection) {
  std::mt19937 random(8);
  for (int round = 0; round < 300; ++round) {
    Section section;
    std::set<int64_t> values;
    int64_t value = 0;
    const int64_t period = 1 + int64_t(random() % 4);
    for (int64_t i = 0; i < 40; ++i) {
      // Rounds of one pattern for half of them.
      value += round % 2 == 0 ? 1 + i % period : 1 + int64_t(random() % 5);
      section.Append(value);
      values.insert(value);
    }
    const std::string text = RangesText(section);
    EXPECT_EQ(ExpressionReader(text, {}).RangeList(), values) << text;
  }
}

// The positions at which a rank reaches the inside of two nested loops, found
// by going round them.
TEST(ConceptualDomain, StretchesValuesOverThePositionsThatHappen) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const int64_t ranks = 1 + int64_t(random() % 4);
    const int64_t most_outer = 1 + int64_t(random() % 4);
    Parameter outer, inner;
    std::map<int64_t, std::vector<int64_t>> inner_trips;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      const int64_t trips = 1 + int64_t(random() % uint32_t(most_outer));
      outer.Add(rank, Section::Constant(trips, 1), false);
      for (int64_t i = 0; i < trips; ++i) {
        inner_trips[rank].push_back(round % 2 == 0 ? rank + 1
                                                   : int64_t(random() % 4));
      }
      inner.Add(rank, Section::Of(inner_trips[rank]), false);
    }
    const auto first = Domain().Inside(outer, "i");
    ASSERT_TRUE(first.ok());
    const auto second = first->Inside(inner, "j");
    ASSERT_TRUE(second.ok());
    const int64_t most = MostTrips(inner), rounds = MostTrips(outer);
    ASSERT_EQ(second->positions(), rounds * std::max<int64_t>(most, 1));
    EXPECT_EQ(PositionCount(second->levels()), second->positions());
    if (most == 0) continue;
    for (const auto& [rank, trips] : inner_trips) {
      std::vector<int64_t> values, places;
      for (int64_t i = 0; i < int64_t(trips.size()); ++i) {
        for (int64_t j = 0; j < trips[size_t(i)]; ++j) {
          values.push_back(int64_t(random() % 3));
          places.push_back(i * most + j);
        }
      }
      const auto stretched = second->Stretch(rank, Section::Of(values));
      ASSERT_EQ(int64_t(stretched.size()), second->positions());
      for (size_t k = 0; k < values.size(); ++k) {
        EXPECT_EQ(stretched.At(uint64_t(places[k])), values[k]);
      }
    }
  }
}

}  // namespace
}  // namespace ranksight::adapters::conceptual
