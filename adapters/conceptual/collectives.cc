#include "adapters/conceptual/collectives.h"

#include <algorithm>
#include <string>
#include <string_view>

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

// The blocking form of MPI_I...: of the same letters, the first one large.
Call Blocking(Call call) {
  const std::string_view name = reduction::Info(call).name;
  if (!name.starts_with("MPI_I")) return call;
  std::string blocking = "MPI_" + std::string(name.substr(5));
  blocking[4] = char(blocking[4] - 'a' + 'A');
  const auto* found = reduction::FindCallByName(blocking);
  return found == nullptr ? call : found->call;
}

bool IsVector(Call call) {
  const char last = reduction::Info(call).name.back();
  return last == 'v' || last == 'w';
}

}  // namespace

Pattern PatternOf(Call call) {
  const Call blocking = Blocking(call);
  for (const Substitute& s : kSubstitutes) {
    if (s.call == blocking) return s.pattern;
  }
  return Pattern::kNone;
}

int64_t AmountOf(const Event& e, int64_t members, bool is_root) {
  const Call call = Blocking(e.call());
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
      return sent;
    default:
      // In place nothing is sent; as much is received.
      return (sent > 0 ? sent : received) / parts;
  }
}

}  // namespace ranksight::adapters::conceptual
