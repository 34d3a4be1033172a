#include "replay_engine/backend_mpi/messages.h"

#include <vector>

namespace ranksight::replay_engine {
namespace {

constexpr int kTag = 0;

struct Position {
  explicit Position(MPI_Comm comm) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
  }
  int rank = 0, size = 1;
};

// The share of one member.
Shares Of(const Shares& shares, int member) {
  Shares share = shares;
  if (shares.counts != nullptr) share.count = shares.counts[member];
  if (shares.types != nullptr) share.type = shares.types[member];
  return share;
}

// Ends at the first error.
class Sequence {
 public:
  template <class F>
  void Then(F&& call) {
    if (code_ == MPI_SUCCESS) code_ = call();
  }
  int code() const { return code_; }

 private:
  int code_ = MPI_SUCCESS;
};

}  // namespace

MPI_Comm ExchangeComm(Arguments& a, const Form& form) {
  if (form.kind() != Form::kBlocking || !a.IsExchanged()) return MPI_COMM_NULL;
  int inter = 0;
  PMPI_Comm_test_inter(a.comm(), &inter);
  return inter != 0 ? MPI_COMM_NULL : a.ExchangeComm();
}

Shares SharesOf(const Payload& payload, int only) {
  Shares shares;
  shares.buffer = payload.buffer;
  shares.count = payload.count;
  shares.type = payload.type;
  shares.only = only;
  return shares;
}

Shares SharesOf(const VectorPayload& payload) {
  Shares shares;
  shares.buffer = payload.buffer;
  shares.type = payload.type;
  shares.counts = payload.counts;
  if (payload.byte_places != nullptr) shares.types = payload.types;
  return shares;
}

int ExchangeByMessages(MPI_Comm comm, const Shares* from, const Shares* to) {
  const Position at(comm);
  std::vector<MPI_Request> requests;
  // MPI writes to a request after the call has returned.
  requests.reserve(static_cast<size_t>(at.size) * 2);
  Sequence sequence;
  const auto for_each = [&](const Shares* side, int direction, auto&& start) {
    for (int i = 0; side != nullptr && i < at.size; ++i) {
      const int member = (at.rank + at.size + direction * i) % at.size;
      if (side->only >= 0 && side->only != member) continue;
      if (member == at.rank && !side->self) continue;
      requests.push_back(MPI_REQUEST_NULL);
      sequence.Then([&] { return start(Of(*side, member), member); });
    }
  };
  for_each(to, -1, [&](const Shares& share, int member) {
    return MPI_Irecv(share.buffer, share.count, share.type, member, kTag, comm,
                     &requests.back());
  });
  for_each(from, 1, [&](const Shares& share, int member) {
    return MPI_Isend(share.buffer, share.count, share.type, member, kTag, comm,
                     &requests.back());
  });
  sequence.Then([&] {
    return MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
                       MPI_STATUSES_IGNORE);
  });
  return sequence.code();
}

int GatherByMessages(MPI_Comm comm, const Payload& own, Shares each, int root,
                     bool in_place) {
  const Shares mine = SharesOf(own, root);
  each.self = !in_place;
  return ExchangeByMessages(comm, in_place ? nullptr : &mine,
                            Position(comm).rank == root ? &each : nullptr);
}

int ScatterByMessages(MPI_Comm comm, Shares each, const Payload& own, int root,
                      bool in_place) {
  const Shares mine = SharesOf(own, root);
  each.self = !in_place;
  return ExchangeByMessages(comm, Position(comm).rank == root ? &each : nullptr,
                            in_place ? nullptr : &mine);
}

int AllgatherByMessages(MPI_Comm comm, const Shares& own, Shares each,
                        bool in_place) {
  Shares mine = Of(own, Position(comm).rank);
  mine.counts = nullptr;
  mine.types = nullptr;
  mine.self = each.self = !in_place;
  return ExchangeByMessages(comm, &mine, &each);
}

int BarrierByMessages(MPI_Comm comm) {
  const int rank = Position(comm).rank;
  Shares others;
  others.only = rank == 0 ? -1 : 0;
  others.self = false;
  const int code = ExchangeByMessages(comm, rank == 0 ? nullptr : &others,
                                      rank == 0 ? &others : nullptr);
  return code == MPI_SUCCESS
             ? BroadcastByMessages(comm, nullptr, 0, MPI_BYTE, 0)
             : code;
}

int BroadcastByMessages(MPI_Comm comm, void* buffer, int count,
                        MPI_Datatype type, int root) {
  const int rank = Position(comm).rank;
  Shares shares;
  shares.buffer = buffer;
  shares.count = count;
  shares.type = type;
  shares.only = rank == root ? -1 : root;
  shares.self = false;
  return ExchangeByMessages(comm, rank == root ? &shares : nullptr,
                            rank == root ? nullptr : &shares);
}

int ReduceByMessages(MPI_Comm comm, const Operands& o, int root) {
  const Position at(comm);
  if (at.rank != root) {
    return MPI_Send(o.input, o.count, o.type, root, kTag, comm);
  }
  // The values mean nothing in a replay. What counts is that as much is
  // computed, one message after the other.
  Sequence sequence;
  for (int member = 0; member < at.size; ++member) {
    if (member == root) continue;
    sequence.Then([&] {
      return MPI_Recv(o.output, o.count, o.type, member, kTag, comm,
                      MPI_STATUS_IGNORE);
    });
    sequence.Then([&] {
      return PMPI_Reduce_local(o.input, o.output, o.count, o.type, o.op);
    });
  }
  return sequence.code();
}

int ScanByMessages(MPI_Comm comm, const Operands& o) {
  const Position at(comm);
  Sequence sequence;
  if (at.rank > 0) {
    sequence.Then([&] {
      return MPI_Recv(o.output, o.count, o.type, at.rank - 1, kTag, comm,
                      MPI_STATUS_IGNORE);
    });
    sequence.Then([&] {
      return PMPI_Reduce_local(o.input, o.output, o.count, o.type, o.op);
    });
  }
  if (at.rank + 1 < at.size) {
    sequence.Then([&] {
      return MPI_Send(o.output, o.count, o.type, at.rank + 1, kTag, comm);
    });
  }
  return sequence.code();
}

int ReduceScatterByMessages(MPI_Comm comm, const Shares& shares, void* output,
                            MPI_Op op) {
  const Position at(comm);
  // Everybody begins with the member behind it, so that no member is sent to by
  // all at once; received is in the same order.
  const Shares own = Of(shares, at.rank);
  std::vector<MPI_Request> requests(static_cast<size_t>(at.size - 1),
                                    MPI_REQUEST_NULL);
  Sequence sequence;
  for (int i = 1; i < at.size; ++i) {
    const int member = (at.rank + i) % at.size;
    const Shares share = Of(shares, member);
    sequence.Then([&] {
      return MPI_Isend(share.buffer, share.count, share.type, member, kTag,
                       comm, &requests[static_cast<size_t>(i - 1)]);
    });
  }
  for (int i = 1; i < at.size; ++i) {
    const int member = (at.rank + at.size - i) % at.size;
    sequence.Then([&] {
      return MPI_Recv(output, own.count, own.type, member, kTag, comm,
                      MPI_STATUS_IGNORE);
    });
    sequence.Then([&] {
      return PMPI_Reduce_local(own.buffer, output, own.count, own.type, op);
    });
  }
  sequence.Then([&] {
    return MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
                       MPI_STATUSES_IGNORE);
  });
  return sequence.code();
}

}  // namespace ranksight::replay_engine
