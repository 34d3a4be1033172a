// MPI_Send and its like, for the running rank of a world.
#include <algorithm>
#include <memory>

#include "tests/idioms/world/record.h"
#include "tests/idioms/world/world.h"

namespace ranksight::idioms {
namespace {

using reduction::Call;
using reduction::Param;
using Kind = Operation::Kind;

int64_t TagOf(int tag) { return tag == MPI_ANY_TAG ? reduction::kTagAny : tag; }

struct Envelope {
  int count;
  MPI_Datatype type;
  int peer, tag;
  MPI_Comm comm;
};

Record& SetEnvelope(const Envelope& e, Record* record) {
  return record->Set(Param::kCount, e.count)
      .SetType(e.type)
      .Set(Param::kPeer, WorldRank(e.peer, CommOf(e.comm)))
      .Set(Param::kTag, TagOf(e.tag))
      .SetComm(e.comm);
}

std::unique_ptr<Operation> Make(Kind kind, const Envelope& e) {
  auto made = std::make_unique<Operation>();
  made->kind = kind;
  made->owner = World::Now().number;
  made->peer = e.peer;
  made->tag = e.tag;
  made->count = e.count;
  made->type = e.type;
  made->comm = &CommOf(e.comm);
  made->has_choice = kind == Kind::kReceive &&
                     (e.peer == MPI_ANY_SOURCE || e.tag == MPI_ANY_TAG);
  return made;
}

std::unique_ptr<Operation> MakeSend(const void* data, const Envelope& e) {
  auto made = Make(Kind::kSend, e);
  made->given = data;
  return made;
}

std::unique_ptr<Operation> MakeReceive(void* data, const Envelope& e) {
  auto made = Make(Kind::kReceive, e);
  made->taken = data;
  return made;
}

void WaitFor(Operation* operation) {
  while (!IsDone(operation)) World::Now().world->Wait();
}

void SetStatus(const Operation& o, MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = o.source;
  status->MPI_TAG = o.matched_tag;
  status->MPI_ERROR = o.matched_count;
}

void SendNow(Call call, const void* data, const Envelope& e, void* frame) {
  Record record(call, frame);
  SetEnvelope(e, &record);
  auto send = MakeSend(data, e);
  send->waits_for_match = call == Call::MPI_Ssend_;
  Begin(send.get());
  WaitFor(send.get());
  record.Push();
}

void SendLater(Call call, const void* data, const Envelope& e,
               MPI_Request* request, void* frame) {
  Record record(call, frame);
  SetEnvelope(e, &record);
  auto send = MakeSend(data, e);
  send->waits_for_match = call == Call::MPI_Issend_;
  *request = KeepOperation(std::move(send));
  Begin(OperationOf(*request));
  record.Push();
}

// The first that a probe would find; nullptr where there is none.
const Message* Find(int peer, int tag, const Communicator& comm) {
  for (const Message& m : World::Now().unexpected) {
    if (m.context == comm.group->context &&
        (peer == MPI_ANY_SOURCE || peer == m.source) &&
        (tag == MPI_ANY_TAG || tag == m.tag)) {
      return &m;
    }
  }
  return nullptr;
}

void PushProbe(Call call, int peer, int tag, MPI_Comm comm,
               const Message& found, MPI_Status* status, void* frame) {
  Operation like;
  like.has_choice = peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG;
  like.comm = &CommOf(comm);
  like.source = found.source;
  like.matched_tag = found.tag;
  like.matched_count = found.count;
  SetStatus(like, status);
  Record(call, frame)
      .Set(Param::kPeer, WorldRank(peer, CommOf(comm)))
      .Set(Param::kTag, TagOf(tag))
      .SetComm(comm)
      .AddMatch(like)
      .Push();
}

}  // namespace
}  // namespace ranksight::idioms

using namespace ranksight::idioms;  // NOLINT: what MPI's names stand for

extern "C" {

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag,
             MPI_Comm comm) {
  SendNow(Call::MPI_Send_, data, {count, type, to, tag, comm},
          __builtin_frame_address(0));
  return MPI_SUCCESS;
}

int MPI_Ssend(const void* data, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm) {
  SendNow(Call::MPI_Ssend_, data, {count, type, to, tag, comm},
          __builtin_frame_address(0));
  return MPI_SUCCESS;
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm, MPI_Request* request) {
  SendLater(Call::MPI_Isend_, data, {count, type, to, tag, comm}, request,
            __builtin_frame_address(0));
  return MPI_SUCCESS;
}

int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag,
               MPI_Comm comm, MPI_Request* request) {
  SendLater(Call::MPI_Issend_, data, {count, type, to, tag, comm}, request,
            __builtin_frame_address(0));
  return MPI_SUCCESS;
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag,
             MPI_Comm comm, MPI_Status* status) {
  Record record(Call::MPI_Recv_, __builtin_frame_address(0));
  const Envelope e{count, type, from, tag, comm};
  SetEnvelope(e, &record);
  const auto receive = MakeReceive(data, e);
  Begin(receive.get());
  WaitFor(receive.get());
  SetStatus(*receive, status);
  record.AddMatch(*receive).Push();
  return MPI_SUCCESS;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag,
              MPI_Comm comm, MPI_Request* request) {
  Record record(Call::MPI_Irecv_, __builtin_frame_address(0));
  const Envelope e{count, type, from, tag, comm};
  SetEnvelope(e, &record);
  *request = KeepOperation(MakeReceive(data, e));
  Begin(OperationOf(*request));
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Sendrecv(const void* given, int count, MPI_Datatype type, int to,
                 int tag, void* taken, int taken_count, MPI_Datatype taken_type,
                 int from, int taken_tag, MPI_Comm comm, MPI_Status* status) {
  Record record(Call::MPI_Sendrecv_, __builtin_frame_address(0));
  SetEnvelope({count, type, to, tag, comm}, &record)
      .Set(Param::kRecvCount, taken_count)
      .SetReceivedType(taken_type)
      .Set(Param::kRecvPeer, WorldRank(from, CommOf(comm)))
      .Set(Param::kRecvTag, TagOf(taken_tag));
  const auto receive =
      MakeReceive(taken, {taken_count, taken_type, from, taken_tag, comm});
  const auto send = MakeSend(given, {count, type, to, tag, comm});
  Begin(receive.get());
  Begin(send.get());
  WaitFor(receive.get());
  SetStatus(*receive, status);
  record.AddMatch(*receive).Push();
  return MPI_SUCCESS;
}

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to,
                  int tag, MPI_Comm comm, MPI_Request* request) {
  Record record(Call::MPI_Send_init_, __builtin_frame_address(0));
  SetEnvelope({count, type, to, tag, comm}, &record);
  auto send = MakeSend(data, {count, type, to, tag, comm});
  send->is_persistent = true;
  *request = KeepOperation(std::move(send));
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag,
                  MPI_Comm comm, MPI_Request* request) {
  Record record(Call::MPI_Recv_init_, __builtin_frame_address(0));
  SetEnvelope({count, type, from, tag, comm}, &record);
  auto receive = MakeReceive(data, {count, type, from, tag, comm});
  receive->is_persistent = true;
  *request = KeepOperation(std::move(receive));
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Start(MPI_Request* request) {
  Record record(Call::MPI_Start_, __builtin_frame_address(0));
  record.SetRequests(1, request);
  Begin(OperationOf(*request));
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Startall(int n, MPI_Request requests[]) {
  Record record(Call::MPI_Startall_, __builtin_frame_address(0));
  record.SetRequests(n, requests);
  for (int i = 0; i < n; ++i) Begin(OperationOf(requests[i]));
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const Message* found = nullptr;
  while ((found = Find(from, tag, CommOf(comm))) == nullptr) {
    World::Now().world->Wait();
  }
  PushProbe(Call::MPI_Probe_, from, tag, comm, *found, status,
            __builtin_frame_address(0));
  return MPI_SUCCESS;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag,
               MPI_Status* status) {
  World::Now().world->Yield();
  const Message* found = Find(from, tag, CommOf(comm));
  *flag = found != nullptr ? 1 : 0;
  if (found == nullptr) return MPI_SUCCESS;
  PushProbe(Call::MPI_Iprobe_, from, tag, comm, *found, status,
            __builtin_frame_address(0));
  return MPI_SUCCESS;
}

// Here a status keeps the count where the MPI has an error.
int MPI_Get_count(const MPI_Status* status, MPI_Datatype, int* count) {
  *count = status->MPI_ERROR;
  return MPI_SUCCESS;
}

}  // extern "C"
