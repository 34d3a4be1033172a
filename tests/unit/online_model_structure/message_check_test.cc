#include "online_model/synthesize/message_check.h"

#include <gtest/gtest.h>

#include "stencil_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Node;
using reduction::Param;
using reduction::Parameter;
using reduction::Section;
using reduction::StatusCode;
using reduction::Trace;
using testing::RunOf;

Trace Recorded() { return RunOf({.periodic = {true, true}}, {3, 3}); }

// What rank 4 gives the first call of that name: the parameter's values times
// `factor`.
void Multiply(Call call, Param which, int64_t factor, Trace* trace) {
  bool done = false;
  reduction::ForEachEvent(trace->root, [&](Node& node) {
    if (node.call != call || done) return;
    done = true;
    const auto params = reduction::Info(call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (params[i] != which) continue;
      Parameter changed;
      for (int64_t rank = 0; rank < trace->meta.ranks; ++rank) {
        Section values = node.params[i].At(rank);
        if (rank == 4) {
          Section times;
          for (const int64_t v : values.Expand()) times.Append(v * factor);
          values = times;
        }
        changed.Add(rank, values, false);
      }
      node.params[i] = changed;
    }
  });
  ASSERT_TRUE(done);
}

TEST(CheckMessages, OfARunGoTogether) {
  EXPECT_TRUE(CheckMessages(Recorded(), Recorded()).ok());
}

TEST(CheckMessages, ASendLongerThanItsReceiveIsNamed) {
  Trace made = Recorded();
  Multiply(Call::MPI_Isend_, Param::kCount, 2, &made);
  const auto status = CheckMessages(made, Recorded());
  EXPECT_EQ(status.code(), StatusCode::kNo);
  EXPECT_NE(status.message().find("rank 4 sends rank"), std::string::npos)
      << status.message();
  // 5 steps of 16 doubles.
  EXPECT_NE(status.message().find("5 messages of 1280 bytes"),
            std::string::npos)
      << status.message();
}

TEST(CheckMessages, AMessageNobodyReceivesIsNamed) {
  Trace made = Recorded();
  Multiply(Call::MPI_Isend_, Param::kTag, 100, &made);
  EXPECT_EQ(CheckMessages(made, Recorded()).code(), StatusCode::kNo);
}

TEST(CheckMessages, WhatTheRecordedRunDoesTooIsNoContradiction) {
  Trace made = Recorded(), recorded = Recorded();
  Multiply(Call::MPI_Irecv_, Param::kCount, 2, &made);
  EXPECT_FALSE(CheckMessages(made, recorded).ok());
  Multiply(Call::MPI_Irecv_, Param::kCount, 3, &recorded);
  EXPECT_TRUE(CheckMessages(made, recorded).ok());
}

TEST(CheckMessages, ReceivesFromAnySourceSayNothing) {
  Trace made = Recorded();
  Multiply(Call::MPI_Isend_, Param::kCount, 2, &made);
  reduction::ForEachEvent(made.root, [&](Node& node) {
    if (node.call != Call::MPI_Irecv_) return;
    const auto params = reduction::Info(node.call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (params[i] != Param::kPeer) continue;
      Parameter any;
      for (int64_t rank = 0; rank < made.meta.ranks; ++rank) {
        any.Add(rank,
                Section::Constant(reduction::kPeerAny,
                                  node.params[i].At(rank).size()),
                true);
      }
      node.params[i] = any;
    }
  });
  EXPECT_TRUE(CheckMessages(made, Recorded()).ok());
}

}  // namespace
}  // namespace ranksight::online_model
