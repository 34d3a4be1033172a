// What is said where laws give no trace.
#include <gtest/gtest.h>

#include "online_model/synthesize/node_law.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;

SequenceLaw Constant(int64_t v) {
  SequenceLaw law;
  law.values.resize(1);
  law.values[0].constant = v;
  return law;
}

// r - 3 barriers in a loop on each rank.
TEST(Instantiate, ANegativeTripCountNamesTheCallTheRankAndTheSize) {
  Node like;
  like.children.resize(1);
  Node& loop = like.children[0];
  loop.children.resize(1);
  loop.children[0].kind = Node::Kind::kEvent;
  loop.children[0].call = reduction::Call::MPI_Barrier_;
  NodeLaw law;
  law.children.resize(1);
  NodeLaw& of_loop = law.children[0];
  of_loop.trips = Constant(-3);
  of_loop.trips.values[0].terms = {{1, {Feature::Kind::kRank, 0, nullptr}}};
  of_loop.children.resize(1);
  NodeLaw& of_event = of_loop.children[0];
  of_event.trips = Constant(1);
  const size_t params =
      reduction::Info(reduction::Call::MPI_Barrier_).params.size();
  of_event.params.assign(params, Constant(0));
  of_event.absent.assign(params, false);
  reduction::Sites sites;
  sites.sites.resize(1);

  const auto made = Instantiate(law, like, sites, Grid{{12}});
  ASSERT_FALSE(made.ok());
  const std::string text = made.status().message();
  EXPECT_NE(text.find("the loop around MPI_Barrier at "), std::string::npos)
      << text;
  EXPECT_NE(text.find("the trip count of rank 0 of 12 would be -3"),
            std::string::npos)
      << text;
}

// Every rank of a line of 12 sends; this parameter is r + by, all others are 1.
// In the largest run one rank sent, of which all parameters were `seen`.
reduction::Result<Node> Sends(reduction::Param param, int64_t by,
                              int64_t seen = 1) {
  Node like;
  like.children.resize(1);
  Node& event = like.children[0];
  event.kind = Node::Kind::kEvent;
  event.call = reduction::Call::MPI_Send_;
  NodeLaw law;
  law.children.resize(1);
  NodeLaw& of_event = law.children[0];
  of_event.trips = Constant(1);
  const auto params = reduction::Info(event.call).params;
  event.params.resize(params.size());
  for (auto& values : event.params) {
    values.Add(0, reduction::Section::Constant(seen, 1), false);
  }
  of_event.params.assign(params.size(), Constant(1));
  of_event.absent.assign(params.size(), false);
  for (size_t i = 0; i < params.size(); ++i) {
    if (params[i] != param) continue;
    ScalarLaw& value = of_event.params[i].values[0];
    value.constant = by;
    value.terms = {{1, {Feature::Kind::kRank, 0, nullptr}}};
  }
  reduction::Sites sites;
  sites.sites.resize(1);
  return Instantiate(law, like, sites, Grid{{12}});
}

TEST(Instantiate, APeerBeyondTheLastRankIsNoPeer) {
  EXPECT_TRUE(Sends(reduction::Param::kPeer, 0).ok());
  const auto made = Sends(reduction::Param::kPeer, 2);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.status().code(), reduction::StatusCode::kNo);
  EXPECT_NE(made.status().message().find(
                "the peer of rank 10 of 12 would be a rank that is not there"),
            std::string::npos)
      << made.status().message();
}

TEST(Instantiate, NobodySendsLessThanNothing) {
  EXPECT_TRUE(Sends(reduction::Param::kCount, 1).ok());
  const auto made = Sends(reduction::Param::kCount, -2, 0);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.status().code(), reduction::StatusCode::kNo);
  EXPECT_NE(made.status().message().find(
                "the count of rank 0 of 12 would be less than 0"),
            std::string::npos)
      << made.status().message();
}

// Many programs then send no message at all.
TEST(Instantiate, NobodySendsNothingWhereEverybodySentSomething) {
  EXPECT_TRUE(Sends(reduction::Param::kCount, 0, 0).ok());
  const auto made = Sends(reduction::Param::kCount, 0, 1);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.status().code(), reduction::StatusCode::kNo);
  EXPECT_NE(made.status().message().find(
                "would be 0, as it is in no run, and who has nothing to send "
                "may make other calls; at 12 ranks, on rank 0"),
            std::string::npos)
      << made.status().message();
}

}  // namespace
}  // namespace ranksight::online_model
