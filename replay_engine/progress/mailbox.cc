#include "replay_engine/progress/mailbox.h"

#include <algorithm>

#include "reduction/api/call.h"
#include "reduction/api/contract.h"

namespace ranksight::replay_engine {
namespace {

constexpr size_t kFewestBuckets = 8;

bool Takes(const Envelope& receive, const Envelope& message) {
  return receive.comm == message.comm &&
         (receive.source == reduction::kPeerAny ||
          receive.source == message.source) &&
         (receive.tag == reduction::kTagAny || receive.tag == message.tag);
}

}  // namespace

bool IsOpen(const Envelope& receive) {
  return receive.source == reduction::kPeerAny ||
         receive.tag == reduction::kTagAny;
}

// The upper bits of a product with an odd number depend on all below them.
size_t Mailbox::BucketOf(const Envelope& e) const {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15u;
  uint64_t hash = uint64_t(e.source) * kOdd;
  hash = (hash ^ hash >> 29 ^ uint64_t(e.tag)) * kOdd;
  hash = (hash ^ hash >> 29 ^ uint64_t(e.comm)) * kOdd;
  return size_t(hash >> 32) & (buckets_.size() - 1);
}

Mailbox::TableSlot Mailbox::Find(const Envelope& envelope) const {
  if (lines_in_use_ == 0) return kNone;
  TableSlot at = buckets_[BucketOf(envelope)];
  while (at != kNone && !(lines_[at].envelope == envelope))
    at = lines_[at].next;
  return at;
}

void Mailbox::MakeBuckets() {
  buckets_.assign(std::max(kFewestBuckets, 2 * buckets_.size()), kNone);
  for (TableSlot at = 0; at < lines_.size(); ++at) {
    if (lines_[at].first == kNone) continue;
    TableSlot& bucket = buckets_[BucketOf(lines_[at].envelope)];
    lines_[at].next = bucket;
    bucket = at;
  }
}

Mailbox::TableSlot Mailbox::NewLine(const Envelope& envelope) {
  if (lines_in_use_ >= buckets_.size()) MakeBuckets();
  ++lines_in_use_;
  TableSlot at = unused_line_;
  if (at == kNone) {
    at = TableSlot(lines_.size());
    lines_.emplace_back();
  } else {
    unused_line_ = lines_[at].next;
  }
  TableSlot& bucket = buckets_[BucketOf(envelope)];
  lines_[at] = {envelope, kNone, kNone, bucket, false};
  bucket = at;
  return at;
}

void Mailbox::Push(const Envelope& envelope, TableSlot line, bool is_message,
                   const Entry& entry) {
  if (line == kNone) line = NewLine(envelope);
  TableSlot at = unused_entry_;
  if (at == kNone) {
    at = TableSlot(entries_.size());
    entries_.push_back(entry);
  } else {
    unused_entry_ = entries_[at].next;
    entries_[at] = entry;
  }
  Line& l = lines_[line];
  l.has_messages = is_message;
  (l.first == kNone ? l.first : entries_[l.last].next) = at;
  l.last = at;
}

Mailbox::Entry Mailbox::Pop(TableSlot line) {
  RANKSIGHT_REQUIRE(line < lines_.size() && lines_[line].first != kNone);
  Line& l = lines_[line];
  const TableSlot at = l.first;
  const Entry entry = entries_[at];
  l.first = entry.next;
  entries_[at].next = unused_entry_;
  unused_entry_ = at;
  if (l.first == kNone) GiveBack(line);
  return entry;
}

void Mailbox::GiveBack(TableSlot line) {
  TableSlot* at = &buckets_[BucketOf(lines_[line].envelope)];
  while (*at != line) at = &lines_[*at].next;
  *at = lines_[line].next;
  lines_[line].next = unused_line_;
  unused_line_ = line;
  --lines_in_use_;
}

std::optional<Mailbox::Id> Mailbox::Arrive(const Envelope& envelope, Id send) {
  const TableSlot line = Find(envelope);
  const bool has_receive = line != kNone && !lines_[line].has_messages;
  if (!open_.empty()) {
    const auto open = std::find_if(
        open_.begin(), open_.end(),
        [&](const OpenReceive& r) { return Takes(r.envelope, envelope); });
    // Of a receive by name and one from any source the one that was posted
    // first takes it, as MPI says.
    const uint64_t exact_order =
        has_receive ? entries_[lines_[line].first].order : UINT64_MAX;
    if (open != open_.end() && open->entry.order < exact_order) {
      const Id id = open->entry.id;
      open_.erase(open);
      return id;
    }
  }
  if (has_receive) return Pop(line).id;
  Push(envelope, line, true, {next_++, send});
  return std::nullopt;
}

Mailbox::TableSlot Mailbox::FirstFor(const Envelope& receive) const {
  if (!IsOpen(receive)) {
    const TableSlot line = Find(receive);
    return line != kNone && lines_[line].has_messages ? line : kNone;
  }
  // From any source, or with any tag: the message that came first of all lines
  // that fit. O(lines).
  TableSlot first = kNone;
  uint64_t order = UINT64_MAX;
  for (TableSlot at = 0; at < lines_.size(); ++at) {
    const Line& line = lines_[at];
    if (line.first == kNone || !line.has_messages) continue;
    const uint64_t here = entries_[line.first].order;
    if (here >= order || !Takes(receive, line.envelope)) continue;
    first = at;
    order = here;
  }
  return first;
}

std::optional<Mailbox::Id> Mailbox::Post(const Envelope& envelope, Id receive) {
  if (IsOpen(envelope)) {
    if (First(envelope)) return Take(envelope);
    open_.push_back({envelope, {next_++, receive}});
    return std::nullopt;
  }
  const TableSlot line = Find(envelope);
  if (line != kNone && lines_[line].has_messages) return Pop(line).id;
  Push(envelope, line, false, {next_++, receive});
  return std::nullopt;
}

void Mailbox::Withdraw(const Envelope& envelope, Id receive) {
  if (IsOpen(envelope)) {
    std::erase_if(open_,
                  [&](const OpenReceive& r) { return r.entry.id == receive; });
    return;
  }
  // All others of its line in turn, to its end.
  const TableSlot line = Find(envelope);
  std::vector<Entry> others;
  for (TableSlot at = lines_[line].first; at != kNone; at = entries_[at].next) {
    if (entries_[at].id != receive) others.push_back(entries_[at]);
  }
  for (size_t i = 0; i <= others.size(); ++i) Pop(line);
  for (Entry& other : others) {
    other.next = kNone;
    Push(envelope, Find(envelope), false, other);
  }
}

std::optional<Mailbox::Id> Mailbox::First(const Envelope& envelope) const {
  const TableSlot line = FirstFor(envelope);
  if (line == kNone) return std::nullopt;
  return entries_[lines_[line].first].id;
}

Mailbox::Id Mailbox::Take(const Envelope& envelope) {
  RANKSIGHT_REQUIRE(First(envelope).has_value());
  return Pop(FirstFor(envelope)).id;
}

}  // namespace ranksight::replay_engine
