// Graphs of operations, played with messages that take no time: who computes
// how long says when each rank ends.
#include "adapters/base/operation_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "adapters/base/operation_source.h"
#include "tests/unit/adapters/sample.h"

namespace ranksight::adapters {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Trace;
using Kind = Operation::Kind;

// A rank's operations as they were added.
struct PlayedOperation {
  Operation operation;
  std::vector<Dependency> behind;
  int64_t start = -1, end = -1;  // -1: not yet
};

class KeepOperations : public OperationSink {
 public:
  explicit KeepOperations(std::vector<PlayedOperation>* out) : out_(out) {}
  void Add(const Operation& operation,
           std::span<const Dependency> behind) override {
    out_->push_back({operation, {behind.begin(), behind.end()}});
  }

 private:
  std::vector<PlayedOperation>* out_;
};

using PlayedSchedule = std::vector<std::vector<PlayedOperation>>;
// Sender, receiver, tag, and which of those.
using MessageKey = std::tuple<int64_t, int64_t, int64_t, int64_t>;

PlayedSchedule ScheduleOf(const Trace& trace) {
  const auto source = OperationSource::Find(trace);
  EXPECT_TRUE(source.ok());
  PlayedSchedule schedule(size_t(trace.meta.ranks));
  for (size_t rank = 0; rank < schedule.size(); ++rank) {
    Conversion done;
    KeepOperations keep(&schedule[rank]);
    EXPECT_TRUE((*source)->Write(int64_t(rank), &keep, &done).ok());
    EXPECT_TRUE(done.not_expressed.empty());
  }
  return schedule;
}

class SchedulePlayer {
 public:
  explicit SchedulePlayer(PlayedSchedule schedule)
      : schedule_(std::move(schedule)) {
    for (size_t rank = 0; rank < schedule_.size(); ++rank) {
      std::map<std::tuple<bool, int64_t, int64_t>, int64_t> counts;
      for (PlayedOperation& played : schedule_[rank]) {
        const Operation& o = played.operation;
        const bool sends = o.kind == Kind::kSend;
        if (!sends && o.kind != Kind::kReceive) continue;
        const int64_t number = counts[{sends, o.peer, o.tag}]++;
        const auto own = int64_t(rank);
        const MessageKey key = sends ? MessageKey(own, o.peer, o.tag, number)
                                     : MessageKey(o.peer, own, o.tag, number);
        (sends ? sends_ : receives_)[key] = &played;
      }
    }
  }

  // Until nothing happens any more; then everything must have ended.
  std::vector<int64_t> EndOfEachRank() {
    ExpectMessagesMeet();
    while (PlayOnce()) {
    }
    std::vector<int64_t> ends;
    for (const auto& operations : schedule_) {
      for (const PlayedOperation& o : operations) EXPECT_GE(o.end, 0);
      ends.push_back(operations.back().end);
    }
    return ends;
  }

 private:
  void ExpectMessagesMeet() const {
    EXPECT_EQ(sends_.size(), receives_.size());
    for (const auto& [key, send] : sends_) {
      const auto receive = receives_.find(key);
      ASSERT_NE(receive, receives_.end());
      EXPECT_EQ(receive->second->operation.amount, send->operation.amount);
    }
  }

  bool PlayOnce() {
    bool any = false;
    for (auto& operations : schedule_) {
      for (PlayedOperation& o : operations) any |= Play(operations, &o);
    }
    for (const auto& [key, receive] : receives_) {
      const int64_t sent = sends_.at(key)->end;
      if (receive->end >= 0 || receive->start < 0 || sent < 0) continue;
      receive->end = std::max(receive->start, sent);
      any = true;
    }
    return any;
  }

  static bool Play(const std::vector<PlayedOperation>& all,
                   PlayedOperation* o) {
    if (o->start >= 0) return false;
    int64_t start = 0;
    for (const Dependency& d : o->behind) {
      const PlayedOperation& before = all[size_t(d.on - 1)];
      const int64_t at = d.started_only ? before.start : before.end;
      if (at < 0) return false;
      start = std::max(start, at);
    }
    o->start = start;
    if (o->operation.kind == Kind::kReceive) return true;
    const bool computes = o->operation.kind == Kind::kCompute;
    o->end = start + (computes ? o->operation.amount : 0);
    return true;
  }

  PlayedSchedule schedule_;
  std::map<MessageKey, PlayedOperation*> sends_, receives_;
};

constexpr int64_t kComputed = 1000;  // before each call of a trace made here

// How many calls that are nothing but computation a rank makes before.
int64_t BusyCalls(int64_t rank) { return 1 + (rank * 7 + 3) % 5; }

Trace TraceWith(int64_t ranks, Call call, const Values& values) {
  std::vector<std::vector<Event>> events;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    events.push_back({MakeEvent(Call::MPI_Init_, 1, {})});
    for (int64_t i = 0; i < BusyCalls(rank); ++i) {
      events.back().push_back(MakeEvent(Call::MPI_Type_commit_, 2, {}));
    }
    events.back().push_back(MakeEvent(call, 3, values));
    events.back().push_back(MakeEvent(Call::MPI_Finalize_, 4, {}));
  }
  return MakeTrace(events);
}

// When each rank comes to the collective.
std::vector<int64_t> Arrivals(int64_t ranks) {
  std::vector<int64_t> arrivals;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    arrivals.push_back((BusyCalls(rank) + 1) * kComputed);
  }
  return arrivals;
}

// When each rank leaves it.
std::vector<int64_t> Departures(int64_t ranks, Call call,
                                const Values& values) {
  auto ends = SchedulePlayer(ScheduleOf(TraceWith(ranks, call, values)))
                  .EndOfEachRank();
  for (int64_t& end : ends) end -= kComputed;
  return ends;
}

const Values kShares = {{Param::kCount, {3}},
                        {Param::kTypeSize, {8}},
                        {Param::kRecvCount, {3}},
                        {Param::kRecvTypeSize, {8}}};

TEST(OperationGraph, NobodyLeavesWhatAllGiveToAllBeforeTheLastHasCome) {
  for (const Call call :
       {Call::MPI_Barrier_, Call::MPI_Allreduce_, Call::MPI_Allgather_,
        Call::MPI_Alltoall_, Call::MPI_Reduce_scatter_block_}) {
    for (int64_t ranks = 2; ranks <= 9; ++ranks) {
      const auto arrivals = Arrivals(ranks);
      const int64_t last = *std::ranges::max_element(arrivals);
      EXPECT_EQ(Departures(ranks, call, kShares),
                std::vector<int64_t>(size_t(ranks), last))
          << reduction::Info(call).name << " of " << ranks;
    }
  }
}

TEST(OperationGraph, TheRootWaitsForAllWhoGiveAndNobodyWaitsLonger) {
  for (const Call call : {Call::MPI_Reduce_, Call::MPI_Gather_}) {
    for (int64_t ranks = 2; ranks <= 9; ++ranks) {
      const auto arrivals = Arrivals(ranks);
      const int64_t last = *std::ranges::max_element(arrivals);
      for (int64_t root = 0; root < ranks; ++root) {
        Values values = kShares;
        values.push_back({Param::kRoot, {root}});
        const auto ends = Departures(ranks, call, values);
        EXPECT_EQ(ends[size_t(root)], last);
        for (size_t rank = 0; rank < ends.size(); ++rank) {
          EXPECT_GE(ends[rank], arrivals[rank]);
          EXPECT_LE(ends[rank], last);
        }
      }
    }
  }
}

TEST(OperationGraph, AllWaitForTheRootThatGivesAndItForNobody) {
  for (const Call call : {Call::MPI_Bcast_, Call::MPI_Scatter_}) {
    for (int64_t ranks = 2; ranks <= 9; ++ranks) {
      const auto arrivals = Arrivals(ranks);
      for (int64_t root = 0; root < ranks; ++root) {
        Values values = kShares;
        values.push_back({Param::kRoot, {root}});
        const auto ends = Departures(ranks, call, values);
        const int64_t given = arrivals[size_t(root)];
        EXPECT_EQ(ends[size_t(root)], given);
        for (size_t rank = 0; rank < ends.size(); ++rank) {
          EXPECT_GE(ends[rank], std::max(arrivals[rank], given));
        }
      }
    }
  }
}

TEST(OperationGraph, AScanWaitsForTheRanksBelow) {
  for (const Call call : {Call::MPI_Scan_, Call::MPI_Exscan_}) {
    for (int64_t ranks = 2; ranks <= 9; ++ranks) {
      const auto ends = Departures(ranks, call, kShares);
      int64_t latest = 0;
      for (size_t rank = 0; rank < ends.size(); ++rank) {
        latest = std::max(latest, Arrivals(ranks)[rank]);
        EXPECT_GE(ends[rank], latest) << reduction::Info(call).name;
      }
    }
  }
}

// Rank 1 computes while a message is under way to it, and waits then.
TEST(OperationGraph, ComputationGoesOnWhileAReceiveIsUnderWay) {
  const Values reals = {{Param::kCount, {3}}, {Param::kTypeSize, {8}}};
  for (const int64_t sender_busy : {0, 2, 9}) {
    const int64_t receiver_busy = 4;
    std::vector<std::vector<Event>> events(2);
    const auto compute = [&](size_t rank, int64_t times) {
      for (int64_t i = 0; i < times; ++i) {
        events[rank].push_back(MakeEvent(Call::MPI_Type_commit_, 2, {}));
      }
    };
    for (auto& of_rank : events) {
      of_rank.push_back(MakeEvent(Call::MPI_Init_, 1, {}));
    }
    compute(0, sender_busy);
    Values to_one = reals, from_none = reals;
    to_one.push_back({Param::kPeer, {1}});
    from_none.push_back({Param::kPeer, {0}});
    events[0].push_back(MakeEvent(Call::MPI_Send_, 3, to_one));
    events[1].push_back(MakeEvent(Call::MPI_Irecv_, 4, from_none));
    compute(1, receiver_busy);
    events[1].push_back(MakeEvent(Call::MPI_Wait_, 5,
                                  {{Param::kRequestCount, {1}},
                                   {Param::kOpenCount, {1}},
                                   {Param::kRequests, {1}}}));
    for (auto& of_rank : events) {
      of_rank.push_back(MakeEvent(Call::MPI_Finalize_, 9, {}));
    }
    const auto ends =
        SchedulePlayer(ScheduleOf(MakeTrace(events))).EndOfEachRank();
    const int64_t sent = (sender_busy + 1) * kComputed;
    const int64_t waits = (1 + receiver_busy + 1) * kComputed;
    EXPECT_EQ(ends[0], sent + kComputed);
    EXPECT_EQ(ends[1], std::max(sent, waits) + kComputed);
  }
}

}  // namespace
}  // namespace ranksight::adapters
