#include "runtime/capture/request_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "reduction/api/call.h"

namespace ranksight::runtime {
namespace {

using Held = RequestTable::Held;

// Handles made up: the table only compares them.
MPI_Request Handle(int n) { return (MPI_Request)(intptr_t)(0x1000 + n); }

std::vector<int64_t> Look(RequestTable* table,
                          const std::vector<MPI_Request>& requests,
                          std::vector<Held>* held) {
  std::vector<int64_t> references;
  table->BeginCall();
  held->resize(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    references.push_back(table->Reference(requests[i], &(*held)[i]));
  }
  return references;
}

TEST(RequestTable, CountsBackFromTheLastMade) {
  RequestTable table;
  std::vector<Held> held;
  for (int i = 0; i < 3; ++i) table.Add(Handle(i), false);
  EXPECT_EQ(
      Look(&table, {Handle(2), Handle(0), MPI_REQUEST_NULL, Handle(1)}, &held),
      (std::vector<int64_t>{1, 3, reduction::kRequestNull, 2}));
}

TEST(RequestTable, PersistentRequestsAreNumberedApartAndSurviveWaiting) {
  RequestTable table;
  std::vector<Held> held;
  table.Add(Handle(0), false);
  table.Add(Handle(1), true);
  table.Add(Handle(2), true);
  EXPECT_EQ(Look(&table, {Handle(1), Handle(2), Handle(0)}, &held),
            (std::vector<int64_t>{-1, -2, 1}));
  table.Finish(held[0], false);
  EXPECT_EQ(Look(&table, {Handle(1)}, &held), (std::vector<int64_t>{-1}));
  table.Finish(held[0], true);
  EXPECT_EQ(Look(&table, {Handle(1)}, &held),
            (std::vector<int64_t>{reduction::kRequestNull}));
}

TEST(RequestTable, AHandleMayComeAgainWhileItsRequestIsWaitedFor) {
  RequestTable table;
  std::vector<Held> waited, held;
  table.Add(Handle(0), false);
  EXPECT_EQ(Look(&table, {Handle(0)}, &waited), (std::vector<int64_t>{1}));
  table.Claim(waited[0]);
  table.Add(Handle(0), false);
  EXPECT_EQ(Look(&table, {Handle(0)}, &held), (std::vector<int64_t>{1}));
  table.Finish(waited[0], false);
  EXPECT_EQ(Look(&table, {Handle(0)}, &held), (std::vector<int64_t>{1}));
}

TEST(RequestTable, OfASharedHandleAThreadMeansItsOwnRequestsFirst) {
  RequestTable table;
  Held held;
  const int threads[3] = {};
  for (const int maker : {0, 1, 0, 1}) {
    table.Add(Handle(0), false, &threads[maker]);
  }
  const auto look = [&](int maker) {
    return table.Reference(Handle(0), &held, &threads[maker]);
  };
  table.BeginCall();
  EXPECT_EQ(look(1), 3);
  EXPECT_EQ(look(1), 1);
  EXPECT_EQ(look(1), 4);
  table.BeginCall();
  EXPECT_EQ(look(0), 4);
  table.Claim(held);
  table.BeginCall();
  EXPECT_EQ(look(0), 2);
  table.BeginCall();
  EXPECT_EQ(look(2), 3);
}

TEST(RequestTable, ARequestOfAFailedWaitIsThereAsBefore) {
  const auto peers =
      std::make_shared<const std::vector<int>>(std::vector<int>{4, 2});
  RequestTable table;
  std::vector<Held> held;
  table.Add(Handle(0), false);
  table.Choose(Handle(0), peers);
  for (int i = 0; i < 3; ++i) table.Add(Handle(1), false);
  const std::vector<MPI_Request> all = {Handle(0), Handle(1), Handle(1)};
  EXPECT_EQ(Look(&table, all, &held), (std::vector<int64_t>{4, 3, 2}));
  for (const Held& h : held) table.Claim(h);
  EXPECT_FALSE(table.HasChoices());
  table.Unclaim(held[2], nullptr);
  table.Unclaim(held[1], nullptr);
  table.Unclaim(held[0], &peers);
  EXPECT_EQ(Look(&table, all, &held), (std::vector<int64_t>{4, 3, 2}));
  ASSERT_NE(RequestTable::ChoiceOf(held[0]), nullptr);
  EXPECT_EQ(*RequestTable::ChoiceOf(held[0]), peers);
}

// Its handle is another thread's before anybody hears that it was freed.
TEST(RequestTable, FreeingAPersistentRequestLeavesTheNextOfItsHandle) {
  const auto peers = std::make_shared<const std::vector<int>>();
  RequestTable table;
  std::vector<Held> freed, held;
  table.Add(Handle(0), true);
  Look(&table, {Handle(0)}, &freed);
  table.Add(Handle(0), true);
  table.Choose(Handle(0), peers);
  table.Finish(freed[0], true);
  EXPECT_EQ(Look(&table, {Handle(0)}, &held), (std::vector<int64_t>{-2}));
  EXPECT_NE(RequestTable::ChoiceOf(held[0]), nullptr);
  EXPECT_TRUE(table.Matches(Handle(0), -2, &held[0]));
  table.Finish(held[0], true);
  EXPECT_EQ(Look(&table, {Handle(0)}, &held),
            (std::vector<int64_t>{reduction::kRequestNull}));
}

TEST(RequestTable, AChoiceLastsAsLongAsItsRequest) {
  const auto peers =
      std::make_shared<const std::vector<int>>(std::vector<int>{4, 2});
  RequestTable table;
  std::vector<Held> held;
  table.Add(Handle(0), false);
  table.Choose(Handle(0), peers);
  table.Add(Handle(1), false);
  table.Add(Handle(2), true);
  table.Choose(Handle(2), nullptr);
  Look(&table, {Handle(0), Handle(1), Handle(2), MPI_REQUEST_NULL}, &held);
  ASSERT_NE(RequestTable::ChoiceOf(held[0]), nullptr);
  EXPECT_EQ(*RequestTable::ChoiceOf(held[0]), peers);
  EXPECT_EQ(RequestTable::ChoiceOf(held[1]), nullptr);
  ASSERT_NE(RequestTable::ChoiceOf(held[2]), nullptr);
  EXPECT_EQ(RequestTable::ChoiceOf(held[3]), nullptr);
  for (const Held& h : held) table.Finish(h, false);
  // The persistent one is still there, until it is freed.
  EXPECT_TRUE(table.HasChoices());
  EXPECT_NE(RequestTable::ChoiceOf(held[2]), nullptr);
  table.Finish(held[2], true);
  EXPECT_FALSE(table.HasChoices());
  EXPECT_EQ(peers.use_count(), 1);
}

TEST(RequestTable, AHandleThatComesAgainHasNoChoiceOfOld) {
  RequestTable table;
  std::vector<Held> held;
  for (int round = 0; round < 3; ++round) {
    table.Add(Handle(0), false);
    if (round == 1) table.Choose(Handle(0), nullptr);
    Look(&table, {Handle(0)}, &held);
    EXPECT_EQ(RequestTable::ChoiceOf(held[0]) != nullptr, round == 1);
    RequestTable::FinishSingle(held[0]);
  }
}

// One thread's receive has ended, and another thread is given its handle before
// the first says so.
TEST(RequestTable, AHandleThatComesTooSoonTakesNoChoiceAway) {
  const auto ours =
      std::make_shared<const std::vector<int>>(std::vector<int>{4, 2});
  const auto theirs =
      std::make_shared<const std::vector<int>>(std::vector<int>{7});
  const int threads[3] = {};
  for (const int other : {0, 1, 2}) {
    RequestTable table;
    table.Add(Handle(0), false, &threads[0]);
    table.Choose(Handle(0), ours);
    table.Add(Handle(0), false, &threads[other]);
    table.Choose(Handle(0), theirs);
    table.Add(Handle(0), false, &threads[other]);  // with no choice
    Held first, second, third;
    table.BeginCall();
    EXPECT_EQ(table.Reference(Handle(0), &first, &threads[0]), 3);
    ASSERT_NE(RequestTable::ChoiceOf(first), nullptr);
    EXPECT_EQ(*RequestTable::ChoiceOf(first), ours);
    table.Finish(first, false);
    table.BeginCall();
    EXPECT_EQ(table.Reference(Handle(0), &second, &threads[other]), 2);
    EXPECT_EQ(table.Reference(Handle(0), &third, &threads[other]), 1);
    ASSERT_NE(RequestTable::ChoiceOf(second), nullptr);
    EXPECT_EQ(*RequestTable::ChoiceOf(second), theirs);
    EXPECT_EQ(RequestTable::ChoiceOf(third), nullptr);
    table.Finish(third, false);
    EXPECT_TRUE(table.HasChoices());
    table.Finish(second, false);
    EXPECT_FALSE(table.HasChoices());
    EXPECT_EQ(ours.use_count() + theirs.use_count(), 2);
  }
}

TEST(RequestTable, OneHandleStandsForSeveralRequestsInTheirOrder) {
  RequestTable table;
  std::vector<Held> held;
  for (int i = 0; i < 3; ++i) table.Add(Handle(7), false);
  EXPECT_EQ(Look(&table, {Handle(7), Handle(7)}, &held),
            (std::vector<int64_t>{3, 2}));
  table.Finish(held[1], false);
  EXPECT_EQ(Look(&table, {Handle(7), Handle(7)}, &held),
            (std::vector<int64_t>{3, 1}));
}

TEST(RequestTable, AHandleThatComesAgainIsANewRequest) {
  RequestTable table;
  std::vector<Held> held;
  table.Add(Handle(1), false);
  table.Add(Handle(2), false);
  Look(&table, {Handle(1)}, &held);
  table.Finish(held[0], false);
  table.Add(Handle(1), false);
  EXPECT_EQ(Look(&table, {Handle(1), Handle(2)}, &held),
            (std::vector<int64_t>{1, 2}));
}

TEST(RequestTable, MatchesAnswersForOneRequestAsReferenceDoes) {
  std::mt19937 rng(9);
  RequestTable table;
  for (int step = 0; step < 20000; ++step) {
    const MPI_Request handle = Handle(int(rng() % 6));
    if (rng() % 2 == 0) table.Add(handle, rng() % 5 == 0);
    std::vector<Held> held;
    const int64_t reference = Look(&table, {handle}, &held)[0];
    Held quick;
    for (const int64_t other : {reference - 1, reference + 1}) {
      ASSERT_FALSE(table.Matches(handle, other, &quick));
    }
    const bool nothing = reference == reduction::kRequestNull;
    ASSERT_EQ(table.Matches(handle, reference, &quick), !nothing);
    if (nothing) continue;
    ASSERT_EQ(quick.number, held[0].number);
    if (RequestTable::IsSingle(quick)) {
      RequestTable::FinishSingle(quick);
    } else {
      table.Finish(quick, rng() % 3 == 0);
    }
  }
}

// What is asked of a handle's place from last time is what the table says.
TEST(RequestTable, WhatWasBehindAHandleLastTimeIsAskedInsteadOfTheTable) {
  std::mt19937 rng(10);
  RequestTable table;
  int singles = 0, added = 0;
  for (int step = 0; step < 20000; ++step) {
    const MPI_Request handle = Handle(int(rng() % 4));
    const MPI_Request another = Handle(4);
    RequestTable::Live* live = table.LiveOf(handle);
    std::vector<Held> held;
    const int64_t before = Look(&table, {handle}, &held)[0];
    if (rng() % 2 == 0) {
      ASSERT_FALSE(table.AddSingle(another, nullptr, live));
      ASSERT_FALSE(table.AddSingle(handle, nullptr, &RequestTable::nothing));
      if (table.AddSingle(handle, nullptr, live)) {
        ASSERT_EQ(before, reduction::kRequestNull);
        ++added;
      } else {
        table.Add(handle, rng() % 8 == 0);
        if (rng() % 4 == 0) table.Choose(handle, nullptr);
      }
    }
    const int64_t reference = Look(&table, {handle}, &held)[0];
    Held quick;
    for (const int64_t other : {reference - 1, reference + 1}) {
      if (other > table.made()) continue;
      ASSERT_FALSE(table.IsSingle(handle, other, live, &quick));
    }
    ASSERT_FALSE(table.IsSingle(another, reference, live, &quick));
    ASSERT_FALSE(
        table.IsSingle(handle, reference, &RequestTable::nothing, &quick));
    if (reference == reduction::kRequestNull) continue;
    if (table.IsSingle(handle, reference, live, &quick)) {
      ASSERT_TRUE(RequestTable::IsSingle(held[0]));
      ASSERT_EQ(RequestTable::ChoiceOf(held[0]), nullptr);
      ASSERT_EQ(quick.number, held[0].number);
      ++singles;
    }
    table.Finish(held[0], rng() % 3 == 0);
  }
  EXPECT_GT(singles, 2000);
  EXPECT_GT(added, 2000);
}

// What looking them up once more, before anything else, would say now.
TEST(RequestTable, ReferencesAreCountedFromNow) {
  RequestTable table;
  for (const int handle : {0, 1, 1, 2}) table.Add(Handle(handle), false);
  table.Add(Handle(3), true);
  const std::vector<MPI_Request> passed = {Handle(2), Handle(1), Handle(3),
                                           MPI_REQUEST_NULL, Handle(1)};
  std::vector<Held> held, again;
  std::vector<int64_t> references = Look(&table, passed, &held);
  for (int more = 4; more < 9; ++more) table.Add(Handle(more), false);
  table.CountFromNow(held, nullptr, &references);
  EXPECT_EQ(references, Look(&table, passed, &again));
  const std::vector<MPI_Request> left = {MPI_REQUEST_NULL, Handle(1), Handle(3),
                                         MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  std::vector<int64_t> some = references;
  table.CountFromNow(held, left.data(), &some);
  references[1] = reduction::kRequestNull;
  EXPECT_EQ(some, references);
}

// A table that looked through all mentions for each would take the better part
// of an hour, longer than a test may.
TEST(RequestTable, AMillionRequestsBehindOneHandleAreNoTrouble) {
  constexpr int kMany = 1000000;
  RequestTable table;
  for (int i = 0; i < kMany; ++i) table.Add(Handle(0), false);
  std::vector<Held> held;
  const auto references =
      Look(&table, std::vector<MPI_Request>(size_t(kMany), Handle(0)), &held);
  for (const Held& h : held) table.Finish(h, false);
  for (int i = 0; i < kMany; ++i) EXPECT_EQ(references[size_t(i)], kMany - i);
}

}  // namespace
}  // namespace ranksight::runtime
