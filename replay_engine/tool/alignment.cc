#include "replay_engine/tool/alignment.h"

#include <mpi.h>

#include <algorithm>
#include <climits>

#include "replay_engine/tool/load.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Result;
using reduction::Status;

constexpr int kTag = 0;
constexpr size_t kMost = INT_MAX / sizeof(Match);  // in one message

void Send(const std::vector<Match>& matches, int rank) {
  PMPI_Send(matches.data(), static_cast<int>(matches.size() * sizeof(Match)),
            MPI_BYTE, rank, kTag, MPI_COMM_WORLD);
}

std::vector<Match> Receive() {
  MPI_Status status;
  int bytes = 0;
  PMPI_Probe(0, kTag, MPI_COMM_WORLD, &status);
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  std::vector<Match> matches(static_cast<size_t>(bytes) / sizeof(Match));
  PMPI_Recv(matches.data(), bytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD,
            MPI_STATUS_IGNORE);
  return matches;
}

Result<Alignment> AlignHere(const ToolOptions& options,
                            const reduction::Trace& trace) {
  auto found = Align(trace, options.replay.wildcards, options.bytes_scale);
  if (!found.ok()) return found;
  for (const std::vector<Match>& matches : *found) {
    if (matches.size() > kMost) {
      return Status::No("a rank has too many receives to align");
    }
  }
  return found;
}

}  // namespace

Result<std::vector<Match>> AlignEverywhere(const ToolOptions& options,
                                           const reduction::Trace& trace) {
  if (!options.align) return std::vector<Match>();
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Result<Alignment> found = Alignment();
  if (rank == 0) found = AlignHere(options, trace);
  if (Status s = Agree(found.status()); !s.ok()) return s;
  if (rank > 0) return Receive();
  for (size_t r = 1; r < found->size(); ++r) {
    Send((*found)[r], static_cast<int>(r));
  }
  return std::move(found->front());
}

}  // namespace ranksight::replay_engine
