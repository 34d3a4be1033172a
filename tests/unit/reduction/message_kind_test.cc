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

// MPI_Ssend, MPI_Ibsend, MPI_Ssend_init: the letter before "send".
TEST(MessageKind, ModesAreWhatTheNamesSay) {
  int others = 0;
  for (const CallInfo& info : AllCalls()) {
    std::string name(info.name);
    for (char& c : name) c = char(std::tolower(c));
    const size_t at = name.find("send");
    const char letter = at == name.npos ? '_' : name[at - 1];
    SendMode expected = SendMode::kStandard;
    if (letter == 's') expected = SendMode::kSynchronous;
    if (letter == 'b') expected = SendMode::kBuffered;
    EXPECT_EQ(SendModeOf(info.call), expected) << info.name;
    others += expected != SendMode::kStandard;
  }
  EXPECT_EQ(others, 6);
}

}  // namespace
}  // namespace ranksight::reduction
