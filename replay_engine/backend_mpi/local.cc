// Book-keeping of one rank (datatypes, groups, attributes, memory), done
// again with stand-ins: what a trace says of these calls is that they were
// made, and what they changed stands in the parameters of later events. What
// a call makes is given back at once, unseen by a recorder.
#include <algorithm>
#include <climits>
#include <memory>
#include <new>
#include <vector>

#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Param;
using reduction::Status;

// What has no stand-in.
Status PassOver() { return Status::Ok(); }

MPI_Datatype ScratchType() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  PMPI_Type_contiguous(1, MPI_BYTE, &type);
  return type;
}

int MakeType(Call call, MPI_Datatype* made) {
  int one = 1, none = 0, whole = MPI_DISTRIBUTE_DFLT_DARG,
      along = MPI_DISTRIBUTE_NONE;
  MPI_Aint start = 0;
  MPI_Datatype byte = MPI_BYTE;
  switch (call) {
    case Call::MPI_Type_contiguous_:
      return MPI_Type_contiguous(1, byte, made);
    case Call::MPI_Type_vector_:
      return MPI_Type_vector(1, 1, 1, byte, made);
    case Call::MPI_Type_create_hvector_:
    case Call::MPI_Type_hvector_:
      return MPI_Type_create_hvector(1, 1, 1, byte, made);
    case Call::MPI_Type_indexed_:
      return MPI_Type_indexed(1, &one, &none, byte, made);
    case Call::MPI_Type_create_hindexed_:
    case Call::MPI_Type_hindexed_:
      return MPI_Type_create_hindexed(1, &one, &start, byte, made);
    case Call::MPI_Type_create_indexed_block_:
      return MPI_Type_create_indexed_block(1, 1, &none, byte, made);
    case Call::MPI_Type_create_hindexed_block_:
      return MPI_Type_create_hindexed_block(1, 1, &start, byte, made);
    case Call::MPI_Type_create_struct_:
    case Call::MPI_Type_struct_:
      return MPI_Type_create_struct(1, &one, &start, &byte, made);
    case Call::MPI_Type_create_subarray_:
      return MPI_Type_create_subarray(1, &one, &one, &none, MPI_ORDER_C, byte,
                                      made);
    case Call::MPI_Type_create_darray_:
      return MPI_Type_create_darray(1, 0, 1, &one, &along, &whole, &one,
                                    MPI_ORDER_C, byte, made);
    case Call::MPI_Type_create_resized_:
      return MPI_Type_create_resized(byte, 0, 1, made);
    case Call::MPI_Type_dup_:
      return MPI_Type_dup(byte, made);
    default:
      return MPI_ERR_UNSUPPORTED_OPERATION;
  }
}

Status OnType(Call call) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int code = MPI_SUCCESS;
  if (call == Call::MPI_Type_commit_ || call == Call::MPI_Type_free_) {
    type = ScratchType();
    code = call == Call::MPI_Type_commit_ ? MPI_Type_commit(&type)
                                          : MPI_Type_free(&type);
  } else {
    code = MakeType(call, &type);
    if (code == MPI_ERR_UNSUPPORTED_OPERATION) return PassOver();
  }
  if (type != MPI_DATATYPE_NULL) PMPI_Type_free(&type);
  return FromMpi(code);
}

int MakeGroup(Call call, MPI_Group of, MPI_Group* made) {
  int first = 0, range[1][3] = {{0, 0, 1}};
  switch (call) {
    case Call::MPI_Group_incl_:
      return MPI_Group_incl(of, 1, &first, made);
    case Call::MPI_Group_excl_:
      return MPI_Group_excl(of, 1, &first, made);
    case Call::MPI_Group_range_incl_:
      return MPI_Group_range_incl(of, 1, range, made);
    case Call::MPI_Group_range_excl_:
      return MPI_Group_range_excl(of, 1, range, made);
    case Call::MPI_Group_union_:
      return MPI_Group_union(of, of, made);
    case Call::MPI_Group_intersection_:
      return MPI_Group_intersection(of, of, made);
    case Call::MPI_Group_difference_:
      return MPI_Group_difference(of, of, made);
    default:
      return MPI_ERR_UNSUPPORTED_OPERATION;
  }
}

Status OnGroup(Call call) {
  MPI_Group all = MPI_GROUP_NULL, made = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  if (call == Call::MPI_Group_free_) return FromMpi(MPI_Group_free(&all));
  const int code = MakeGroup(call, all, &made);
  PMPI_Group_free(&all);
  if (code == MPI_ERR_UNSUPPORTED_OPERATION) return PassOver();
  if (made != MPI_GROUP_NULL && made != MPI_GROUP_EMPTY) {
    PMPI_Group_free(&made);
  }
  return FromMpi(code);
}

int ScratchKey() {
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key,
                          nullptr);
  return key;
}

Status OnAttribute(Arguments& a) {
  int key = MPI_KEYVAL_INVALID, code = MPI_SUCCESS;
  const MPI_Comm comm = a.comm();
  switch (a.call()) {
    case Call::MPI_Comm_create_keyval_:
    case Call::MPI_Keyval_create_:
      code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,
                                    MPI_COMM_NULL_DELETE_FN, &key, nullptr);
      break;
    case Call::MPI_Comm_free_keyval_:
    case Call::MPI_Keyval_free_:
      key = ScratchKey();
      code = MPI_Comm_free_keyval(&key);
      break;
    case Call::MPI_Comm_set_attr_:
    case Call::MPI_Attr_put_:
      key = ScratchKey();
      code = MPI_Comm_set_attr(comm, key, &key);
      PMPI_Comm_delete_attr(comm, key);
      break;
    case Call::MPI_Comm_delete_attr_:
    case Call::MPI_Attr_delete_:
      key = ScratchKey();
      PMPI_Comm_set_attr(comm, key, &key);
      code = MPI_Comm_delete_attr(comm, key);
      break;
    default:
      return PassOver();
  }
  if (key != MPI_KEYVAL_INVALID) PMPI_Comm_free_keyval(&key);
  return FromMpi(code);
}

Status OnInfo(Arguments& a) {
  MPI_Info info = MPI_INFO_NULL, copy = MPI_INFO_NULL;
  int code = MPI_SUCCESS;
  if (a.call() == Call::MPI_Info_create_) {
    code = MPI_Info_create(&info);
  } else {
    PMPI_Info_create(&info);
    PMPI_Info_set(info, "ranksight", "replay");
  }
  switch (a.call()) {
    case Call::MPI_Info_set_:
      code = MPI_Info_set(info, "ranksight", "replay");
      break;
    case Call::MPI_Info_delete_:
      code = MPI_Info_delete(info, "ranksight");
      break;
    case Call::MPI_Info_dup_:
      code = MPI_Info_dup(info, &copy);
      break;
    case Call::MPI_Info_free_:
      code = MPI_Info_free(&info);
      break;
    case Call::MPI_Comm_set_info_:
      code = MPI_Comm_set_info(a.comm(), info);
      break;
    default:
      break;
  }
  if (copy != MPI_INFO_NULL) PMPI_Info_free(&copy);
  if (info != MPI_INFO_NULL) PMPI_Info_free(&info);
  return FromMpi(code);
}

void Nothing(void*, void*, int*, MPI_Datatype*) {}
void Ignore(MPI_Comm*, int*, ...) {}

Status OnOperation(Call call) {
  MPI_Op op = MPI_OP_NULL;
  if (call == Call::MPI_Op_create_) {
    const int code = MPI_Op_create(Nothing, 1, &op);
    if (op != MPI_OP_NULL) PMPI_Op_free(&op);
    return FromMpi(code);
  }
  PMPI_Op_create(Nothing, 1, &op);
  return FromMpi(MPI_Op_free(&op));
}

Status OnErrorHandler(Call call) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (call == Call::MPI_Errhandler_free_) {
    PMPI_Comm_create_errhandler(Ignore, &handler);
    return FromMpi(MPI_Errhandler_free(&handler));
  }
  const int code = MPI_Comm_create_errhandler(Ignore, &handler);
  if (handler != MPI_ERRHANDLER_NULL) PMPI_Errhandler_free(&handler);
  return FromMpi(code);
}

// Larger where messages are; where they are smaller, what MPI needs for each
// stays.
Status AttachBuffer(Arguments& a, MpiState& state) {
  const double factor = std::max(1.0, state.options.bytes_scale);
  const double bytes = std::min<double>(a.Int(Param::kSize) * factor, INT_MAX);
  if (!a.ok()) return a.status();
  void* before = nullptr;
  int size = 0;
  // Instead of the one that stands in where none is recorded.
  if (state.bsend_buffer != nullptr) PMPI_Buffer_detach(&before, &size);
  size = static_cast<int>(bytes);
  state.bsend_buffer.reset(
      new (std::nothrow) char[static_cast<size_t>(size) + 1]);
  if (state.bsend_buffer == nullptr) {
    return Status::Io("no memory to buffer sends in");
  }
  return FromMpi(MPI_Buffer_attach(state.bsend_buffer.get(), size));
}

Status OnMemory(Arguments& a, MpiState& state) {
  void* memory = nullptr;
  int size = 0;
  switch (a.call()) {
    case Call::MPI_Alloc_mem_: {
      const int code = MPI_Alloc_mem(1, MPI_INFO_NULL, &memory);
      if (code == MPI_SUCCESS) PMPI_Free_mem(memory);
      return FromMpi(code);
    }
    case Call::MPI_Free_mem_:
      PMPI_Alloc_mem(1, MPI_INFO_NULL, &memory);
      return FromMpi(MPI_Free_mem(memory));
    case Call::MPI_Buffer_attach_:
      return AttachBuffer(a, state);
    default: {
      if (state.bsend_buffer == nullptr) return PassOver();
      const int code = MPI_Buffer_detach(&memory, &size);
      state.bsend_buffer.reset();
      return FromMpi(code);
    }
  }
}

Status OnData(Arguments& a) {
  const bool unpacks = a.call() == Call::MPI_Unpack_;
  const Payload p = a.Make(Side::kSend, unpacks ? Area::kReceive : Area::kSend);
  if (!a.ok()) return a.status();
  int size = 0, place = 0;
  const MPI_Comm comm = a.comm() == MPI_COMM_NULL ? MPI_COMM_SELF : a.comm();
  PMPI_Pack_size(p.count, p.type, comm, &size);
  std::vector<char> packed(static_cast<size_t>(size) + 1);
  if (unpacks) {
    return FromMpi(MPI_Unpack(packed.data(), size, &place, p.buffer, p.count,
                              p.type, comm));
  }
  return FromMpi(
      MPI_Pack(p.buffer, p.count, p.type, packed.data(), size, &place, comm));
}

Status ReduceLocally(Arguments& a) {
  const Payload in = a.Make(Side::kSend, Area::kSend);
  const Payload out = a.Make(Side::kSend, Area::kReceive);
  if (!a.ok()) return a.status();
  return FromMpi(MPI_Reduce_local(in.buffer, out.buffer, in.count, in.type,
                                  a.Op(in.predefined)));
}

}  // namespace

Status PerformLocally(const Operation& operation, MpiState& state) {
  Arguments a(operation, state);
  if (!a.ok()) return a.status();
  const Call call = a.call();
  const std::string_view name = reduction::Info(call).name;
  if (name.find("attr") != name.npos || name.find("eyval") != name.npos ||
      name.starts_with("MPI_Attr_")) {
    return OnAttribute(a);
  }
  if (name.find("rrhandler") != name.npos) {
    return name.find("call") != name.npos ? PassOver() : OnErrorHandler(call);
  }
  if (name.starts_with("MPI_Type_")) return OnType(call);
  if (name.starts_with("MPI_Group_")) return OnGroup(call);
  if (name.starts_with("MPI_Op_")) return OnOperation(call);
  if (name.find("_mem") != name.npos || name.starts_with("MPI_Buffer_")) {
    return OnMemory(a, state);
  }
  if (call == Call::MPI_Reduce_local_) return ReduceLocally(a);
  if (call == Call::MPI_Pack_ || call == Call::MPI_Unpack_) return OnData(a);
  if (name.find("nfo") != name.npos) return OnInfo(a);
  return PassOver();
}

}  // namespace ranksight::replay_engine
