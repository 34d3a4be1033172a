// Collectives, for the running rank of a world.
#include <algorithm>
#include <memory>

#include "tests/idioms/world/record.h"
#include "tests/idioms/world/world.h"

namespace ranksight::idioms {
namespace {

using reduction::Call;
using reduction::Param;

std::vector<int> NumbersAt(const void* data, int count, MPI_Datatype type) {
  if (type != MPI_INT || data == nullptr || count <= 0) return {};
  const int* numbers = static_cast<const int*>(data);
  return {numbers, numbers + count};
}

void Put(const std::vector<int>& numbers, void* data) {
  std::copy(numbers.begin(), numbers.end(), static_cast<int*>(data));
}

Record& SetRoot(int root, MPI_Comm comm, Record* record) {
  return record->Set(Param::kRoot, WorldRank(root, CommOf(comm))).SetComm(comm);
}

Record& SetGiven(int count, MPI_Datatype type, Record* record) {
  return record->Set(Param::kCount, count).SetType(type);
}

Record& SetTaken(int count, MPI_Datatype type, Record* record) {
  return record->Set(Param::kRecvCount, count).SetReceivedType(type);
}

void SetCounts(Param list, const int* counts, MPI_Comm comm, Record* record) {
  record->SetList(list, {counts, counts + CommOf(comm).size()});
}

int Combine(int a, int b, MPI_Op op) {
  if (op == MPI_MAX) return std::max(a, b);
  if (op == MPI_MIN) return std::min(a, b);
  return a + b;
}

// Of members [0, end).
std::vector<int> Reduced(const std::vector<std::vector<int>>& all, size_t end,
                         MPI_Op op) {
  std::vector<int> sum = end == 0 ? std::vector<int>() : all[0];
  for (size_t m = 1; m < end; ++m) {
    for (size_t i = 0; i < sum.size(); ++i) {
      sum[i] = Combine(sum[i], all[m][i], op);
    }
  }
  return sum;
}

Record& SetReduction(const void* given, int count, MPI_Datatype type, MPI_Op op,
                     Record* record) {
  record->Set(Param::kInPlace, given == MPI_IN_PLACE ? 1 : 0);
  return SetGiven(count, type, record).SetOp(op);
}

const void* Source(const void* given, const void* taken) {
  return given == MPI_IN_PLACE ? taken : given;
}

}  // namespace
}  // namespace ranksight::idioms

using namespace ranksight::idioms;  // NOLINT: what MPI's names stand for

extern "C" {

int MPI_Barrier(MPI_Comm comm) {
  Record record(Call::MPI_Barrier_, __builtin_frame_address(0));
  record.SetComm(comm);
  Meet(&CommOf(comm), {});
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  Record record(Call::MPI_Ibarrier_, __builtin_frame_address(0));
  record.SetComm(comm);
  auto made = std::make_unique<Operation>();
  made->kind = Operation::Kind::kCollective;
  made->comm = &CommOf(comm);
  made->meeting = Arrive(made->comm, {});
  *request = KeepOperation(std::move(made));
  Begin(OperationOf(*request));
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Iallreduce(const void* given, void*, int count, MPI_Datatype type,
                   MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  Record record(Call::MPI_Iallreduce_, __builtin_frame_address(0));
  SetReduction(given, count, type, op, &record).SetComm(comm);
  auto made = std::make_unique<Operation>();
  made->kind = Operation::Kind::kCollective;
  made->comm = &CommOf(comm);
  made->meeting = Arrive(made->comm, {});
  *request = KeepOperation(std::move(made));
  Begin(OperationOf(*request));
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root,
              MPI_Comm comm) {
  Record record(Call::MPI_Bcast_, __builtin_frame_address(0));
  SetRoot(root, comm, &SetGiven(count, type, &record));
  const auto all = Meet(&CommOf(comm), NumbersAt(data, count, type));
  Put(all[size_t(root)], data);
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Reduce(const void* given, void* taken, int count, MPI_Datatype type,
               MPI_Op op, int root, MPI_Comm comm) {
  Record record(Call::MPI_Reduce_, __builtin_frame_address(0));
  SetReduction(given, count, type, op, &record);
  SetRoot(root, comm, &record);
  const auto all =
      Meet(&CommOf(comm), NumbersAt(Source(given, taken), count, type));
  if (CommOf(comm).rank == root) Put(Reduced(all, all.size(), op), taken);
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Allreduce(const void* given, void* taken, int count, MPI_Datatype type,
                  MPI_Op op, MPI_Comm comm) {
  Record record(Call::MPI_Allreduce_, __builtin_frame_address(0));
  SetReduction(given, count, type, op, &record).SetComm(comm);
  const auto all =
      Meet(&CommOf(comm), NumbersAt(Source(given, taken), count, type));
  Put(Reduced(all, all.size(), op), taken);
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Scan(const void* given, void* taken, int count, MPI_Datatype type,
             MPI_Op op, MPI_Comm comm) {
  Record record(Call::MPI_Scan_, __builtin_frame_address(0));
  SetReduction(given, count, type, op, &record).SetComm(comm);
  const auto all =
      Meet(&CommOf(comm), NumbersAt(Source(given, taken), count, type));
  Put(Reduced(all, size_t(CommOf(comm).rank) + 1, op), taken);
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Exscan(const void* given, void* taken, int count, MPI_Datatype type,
               MPI_Op op, MPI_Comm comm) {
  Record record(Call::MPI_Exscan_, __builtin_frame_address(0));
  SetReduction(given, count, type, op, &record).SetComm(comm);
  const auto all =
      Meet(&CommOf(comm), NumbersAt(Source(given, taken), count, type));
  Put(Reduced(all, size_t(CommOf(comm).rank), op), taken);
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Gather(const void* given, int count, MPI_Datatype type, void* taken,
               int taken_count, MPI_Datatype taken_type, int root,
               MPI_Comm comm) {
  Record record(Call::MPI_Gather_, __builtin_frame_address(0));
  const bool is_root = CommOf(comm).rank == root;
  SetGiven(count, type, &record);
  if (is_root) SetTaken(taken_count, taken_type, &record);
  SetRoot(root, comm, &record);
  const auto all = Meet(&CommOf(comm), NumbersAt(given, count, type));
  int* next = static_cast<int*>(taken);
  for (size_t m = 0; is_root && m < all.size(); ++m) {
    next = std::copy(all[m].begin(), all[m].end(), next);
  }
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Allgather(const void* given, int count, MPI_Datatype type, void* taken,
                  int taken_count, MPI_Datatype taken_type, MPI_Comm comm) {
  Record record(Call::MPI_Allgather_, __builtin_frame_address(0));
  SetGiven(count, type, &record);
  SetTaken(taken_count, taken_type, &record).SetComm(comm);
  const auto all = Meet(&CommOf(comm), NumbersAt(given, count, type));
  int* next = static_cast<int*>(taken);
  for (const auto& part : all) next = std::copy(part.begin(), part.end(), next);
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Alltoall(const void* given, int count, MPI_Datatype type, void* taken,
                 int taken_count, MPI_Datatype taken_type, MPI_Comm comm) {
  Record record(Call::MPI_Alltoall_, __builtin_frame_address(0));
  SetGiven(count, type, &record);
  SetTaken(taken_count, taken_type, &record).SetComm(comm);
  Communicator& c = CommOf(comm);
  const auto all = Meet(&c, NumbersAt(given, count * c.size(), type));
  int* next = static_cast<int*>(taken);
  for (const auto& part : all) {
    if (part.empty()) continue;
    const auto mine = part.begin() + long(c.rank) * count;
    next = std::copy(mine, mine + count, next);
  }
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Gatherv(const void*, int count, MPI_Datatype type, void*,
                const int counts[], const int[], MPI_Datatype taken_type,
                int root, MPI_Comm comm) {
  Record record(Call::MPI_Gatherv_, __builtin_frame_address(0));
  SetGiven(count, type, &record);
  if (CommOf(comm).rank == root) {
    SetCounts(Param::kRecvCounts, counts, comm, &record);
    record.SetReceivedType(taken_type);
  }
  SetRoot(root, comm, &record);
  Meet(&CommOf(comm), {});
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Scatterv(const void*, const int counts[], const int[],
                 MPI_Datatype type, void*, int taken_count,
                 MPI_Datatype taken_type, int root, MPI_Comm comm) {
  Record record(Call::MPI_Scatterv_, __builtin_frame_address(0));
  if (CommOf(comm).rank == root) {
    SetCounts(Param::kCounts, counts, comm, &record);
    record.SetType(type);
  }
  SetTaken(taken_count, taken_type, &record);
  SetRoot(root, comm, &record);
  Meet(&CommOf(comm), {});
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Allgatherv(const void*, int count, MPI_Datatype type, void*,
                   const int counts[], const int[], MPI_Datatype taken_type,
                   MPI_Comm comm) {
  Record record(Call::MPI_Allgatherv_, __builtin_frame_address(0));
  SetGiven(count, type, &record);
  SetCounts(Param::kRecvCounts, counts, comm, &record);
  record.SetReceivedType(taken_type).SetComm(comm);
  Meet(&CommOf(comm), {});
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Alltoallv(const void*, const int counts[], const int[],
                  MPI_Datatype type, void*, const int taken_counts[],
                  const int[], MPI_Datatype taken_type, MPI_Comm comm) {
  Record record(Call::MPI_Alltoallv_, __builtin_frame_address(0));
  SetCounts(Param::kCounts, counts, comm, &record);
  SetCounts(Param::kRecvCounts, taken_counts, comm, &record);
  record.SetType(type).SetReceivedType(taken_type).SetComm(comm);
  Meet(&CommOf(comm), {});
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Reduce_scatter(const void* given, void*, const int counts[],
                       MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Record record(Call::MPI_Reduce_scatter_, __builtin_frame_address(0));
  record.Set(Param::kInPlace, given == MPI_IN_PLACE ? 1 : 0);
  SetCounts(Param::kCounts, counts, comm, &record);
  record.SetType(type).SetOp(op).SetComm(comm);
  Meet(&CommOf(comm), {});
  record.Push();
  return MPI_SUCCESS;
}

}  // extern "C"
