// A thread's log held against a queue, over many rounds of its ring.
#include "runtime/capture/call_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace ranksight::runtime {
namespace {

using LogEntry = CallLog::Entry;
using LogKind = CallLog::Kind;

MPI_Request LoggedHandle(uint64_t n) { return (MPI_Request)(intptr_t)(n + 1); }

LogEntry RandomEntry(uint64_t stamp, KnownCall* known, std::mt19937* random) {
  LogEntry entry;
  entry.stamp = stamp;
  entry.known = known;
  entry.kind = LogKind((*random)() % 5);
  // Differences of ticks may be below zero.
  entry.compute_ticks = int64_t((*random)()) - int64_t(1u << 31);
  entry.call_ticks = (int64_t((*random)()) - int64_t(1u << 31)) * 1000;
  entry.request_count = (*random)() % 3 == 0
                            ? (*random)() % (CallLog::kMostRequests + 1)
                            : (*random)() % 2;
  for (size_t i = 0; i < entry.request_count; ++i) {
    entry.requests[i] = LoggedHandle((*random)() % 1000);
  }
  return entry;
}

void WriteTo(CallLog* log, const LogEntry& e) {
  log->Write(e.kind, e.known, e.stamp, e.compute_ticks, e.call_ticks,
             {e.requests.data(), e.request_count});
}

void ExpectSameEntry(const LogEntry& read, const LogEntry& written) {
  EXPECT_EQ(read.stamp, written.stamp);
  EXPECT_EQ(read.known, written.known);
  EXPECT_EQ(read.kind, written.kind);
  EXPECT_EQ(read.compute_ticks, written.compute_ticks);
  EXPECT_EQ(read.call_ticks, written.call_ticks);
  ASSERT_EQ(read.request_count, written.request_count);
  EXPECT_TRUE(std::equal(read.requests.begin(),
                         read.requests.begin() + read.request_count,
                         written.requests.begin()));
}

TEST(CallLog, GivesEntriesInTheOrderInWhichTheyWereWritten) {
  std::mt19937 random(1);
  KnownCall calls[4];
  const auto log = std::make_unique<CallLog>(nullptr);
  std::deque<LogEntry> queue;
  uint64_t stamp = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (random() % 2 == 0 && log->HasRoom()) {
      queue.push_back(RandomEntry(++stamp, &calls[random() % 4], &random));
      WriteTo(log.get(), queue.back());
      EXPECT_FALSE(log->IsEmpty());
    } else {
      log->Look();
      ASSERT_EQ(log->NextStamp(),
                queue.empty() ? UINT64_MAX : queue.front().stamp);
      if (queue.empty()) continue;
      LogEntry read;
      log->Read(&read);
      ExpectSameEntry(read, queue.front());
      queue.pop_front();
      EXPECT_EQ(log->IsEmpty(), queue.empty());
    }
  }
  EXPECT_GT(stamp, 5000u);  // or the ring was not gone round
}

TEST(CallLog, WhatWasWrittenAfterTheLookIsNotRead) {
  KnownCall call;
  const auto log = std::make_unique<CallLog>(nullptr);
  log->Write(LogKind::kDone, &call, 1, 0, 0, {});
  log->Look();
  log->Write(LogKind::kDone, &call, 2, 0, 0, {});
  LogEntry read;
  log->Read(&read);
  EXPECT_EQ(log->NextStamp(), UINT64_MAX);
  log->Look();
  EXPECT_EQ(log->NextStamp(), 2u);
}

TEST(CallLog, IsFullBeforeAnEntryIsWrittenOver) {
  KnownCall call;
  const auto log = std::make_unique<CallLog>(nullptr);
  std::vector<MPI_Request> most(CallLog::kMostRequests, LoggedHandle(7));
  uint64_t written = 0;
  while (log->HasRoom()) {
    log->Write(LogKind::kClaim, &call, ++written, 0, 0, most);
    log->Write(LogKind::kFinished, &call, ++written, 0, 0, most);
  }
  EXPECT_TRUE(log->IsHalfFull());
  log->Look();
  for (uint64_t stamp = 1; stamp <= written; ++stamp) {
    LogEntry read;
    ASSERT_EQ(log->NextStamp(), stamp);
    log->Read(&read);
    EXPECT_EQ(read.request_count, most.size());
  }
  EXPECT_TRUE(log->IsEmpty());
}

TEST(CallLog, OneWritesWhileAnotherReads) {
  constexpr uint64_t kEntries = 50'000;
  KnownCall call;
  const auto log = std::make_unique<CallLog>(nullptr);
  std::thread writer([&] {
    for (uint64_t stamp = 1; stamp <= kEntries; ++stamp) {
      while (!log->HasRoom()) std::this_thread::yield();
      const MPI_Request one = LoggedHandle(stamp % 100);
      log->Write(LogKind::kMade, &call, stamp, int64_t(2 * stamp), 0,
                 {&one, 1});
    }
  });
  uint64_t wrong = 0;
  for (uint64_t stamp = 1; stamp <= kEntries;) {
    log->Look();
    if (log->NextStamp() == UINT64_MAX) {
      std::this_thread::yield();
      continue;
    }
    LogEntry read;
    log->Read(&read);
    wrong += uint64_t(read.stamp != stamp ||
                      read.compute_ticks != int64_t(2 * stamp) ||
                      read.requests[0] != LoggedHandle(stamp % 100));
    ++stamp;
  }
  writer.join();
  EXPECT_EQ(wrong, 0u);
}

using RawWords = std::array<uint64_t, Hint::kMaxRaw>;

TEST(KnownCalls, AreFoundBehindTheCallsThatTheyCameAfter) {
  KnownCalls known;
  int frame = 0;
  constexpr auto kCall = reduction::Call::MPI_Send_;
  const auto come = [&](uint64_t word) {
    KnownCall* call = known.Get(kCall, &known, &frame, RawWords{word});
    call->changes = Meanings::Changes();
    known.Came(call);
    return call;
  };
  const auto find = [&](uint64_t word) {
    return known.Find(kCall, &known, &frame, word);
  };
  EXPECT_EQ(find(1), nullptr);
  KnownCall* const one = come(1);
  KnownCall* const two = come(2);
  EXPECT_EQ(come(1), one);  // the same as before
  EXPECT_EQ(find(2), two);
  EXPECT_EQ(find(3), nullptr);
  come(3);
  come(1);
  // The last two that came after it.
  EXPECT_NE(find(3), nullptr);
  EXPECT_EQ(find(2), two);
  come(4);
  come(1);
  EXPECT_NE(find(4), nullptr);
  EXPECT_EQ(find(2), nullptr);
  EXPECT_EQ(known.Find(reduction::Call::MPI_Recv_, &known, &frame, 4), nullptr);
  EXPECT_EQ(known.Find(kCall, &frame, &frame, 4), nullptr);
  Meanings::Change();
  EXPECT_EQ(find(4), nullptr);
}

TEST(KnownCalls, AreForgottenBeyondABound) {
  KnownCalls known;
  int frame = 0;
  constexpr auto kCall = reduction::Call::MPI_Send_;
  const auto come = [&](uint64_t word) {
    KnownCall* call = known.Get(kCall, &known, &frame, RawWords{word});
    call->changes = Meanings::Changes();
    known.Came(call);
  };
  for (const uint64_t word : {1, 2, 1}) come(word);
  EXPECT_NE(known.Find(kCall, &known, &frame, uint64_t{2}), nullptr);
  for (uint64_t word = 3; word < 100'000; ++word) come(word);
  come(1);
  EXPECT_EQ(known.Find(kCall, &known, &frame, uint64_t{2}), nullptr);
}

}  // namespace
}  // namespace ranksight::runtime
