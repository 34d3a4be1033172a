// Mailbox: the messages that come to one rank and the receives it posted,
// matched as MPI matches them: in the order of sending for each source and
// communicator, in the order of posting among receives.
//
// Complexity: O(1) but for receives from any source or of any tag, which look
// at all sources that have something waiting.
// Thread-safety: one object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
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
  struct Entry {
    uint64_t order = 0;
    Id id = 0;
  };
  struct OpenReceive {
    Envelope envelope;
    Entry entry;
  };
  // First in, first out; most hold one entry.
  struct Line {
    std::vector<Entry> entries;
    size_t head = 0;
  };
  struct Hash {
    size_t operator()(const Envelope& e) const;
  };
  using Lines = std::unordered_map<Envelope, Line, Hash>;

  static void Push(const Envelope& envelope, const Entry& entry, Lines* lines);
  static Entry Pop(Lines::iterator line, Lines* lines);
  Lines::const_iterator FirstFor(const Envelope& envelope) const;

  uint64_t next_ = 0;
  Lines messages_, receives_;
  std::deque<OpenReceive> open_;  // from any source or of any tag
};

}  // namespace ranksight::replay_engine
