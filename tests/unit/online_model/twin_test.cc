// Twins of made runs, one thing without a law each.
#include "online_model/api/twin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "online_model/structure/own_law.h"
#include "reduction/api/codec.h"
#include "reduction/api/communicators.h"
#include "reduction/api/cursor.h"
#include "tests/unit/online_model/made_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Trace;
using testing::MadeRank;

// Rank 0 sends each other rank a message.
template <typename Bytes>
Trace Scattered(int64_t ranks, const Bytes& bytes) {
  return testing::MadeRun("scattered", ranks, [&](int64_t rank) {
    MadeRank made;
    for (int64_t to = 1; rank == 0 && to < ranks; ++to) {
      made.Message(Call::MPI_Send_, 2, to, bytes(ranks), 1e-6, 1e-6);
    }
    if (rank > 0) {
      made.Message(Call::MPI_Recv_, 3, 0, bytes(ranks), 1e-6, 1e-6);
    }
    return made.End(rank, ranks, 1e-3);
  });
}

int64_t Lawless(int64_t ranks) { return 16 + ranks * ranks * ranks % 13; }

// A twin of runs on these sizes; run(n): the one on n ranks.
template <typename Run>
reduction::Result<Extrapolation> TwinOf(std::initializer_list<int64_t> sizes,
                                        int64_t ranks, const Run& run) {
  std::vector<Trace> inputs;
  for (const int64_t n : sizes) inputs.push_back(run(n));
  ExtrapolationRequest request;
  request.ranks = ranks;
  return MakeTwin(inputs, request);
}

template <typename Bytes>
reduction::Result<Extrapolation> TwinAt(int64_t ranks, const Bytes& bytes) {
  return TwinOf({4, 8, 12, 16}, ranks,
                [&](int64_t n) { return Scattered(n, bytes); });
}

TEST(Twin, TellsEachStepAndHowMuchOfItIsDone) {
  std::vector<Trace> inputs;
  for (const int64_t n : {4, 8, 12, 16}) {
    inputs.push_back(Scattered(n, Lawless));
  }
  std::map<TwinStep, std::vector<double>> told;
  std::vector<TwinStep> steps;
  ExtrapolationRequest request;
  request.ranks = 640;
  request.tell_twin = [&](TwinStep step, double share) {
    told[step].push_back(share);
    if (steps.empty() || steps.back() != step) steps.push_back(step);
  };
  ASSERT_TRUE(MakeTwin(inputs, request).ok());
  EXPECT_EQ(steps, (std::vector{TwinStep::kEvaluating, TwinStep::kDrawing,
                                TwinStep::kJoining, TwinStep::kComparing}));
  for (const TwinStep step : {TwinStep::kEvaluating, TwinStep::kDrawing}) {
    const std::vector<double>& shares = told[step];
    ASSERT_GE(shares.size(), 10u);
    EXPECT_GT(shares.front(), 0);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_EQ(shares.back(), 1);
  }
}

// Each rank gives the next one its share of 96 bytes, or of 12 numbers of 8.
Trace Shared(int64_t ranks) {
  return testing::MadeRun("shared", ranks, [&](int64_t rank) {
    MadeRank made;
    const int64_t bytes = 96 / ranks;
    const int64_t to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    made.Message(Call::MPI_Send_, 2, to, bytes, 1e-6, 1e-6);
    made.Message(Call::MPI_Recv_, 3, from, bytes, 1e-6, 1e-6);
    return made.End(rank, ranks, 1e-3);
  });
}

TEST(Twin, OfLawsThatLeaveNothingOpenIsNotSearchedOnOtherGrids) {
  std::vector<Trace> inputs;
  for (const int64_t n : {2, 3, 4, 6}) inputs.push_back(Shared(n));
  int asked = 0;
  ExtrapolationRequest request;
  // All runs divide both, and these one of the two.
  request.ranks = 8;
  request.stop = [&asked] { return ++asked, reduction::Status::Ok(); };
  const auto alone = MakeTwin(inputs, request);
  ASSERT_TRUE(alone.ok()) << alone.status().message();
  const int on_all_grids = std::exchange(asked, 0);
  request.searches = std::make_shared<LawSearches>();
  ASSERT_EQ(Extrapolate(inputs, request).status().code(),
            reduction::StatusCode::kNo);
  asked = 0;
  const auto after = MakeTwin(inputs, request);
  ASSERT_TRUE(after.ok()) << after.status().message();
  EXPECT_LT(4 * asked, on_all_grids);
  EXPECT_EQ(after->report.dims, alone->report.dims);
  EXPECT_EQ(*reduction::EncodeForFile(after->trace),
            *reduction::EncodeForFile(alone->trace));
}

int64_t NoLaw(const ranksight_law_place*) { return RANKSIGHT_LAW_NONE; }

// Laws of a library are asked from one thread, so that all is made by one then:
// 200 are three whole blocks of ranks and a part of one.
TEST(Twin, IsTheSameFromOneThreadAndFromSeveral) {
  std::vector<Trace> inputs;
  for (const int64_t n : {4, 8, 12, 16}) {
    inputs.push_back(Scattered(n, Lawless));
  }
  ExtrapolationRequest request;
  request.ranks = 200;
  const auto from_several = MakeTwin(inputs, request);
  request.own_laws = {
      std::make_shared<const OwnLaw>(OwnLaw{"none", NoLaw, {}})};
  const auto from_one = MakeTwin(inputs, request);
  ASSERT_TRUE(from_several.ok() && from_one.ok());
  EXPECT_EQ(*reduction::EncodeForFile(from_several->trace),
            *reduction::EncodeForFile(from_one->trace));
}

TEST(Twin, SharesOfAFewElementsThatEndInNoneAreEstimated) {
  const auto bytes = [](int64_t n) { return n < 16 ? Lawless(n) : 0; };
  const auto twin = TwinAt(32, bytes);
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto& estimates = twin->trace.meta.estimates;
  ASSERT_EQ(estimates.size(), 2);
  for (const reduction::SiteEstimate& e : estimates) {
    EXPECT_EQ(e.messages, 31);
    // As much as the held-out run was off: it was drawn with some bytes.
    EXPECT_GE(e.bytes_width, 15 * 16);
  }
}

TEST(Twin, WhatWasDrawnFarTooLowIsAsWideAsItWasShort) {
  // The largest run has four times what the others foretell: as a share of what
  // it has, that is never more than all.
  const auto bytes = [](int64_t n) {
    return (n < 16 ? 4000 : 16000) + Lawless(n);
  };
  const auto twin = TwinAt(32, bytes);
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto& estimates = twin->trace.meta.estimates;
  ASSERT_EQ(estimates.size(), 2);
  for (const reduction::SiteEstimate& e : estimates) {
    EXPECT_GT(e.bytes_width, 2.5 * e.bytes);
  }
}

TEST(Twin, WhatIsDoneAtSomeSizesAloneLeavesTheRestAnswered) {
  // On 16 ranks there is one part less; the other has a law.
  const auto twin = TwinOf({4, 8, 12, 16}, 32, [](int64_t n) {
    return testing::MadeRun("parts", n, [&](int64_t rank) {
      MadeRank made;
      for (int64_t k = 1; k < 4; ++k) {
        const int64_t to = (rank + k) % n, from = (rank + n - k) % n;
        made.Message(Call::MPI_Send_, 2, to, 1000, 1e-6, 1e-6);
        made.Message(Call::MPI_Recv_, 3, from, 1000, 1e-6, 1e-6);
      }
      if (n < 16 && rank == 0) {
        for (int64_t other = 1; other < n; ++other) {
          made.Message(Call::MPI_Send_, 4, other, Lawless(n), 1e-6, 1e-6);
        }
      } else if (n < 16) {
        made.Message(Call::MPI_Recv_, 5, 0, Lawless(n), 1e-6, 1e-6);
      }
      return made.End(rank, n, 1e-3);
    });
  });
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto& estimates = twin->trace.meta.estimates;
  ASSERT_EQ(estimates.size(), 2);
  for (const reduction::SiteEstimate& e : estimates) {
    // 16 ranks were drawn with about 15 messages, and have none.
    EXPECT_GE(e.messages_width, 10);
    EXPECT_LE(e.messages - e.messages_width, 0);
  }
}

TEST(Twin, WhatTheLargestRunAloneShowsLeavesAllOfItOpen) {
  // The run on 12 is as those on 4 and 8 say, that on 16 is not.
  const auto bytes = [](int64_t n) { return n < 16 ? 1000 * Lawless(n) : 0; };
  const auto twin = TwinAt(32, bytes);
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto& estimates = twin->trace.meta.estimates;
  ASSERT_EQ(estimates.size(), 2);
  for (const reduction::SiteEstimate& e : estimates) {
    EXPECT_LE(e.bytes - e.bytes_width, 0);
    EXPECT_GE(e.bytes + e.bytes_width, 31 * 1000 * Lawless(8));
  }
}

TEST(Twin, LongMessagesThatNoRunTellsOfTheNextAreRefused) {
  const auto bytes = [](int64_t n) { return n % 8 == 0 ? 1000 * n * n : 0; };
  const auto twin = TwinAt(32, bytes);
  ASSERT_FALSE(twin.ok());
  EXPECT_NE(twin.status().message().find("30 messages of"), std::string::npos)
      << twin.status().message();
}

TEST(Twin, WholeElementsLeaveOneOfEachMessageOpen) {
  // 16 to 19 bytes, in one more or less smooth row; of 4 bytes an element each
  // message may be 4 off, whatever a fit says.
  const auto bytes = [](int64_t n) { return n == 12 ? 17 : 16; };
  const auto twin = TwinAt(32, bytes);
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  for (const reduction::SiteEstimate& e : twin->trace.meta.estimates) {
    EXPECT_GE(e.bytes_width, e.messages);  // of one byte an element
  }
}

TEST(Twin, AmountsThatComeToNothingAsInNoRunAreNotExact) {
  // 24 less the ranks is nothing on 24, and how long other messages are follows
  // no law.
  const auto twin = TwinOf({3, 4, 6, 8}, 24, [](int64_t n) {
    return testing::MadeRun("shared", n, [&](int64_t rank) {
      MadeRank made;
      for (int64_t to = 1; rank == 0 && to < n; ++to) {
        made.Message(Call::MPI_Send_, 2, to, 24 - n, 1e-6, 1e-6);
        made.Message(Call::MPI_Send_, 3, to, Lawless(n), 1e-6, 1e-6);
      }
      if (rank > 0) {
        made.Message(Call::MPI_Recv_, 4, 0, 24 - n, 1e-6, 1e-6);
        made.Message(Call::MPI_Recv_, 5, 0, Lawless(n), 1e-6, 1e-6);
      }
      return made.End(rank, n, 1e-3);
    });
  });
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  size_t all_open = 0;
  for (const reduction::SiteEstimate& e : twin->trace.meta.estimates) {
    all_open += e.messages_width >= e.messages;
  }
  EXPECT_EQ(twin->trace.meta.estimates.size(), 4);
  EXPECT_EQ(all_open, 2);
}

// The rank counts at which a law of one's own was asked for a value.
std::set<int64_t>& AskedAt() {
  static std::set<int64_t> ranks;
  return ranks;
}

int64_t NoteAsked(const ranksight_law_place* place) {
  AskedAt().insert(place->ranks);
  return RANKSIGHT_LAW_NONE;
}

TEST(Twin, WhatHasNoLawOnSmallerRunsIsNotSearchedOnAll) {
  std::vector<Trace> inputs;
  for (const int64_t n : {4, 8, 12, 16}) {
    // All but the bytes is the same everywhere: no law of one's own is asked.
    inputs.push_back(testing::MadeRun("told", n, [&](int64_t rank) {
      MadeRank made;
      made.Broadcast(2, Lawless(n), 1e-6, 1e-6);
      return made.End(rank, n, 1e-3);
    }));
  }
  AskedAt().clear();
  ExtrapolationRequest request;
  request.own_laws = {
      std::make_shared<const OwnLaw>(OwnLaw{"asked", NoteAsked, {}})};
  ASSERT_TRUE(TwinMaker::Of(inputs, request).ok());
  EXPECT_EQ(AskedAt(), (std::set<int64_t>{4, 8, 12}));
}

// Ranks tell rank 0 something, how often follows no law: what it takes that as
// is said at the root alone.
Trace Gathered(int64_t ranks) {
  return testing::MadeRun("gathered", ranks, [&](int64_t rank) {
    MadeRank made;
    for (int64_t k = 0; k < 12 + Lawless(ranks) % 3; ++k) {
      made.GatherByte(2, rank == 0, 1e-6, 1e-6);
    }
    return made.End(rank, ranks, 1e-3);
  });
}

// Of the rank's first such call.
int64_t FirstOf(const Trace& trace, int64_t rank, Call call,
                reduction::Param param) {
  const auto params = reduction::Info(call).params;
  const auto index = std::ranges::find(params, param) - params.begin();
  auto cursor = reduction::Cursor::Open(trace, rank);
  while (cursor.ok() && cursor->Next()) {
    if (cursor->event().call() != call) continue;
    return cursor->event().ValuesAt(int(index))[0];
  }
  return -1;
}

TEST(Twin, GathersOfAnyNumberAreDrawnWithTheRootsDatatype) {
  std::vector<Trace> inputs;
  for (const int64_t n : {4, 8, 12, 16}) inputs.push_back(Gathered(n));
  ExtrapolationRequest request;
  request.ranks = 32;
  const auto twin = MakeTwin(inputs, request);
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  std::vector<int64_t> taken_as;
  for (const int64_t rank : {0, 1, 31}) {
    taken_as.push_back(FirstOf(twin->trace, rank, Call::MPI_Gather_,
                               reduction::Param::kRecvTypeKind));
  }
  const int64_t byte = reduction::TypeCodeByName("MPI_BYTE");
  EXPECT_EQ(taken_as, (std::vector<int64_t>{byte, 0, 0}));
}

// Each rank puts to the next one, so that it ends where that one's window does;
// how large windows are follows no law.
int64_t WordsOf(int64_t rank, int64_t ranks) {
  return 40 + Lawless(ranks) + rank * rank * rank % 11;
}

Trace Put(int64_t ranks) {
  return testing::MadeRun("put", ranks, [&](int64_t rank) {
    const int64_t next = (rank + 1) % ranks;
    MadeRank made;
    made.Window(2, 8 * WordsOf(rank, ranks));
    made.Put(3, next, 80, WordsOf(next, ranks) - 10);
    return made.End(rank, ranks, 1e-3);
  });
}

TEST(Twin, WindowsReachAsFarAsWhatIsPutIntoThem) {
  const auto twin = TwinOf({4, 8, 12, 16}, 24, Put);
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  std::vector<int64_t> bytes, needed(24, 0);
  for (int64_t rank = 0; rank < 24; ++rank) {
    using reduction::Param;
    bytes.push_back(
        FirstOf(twin->trace, rank, Call::MPI_Win_allocate_, Param::kSize));
    const auto of_put = [&](Param p) {
      return FirstOf(twin->trace, rank, Call::MPI_Put_, p);
    };
    const int64_t to = of_put(Param::kPeer);
    ASSERT_EQ(to, (rank + 1) % 24);
    needed[size_t(to)] =
        8 * of_put(Param::kOffset) + of_put(Param::kTargetCount);
  }
  for (size_t rank = 0; rank < 24; ++rank) {
    EXPECT_GE(bytes[rank], needed[rank]) << rank;
    EXPECT_LT(bytes[rank], 2 * needed[rank]) << rank;
  }
  EXPECT_EQ(twin->trace.meta.estimates.size(), 2u);
}

// Two ranks at each end have more than the others, and get more on more ranks.
int64_t WindowOf(int64_t rank, int64_t ranks) {
  const int64_t jitter = (rank * rank * rank + 5 * rank * ranks) % 97;
  const bool at_end = rank < 2 || rank >= ranks - 2;
  const auto more = int64_t(5'000 * std::sqrt(double(ranks)));
  return (at_end ? more : 1'000) + jitter;
}

TEST(Twin, AmountsAreScaledFromTheirLikeOnesNotFromAllOfTheLargestRun) {
  // More ranks are like those between the ends than the largest run has.
  constexpr int64_t kRanks = 32;
  // An empty window after each says nothing of how large the others are.
  for (const bool then_empty : {false, true}) {
    const auto twin = TwinOf({4, 8, 12, 16}, kRanks, [&](int64_t n) {
      return testing::MadeRun("ends", n, [&](int64_t rank) {
        MadeRank made;
        made.Window(2, WindowOf(rank, n));
        if (then_empty) made.Window(2, 0);
        return made.End(rank, n, 1e-3);
      });
    });
    ASSERT_TRUE(twin.ok()) << twin.status().message();
    int64_t drawn = 0, real = 0;
    for (int64_t rank = 0; rank < kRanks; ++rank) {
      drawn += FirstOf(twin->trace, rank, Call::MPI_Win_allocate_,
                       reduction::Param::kSize);
      real += WindowOf(rank, kRanks);
    }
    EXPECT_NEAR(double(drawn), double(real), 0.1 * double(real)) << then_empty;
  }
}

// Who is in which team and squad follows no law, nor where they then meet.
int64_t TeamOf(int64_t rank) { return rank * rank * rank % 11 % 2; }
int64_t SquadOf(int64_t rank) { return rank * rank % 13 % 3 % 2; }
constexpr int64_t kRow = 840;  // bytes of each rank, whoever gets them

Trace Teams(int64_t ranks) {
  return testing::MadeRun("teams", ranks, [&](int64_t rank) {
    int64_t team = 0, squad = 0;
    for (int64_t r = 0; r < ranks; ++r) {
      if (TeamOf(r) != TeamOf(rank)) continue;
      ++team;
      squad += SquadOf(r) == SquadOf(rank);
    }
    MadeRank made;
    made.Split(2, 0, TeamOf(rank), team);
    made.Split(3, 2, SquadOf(rank), squad);
    for (int64_t k = 1; k < 8; ++k) {
      const bool in_team = Lawless(ranks) * k % 7 % 2 == 0;
      made.AllToAll(4, in_team ? 2 : 3, kRow / (in_team ? team : squad));
    }
    return made.End(rank, ranks, 1e-3);
  });
}

TEST(Twin, PartsOfPartsMeetInWhatTheirLikeOnesHadObtained) {
  const auto twin = TwinOf({4, 8, 12, 16}, 32, Teams);
  ASSERT_TRUE(twin.ok()) << twin.status().message();
  const auto made = reduction::Communicators::Find(twin->trace);
  ASSERT_TRUE(made.ok()) << made.status().message();
  std::map<const reduction::Communicator*, std::set<std::vector<int64_t>>> met;
  std::set<size_t> sizes;
  for (int64_t rank = 0; rank < 32; ++rank) {
    std::map<const reduction::Communicator*, std::vector<int64_t>> mine;
    auto cursor = reduction::Cursor::Open(twin->trace, rank);
    while (cursor.ok() && cursor->Next()) {
      const reduction::Event& e = cursor->event();
      if (e.call() != Call::MPI_Alltoall_) continue;
      const auto* comm = made->Of(rank, e.Get(reduction::Param::kComm));
      ASSERT_NE(comm, nullptr) << rank;
      const int64_t bytes = e.Get(reduction::Param::kCount);
      mine[comm].push_back(bytes);
      // What a rank gives in all is as on the inputs, whoever gets it.
      EXPECT_NEAR(double(bytes) * double(comm->members.size()), kRow,
                  double(comm->members.size()));
      sizes.insert(comm->members.size());
    }
    for (const auto& [comm, calls] : mine) met[comm].insert(calls);
  }
  // Whoever is together there calls as often and says the same.
  for (const auto& [comm, calls] : met) EXPECT_EQ(calls.size(), 1u);
  EXPECT_GT(sizes.size(), 1u);
}

int64_t FirstOfTeam(int64_t rank) {
  int64_t first = 0;
  while (TeamOf(first) != TeamOf(rank)) ++first;
  return first;
}

// What teams call one behind the other is the other way round in the largest
// run.
Trace Turned(int64_t ranks) {
  return testing::MadeRun("turned", ranks, [&](int64_t rank) {
    int64_t team = 0;
    for (int64_t r = 0; r < ranks; ++r) team += TeamOf(r) == TeamOf(rank);
    MadeRank made;
    made.Split(2, 0, TeamOf(rank), team);
    for (int64_t k = 0; k < 12 + Lawless(ranks) % 3; ++k) {
      for (uint64_t call = 0; call < 4; ++call) {
        made.BroadcastIn(3 + (ranks < 16 ? call : 3 - call), 2,
                         FirstOfTeam(rank), 8);
      }
    }
    return made.End(rank, ranks, 1e-3);
  });
}

TEST(Twin, CallsWhereTheLargestRunHasNoneCountAsThoseOfParts) {
  const auto twin = TwinOf({4, 8, 12, 16}, 32, Turned);
  ASSERT_TRUE(twin.ok()) << twin.status().message();
}

}  // namespace
}  // namespace ranksight::online_model
