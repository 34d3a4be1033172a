// Walker: a part of a trace's ranks at once, each as far as it can go, without
// time. Which rank is walked first makes no difference but where a receive
// is open to any source, or is cancelled.
//
// Invariants: a rank, its mailbox and its tasks are touched by their own part
// alone; others are told by notes.
// Thread-safety: one object, one thread; those of one walk, a thread each.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "reduction/api/communicators.h"
#include "reduction/api/cursor.h"
#include "reduction/api/message_kind.h"
#include "replay_engine/api/alignment.h"
#include "replay_engine/api/backend.h"
#include "replay_engine/api/progress.h"
#include "replay_engine/progress/begun.h"
#include "replay_engine/progress/mailbox.h"
#include "replay_engine/progress/meetings.h"
#include "replay_engine/progress/notes.h"
#include "replay_engine/schedule/gaps.h"
#include "replay_engine/schedule/matches.h"
#include "replay_engine/schedule/resolver.h"

namespace ranksight::replay_engine {

class Walker {
 public:
  using Id = Mailbox::Id;

  // What the parts of a walk have in common.
  struct Shared {
    Shared(const reduction::Trace& trace,
           const reduction::Communicators& communicators,
           const ProgressOptions& asked, size_t parts);
    size_t PartOf(int64_t rank) const { return size_t(rank / each); }

    const reduction::Trace& trace;
    const reduction::Communicators& comms;
    std::vector<bool> is_ascending;  // by communicator: its members
    const ProgressOptions& options;
    const size_t parts;
    const int64_t each;  // ranks of a part; the last may have fewer
    std::mutex meeting;  // held by whoever uses `meetings`
    Meetings meetings;
    Notes notes;
    std::atomic<uint64_t> walked = 0;  // events
    // Something was met whose outcome depends on who goes on first. Of several
    // parts only.
    std::atomic<bool> is_in_order = false;
  };

  // Something that a rank started and may wait for.
  struct Task {
    enum class Kind : uint8_t { kSend, kReceive, kMeeting };
    Kind kind = Kind::kSend;
    bool done = false;
    bool waited = false;
    uint8_t holders = 0;  // its rank, and where it waits for the other side
    int64_t rank = 0;
    int64_t other = 0;    // destination or source
    int64_t comm = 0;     // of a meeting or receive
    uint64_t number = 0;  // of a meeting; place of an open receive among these
    int64_t tag = 0;      // of a send or receive
    bool open = false;    // a receive whose match is to be noted
    bool was_matched = false;  // a receive that the recording has a match of
  };
  struct Message {  // as a request stands for it
    bool sends = true;
    reduction::SendMode mode = reduction::SendMode::kStandard;
    int64_t peer = 0, tag = 0, comm = 0, bytes = 0;
    bool open = false;         // IsOpen; never of persistent ones
    bool was_matched = false;  // as Rank::was_matched
  };
  struct Rank {
    Rank(reduction::Cursor c, const reduction::Trace& trace, int64_t r)
        : number(r), cursor(std::move(c)), matches(trace, r) {}
    const int64_t number;
    reduction::Cursor cursor;
    Resolver resolver;
    Matches matches;
    Gaps gaps;
    Operation operation;
    bool was_matched = false;  // by the recording: the operation was open
    // Numbers of communicators: of the next one, and of those not given up.
    std::unordered_set<int64_t> comms;
    uint64_t event = 0;
    bool ended = false;
    Begun requests;
    std::unordered_map<int64_t, Message> persistent;
    std::vector<Id> waits;  // for these, of which `remaining` are not done
    size_t remaining = 0;
    std::optional<Envelope> probing;
    std::vector<Id> matched;  // messages probed and not yet received
  };

  // Walks ranks that were given to AddRank. REQUIRES: shared outlives it.
  Walker(Shared* shared, size_t part);
  // The next one. REQUIRES: it is of this part.
  void AddRank(reduction::Cursor cursor);
  // Until nobody of any part gets on; then, or where another one has stopped,
  // what went wrong here. tell(): now and then.
  reduction::Status Run(const std::function<void()>& tell);

  // REQUIRES: no part runs.
  const std::vector<std::unique_ptr<Rank>>& ranks() const { return ranks_; }
  const Task& TaskOf(Id id) const { return tasks_[PlaceOf(id)]; }
  // What open receives and probes matched, by rank of this part.
  Alignment TakeMatches() { return std::move(matches_); }

 private:
  // A task's place, and above it the part that it belongs to.
  static constexpr Id kNobody = Begun::kNothing;
  static constexpr int kPlaceBits = 40;
  static size_t PartOf(Id id) { return size_t(id >> kPlaceBits); }
  static size_t PlaceOf(Id id) {
    return size_t(id & ((Id{1} << kPlaceBits) - 1));
  }
  Task& TaskAt(Id id) { return tasks_[PlaceOf(id)]; }
  Rank& RankAt(int64_t rank) { return *ranks_[size_t(rank - first_)]; }
  Mailbox& MailboxOf(int64_t rank) { return mailboxes_[size_t(rank - first_)]; }

  reduction::Status WalkReady();
  void Take(const std::vector<Note>& notes);
  reduction::Status WalkOn(Rank& rank);
  reduction::Status NoteComm(Rank& rank);
  void ResolveMatch(Rank& rank);
  reduction::Status Perform(Rank& rank);
  reduction::Status PointToPoint(Rank& rank);
  reduction::Status Probe(Rank& rank);
  void ReceiveMatched(Rank& rank);
  reduction::Status Collective(Rank& rank);
  void OnRequests(Rank& rank);
  void Start(Rank& rank, int64_t request);
  void Cancel(Rank& rank, int64_t request);
  void Release(Rank& rank, int64_t request);

  reduction::Result<int64_t> CommOf(const Rank& rank) const;
  int64_t SizeOfBoth(int64_t rank, int64_t number) const;
  // Of the collective that a rank makes, with `size` who take part.
  Amounts AmountsIn(const Rank& rank, int64_t size) const;
  // Whether a message may come from there, or go there: it is in the call's
  // communicator.
  reduction::Status CheckPeer(const Rank& rank, int64_t peer) const;
  Message SendOf(const Rank& rank, int64_t comm) const;
  Message ReceiveOf(const Rank& rank, int64_t comm) const;
  // What to wait for; kNobody where there is nothing.
  Id Begin(Rank& rank, const Message& message);
  Id Send(Rank& rank, const Message& message);
  Id Receive(Rank& rank, const Message& message);
  // The send's message has come to a rank of this part.
  void Deliver(int64_t to, const Envelope& envelope, Id send);
  // The open receive took the message; the probe of a rank saw it.
  void NoteMatch(Id receive, Id send);
  void NoteProbed(const Rank& rank, Id send);
  // What is done here depends on which rank went on first.
  void AskOrder();
  void WaitFor(Rank& rank, Id id);
  void Return(Rank& rank);  // from a call whose tasks are all done

  Id NewTask(Task::Kind kind, int64_t rank, int64_t other);
  void Finish(Id id);
  void Drop(Id id);

  Shared& shared_;
  const reduction::Trace& trace_;
  const reduction::Communicators& comms_;
  const ProgressOptions& options_;
  const size_t part_;
  const int64_t first_;  // rank
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<Mailbox> mailboxes_;  // by rank
  Alignment matches_;
  std::deque<int64_t> ready_;
  std::vector<Task> tasks_;
  std::vector<Id> unused_, done_;
  std::vector<std::vector<Note>> out_;  // by part
};

}  // namespace ranksight::replay_engine
