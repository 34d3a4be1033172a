// Cursor: walks one rank of a trace, event by event, without expanding it.
// Memory grows with the structure, not with ranks or events.
//
// REQUIRES: the trace outlives the cursor and does not change.
// Thread-safety: one cursor, one thread; many cursors may share a trace.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "reduction/api/event.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Whether a walk may meet values of which only a distribution is left. Such a
// scalar is then kNotKept, and such an array one kNotKept (none where its
// length is 0).
enum class Missing { kRefused, kAccepted };

class Cursor {
 public:
  // kUsage when rank is not in [0, trace.meta.ranks); kNo when the trace
  // lacks values (RequireValues) and the caller needs them.
  static Result<Cursor> Open(const Trace& trace, int64_t rank,
                             Missing missing = Missing::kRefused);
  // The same of the calls that make communicators alone; what others lack is
  // not seen. O(these calls).
  static Result<Cursor> OpenMakers(const Trace& trace, int64_t rank);
  ~Cursor();
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;

  // Moves to the next event; false at the end or when the trace contradicts
  // itself (a parameter runs out): then status() says so.
  bool Next();
  // Passes over so many events at once, all if there are fewer. O(structure),
  // whatever their number. REQUIRES: Next was not called.
  void Skip(uint64_t events);
  // Events of the walk: so many, and as many before them.
  struct Stretch {
    uint64_t before = 0, events = 0;
  };
  // An iteration of a loop, counted from 0 over the whole walk; nullopt where
  // the rank has no such one. O(structure). REQUIRES: Next and Skip were not
  // called.
  std::optional<Stretch> FindIteration(const Node& loop,
                                       uint64_t iteration) const;
  // Says the size of its communicator where that is asked for (event.h).
  const Event& event() const;
  const Node& node() const;
  // 0 for the first occurrence of node() on this rank.
  uint64_t occurrence() const;
  // Of node() among those that this rank has, in the order of the tree.
  size_t place() const;
  // The call site of the rank's event before this one.
  Predecessor after() const;
  // How often the innermost repetition around the event has gone round: the
  // event's own runs where it has several here, else its loop's iterations.
  uint64_t round() const;
  const Status& status() const;

 private:
  friend class CommSizes;  // walks the makers of communicators alone
  struct Impl;
  explicit Cursor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ranksight::reduction
