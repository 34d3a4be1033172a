// Datatypes, operators and windows, for the running rank of a world.
#include <algorithm>
#include <functional>
#include <numeric>

#include "reduction/api/call.h"
#include "tests/idioms/world/record.h"
#include "tests/idioms/world/world.h"

namespace ranksight::idioms {
namespace {

using reduction::Call;
using reduction::Param;

int64_t ExtentOf(const TypeInfo& info) { return info.size + info.excess; }

MPI_Datatype KeepType(int combiner, int64_t size, int64_t extent,
                      Record* record) {
  Rank& me = World::Now();
  const TypeInfo made{reduction::kTypeKindDerived + combiner, size,
                      extent - size};
  record->SetMadeType(made).Push();
  const int handle = ++me.handles;
  me.types[handle] = made;
  return MPI_Datatype(handle);
}

std::vector<int64_t> Numbers(const int* values, int n) {
  return {values, values + n};
}

MPI_Win KeepWindow(Communicator* comm) {
  Rank& me = World::Now();
  const int handle = ++me.handles;
  me.windows[handle] = {me.window_numbers++, comm};
  return MPI_Win(handle);
}

Record& SetWindow(MPI_Win window, Record* record) {
  return record->Set(Param::kWindow,
                     World::Now().windows.at(int(window)).first);
}

Record& SetTransfer(int count, MPI_Datatype type, int peer, MPI_Aint offset,
                    int target_count, MPI_Datatype target_type, MPI_Win window,
                    Record* record) {
  const Communicator& comm = *World::Now().windows.at(int(window)).second;
  record->Set(Param::kCount, count).SetType(type);
  record->Set(Param::kPeer, WorldRank(peer, comm));
  record->Set(Param::kOffset, offset);
  record->Set(Param::kTargetCount, target_count).SetTargetType(target_type);
  return SetWindow(window, record);
}

int64_t Assertions(int bits) {
  int64_t numbers = 0;
  if ((bits & MPI_MODE_NOCHECK) != 0) numbers |= 1;
  if ((bits & MPI_MODE_NOSTORE) != 0) numbers |= 2;
  if ((bits & MPI_MODE_NOPUT) != 0) numbers |= 4;
  if ((bits & MPI_MODE_NOPRECEDE) != 0) numbers |= 8;
  if ((bits & MPI_MODE_NOSUCCEED) != 0) numbers |= 16;
  return numbers;
}

Record& SetGroup(MPI_Group group, int bits, MPI_Win window, Record* record) {
  const auto& members = World::Now().groups.at(int(group));
  record->SetList(Param::kMembers, {members.begin(), members.end()});
  record->Set(Param::kMode, Assertions(bits));
  return SetWindow(window, record);
}

}  // namespace
}  // namespace ranksight::idioms

using namespace ranksight::idioms;  // NOLINT: what MPI's names stand for

extern "C" {

int MPI_Type_contiguous(int n, MPI_Datatype type, MPI_Datatype* made) {
  Record record(Call::MPI_Type_contiguous_, __builtin_frame_address(0));
  const TypeInfo old = InfoOf(type);
  record.Set(Param::kItemCount, n).SetType(type);
  *made = KeepType(MPI_COMBINER_CONTIGUOUS, n * old.size, n * ExtentOf(old),
                   &record);
  return MPI_SUCCESS;
}

int MPI_Type_vector(int n, int block, int stride, MPI_Datatype type,
                    MPI_Datatype* made) {
  Record record(Call::MPI_Type_vector_, __builtin_frame_address(0));
  const TypeInfo old = InfoOf(type);
  record.Set(Param::kItemCount, n).Set(Param::kBlock, block);
  record.Set(Param::kStride, stride).SetType(type);
  const int64_t elements = n > 0 ? int64_t(n - 1) * stride + block : 0;
  *made = KeepType(MPI_COMBINER_VECTOR, int64_t(n) * block * old.size,
                   elements * ExtentOf(old), &record);
  return MPI_SUCCESS;
}

int MPI_Type_create_subarray(int n, const int sizes[], const int subsizes[],
                             const int starts[], int order, MPI_Datatype type,
                             MPI_Datatype* made) {
  Record record(Call::MPI_Type_create_subarray_, __builtin_frame_address(0));
  const TypeInfo old = InfoOf(type);
  record.SetList(Param::kDims, Numbers(sizes, n));
  record.SetList(Param::kSubsizes, Numbers(subsizes, n));
  record.SetList(Param::kStarts, Numbers(starts, n));
  record.Set(Param::kMode, order == MPI_ORDER_C ? 0 : 1).SetType(type);
  const auto product = [n](const int* sides) {
    return std::accumulate(sides, sides + n, int64_t{1},
                           std::multiplies<int64_t>());
  };
  *made = KeepType(MPI_COMBINER_SUBARRAY, product(subsizes) * old.size,
                   product(sizes) * ExtentOf(old), &record);
  return MPI_SUCCESS;
}

int MPI_Type_commit(MPI_Datatype* type) {
  Record record(Call::MPI_Type_commit_, __builtin_frame_address(0));
  record.SetType(*type).Push();
  return MPI_SUCCESS;
}

int MPI_Type_free(MPI_Datatype* type) {
  Record record(Call::MPI_Type_free_, __builtin_frame_address(0));
  record.SetType(*type).Push();
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

int MPI_Op_create(MPI_User_function*, int commutes, MPI_Op* op) {
  Record record(Call::MPI_Op_create_, __builtin_frame_address(0));
  record.Set(Param::kMode, commutes).Push();
  *op = MPI_Op(++World::Now().handles);
  return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op* op) {
  Record(Call::MPI_Op_free_, __builtin_frame_address(0)).Push();
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

int MPI_Win_create(void*, MPI_Aint size, int unit, MPI_Info, MPI_Comm comm,
                   MPI_Win* window) {
  Record record(Call::MPI_Win_create_, __builtin_frame_address(0));
  record.Set(Param::kSize, size).Set(Param::kDispUnit, unit).SetComm(comm);
  Meet(&CommOf(comm), {});
  *window = KeepWindow(&CommOf(comm));
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Win_free(MPI_Win* window) {
  Record record(Call::MPI_Win_free_, __builtin_frame_address(0));
  SetWindow(*window, &record).Push();
  *window = MPI_WIN_NULL;
  return MPI_SUCCESS;
}

int MPI_Win_fence(int bits, MPI_Win window) {
  Record record(Call::MPI_Win_fence_, __builtin_frame_address(0));
  record.Set(Param::kMode, Assertions(bits));
  SetWindow(window, &record);
  Meet(World::Now().windows.at(int(window)).second, {});
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Win_post(MPI_Group group, int bits, MPI_Win window) {
  Record record(Call::MPI_Win_post_, __builtin_frame_address(0));
  SetGroup(group, bits, window, &record).Push();
  return MPI_SUCCESS;
}

int MPI_Win_start(MPI_Group group, int bits, MPI_Win window) {
  Record record(Call::MPI_Win_start_, __builtin_frame_address(0));
  SetGroup(group, bits, window, &record).Push();
  return MPI_SUCCESS;
}

int MPI_Win_complete(MPI_Win window) {
  Record record(Call::MPI_Win_complete_, __builtin_frame_address(0));
  SetWindow(window, &record).Push();
  return MPI_SUCCESS;
}

int MPI_Win_wait(MPI_Win window) {
  Record record(Call::MPI_Win_wait_, __builtin_frame_address(0));
  SetWindow(window, &record).Push();
  return MPI_SUCCESS;
}

int MPI_Put(const void*, int count, MPI_Datatype type, int to, MPI_Aint offset,
            int target_count, MPI_Datatype target_type, MPI_Win window) {
  Record record(Call::MPI_Put_, __builtin_frame_address(0));
  SetTransfer(count, type, to, offset, target_count, target_type, window,
              &record)
      .Push();
  return MPI_SUCCESS;
}

int MPI_Get(void*, int count, MPI_Datatype type, int from, MPI_Aint offset,
            int target_count, MPI_Datatype target_type, MPI_Win window) {
  Record record(Call::MPI_Get_, __builtin_frame_address(0));
  SetTransfer(count, type, from, offset, target_count, target_type, window,
              &record)
      .Push();
  return MPI_SUCCESS;
}

}  // extern "C"
