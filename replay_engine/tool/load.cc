#include "replay_engine/tool/load.h"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reduction/api/codec.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::StatusCode;

void BroadcastBytes(int root, uint8_t* bytes, uint64_t count) {
  constexpr uint64_t kChunk = uint64_t{1} << 30;
  for (uint64_t done = 0; done < count; done += kChunk) {
    const auto part = static_cast<int>(std::min(kChunk, count - done));
    PMPI_Bcast(bytes + done, part, MPI_BYTE, root, MPI_COMM_WORLD);
  }
}

}  // namespace

Status Agree(const Status& mine) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct {
    int code;
    int rank;
  } local = {ExitCode(mine), rank}, worst = {0, 0};
  PMPI_Allreduce(&local, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  if (worst.code == 0) return Status::Ok();
  std::string message = mine.message();
  uint64_t size = message.size();
  PMPI_Bcast(&size, 1, MPI_UINT64_T, worst.rank, MPI_COMM_WORLD);
  message.resize(size);
  BroadcastBytes(worst.rank, reinterpret_cast<uint8_t*>(message.data()), size);
  return Status(static_cast<StatusCode>(worst.code), message);
}

Result<std::vector<uint8_t>> ReadEverywhere(const std::string& path) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Result<std::vector<uint8_t>> bytes = std::vector<uint8_t>();
  if (rank == 0) bytes = reduction::ReadWholeFile(path);
  if (Status s = Agree(bytes.status()); !s.ok()) return s;
  uint64_t size = bytes->size();
  PMPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  bytes->resize(size);
  BroadcastBytes(0, bytes->data(), size);
  return bytes;
}

Result<reduction::Trace> LoadEverywhere(const std::string& path) {
  const Result<std::vector<uint8_t>> bytes = ReadEverywhere(path);
  if (!bytes.ok()) return bytes.status();
  Result<reduction::Trace> trace = reduction::Decode(*bytes);
  Status mine = trace.status();
  if (!mine.ok()) mine = Status(mine.code(), path + ":" + mine.message());
  if (Status s = Agree(mine); !s.ok()) return s;
  return trace;
}

}  // namespace ranksight::replay_engine
