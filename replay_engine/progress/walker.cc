#include "replay_engine/progress/walker.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "reduction/api/canonical.h"
#include "reduction/api/contract.h"

namespace ranksight::replay_engine {

using reduction::Call;
using reduction::CallInfo;
using reduction::Event;
using reduction::Family;
using reduction::Param;
using reduction::Result;
using reduction::Status;

namespace {
// Ranks walked on before others are told of it: so many that telling costs
// nothing, so few that others need not wait.
constexpr size_t kWalkedAtOnce = 256;
}  // namespace

Walker::Shared::Shared(const reduction::Trace& of,
                       const reduction::Communicators& communicators,
                       const ProgressOptions& asked, size_t in_parts)
    : trace(of),
      comms(communicators),
      options(asked),
      parts(in_parts),
      each((of.meta.ranks + int64_t(in_parts) - 1) / int64_t(in_parts)),
      meetings(asked.buffered_bytes != kAllBuffered),
      notes(in_parts) {
  for (const auto& comm : communicators.all()) {
    is_ascending.push_back(std::ranges::is_sorted(comm->members));
  }
}

Walker::Walker(Shared* shared, size_t part)
    : shared_(*shared),
      trace_(shared->trace),
      comms_(shared->comms),
      options_(shared->options),
      part_(part),
      first_(int64_t(part) * shared->each),
      out_(shared->parts) {}

void Walker::AddRank(reduction::Cursor cursor) {
  const int64_t number = first_ + int64_t(ranks_.size());
  ranks_.push_back(std::make_unique<Rank>(std::move(cursor), trace_, number));
  mailboxes_.emplace_back();
  matches_.emplace_back();
  ready_.push_back(number);
}

Status Walker::Run(const std::function<void()>& tell) {
  std::vector<Note> notes;
  do {
    Take(notes);
    if (Status s = WalkReady(); !s.ok()) {
      shared_.notes.Stop();
      return s;
    }
    if (tell) tell();
  } while (shared_.notes.Exchange(part_, ready_.empty(), &out_, &notes));
  return Status::Ok();
}

Status Walker::WalkReady() {
  uint64_t walked = 0;
  for (size_t i = 0; !ready_.empty() && i < kWalkedAtOnce; ++i) {
    Rank& rank = RankAt(ready_.front());
    ready_.pop_front();
    const uint64_t before = rank.event;
    if (Status s = WalkOn(rank); !s.ok()) return s;
    walked += rank.event - before;
  }
  shared_.walked += walked;
  return Status::Ok();
}

void Walker::Take(const std::vector<Note>& notes) {
  for (const Note& note : notes) {
    if (note.to == Note::kDone) {
      Finish(note.id);
    } else {
      Deliver(note.to, note.envelope, note.id);
    }
  }
}

void Walker::AskOrder() {
  if (shared_.parts == 1 || shared_.is_in_order.exchange(true)) return;
  shared_.notes.Stop();
}

Status Walker::WalkOn(Rank& rank) {
  if (rank.event > 0) Return(rank);
  while (rank.cursor.Next()) {
    ++rank.event;
    const Event& event = rank.cursor.event();
    if (event.call() == Call::MPI_Finalize_) break;
    Status status = rank.resolver.Resolve(event, &rank.operation);
    if (status.ok()) {
      ResolveMatch(rank);
      status = NoteComm(rank);
    }
    if (status.ok()) {
      if (!rank.gaps.PassesOver(rank.operation)) status = Perform(rank);
    }
    if (!status.ok()) {
      return Status(status.code(), "rank " + std::to_string(rank.number) +
                                       ", event " + std::to_string(rank.event) +
                                       " (" + reduction::CanonicalText(event) +
                                       "): " + status.message());
    }
    // It waits: whoever finishes that calls it ready again.
    if (rank.remaining > 0 || rank.probing) return Status::Ok();
    Return(rank);
  }
  rank.ended = true;
  return rank.cursor.status();
}

// Keeps which communicators the rank has; refuses that it gives up another.
Status Walker::NoteComm(Rank& rank) {
  const Event& e = *rank.operation.event;
  if (rank.operation.new_comm >= 0) rank.comms.insert(rank.operation.new_comm);
  if (e.call() != Call::MPI_Comm_free_ &&
      e.call() != Call::MPI_Comm_disconnect_) {
    return Status::Ok();
  }
  // A communicator that no call of the trace made has no number: that of who
  // started a spawned process.
  const int64_t comm = e.Get(Param::kComm);
  if (reduction::IsSpecial(comm) || rank.comms.erase(comm) > 0) {
    return Status::Ok();
  }
  return Status::BadInput("it gives up a communicator that it has not");
}

void Walker::ResolveMatch(Rank& rank) {
  const bool was_open = IsOpen(rank.operation);
  if (!options_.wildcards) rank.matches.Resolve(&rank.operation);
  rank.was_matched = was_open && !IsOpen(rank.operation);
}

Status Walker::Perform(Rank& rank) {
  const Event& event = *rank.operation.event;
  const CallInfo& info = reduction::Info(event.call());
  if (event.Has(Param::kRequests)) {
    OnRequests(rank);
    return Status::Ok();
  }
  switch (info.family) {
    case Family::kPointToPoint:
    case Family::kPartitioned:
      return PointToPoint(rank);
    case Family::kNeighbourhood:
      return info.makes_persistent ? Status::Ok() : Collective(rank);
    case Family::kCollective:
    case Family::kCommunicator:
      return info.collective ? Collective(rank) : Status::Ok();
    default:
      return Status::Ok();
  }
}

// A number that all members know the communicator by.
Result<int64_t> Walker::CommOf(const Rank& rank) const {
  const int64_t number = rank.operation.event->Get(Param::kComm);
  if (number == 0) return int64_t{0};
  if (number == 1) return -1 - rank.number;
  const reduction::Communicator* comm = comms_.Of(rank.number, number);
  if (comm == nullptr) {
    return Status::No("the members of a communicator are not known");
  }
  return comm->common_id();
}

void Walker::OnRequests(Rank& rank) {
  const Call call = rank.operation.event->call();
  const bool completes = reduction::Info(call).completes;
  for (const int64_t request : rank.operation.requests) {
    if (request == kNoRequest) continue;
    if (call == Call::MPI_Start_ || call == Call::MPI_Startall_) {
      Start(rank, request);
    } else if (completes) {
      for (const Id id : rank.requests.Take(request)) WaitFor(rank, id);
    } else if (call == Call::MPI_Cancel_) {
      Cancel(rank, request);
    } else if (call == Call::MPI_Request_free_) {
      Release(rank, request);
    }
  }
}

void Walker::Start(Rank& rank, int64_t request) {
  RANKSIGHT_REQUIRE(request >= 0);
  const auto at = rank.persistent.find(request);
  if (at == rank.persistent.end()) return;
  const Id id = Begin(rank, at->second);
  if (id != kNobody) rank.requests.Put(request, {id, kNobody});
}

// A receive that has no message by now gets none, unless the recording says
// that it did.
void Walker::Cancel(Rank& rank, int64_t request) {
  AskOrder();
  for (const Id id : rank.requests.Find(request)) {
    if (id == kNobody) continue;
    Task& task = TaskAt(id);
    if (task.kind != Task::Kind::kReceive || task.done) continue;
    if (task.was_matched) return;
    MailboxOf(rank.number).Withdraw({task.comm, task.other, task.tag}, id);
    task.done = true;
    Drop(id);
  }
  Release(rank, request);
}

// Nobody waits for it any more.
void Walker::Release(Rank& rank, int64_t request) {
  for (const Id id : rank.requests.Take(request)) {
    if (id != kNobody) Drop(id);
  }
}

void Walker::WaitFor(Rank& rank, Id id) {
  if (id == kNobody) return;
  Task& task = TaskAt(id);
  rank.waits.push_back(id);
  if (task.done) return;
  task.waited = true;
  ++rank.remaining;
}

void Walker::Return(Rank& rank) {
  for (const Id id : rank.waits) Drop(id);
  rank.waits.clear();
}

Walker::Id Walker::NewTask(Task::Kind kind, int64_t rank, int64_t other) {
  Task task;
  task.kind = kind;
  task.holders = 2;
  task.rank = rank;
  task.other = other;
  if (unused_.empty()) {
    tasks_.push_back(task);
    return Id{part_} << kPlaceBits | Id{tasks_.size() - 1};
  }
  const Id id = unused_.back();
  unused_.pop_back();
  TaskAt(id) = task;
  return id;
}

// The other side has come.
void Walker::Finish(Id id) {
  if (PartOf(id) != part_) {
    out_[PartOf(id)].push_back({Note::kDone, id, {}});
    return;
  }
  Task& task = TaskAt(id);
  task.done = true;
  if (task.waited) {
    Rank& rank = RankAt(task.rank);
    if (--rank.remaining == 0) ready_.push_back(task.rank);
    task.waited = false;
  }
  Drop(id);
}

void Walker::Drop(Id id) {
  if (--TaskAt(id).holders == 0) unused_.push_back(id);
}

}  // namespace ranksight::replay_engine
