// What the handles of a rank stand for.
#include <algorithm>
#include <cstring>

#include "reduction/api/call.h"
#include "tests/idioms/world/world.h"

namespace ranksight::idioms {
namespace {

// Handles that no predefined object of the MPI has.
constexpr int kFirstRequest = 1 << 20;

struct Named {
  MPI_Datatype type;
  const char* name;
  int64_t size;
};
constexpr Named kNamed[] = {
    {MPI_DOUBLE, "MPI_DOUBLE", 8}, {MPI_INT, "MPI_INT", 4},
    {MPI_FLOAT, "MPI_FLOAT", 4},   {MPI_CHAR, "MPI_CHAR", 1},
    {MPI_BYTE, "MPI_BYTE", 1},     {MPI_LONG, "MPI_LONG", 8},
    {MPI_PACKED, "MPI_PACKED", 1}, {MPI_2INT, "MPI_2INT", 8}};

}  // namespace

Communicator& CommOf(MPI_Comm comm) { return World::Now().comms.at(int(comm)); }

TypeInfo InfoOf(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return {};
  for (const Named& n : kNamed) {
    if (n.type == type) {
      return {reduction::TypeCodeByName(n.name), n.size, 0};
    }
  }
  return World::Now().types.at(int(type));
}

MPI_Comm KeepComm(Communicator comm) {
  Rank& me = World::Now();
  comm.number = me.comm_numbers++;
  const int handle = ++me.handles;
  me.comms[handle] = std::move(comm);
  return MPI_Comm(handle);
}

Operation* OperationOf(MPI_Request request) {
  if (request == MPI_REQUEST_NULL) return nullptr;
  return World::Now().operations[size_t(int(request) - kFirstRequest)].get();
}

MPI_Request KeepOperation(std::unique_ptr<Operation> operation) {
  Rank& me = World::Now();
  operation->owner = me.number;
  operation->number =
      operation->is_persistent ? me.made_persistent++ : me.made++;
  size_t handle = me.operations.size();
  if (me.free_handles.empty()) {
    me.operations.push_back(std::move(operation));
  } else {
    handle = me.free_handles.back();
    me.free_handles.pop_back();
    me.operations[handle] = std::move(operation);
  }
  return MPI_Request(int(handle) + kFirstRequest);
}

void DropOperation(MPI_Request* request) {
  Rank& me = World::Now();
  const auto handle = size_t(int(*request) - kFirstRequest);
  me.operations[handle] = nullptr;
  me.free_handles.push_back(handle);
  *request = MPI_REQUEST_NULL;
}

int64_t WorldRank(int peer, const Communicator& comm) {
  if (peer == MPI_PROC_NULL) return reduction::kPeerNull;
  if (peer == MPI_ANY_SOURCE) return reduction::kPeerAny;
  return comm.group->members.at(size_t(peer));
}

}  // namespace ranksight::idioms
