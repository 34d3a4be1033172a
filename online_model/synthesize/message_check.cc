#include "online_model/synthesize/message_check.h"

#include <string>

#include "online_model/synthesize/channel_table.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;
using reduction::Trace;

bool DiffersInNumber(const Channel& c) {
  return c.sent.count != c.posted.count;
}
bool DiffersInLength(const Channel& c) {
  return !DiffersInNumber(c) && c.sent.bytes != c.posted.bytes;
}

std::string Text(const Messages& m) {
  return std::to_string(m.count) + " messages of " + std::to_string(m.bytes) +
         " bytes in all";
}

}  // namespace

Status CheckMessages(const Trace& trace, const Trace& recorded) {
  ChannelTable made, known;
  if (Status s = made.See(trace); !s.ok()) return s;
  for (const auto differs : {&DiffersInNumber, &DiffersInLength}) {
    const auto channel = made.First(differs);
    if (!channel) continue;
    if (known.channels().empty()) {
      if (Status s = known.See(recorded); !s.ok()) return s;
    }
    if (known.First(differs)) continue;
    const auto& [from, to, tag] = channel->first;
    return Status::No(
        "at " + std::to_string(trace.meta.ranks) +
        " ranks the laws contradict each other: rank " + std::to_string(from) +
        " sends rank " + std::to_string(to) + " " + Text(channel->second.sent) +
        " with tag " + std::to_string(tag) + ", which receives " +
        Text(channel->second.posted) + "; give more or larger inputs");
  }
  return Status::Ok();
}

}  // namespace ranksight::online_model
