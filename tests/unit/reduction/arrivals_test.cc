// What was completed in the order in which it happened to come.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/folder.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::reduction {
namespace {

using Numbers = std::vector<int64_t>;

// One rank that starts requests and completes them; all times are equal.
class Waiting {
 public:
  void Start(int64_t peer) {
    Event e(Call::MPI_Irecv_);
    for (const int64_t v : {int64_t{4}, int64_t{1}, int64_t{1}, int64_t{0},
                            peer, int64_t{7}, int64_t{0}}) {
      e.Add(v);
    }
    Push(1, &e);
    open_.push_back(made_++);
  }
  // Completes the open requests at these places.
  void Complete(Call call, int64_t slots, Numbers places,
                const Numbers& matched = {}) {
    Event e(call);
    e.Add(slots);
    const auto params = Info(call).params;
    if (std::ranges::find(params, Param::kOpenCount) != params.end()) e.Add(0);
    e.AddArray({});
    if (e.param_count() < int(params.size()) - 3) {
      e.Add(0);
      e.AddArray({});
    }
    e.Add(int64_t(matched.size()));
    e.AddArray(matched);
    e.AddArray(matched);
    Numbers passed;
    for (const int64_t place : places) {
      passed.push_back(made_ - open_[size_t(place)]);
    }
    SetRequests(passed, &e);
    Push(uint64_t(call), &e);
    std::sort(places.begin(), places.end(), std::greater<>());
    for (const int64_t place : places) open_.erase(open_.begin() + place);
  }
  void Other() {
    Event e(Call::MPI_Barrier_);
    e.Add(0);
    Push(3, &e);
  }
  size_t open() const { return open_.size(); }
  Trace Finish() const { return folder_.Snapshot(0, 1); }

 private:
  void Push(uint64_t site, Event* e) {
    ASSERT_TRUE(e->Complete());
    e->site = folder_.AddSite({{{module_, 16 * site}}});
    folder_.Push(*e, 5, 1);
  }
  Folder folder_;
  uint32_t module_ = folder_.AddModule({"00", "waiting"});
  int64_t made_ = 0;
  Numbers open_;  // numbers of those that are, oldest first
};

// The peers of what each completion completes.
std::vector<Numbers> Completed(const Trace& trace) {
  std::vector<Numbers> all;
  auto walk = RankWalk::Open(trace, 0);
  while (walk->Next()) {
    if (!Info(walk->event().call()).completes) continue;
    all.emplace_back();
    for (const Request& r : walk->completed()) all.back().push_back(r.peer);
  }
  EXPECT_TRUE(walk->status().ok());
  return all;
}

// Rounds of some requests each, waited for in an order by chance, one or
// several at a time as `counts` says.
Trace Rounds(uint32_t seed, Call call, const Numbers& counts) {
  std::mt19937 chance(seed);
  Waiting rank;
  for (int round = 0; round < 20; ++round) {
    for (size_t k = 0; k < 8; ++k) rank.Start(int64_t(k));
    for (const int64_t count : counts) {
      Numbers places(rank.open());
      for (size_t i = 0; i < places.size(); ++i) places[i] = int64_t(i);
      std::shuffle(places.begin(), places.end(), chance);
      places.resize(size_t(count));
      rank.Complete(call, call == Call::MPI_Test_ ? 1 : 8, places);
    }
    rank.Other();
  }
  return rank.Finish();
}

TEST(Arrivals, LeaveNoTraceInWhatIsCompletedTogether) {
  const std::vector<std::pair<Call, Numbers>> ways = {
      {Call::MPI_Waitany_, Numbers(8, 1)},
      {Call::MPI_Testany_, Numbers(8, 1)},
      {Call::MPI_Test_, Numbers(8, 1)},
      {Call::MPI_Waitsome_, {3, 1, 4}},
      {Call::MPI_Testsome_, {1, 7}}};
  for (const auto& [call, counts] : ways) {
    SCOPED_TRACE(Info(call).name);
    const auto one = Encode(Rounds(1, call, counts), SketchForm::kFull);
    const auto other = Encode(Rounds(2, call, counts), SketchForm::kFull);
    EXPECT_EQ(one, other);
    EXPECT_LT(one.size(), 600u);
    for (const Numbers& peers : Completed(Rounds(3, call, counts))) {
      EXPECT_TRUE(std::is_sorted(peers.begin(), peers.end()));
    }
  }
}

// How many calls it takes is by chance as well.
TEST(Arrivals, JoinedAreOneCallWhateverCame) {
  for (const Call call : {Call::MPI_Waitsome_, Call::MPI_Testsome_}) {
    Trace one = Rounds(1, call, {3, 1, 4});
    Trace other = Rounds(2, call, {1, 1, 2, 2, 2});
    Trace empty = Rounds(2, call, {8, 0});
    ASSERT_NE(Completed(one), Completed(other));
    for (Trace* t : {&one, &other, &empty}) {
      JoinArrivals(t);
      EXPECT_EQ(Completed(*t),
                std::vector<Numbers>(20, {0, 1, 2, 3, 4, 5, 6, 7}));
    }
    EXPECT_EQ(one.root.children.size(), other.root.children.size());
  }
}

TEST(Arrivals, JoinedLeaveAllOtherCallsAsTheyAre) {
  const Trace before = Rounds(1, Call::MPI_Waitany_, Numbers(8, 1));
  Trace after = before;
  JoinArrivals(&after);
  EXPECT_EQ(after, before);
}

// Another call may be what the first that came led to.
TEST(Arrivals, KeepTheirOrderAroundOtherCalls) {
  Waiting rank;
  for (int64_t peer = 0; peer < 4; ++peer) rank.Start(peer);
  rank.Complete(Call::MPI_Waitany_, 4, {3});
  rank.Complete(Call::MPI_Waitany_, 4, {1});
  rank.Other();
  rank.Complete(Call::MPI_Waitany_, 4, {1});
  rank.Complete(Call::MPI_Waitany_, 4, {0});
  EXPECT_EQ(Completed(rank.Finish()),
            (std::vector<Numbers>{{1}, {3}, {0}, {2}}));
}

// What it matched stands beside the request.
TEST(Arrivals, LeaveThoseThatMatchedSomethingInTheirPlace) {
  Waiting rank;
  rank.Start(0);
  rank.Start(kPeerAny);
  rank.Start(2);
  rank.Complete(Call::MPI_Waitany_, 3, {2});
  rank.Complete(Call::MPI_Waitany_, 3, {1}, {5});
  rank.Complete(Call::MPI_Waitany_, 3, {0});
  EXPECT_EQ(Completed(rank.Finish()),
            (std::vector<Numbers>{{0}, {kPeerAny}, {2}}));
}

// A look in between ends what is taken together, and loses nothing.
TEST(Arrivals, AreAllThereWhoeverLooksInBetween) {
  Waiting rank;
  for (int64_t peer = 0; peer < 3; ++peer) rank.Start(peer);
  rank.Complete(Call::MPI_Waitany_, 3, {2});
  EXPECT_EQ(Completed(rank.Finish()), (std::vector<Numbers>{{2}}));
  rank.Complete(Call::MPI_Waitany_, 3, {1});
  rank.Complete(Call::MPI_Waitany_, 3, {0});
  EXPECT_EQ(Completed(rank.Finish()), (std::vector<Numbers>{{2}, {0}, {1}}));
}

TEST(Arrivals, OfLongBatchesAreAllThere) {
  Waiting rank;
  constexpr int64_t kMany = 10000;
  for (int64_t peer = 0; peer < kMany; ++peer) rank.Start(peer);
  for (int64_t left = kMany; left > 0; --left) {
    rank.Complete(Call::MPI_Waitany_, kMany, {left - 1});
  }
  Numbers peers;
  for (const Numbers& one : Completed(rank.Finish())) {
    peers.insert(peers.end(), one.begin(), one.end());
  }
  std::sort(peers.begin(), peers.end());
  ASSERT_EQ(peers.size(), size_t{kMany});
  for (int64_t i = 0; i < kMany; ++i) EXPECT_EQ(peers[size_t(i)], i);
}

}  // namespace
}  // namespace ranksight::reduction
