// Mailbox: the messages that come to one rank and the receives it posted,
// matched as MPI matches them: in the order of sending for each source and
// communicator, in the order of posting among receives.
//
// Invariants: what waits for the same message stands in one line, messages or
// receives and never both, for these would have met. Lines that are empty are
// given back. Complexity: O(1) but for receives from any source or of any tag,
// which look at all lines.
// Thread-safety: one object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ranksight::replay_engine {

// What may match: a source or tag may be any in a receive.
struct Envelope {
  int64_t comm = 0, source = 0, tag = 0;
  bool operator==(const Envelope&) const = default;
};

// Whether messages from several sources, or of several tags, match it.
bool IsOpen(const Envelope& receive);

class Mailbox {
 public:
  using Id = uint64_t;  // of whoever waits for the message or the receive

  // The receive that takes the message, or nothing: then it waits here.
  std::optional<Id> Arrive(const Envelope& envelope, Id send);
  // The message that the receive takes, or nothing: then it waits here.
  std::optional<Id> Post(const Envelope& envelope, Id receive);
  // A receive that waits here and no longer shall. REQUIRES: it was posted so.
  void Withdraw(const Envelope& envelope, Id receive);
  // The message that waits and that such a receive would take, or nothing.
  std::optional<Id> First(const Envelope& envelope) const;
  // Takes it. REQUIRES: First(envelope).
  Id Take(const Envelope& envelope);

 private:
  using TableSlot = uint32_t;  // in one of the tables
  static constexpr TableSlot kNone = UINT32_MAX;
  struct Entry {
    uint64_t order = 0;
    Id id = 0;
    TableSlot next = kNone;  // behind it in its line, or among those given back
  };
  struct Line {
    Envelope envelope;
    TableSlot first = kNone,
              last = kNone;  // entries; none of a line given back
    TableSlot next = kNone;  // of its bucket, or among those given back
    bool has_messages = false;
  };
  struct OpenReceive {
    Envelope envelope;
    Entry entry;
  };

  size_t BucketOf(const Envelope& envelope) const;
  // Of exactly that envelope; kNone.
  TableSlot Find(const Envelope& envelope) const;
  // Of the messages that the receive matches, where the first of all is.
  TableSlot FirstFor(const Envelope& receive) const;
  // line: as Find says.
  void Push(const Envelope& envelope, TableSlot line, bool is_message,
            const Entry& entry);
  TableSlot NewLine(const Envelope& envelope);
  void MakeBuckets();
  Entry Pop(TableSlot line);
  void GiveBack(TableSlot line);

  uint64_t next_ = 0;
  std::vector<Entry> entries_;
  std::vector<Line> lines_;
  std::vector<TableSlot> buckets_;  // lines; a power of two, or none
  TableSlot unused_entry_ = kNone, unused_line_ = kNone;
  size_t lines_in_use_ = 0;
  std::vector<OpenReceive> open_;  // from any source or of any tag
};

}  // namespace ranksight::replay_engine
