// Copies of made runs, held against what each rank must do in them.
#include "online_model/api/copies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/communicators.h"
#include "reduction/api/cursor.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Trace;

struct Parameters {
  std::map<Param, int64_t> scalars;
  std::map<Param, std::vector<int64_t>> lists;
};

// Runs whose ranks make one call after the other, each at a site of its own.
class Maker {
 public:
  Maker() : module_(folder_.AddModule({"b1", "app"})) {}
  void Do(Call call, const Parameters& parameters) {
    Event e(call);
    e.site = folder_.AddSite({{{module_, 16 * ++calls_}}});
    for (const Param p : reduction::Info(call).params) {
      const auto list = parameters.lists.find(p);
      const auto scalar = parameters.scalars.find(p);
      if (reduction::IsArray(p)) {
        const std::vector<int64_t> none;
        e.AddArray(list == parameters.lists.end() ? none : list->second);
      } else {
        e.Add(scalar == parameters.scalars.end() ? 0 : scalar->second);
      }
    }
    ASSERT_TRUE(e.Complete());
    folder_.Push(e, 1000, 1000);
  }
  Trace End(int64_t rank, int64_t ranks) {
    Do(Call::MPI_Finalize_, {});
    return folder_.Snapshot(rank, ranks);
  }

 private:
  reduction::Folder folder_;
  uint32_t module_;
  uint64_t calls_ = 0;
};

const int64_t kByte = reduction::TypeCodeByName("MPI_BYTE");

Parameters Send(int64_t peer, int64_t bytes) {
  return {{{Param::kPeer, peer},
           {Param::kTag, 1},
           {Param::kCount, bytes},
           {Param::kTypeKind, kByte},
           {Param::kTypeSize, 1}},
          {}};
}

// A line of ranks, of which each sends to the next 100 bytes times as many
// ranks; pairs of them, and the upper half, have communicators; rank 1 gathers
// unequal parts, its own in place.
Trace Run(int64_t ranks) {
  std::vector<Trace> parts;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    Maker maker;
    maker.Do(Call::MPI_Init_, {});
    maker.Do(Call::MPI_Comm_split_, {{{Param::kColor, rank / 2},
                                      {Param::kKey, rank % 2},
                                      {Param::kCommSize, 2}},
                                     {}});
    const bool is_upper = rank >= ranks / 2;
    maker.Do(Call::MPI_Comm_split_,
             {{{Param::kColor, is_upper ? 0 : reduction::kColorUndefined},
               {Param::kKey, rank},
               {Param::kCommSize, is_upper ? ranks - ranks / 2 : 0}},
              {}});
    const int64_t bytes = 100 * ranks;
    if (rank + 1 < ranks) maker.Do(Call::MPI_Send_, Send(rank + 1, bytes));
    if (rank > 0) maker.Do(Call::MPI_Recv_, Send(rank - 1, bytes));
    Parameters gather{{{Param::kRoot, 1},
                       {Param::kCount, rank + 1},
                       {Param::kTypeKind, kByte},
                       {Param::kTypeSize, 1}},
                      {}};
    if (rank == 1) {
      gather.scalars[Param::kInPlace] = 1;
      gather.scalars[Param::kCount] = gather.scalars[Param::kTypeKind] =
          gather.scalars[Param::kTypeSize] = 0;
      gather.scalars[Param::kRecvPeerCount] = ranks;
      gather.scalars[Param::kRecvTypeKind] = kByte;
      gather.scalars[Param::kRecvTypeSize] = 1;
      for (int64_t r = 0; r < ranks; ++r) {
        gather.lists[Param::kRecvCounts].push_back(r + 1);
      }
    }
    maker.Do(Call::MPI_Gatherv_, gather);
    maker.Do(Call::MPI_Barrier_, {{{Param::kComm, 2}}, {}});
    parts.push_back(maker.End(rank, ranks));
  }
  while (parts.size() > 1) {
    Trace right = std::move(parts.back());
    parts.pop_back();
    parts.back() = *reduction::Merge(std::move(parts.back()), std::move(right));
  }
  reduction::Canonicalize(&parts[0]);
  return std::move(parts[0]);
}

Extrapolation CopiesAt(int64_t ranks) {
  const std::vector<Trace> inputs = {Run(4), Run(6), Run(8), Run(12)};
  ExtrapolationRequest request;
  request.ranks = ranks;
  auto made = MakeOfCopies(inputs, request);
  EXPECT_TRUE(made.ok()) << made.status().message();
  return made.ok() ? std::move(*made) : Extrapolation{};
}

// The calls of a rank by name; of one that stands twice the last.
std::map<Call, Event> CallsOf(const Trace& trace, int64_t rank) {
  std::map<Call, Event> calls;
  auto cursor = reduction::Cursor::Open(trace, rank);
  EXPECT_TRUE(cursor.ok());
  while (cursor->Next()) calls[cursor->event().call()] = cursor->event();
  EXPECT_TRUE(cursor->status().ok());
  return calls;
}

TEST(Copies, SendWithinTheirCopy) {
  const Trace made = CopiesAt(24).trace;
  EXPECT_EQ(CallsOf(made, 14)[Call::MPI_Send_].Get(Param::kPeer), 15);
  EXPECT_EQ(CallsOf(made, 15)[Call::MPI_Recv_].Get(Param::kPeer), 14);
  EXPECT_FALSE(CallsOf(made, 11).contains(Call::MPI_Send_));
  EXPECT_FALSE(CallsOf(made, 12).contains(Call::MPI_Recv_));
}

TEST(Copies, BytesFollowTheRunsAtBothEnds) {
  const Trace made = CopiesAt(24).trace;
  const int64_t sent = CallsOf(made, 3)[Call::MPI_Send_].Get(Param::kCount);
  EXPECT_NEAR(double(sent), 2400, 480);
  EXPECT_EQ(CallsOf(made, 4)[Call::MPI_Recv_].Get(Param::kCount), sent);
}

TEST(Copies, ShareCommunicatorsThatGrow) {
  const Trace made = CopiesAt(24).trace;
  const auto comms = reduction::Communicators::Find(made);
  ASSERT_TRUE(comms.ok()) << comms.status().message();
  // The upper halves of both copies, first one's first.
  EXPECT_EQ(comms->Of(6, 3)->members,
            (std::vector<int64_t>{6, 7, 8, 9, 10, 11, 18, 19, 20, 21, 22, 23}));
  EXPECT_EQ(comms->Of(14, 2)->members, (std::vector<int64_t>{14, 15}));
}

TEST(Copies, HaveOneRootOfAll) {
  const Trace made = CopiesAt(24).trace;
  const Event root = CallsOf(made, 1)[Call::MPI_Gatherv_];
  ASSERT_EQ(root.GetArray(Param::kRecvCounts).size(), 24U);
  for (int64_t rank = 0; rank < 24; ++rank) {
    const Event e = CallsOf(made, rank)[Call::MPI_Gatherv_];
    EXPECT_EQ(e.Get(Param::kRoot), 1);
    EXPECT_EQ(e.Get(Param::kInPlace), rank == 1 ? 1 : 0);
    // Also that of the copy's own root, which its counts say.
    EXPECT_EQ(e.Get(Param::kCount), rank == 1 ? 0 : rank % 12 + 1);
    EXPECT_EQ(e.Get(Param::kRecvPeerCount), rank == 1 ? 24 : 0);
    EXPECT_EQ(root.GetArray(Param::kRecvCounts)[size_t(rank)], rank % 12 + 1);
  }
}

TEST(Copies, LastOneMayLackRanks) {
  const Trace made = CopiesAt(17).trace;  // one of 12, and the first 5 of it
  EXPECT_EQ(CallsOf(made, 15)[Call::MPI_Send_].Get(Param::kPeer), 16);
  EXPECT_EQ(CallsOf(made, 16)[Call::MPI_Send_].Get(Param::kPeer),
            reduction::kPeerNull);
  const auto comms = reduction::Communicators::Find(made);
  ASSERT_TRUE(comms.ok()) << comms.status().message();
  EXPECT_EQ(comms->Of(16, 2)->members, (std::vector<int64_t>{16}));
}

TEST(Copies, IntervalsHoldWhatTheProgramDoes) {
  const Extrapolation made = CopiesAt(24);
  ASSERT_FALSE(made.report.estimates.empty());
  for (const auto& e : made.report.estimates) {
    if (e.call != "MPI_Send") continue;
    EXPECT_LE(std::abs(e.messages - 23), e.messages_width);
    EXPECT_LE(std::abs(e.bytes - 23 * 2400), e.bytes_width);
    EXPECT_LE(std::abs(e.partners - 23), e.partners_width);
  }
}

// A call of each of so many ranks between the first and the last one.
template <class F>
Trace RunOf(int64_t ranks, const F& calls) {
  Trace all;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    Maker maker;
    maker.Do(Call::MPI_Init_, {});
    calls(rank, ranks, &maker);
    Trace one = maker.End(rank, ranks);
    all = rank == 0 ? std::move(one)
                    : *reduction::Merge(std::move(all), std::move(one));
  }
  return all;
}

template <class F>
reduction::Result<Extrapolation> CopiesOfRuns(const std::vector<int64_t>& sizes,
                                              int64_t ranks, const F& calls) {
  std::vector<Trace> inputs;
  for (const int64_t n : sizes) inputs.push_back(RunOf(n, calls));
  ExtrapolationRequest request;
  request.ranks = ranks;
  return MakeOfCopies(inputs, request);
}

template <class F>
void ExpectNone(const std::vector<int64_t>& sizes, int64_t ranks,
                const std::string& why, const F& calls) {
  const auto made = CopiesOfRuns(sizes, ranks, calls);
  EXPECT_EQ(made.status().code(), reduction::StatusCode::kNo);
  EXPECT_NE(made.status().message().find(why), std::string::npos)
      << made.status().message();
}

Parameters Grid(std::vector<int64_t> dims, int64_t around, int64_t ranks) {
  const std::vector<int64_t> periods(dims.size(), around);
  return {{{Param::kDimCount, int64_t(dims.size())}, {Param::kCommSize, ranks}},
          {{Param::kDims, std::move(dims)}, {Param::kPeriods, periods}}};
}

TEST(Copies, AreNoneWhereACallSaysWhoThereIs) {
  ExpectNone(
      {2, 4, 6}, 12, "MPI_Graph_create",
      [](int64_t, int64_t ranks, Maker* maker) {
        maker->Do(Call::MPI_Graph_create_, {{{Param::kCommSize, ranks}}, {}});
      });
}

TEST(Copies, MakeTheFirstSideOfASharedGridLonger) {
  const auto made =
      CopiesOfRuns({4, 6, 8}, 24, [](int64_t, int64_t ranks, Maker* maker) {
        maker->Do(Call::MPI_Cart_create_, Grid({2, ranks / 2}, 0, ranks));
      });
  ASSERT_TRUE(made.ok()) << made.status().message();
  const Event e = CallsOf(made->trace, 17)[Call::MPI_Cart_create_];
  EXPECT_EQ(e.GetArray(Param::kDims)[0], 6);
  EXPECT_EQ(e.GetArray(Param::kDims)[1], 4);
  EXPECT_EQ(e.Get(Param::kCommSize), 24);
}

TEST(Copies, AreNoneOfGridsThatDoNotGoOn) {
  ExpectNone({4, 6, 8}, 16, "leaves ranks out",
             [](int64_t rank, int64_t, Maker* maker) {
               maker->Do(Call::MPI_Cart_create_, Grid({}, 0, rank == 0));
             });
  // Where a copy ends nobody was, and the next one begins now.
  const auto calls = [](int64_t around) {
    return [around](int64_t, int64_t ranks, Maker* maker) {
      maker->Do(Call::MPI_Cart_create_, Grid({ranks}, around, ranks));
      maker->Do(Call::MPI_Neighbor_allgather_, {{{Param::kComm, 2},
                                                 {Param::kCount, 8},
                                                 {Param::kTypeKind, kByte},
                                                 {Param::kTypeSize, 1},
                                                 {Param::kRecvCount, 8},
                                                 {Param::kRecvTypeKind, kByte},
                                                 {Param::kRecvTypeSize, 1}},
                                                {}});
    };
  };
  ExpectNone({4, 6, 8}, 16, "neighbours", calls(0));
  EXPECT_TRUE(CopiesOfRuns({4, 6, 8}, 16, calls(1)).ok());
}

TEST(Copies, AreNoneOnRanksThatNoRunIsLike) {
  const auto nothing = [](int64_t, int64_t, Maker*) {};
  ExpectNone({2, 4, 8}, 24, "powers of two", nothing);
  ExpectNone({4, 9, 16}, 32, "squares", nothing);
  EXPECT_TRUE(CopiesOfRuns({2, 4, 8}, 16, nothing).ok());
  EXPECT_TRUE(CopiesOfRuns({4, 9, 16}, 36, nothing).ok());
}

TEST(Copies, HaveSharesOfAllRanks) {
  const auto made =
      CopiesOfRuns({4, 6, 8}, 16, [](int64_t, int64_t, Maker* maker) {
        maker->Do(Call::MPI_Reduce_scatter_block_, {{{Param::kCount, 10},
                                                     {Param::kTypeKind, kByte},
                                                     {Param::kTypeSize, 1}},
                                                    {}});
      });
  ASSERT_TRUE(made.ok()) << made.status().message();
  for (const auto& e : made->report.estimates) {
    if (e.call == "MPI_Reduce_scatter_block") {
      EXPECT_EQ(e.bytes, 16 * 16 * 10);
    }
  }
}

// 9 numbers stay so where all runs send as many, and into windows.
TEST(Copies, KeepWhatTheRunsHaveAlike) {
  const auto made = CopiesOfRuns(
      {4, 6, 8}, 16, [](int64_t rank, int64_t ranks, Maker* maker) {
        Parameters send = Send((rank + 1) % ranks, 9);
        send.scalars[Param::kTypeSize] = 8;
        maker->Do(Call::MPI_Isend_, send);
      });
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(CallsOf(made->trace, 11)[Call::MPI_Isend_].Get(Param::kCount), 9);
}

}  // namespace
}  // namespace ranksight::online_model
