#include "reduction/api/messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace ranksight::reduction {
namespace {

constexpr int64_t kSize = 5, kRoot = 2;

// Every member with three bytes for each other, from root 2 where there is one.
Event EventOf(const CallInfo& info) {
  Event e(info.call);
  for (const Param p : info.params) {
    if (IsArray(p)) {
      const bool counts = p == Param::kCounts || p == Param::kRecvCounts;
      e.AddArray(std::vector<int64_t>(size_t(e.Get(LengthOf(info.call, p))),
                                      counts ? 3 : 1));
    } else if (p == Param::kPeerCount || p == Param::kRecvPeerCount) {
      e.Add(kSize);
    } else if (p == Param::kCount || p == Param::kRecvCount) {
      e.Add(3);
    } else {
      e.Add(p == Param::kTypeSize || p == Param::kRecvTypeSize ? 1 : 0);
    }
  }
  return e;
}

// Source, destination and bytes of all that one side says of a call.
using Said = std::map<std::tuple<int64_t, int64_t, int64_t>, int>;

TEST(Messages, OfEveryCollectiveSendersAndReceiversSayTheSame) {
  for (const CallInfo& info : AllCalls()) {
    if (info.family != Family::kCollective) continue;
    const Event e = EventOf(info);
    Said sent, received;
    for (int64_t place = 0; place < kSize; ++place) {
      std::vector<Message> messages;
      EXPECT_TRUE(MessagesOf(e, place, kSize, kRoot, &messages))
          << info.name << " is missing from reduction/walk/messages.cc";
      for (const Message& m : messages) {
        if (m.sends) {
          ++sent[{place, m.peer, m.bytes}];
        } else {
          ++received[{m.peer, place, m.bytes}];
        }
      }
    }
    EXPECT_FALSE(sent.empty()) << info.name;
    EXPECT_EQ(sent, received) << info.name;
  }
}

TEST(Messages, OfCallsThatMoveNothingThereAreNone) {
  std::vector<Message> messages;
  EXPECT_FALSE(
      MessagesOf(Event(Call::MPI_Finalize_), 0, kSize, kRoot, &messages));
}

}  // namespace
}  // namespace ranksight::reduction
