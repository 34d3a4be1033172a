#include "online_model/synthesize/made_types.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Param;

size_t IndexOf(Call call, Param p) {
  const auto params = reduction::Info(call).params;
  return size_t(std::find(params.begin(), params.end(), p) - params.begin());
}

ScalarLaw Affine(int64_t factor, Feature::Kind of, int64_t add) {
  ScalarLaw law;
  law.constant = add;
  if (factor != 0) law.terms = {{factor, {of, 0, nullptr}}};
  return law;
}

// A call of which the laws of these parameters are known.
struct Known {
  explicit Known(Call c) : call(c) {
    const size_t count = reduction::Info(call).params.size();
    law.params.resize(count);
    law.absent.resize(count, false);
    law.missing.resize(count, false);
    Set(Param::kTypeSize, {Affine(0, {}, 8)});
    Set(Param::kTypeExcess, {Affine(0, {}, 0)});
  }
  void Set(Param p, std::vector<ScalarLaw> values) {
    const size_t index = IndexOf(call, p);
    if (index < law.params.size()) law.params[index].values = std::move(values);
  }

  const Call call;
  NodeLaw law;
};

// value(ranks) on every rank of runs of these sizes.
template <class F>
std::vector<RankPattern> PatternsOf(const std::vector<Grid>& grids, F value) {
  std::vector<RankPattern> patterns;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      patterns.push_back({Context(g, r), {{}, value(g.ranks())}, {}, {}});
    }
  }
  return patterns;
}

using Values = std::vector<int64_t>;

class MadeTypesTest : public ::testing::Test {
 protected:
  // The law of the parameter, held against value() at unseen sizes.
  template <class F>
  void ExpectLaw(const Known& known, Param p, F value) {
    const auto law = made_.Find(known.call, IndexOf(known.call, p), known.law,
                                PatternsOf(seen_, value));
    ASSERT_TRUE(law.has_value());
    for (const RankPattern& at : PatternsOf(unseen_, value)) {
      EXPECT_EQ(law->At(at.where, {}), at.pattern) << law->ToString();
    }
  }

  const std::vector<Grid> seen_{{{2}}, {{3}}};
  const std::vector<Grid> unseen_{{{64}}, {{100}}};
  MadeTypes made_;
};

TEST_F(MadeTypesTest, AVectorIsAsLongAsItsBlocksAndTheGapsBetweenThem) {
  // N + 1 blocks of 2 doubles, each 5 behind the one before.
  Known vector(Call::MPI_Type_vector_);
  vector.Set(Param::kItemCount, {Affine(1, Feature::Kind::kRanks, 1)});
  vector.Set(Param::kBlock, {Affine(0, {}, 2)});
  vector.Set(Param::kStride, {Affine(0, {}, 5)});
  ExpectLaw(vector, Param::kMadeSize,
            [](int64_t n) { return Values{(n + 1) * 2 * 8}; });
  ExpectLaw(vector, Param::kMadeExcess,
            [](int64_t n) { return Values{(n * 5 + 2 - (n + 1) * 2) * 8}; });
}

TEST_F(MadeTypesTest, ASubarrayIsAsLongAsTheWholeAndSoIsWhatUsesIt) {
  // Two calls in turn: a row and a column of N + 2 by 10 doubles.
  Known part(Call::MPI_Type_create_subarray_);
  const ScalarLaw rows = Affine(1, Feature::Kind::kRanks, 2);
  const ScalarLaw ten = Affine(0, {}, 10), one = Affine(0, {}, 1);
  part.Set(Param::kDimCount, {Affine(0, {}, 2)});
  part.Set(Param::kDims, {rows, ten});
  part.Set(Param::kSubsizes, {one, ten, rows, one});
  const auto excess = [](int64_t n) {
    return Values{((n + 2) * 10 - 10) * 8, ((n + 2) * 10 - (n + 2)) * 8};
  };
  Known commit(Call::MPI_Type_commit_);
  const size_t used = IndexOf(commit.call, Param::kTypeExcess);
  const auto seen = PatternsOf(seen_, excess);
  EXPECT_FALSE(made_.Find(commit.call, used, commit.law, seen).has_value());
  EXPECT_TRUE(made_.IsWaiting());
  ExpectLaw(part, Param::kMadeExcess, excess);
  EXPECT_TRUE(made_.MayFollow());
  made_.Take();
  ExpectLaw(commit, Param::kTypeExcess, excess);
}

TEST_F(MadeTypesTest, AListOfTypesHasTheLengthsOfThose) {
  Known row(Call::MPI_Type_contiguous_);
  row.Set(Param::kItemCount, {Affine(1, Feature::Kind::kRanks, 2)});
  const auto size = [](int64_t n) { return Values{(n + 2) * 8}; };
  ExpectLaw(row, Param::kMadeSize, size);
  Known exchange(Call::MPI_Neighbor_alltoallw_);
  ExpectLaw(exchange, Param::kTypeSizes, [](int64_t n) {
    return Values{24, (n + 2) * 8};
  });
}

// The root makes a part of the whole for the block of each other rank, of which
// the first has more rows.
TEST_F(MadeTypesTest, ATypeForEachRankFollowsWhatThatHas) {
  Known part(Call::MPI_Type_create_subarray_);
  part.Set(Param::kDimCount, {Affine(0, {}, 2)});
  part.Set(Param::kDims, {Affine(0, {}, 100), Affine(0, {}, 10)});
  ScalarLaw rows;
  rows.kind = ScalarLaw::Kind::kThere;
  rows.constant = 2;
  rows.otherwise =
      std::make_shared<const ScalarLaw>(OfExpression(SelectExpression(
          Combine(Expression::Op::kEqual,
                  FeatureExpression(Feature::Kind::kPosition),
                  ConstantExpression(0)),
          AffineExpression(1, FeatureExpression(Feature::Kind::kRank), 3),
          ConstantExpression(10))));
  part.Set(Param::kSubsizes, {rows});
  SequenceLaw& list = part.law.params[IndexOf(part.call, Param::kSubsizes)];
  list.form = SequenceLaw::Form::kByElement;
  list.length = Affine(2, Feature::Kind::kRanks, -2);
  const auto of_root = [](const std::vector<Grid>& grids) {
    std::vector<RankPattern> patterns;
    for (const Grid& g : grids) {
      Values sizes;
      for (int64_t r = 1; r < g.ranks(); ++r) {
        sizes.push_back((r + 3) * 10 * 8);
      }
      patterns.push_back({Context(g, 0), {{}, sizes}, {}, {}});
    }
    return patterns;
  };
  const std::vector<Grid> seen{{{3}}, {{5}}};
  const auto law = made_.Find(part.call, IndexOf(part.call, Param::kMadeSize),
                              part.law, of_root(seen));
  ASSERT_TRUE(law.has_value());
  Known free(Call::MPI_Type_free_);
  const auto used = made_.Find(free.call, IndexOf(free.call, Param::kTypeSize),
                               free.law, of_root(seen));
  ASSERT_TRUE(used.has_value());
  for (const RankPattern& at : of_root(unseen_)) {
    EXPECT_EQ(law->At(at.where, {}), at.pattern) << law->ToString();
    EXPECT_EQ(used->At(at.where, {}), at.pattern) << used->ToString();
  }
}

// On a line each makes a type for the block next to it, before and behind, of
// as many columns as that has: ranks at an end make one.
TEST_F(MadeTypesTest, ATypeForEachNeighbourFollowsWhatThatHas) {
  Known vector(Call::MPI_Type_vector_);
  vector.Set(Param::kItemCount, {Affine(1, Feature::Kind::kRanks, 1)});
  vector.Set(Param::kBlock, {Affine(0, {}, 1)});
  vector.Set(Param::kStride, {Affine(1, Feature::Kind::kRank, 10),
                              Affine(1, Feature::Kind::kRank, 12)});
  SequenceLaw& strides =
      vector.law.params[IndexOf(vector.call, Param::kStride)];
  strides.form = SequenceLaw::Form::kBySlot;
  Neighbours both;
  both.slots = {{-1}, {1}};
  strides.list = std::make_shared<const Neighbours>(both);
  const auto excesses = [](const std::vector<Grid>& grids) {
    std::vector<RankPattern> patterns;
    for (const Grid& g : grids) {
      const int64_t n = g.ranks();
      for (int64_t r = 0; r < n; ++r) {
        Values of;
        for (const int64_t there : {r - 1, r + 1}) {
          if (there < 0 || there >= n) continue;
          of.push_back((n * (there + 11) + 1 - (n + 1)) * 8);
        }
        patterns.push_back({Context(g, r), {{}, of}, {}, {}});
      }
    }
    return patterns;
  };
  const std::vector<Grid> seen{{{3}}, {{5}}};
  const auto law =
      made_.Find(vector.call, IndexOf(vector.call, Param::kMadeExcess),
                 vector.law, excesses(seen));
  ASSERT_TRUE(law.has_value());
  Known free(Call::MPI_Type_free_);
  const auto used =
      made_.Find(free.call, IndexOf(free.call, Param::kTypeExcess), free.law,
                 excesses(seen));
  ASSERT_TRUE(used.has_value());
  for (const RankPattern& at : excesses(unseen_)) {
    EXPECT_EQ(law->At(at.where, {}), at.pattern) << law->ToString();
    EXPECT_EQ(used->At(at.where, {}), at.pattern) << used->ToString();
  }
}

TEST_F(MadeTypesTest, WhatDoesNotFollowHasNoLawHere) {
  Known vector(Call::MPI_Type_vector_);
  vector.Set(Param::kItemCount, {Affine(1, Feature::Kind::kRanks, 1)});
  vector.Set(Param::kBlock, {Affine(0, {}, 2)});
  vector.Set(Param::kStride, {Affine(0, {}, 5)});
  const size_t size = IndexOf(vector.call, Param::kMadeSize);
  const auto other = PatternsOf(seen_, [](int64_t n) { return Values{n * 8}; });
  EXPECT_FALSE(made_.Find(vector.call, size, vector.law, other).has_value());
}

}  // namespace
}  // namespace ranksight::online_model
