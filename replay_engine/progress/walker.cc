#include "replay_engine/progress/walker.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "reduction/api/canonical.h"
#include "reduction/api/in_parallel.h"

namespace ranksight::replay_engine {

using reduction::Call;
using reduction::CallInfo;
using reduction::Event;
using reduction::Family;
using reduction::Param;
using reduction::Result;
using reduction::Status;

namespace {
// Often enough for a line that is drawn twice a second, seldom enough to cost
// nothing.
constexpr uint64_t kTellings = 256;
// So few that it is soon told how far it is.
constexpr int64_t kOpenedAtOnce = 256;
}  // namespace

Walker::Walker(const reduction::Trace& trace,
               const reduction::Communicators& comms,
               const ProgressOptions& options)
    : trace_(trace),
      comms_(comms),
      options_(options),
      meetings_(options.buffered_bytes != kAllBuffered),
      mailboxes_(static_cast<size_t>(trace.meta.ranks)),
      matches_(static_cast<size_t>(trace.meta.ranks)) {}

Result<Progress> Walker::Run() {
  // Opening the ranks took from a twentieth to nine tenths of what was
  // measured, by how much ranks differ from one another: it counts as a third.
  uint64_t events = 0, told = 0;
  if (options_.tell_share) events = reduction::CountEvents(trace_);
  const uint64_t opening = events / 2 + 1, all = events + opening;
  const auto tell = [&](uint64_t done) {
    if (!options_.tell_share ||
        (done < all && done - told <= all / kTellings)) {
      return;
    }
    told = done;
    options_.tell_share(std::min(1.0, double(done) / double(all)));
  };
  for (int64_t r = 0; r < trace_.meta.ranks; r += kOpenedAtOnce) {
    const int64_t end = std::min(r + kOpenedAtOnce, trace_.meta.ranks);
    if (Status s = OpenRanks(r, end); !s.ok()) return s;
    tell(uint64_t(double(opening) * double(end) / double(trace_.meta.ranks)));
  }
  uint64_t walked = 0;
  while (!ready_.empty()) {
    Rank& rank = *ranks_[static_cast<size_t>(ready_.front())];
    ready_.pop_front();
    const uint64_t before = rank.event;
    if (Status s = WalkOn(rank); !s.ok()) return s;
    walked += rank.event - before;
    tell(opening + walked);
  }
  return Report();
}

// Cursors need to know nothing of one another.
Status Walker::OpenRanks(int64_t begin, int64_t end) {
  std::vector<std::optional<Result<reduction::Cursor>>> cursors;
  cursors.resize(size_t(end - begin));
  reduction::InParallel(cursors.size(), [&](size_t i) {
    cursors[i] = reduction::Cursor::Open(trace_, begin + int64_t(i));
  });
  for (int64_t r = begin; r < end; ++r) {
    Result<reduction::Cursor>& cursor = *cursors[size_t(r - begin)];
    if (!cursor.ok()) return cursor.status();
    ranks_.push_back(std::make_unique<Rank>(std::move(*cursor), trace_, r));
    ready_.push_back(r);
  }
  return Status::Ok();
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
      if (!rank.gaps.PassesOver(rank.operation)) status = Perform(rank);
    }
    if (!status.ok()) {
      return Status(status.code(), "rank " + std::to_string(rank.number) +
                                       ", event " + std::to_string(rank.event) +
                                       " (" + reduction::CanonicalText(event) +
                                       "): " + status.message());
    }
    if (rank.remaining > 0 || rank.probing) return Status::Ok();
    Return(rank);
  }
  rank.ended = true;
  return rank.cursor.status();
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
      const auto at = rank.requests.find(request);
      if (at == rank.requests.end()) continue;
      for (const Id id : at->second) WaitFor(rank, id);
      rank.requests.erase(at);
    } else if (call == Call::MPI_Cancel_) {
      Cancel(rank, request);
    } else if (call == Call::MPI_Request_free_) {
      Release(rank, request);
    }
  }
}

void Walker::Start(Rank& rank, int64_t request) {
  const auto at = rank.persistent.find(request);
  if (at == rank.persistent.end()) return;
  const Id id = Begin(rank, at->second);
  if (id != kNobody) rank.requests[request] = {id};
}

// A receive that has no message by now gets none, unless the recording says
// that it did.
void Walker::Cancel(Rank& rank, int64_t request) {
  const auto at = rank.requests.find(request);
  if (at == rank.requests.end()) return;
  for (const Id id : at->second) {
    Task& task = tasks_[id];
    if (task.kind != Task::Kind::kReceive || task.done) continue;
    if (task.was_matched) return;
    mailboxes_[static_cast<size_t>(rank.number)].Withdraw(
        {task.comm, task.other, task.tag}, id);
    task.done = true;
    Drop(id);
  }
  Release(rank, request);
}

// Nobody waits for it any more.
void Walker::Release(Rank& rank, int64_t request) {
  const auto at = rank.requests.find(request);
  if (at == rank.requests.end()) return;
  for (const Id id : at->second) Drop(id);
  rank.requests.erase(at);
}

void Walker::WaitFor(Rank& rank, Id id) {
  if (id == kNobody) return;
  Task& task = tasks_[id];
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
    return static_cast<Id>(tasks_.size() - 1);
  }
  const Id id = unused_.back();
  unused_.pop_back();
  tasks_[id] = task;
  return id;
}

// The other side has come.
void Walker::Finish(Id id) {
  Task& task = tasks_[id];
  task.done = true;
  if (task.waited) {
    Rank& rank = *ranks_[static_cast<size_t>(task.rank)];
    if (--rank.remaining == 0) ready_.push_back(task.rank);
    task.waited = false;
  }
  Drop(id);
}

void Walker::Drop(Id id) {
  if (--tasks_[id].holders == 0) unused_.push_back(id);
}

}  // namespace ranksight::replay_engine
