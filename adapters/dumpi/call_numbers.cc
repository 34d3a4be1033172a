#include "adapters/dumpi/call_numbers.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace ranksight::adapters::dumpi {
namespace {

using reduction::Call;

struct Numbered {
  Call call;
  int number;
};

constexpr Numbered kNumbers[] = {
    {Call::MPI_Send_, kSend},
    {Call::MPI_Recv_, kRecv},
    {Call::MPI_Bsend_, 3},
    {Call::MPI_Ssend_, 4},
    {Call::MPI_Rsend_, 5},
    {Call::MPI_Isend_, kIsend},
    {Call::MPI_Ibsend_, 9},
    {Call::MPI_Issend_, 10},
    {Call::MPI_Irsend_, 11},
    {Call::MPI_Irecv_, kIrecv},
    {Call::MPI_Send_init_, 26},
    {Call::MPI_Bsend_init_, 27},
    {Call::MPI_Ssend_init_, 28},
    {Call::MPI_Rsend_init_, 29},
    {Call::MPI_Recv_init_, 30},
    {Call::MPI_Barrier_, kBarrier},
    {Call::MPI_Bcast_, kBcast},
    {Call::MPI_Gather_, kGather},
    {Call::MPI_Gatherv_, kGatherv},
    {Call::MPI_Scatter_, kScatter},
    {Call::MPI_Scatterv_, kScatterv},
    {Call::MPI_Allgather_, kAllgather},
    {Call::MPI_Allgatherv_, kAllgatherv},
    {Call::MPI_Alltoall_, kAlltoall},
    {Call::MPI_Alltoallv_, kAlltoallv},
    {Call::MPI_Alltoallw_, kAlltoallw},
    {Call::MPI_Reduce_, kReduce},
    {Call::MPI_Allreduce_, 65},
    {Call::MPI_Reduce_scatter_, kReduceScatter},
    {Call::MPI_Reduce_scatter_block_, kReduceScatter},
    {Call::MPI_Scan_, 67},
    {Call::MPI_Exscan_, 156},
};

// By number, from MPI_CHAR on.
constexpr int64_t kFirstType = 2;
constexpr std::string_view kTypes[] = {
    "MPI_CHAR",           "MPI_SIGNED_CHAR",
    "MPI_UNSIGNED_CHAR",  "MPI_BYTE",
    "MPI_WCHAR",          "MPI_SHORT",
    "MPI_UNSIGNED_SHORT", "MPI_INT",
    "MPI_UNSIGNED",       "MPI_LONG",
    "MPI_UNSIGNED_LONG",  "MPI_FLOAT",
    "MPI_DOUBLE",         "MPI_LONG_DOUBLE",
    "MPI_LONG_LONG_INT",  "MPI_UNSIGNED_LONG_LONG",
    "MPI_LONG_LONG",      "MPI_PACKED"};
// From 1 on.
constexpr std::string_view kOps[] = {
    "MPI_MAX", "MPI_MIN", "MPI_SUM",  "MPI_PROD", "MPI_LAND",   "MPI_BAND",
    "MPI_LOR", "MPI_BOR", "MPI_LXOR", "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC"};

template <size_t N>
int64_t PlaceOf(const std::string_view (&names)[N], std::string_view name) {
  const auto* found = std::find(std::begin(names), std::end(names), name);
  return found == std::end(names) ? -1 : found - std::begin(names);
}

}  // namespace

int NumberOf(Call call) {
  for (const Numbered& n : kNumbers) {
    if (n.call == call) return n.number;
  }
  return -1;
}

int64_t NumberOfType(int64_t kind) {
  if (kind <= 0 || kind >= int64_t(reduction::TypeNames().size())) return -1;
  const int64_t place = PlaceOf(kTypes, reduction::TypeNameByCode(kind));
  return place < 0 ? -1 : kFirstType + place;
}

int64_t NumberOfOp(int64_t op) {
  if (op <= 0 || op >= int64_t(reduction::OpNames().size())) return kOwnOp;
  const int64_t place = PlaceOf(kOps, reduction::OpNameByCode(op));
  return place < 0 ? kOwnOp : 1 + place;
}

}  // namespace ranksight::adapters::dumpi
