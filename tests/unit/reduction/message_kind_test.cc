#include "reduction/api/message_kind.h"

#include <gtest/gtest.h>

#include <string>

namespace ranksight::reduction {
namespace {

// What the name of a point-to-point call says, in small letters: MPI_Irsend
// and MPI_Sendrecv hold "send" and "recv".
MessageKind ByName(const CallInfo& info) {
  std::string name(info.name);
  for (char& c : name) c = char(std::tolower(c));
  const bool sends = name.find("send") != name.npos;
  const bool receives = name.find("recv") != name.npos;
  if (sends && receives) return MessageKind::kBoth;
  if (sends) return MessageKind::kSend;
  return receives ? MessageKind::kReceive : MessageKind::kNone;
}

TEST(MessageKind, IsWhatTheNamesSay) {
  int messages = 0;
  for (const CallInfo& info : AllCalls()) {
    const bool makes =
        info.family == Family::kPartitioned && info.makes_persistent;
    const MessageKind expected = info.family == Family::kPointToPoint || makes
                                     ? ByName(info)
                                     : MessageKind::kNone;
    EXPECT_EQ(MessageKindOf(info.call), expected) << info.name;
    messages += expected != MessageKind::kNone;
  }
  EXPECT_EQ(messages, 23);
}

}  // namespace
}  // namespace ranksight::reduction
