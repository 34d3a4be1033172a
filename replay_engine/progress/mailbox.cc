#include "replay_engine/progress/mailbox.h"

#include <algorithm>

#include "reduction/api/call.h"
#include "reduction/api/fnv.h"

namespace ranksight::replay_engine {
namespace {

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

size_t Mailbox::Hash::operator()(const Envelope& e) const {
  reduction::Fnv hash;
  for (const int64_t v : {e.comm, e.source, e.tag}) hash.Add(uint64_t(v));
  return hash.value() ^ hash.value() >> 32;
}

void Mailbox::Push(const Envelope& envelope, const Entry& entry, Lines* lines) {
  (*lines)[envelope].entries.push_back(entry);
}

Mailbox::Entry Mailbox::Pop(Lines::iterator line, Lines* lines) {
  const Entry entry = line->second.entries[line->second.head++];
  if (line->second.head == line->second.entries.size()) lines->erase(line);
  return entry;
}

std::optional<Mailbox::Id> Mailbox::Arrive(const Envelope& envelope, Id send) {
  const auto exact = receives_.find(envelope);
  const auto open = std::find_if(
      open_.begin(), open_.end(),
      [&](const OpenReceive& r) { return Takes(r.envelope, envelope); });
  const uint64_t exact_order =
      exact == receives_.end()
          ? UINT64_MAX
          : exact->second.entries[exact->second.head].order;
  if (open != open_.end() && open->entry.order < exact_order) {
    const Id id = open->entry.id;
    open_.erase(open);
    return id;
  }
  if (exact != receives_.end()) return Pop(exact, &receives_).id;
  Push(envelope, {next_++, send}, &messages_);
  return std::nullopt;
}

// The line whose first message came first among those that match.
Mailbox::Lines::const_iterator Mailbox::FirstFor(
    const Envelope& envelope) const {
  if (!IsOpen(envelope)) return messages_.find(envelope);
  auto first = messages_.end();
  uint64_t order = UINT64_MAX;
  for (auto at = messages_.begin(); at != messages_.end(); ++at) {
    const uint64_t here = at->second.entries[at->second.head].order;
    if (here >= order || !Takes(envelope, at->first)) continue;
    first = at;
    order = here;
  }
  return first;
}

std::optional<Mailbox::Id> Mailbox::Post(const Envelope& envelope, Id receive) {
  if (First(envelope)) return Take(envelope);
  const Entry entry = {next_++, receive};
  if (IsOpen(envelope)) {
    open_.push_back({envelope, entry});
  } else {
    Push(envelope, entry, &receives_);
  }
  return std::nullopt;
}

void Mailbox::Withdraw(const Envelope& envelope, Id receive) {
  if (IsOpen(envelope)) {
    std::erase_if(open_,
                  [&](const OpenReceive& r) { return r.entry.id == receive; });
    return;
  }
  const auto line = receives_.find(envelope);
  std::vector<Entry>& entries = line->second.entries;
  const auto head = entries.begin() + std::ptrdiff_t(line->second.head);
  entries.erase(std::find_if(head, entries.end(),
                             [&](const Entry& e) { return e.id == receive; }));
  if (line->second.head == entries.size()) receives_.erase(line);
}

std::optional<Mailbox::Id> Mailbox::First(const Envelope& envelope) const {
  const auto line = FirstFor(envelope);
  if (line == messages_.end()) return std::nullopt;
  return line->second.entries[line->second.head].id;
}

Mailbox::Id Mailbox::Take(const Envelope& envelope) {
  const auto line = FirstFor(envelope);
  return Pop(messages_.find(Envelope(line->first)), &messages_).id;
}

}  // namespace ranksight::replay_engine
