#include "cli/look/site_spreads.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/online_model/made_run.h"

namespace ranksight::cli {
namespace {

using reduction::Call;

// Rank r sends to r + 1. The last sends to nobody, or not at all.
reduction::Trace Line(int64_t ranks, bool tells_nobody) {
  return testing::MadeRun("line", ranks, [&](int64_t rank) {
    testing::MadeRank made;
    const bool is_last = rank + 1 == ranks;
    const int64_t to = is_last ? reduction::kPeerNull : rank + 1;
    if (!is_last || tells_nobody) {
      made.Message(Call::MPI_Send_, 2, to, 100, 1e-6, 1e-6);
    }
    if (rank > 0) made.Message(Call::MPI_Recv_, 3, rank - 1, 100, 1e-6, 1e-6);
    return made.End(rank, ranks, 1e-3);
  });
}

TEST(SiteSpreads, MessagesToNobodyAreNone) {
  const auto spreads = SpreadsOf(Line(4, false), Line(4, true));
  ASSERT_TRUE(spreads.ok()) << spreads.status().message();
  const auto sends = std::ranges::find(*spreads, "MPI_Send", &SiteSpread::call);
  ASSERT_NE(sends, spreads->end());
  EXPECT_EQ(sends->calls.b, 3);
  EXPECT_EQ(sends->bytes.b, 300);
  for (const SiteSpread& s : *spreads) {
    EXPECT_EQ(s.calls.off + s.bytes.off + s.calls.apart, 0) << s.call;
  }
}

}  // namespace
}  // namespace ranksight::cli
