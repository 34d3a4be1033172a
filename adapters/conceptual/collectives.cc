#include "adapters/conceptual/collectives.h"

#include <algorithm>

namespace ranksight::adapters::conceptual {
namespace {

using reduction::Call;
using reduction::Event;

struct Substitute {
  Call call;
  Pattern pattern;
};

constexpr Substitute kSubstitutes[] = {
    {Call::MPI_Barrier_, Pattern::kSynchronize},
    {Call::MPI_Bcast_, Pattern::kMulticast},
    {Call::MPI_Scatter_, Pattern::kMulticast},
    {Call::MPI_Scatterv_, Pattern::kMulticast},
    {Call::MPI_Reduce_, Pattern::kReduce},
    {Call::MPI_Gather_, Pattern::kReduce},
    {Call::MPI_Gatherv_, Pattern::kReduce},
    {Call::MPI_Allreduce_, Pattern::kReduceToAll},
    {Call::MPI_Scan_, Pattern::kReduceToAll},
    {Call::MPI_Exscan_, Pattern::kReduceToAll},
    {Call::MPI_Allgather_, Pattern::kReduceThenMulticast},
    {Call::MPI_Allgatherv_, Pattern::kReduceThenMulticast},
    {Call::MPI_Alltoall_, Pattern::kMulticastToAll},
    {Call::MPI_Alltoallv_, Pattern::kMulticastToAll},
    {Call::MPI_Alltoallw_, Pattern::kMulticastToAll},
    {Call::MPI_Reduce_scatter_, Pattern::kReduceToEach},
    {Call::MPI_Reduce_scatter_block_, Pattern::kReduceToEach},
};

bool IsVector(Call call) {
  const char last = reduction::Info(call).name.back();
  return last == 'v' || last == 'w';
}

}  // namespace

Pattern PatternOf(Call call) {
  const Call blocking = reduction::BlockingForm(call);
  for (const Substitute& s : kSubstitutes) {
    if (s.call == blocking) return s.pattern;
  }
  return Pattern::kNone;
}

int64_t AmountOf(const Event& e, int64_t members, bool is_root) {
  const Call call = reduction::BlockingForm(e.call());
  const int64_t sent = SendBytes(e), received = RecvBytes(e);
  const bool mean = IsVector(call) || call == Call::MPI_Reduce_scatter_;
  const int64_t parts = mean ? std::max<int64_t>(members, 1) : 1;
  switch (call) {
    case Call::MPI_Gatherv_:
      return is_root ? received / parts : reduction::kNone;
    case Call::MPI_Scatterv_:
      return is_root ? sent / parts : reduction::kNone;
    case Call::MPI_Scatter_:
      return is_root ? sent : received;
    case Call::MPI_Allgather_:
    case Call::MPI_Allgatherv_:
    case Call::MPI_Alltoall_:
      return received / parts;
    case Call::MPI_Reduce_scatter_block_:
      return ShareBytes(e);
    default:
      // In place nothing is sent; as much is received.
      return (sent > 0 ? sent : received) / parts;
  }
}

}  // namespace ranksight::adapters::conceptual
