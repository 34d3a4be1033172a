#include "online_model/synthesize/message_check.h"

#include <optional>
#include <string>
#include <utility>

#include "online_model/synthesize/channel_table.h"
#include "reduction/api/communicators.h"

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

using Found = std::optional<std::pair<ChannelKey, Channel>>;

Found LeadsOutside(const ChannelTable& table) {
  return table.First([&](const ChannelKey& key, const Channel&) {
    return table.LeadsOutside(key);
  });
}

template <bool (*kDiffers)(const Channel&)>
Found Differs(const ChannelTable& table) {
  return table.First([&](const ChannelKey& key, const Channel& c) {
    return !table.LeadsOutside(key) && !table.IsOpen(key) && kDiffers(c);
  });
}

// What may be wrong, worst first.
constexpr Found (*kWrong[])(const ChannelTable&) = {
    LeadsOutside, Differs<DiffersInNumber>, Differs<DiffersInLength>};

std::string Text(const Messages& m) {
  return std::to_string(m.count) + " messages of " + std::to_string(m.bytes) +
         " bytes in all";
}

std::string Text(const ChannelKey& key, const Channel& c, bool outside) {
  const std::string from = "rank " + std::to_string(key.from);
  const std::string to = "rank " + std::to_string(key.to);
  const std::string tag = " with tag " + std::to_string(key.tag);
  if (outside && c.sent.count == 0) {
    return to + " receives " + Text(c.posted) + tag + " from " + from +
           ", which is not there";
  }
  const std::string sends = from + " sends " + to + " " + Text(c.sent) + tag;
  if (outside) return sends + ", which is not there";
  return sends + ", which receives " + Text(c.posted);
}

// How many members a communicator has is a law of its own: it must be as many
// as made it.
Status CheckMembers(const Trace& trace, const Trace& recorded) {
  const auto made = reduction::Communicators::Find(trace);
  if (made.ok() || made.status().code() != reduction::StatusCode::kNo ||
      !reduction::Communicators::Find(recorded).ok()) {
    return Status::Ok();
  }
  return Status::No(
      "at " + std::to_string(trace.meta.ranks) +
      " ranks the laws contradict each other: " + made.status().message());
}

}  // namespace

Status CheckMessages(const Trace& trace, const Trace& recorded) {
  if (Status s = CheckMembers(trace, recorded); !s.ok()) return s;
  ChannelTable made, known;
  if (Status s = made.See(trace); !s.ok()) return s;
  for (const auto wrong : kWrong) {
    const Found channel = wrong(made);
    if (!channel) continue;
    if (known.channels().empty()) {
      if (Status s = known.See(recorded); !s.ok()) return s;
    }
    if (wrong(known)) continue;
    return Status::No(
        "at " + std::to_string(trace.meta.ranks) +
        " ranks the laws contradict each other: " +
        Text(channel->first, channel->second, wrong == LeadsOutside));
  }
  return Status::Ok();
}

Status WithAdvice(const Status& checked, const std::string& advice) {
  if (checked.code() != reduction::StatusCode::kNo) return checked;
  return Status::No(checked.message() + "; " + advice);
}

}  // namespace ranksight::online_model
