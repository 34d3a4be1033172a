// MpiState: everything the backend keeps between calls.
// Thread-safety: one thread.
#pragma once

#include <mpi.h>

#include <deque>
#include <memory>
#include <vector>

#include "replay_engine/api/mpi_backend.h"
#include "replay_engine/backend_mpi/buffers.h"
#include "replay_engine/backend_mpi/comm_table.h"
#include "replay_engine/backend_mpi/object_table.h"
#include "replay_engine/backend_mpi/op_table.h"
#include "replay_engine/backend_mpi/request_table.h"
#include "replay_engine/backend_mpi/type_table.h"

namespace ranksight::replay_engine {

struct MpiState {
  explicit MpiState(const MpiBackendOptions& o) : options(o), buffers(o.seed) {}

  const MpiBackendOptions options;
  Buffers buffers;
  TypeTable types;
  OpTable ops;
  CommTable comms;
  RequestTable requests;
  ObjectTable<WindowEntry> windows{"window"};
  ObjectTable<FileEntry> files{"file"};
#if MPI_VERSION >= 4
  ObjectTable<SessionEntry> sessions{"session"};
#endif
  int64_t scratch_files = 0;  // made so far
  // Matched by a probe and not yet received, oldest first. The trace does
  // not say which one a receive takes; programs nearly always take them in
  // order.
  std::deque<MPI_Message> messages;
  // Attached for buffered sends, null until the first one.
  std::unique_ptr<char[]> bsend_buffer;
  // Scratch, kept for its capacity.
  std::vector<MPI_Request> handles;
  std::vector<RequestEntry> entries;
  std::unique_ptr<VectorArguments> spare_arguments;
};

}  // namespace ranksight::replay_engine
