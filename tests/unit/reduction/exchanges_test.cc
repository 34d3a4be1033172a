#include "reduction/api/exchanges.h"

#include <gtest/gtest.h>

#include <string>

namespace ranksight::reduction {
namespace {

TEST(Exchanges, AListNamesCollectivesInSmallLetters) {
  std::set<Call> exchanges;
  ASSERT_TRUE(ReadExchanges("alltoall=p2p,bcast=p2p", &exchanges).ok());
  EXPECT_EQ(exchanges, (std::set{Call::MPI_Bcast_, Call::MPI_Alltoall_}));
  EXPECT_EQ(ExchangesText(exchanges), "bcast=p2p,alltoall=p2p");
}

TEST(Exchanges, AnExchangeCanBeTakenBack) {
  std::set<Call> exchanges;
  ASSERT_TRUE(ReadExchanges("all=p2p,barrier=collective", &exchanges).ok());
  EXPECT_EQ(exchanges.size(), 16u);
  EXPECT_EQ(exchanges.count(Call::MPI_Barrier_), 0u);
}

TEST(Exchanges, UnknownOnesAreRefused) {
  std::set<Call> exchanges;
  for (const char* text : {"alltoall", "alltoall=p3p", "send=p2p", "", "=p2p",
                           "ialltoall=p2p", "bcast=p2p,"}) {
    EXPECT_EQ(ReadExchanges(text, &exchanges).code(), StatusCode::kUsage)
        << text;
  }
}

}  // namespace
}  // namespace ranksight::reduction
