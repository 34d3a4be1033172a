#include "adapters/base/message_tags.h"

#include <algorithm>
#include <limits>

#include "reduction/api/contract.h"
#include "reduction/api/cursor.h"
#include "reduction/api/message_kind.h"

namespace ranksight::adapters {
namespace {

using reduction::Event;
using reduction::Param;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

constexpr int64_t kNoTag = -1;
constexpr int64_t kLargestTag = std::numeric_limits<int32_t>::max();

bool IsMessage(reduction::Call call) {
  return reduction::MessageKindOf(call) != reduction::MessageKind::kNone;
}

bool Exceeds(const reduction::Parameter& parameter, int64_t most) {
  for (const auto& [rank, values] : parameter.ByRank()) {
    if (!values.empty() && values.Max() > most) return true;
  }
  return false;
}

// Whether messages are on other communicators, or have tags as others get.
bool NeedsWalk(const Trace& trace) {
  bool needs = false;
  ForEachEvent(trace.root, [&](const reduction::Node& node) {
    if (needs || !IsMessage(node.call)) return;
    const auto params = reduction::Info(node.call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      const bool tag = params[i] == Param::kTag || params[i] == Param::kRecvTag;
      if (params[i] == Param::kComm) needs |= Exceeds(node.params[i], 0);
      if (tag) {
        needs |= Exceeds(node.params[i], MessageTags::kOthers - 1);
      }
    }
  });
  return needs;
}

}  // namespace

MessageTags::MessageTags(const reduction::Communicators& comms)
    : comms_(&comms) {
  for (const auto& comm : comms.all()) {
    selves_ = std::max(selves_, comm->generation + 1);
  }
}

MessageTags::Channel MessageTags::ChannelOf(int64_t rank, int64_t comm) const {
  const reduction::Communicator* known = comms_->Of(rank, comm);
  // A rank's MPI_COMM_SELF: nobody else sends to it.
  return known == nullptr ? selves_ : known->generation;
}

Status MessageTags::ReadRank(const Trace& trace, int64_t rank) {
  auto cursor = reduction::Cursor::Open(trace, rank);
  if (!cursor.ok()) return cursor.status();
  while (cursor->Next()) {
    const Event& e = cursor->event();
    if (!IsMessage(e.call())) continue;
    const Channel channel = ChannelOf(rank, e.Get(Param::kComm));
    only_world_ = only_world_ && channel == 0;
    for (const Param p : {Param::kTag, Param::kRecvTag}) {
      const int64_t tag = e.Get(p, reduction::kTagAny);
      if (tag == reduction::kTagAny) continue;
      if (channel != 0) {
        // Numbered when all tags of the world are known.
        of_others_.try_emplace({channel, tag}, kNoTag);
      } else {
        taken_.insert(tag);
      }
    }
  }
  return cursor->status();
}

int64_t MessageTags::TakeFree() {
  while (taken_.contains(next_)) ++next_;
  return next_++;
}

void MessageTags::Keep() {
  for (auto& [pair, tag] : of_others_) {
    if (taken_.insert(pair.second).second) tag = pair.second;
  }
}

// Those of collectives first: they are then the same whatever messages there
// are.
Status MessageTags::Number() {
  Keep();
  for (size_t i = 0; i < comms_->all().size(); ++i) {
    of_collectives_.push_back(TakeFree());
  }
  for (auto& [pair, tag] : of_others_) {
    if (tag == kNoTag) tag = TakeFree();
  }
  of_nobody_ = TakeFree();
  if (next_ - 1 <= kLargestTag) return Status::Ok();
  return Status::No("messages have more tags than 32 bits can number");
}

Result<MessageTags> MessageTags::Find(const Trace& trace,
                                      const reduction::Communicators& comms) {
  MessageTags tags(comms);
  if (NeedsWalk(trace)) {
    for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
      if (Status s = tags.ReadRank(trace, rank); !s.ok()) return s;
    }
  }
  if (Status s = tags.Number(); !s.ok()) return s;
  return tags;
}

int64_t MessageTags::Of(int64_t rank, int64_t comm, int64_t tag) const {
  const Channel channel = ChannelOf(rank, comm);
  if (channel == 0 || tag == reduction::kTagAny) return tag;
  // No call names it where a receive matched what the trace does not hold.
  const auto found = of_others_.find({channel, tag});
  return found == of_others_.end() ? of_nobody_ : found->second;
}

int64_t MessageTags::OfCollective(const reduction::Communicator& comm) const {
  RANKSIGHT_REQUIRE(comm.id >= 0 && size_t(comm.id) < of_collectives_.size());
  return of_collectives_[size_t(comm.id)];
}

}  // namespace ranksight::adapters
