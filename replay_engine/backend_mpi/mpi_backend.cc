#include "replay_engine/api/mpi_backend.h"

#include <mpi.h>

#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/mpi_state.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Family;
using reduction::Param;
using reduction::Status;

class MpiBackend : public Backend {
 public:
  explicit MpiBackend(const MpiBackendOptions& options) : state_(options) {
    // Inherited by all communicators made from these.
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  }

  Status Perform(const Operation& operation) override {
    const reduction::CallInfo& info = reduction::Info(operation.event->call());
    const bool on_requests = operation.event->Has(Param::kRequests);
    switch (info.family) {
      case Family::kPointToPoint:
      case Family::kCompletion:
        return on_requests ? PerformOnRequests(operation, state_)
                           : PerformPointToPoint(operation, state_);
      case Family::kCollective:
      case Family::kPersistentCollective:
      case Family::kNeighbourhood:
        return PerformCollective(operation, state_);
      case Family::kCommunicator:
        return PerformOnCommunicator(operation, state_);
      case Family::kPartitioned:
        return on_requests ? PerformOnRequests(operation, state_)
                           : PerformPartitioned(operation, state_);
      case Family::kOneSided:
        return PerformOnWindow(operation, state_);
      case Family::kFile:
        return PerformOnFile(operation, state_);
      case Family::kProcess:
        return on_requests ? PerformOnRequests(operation, state_)
                           : PerformOnProcess(operation, state_);
      case Family::kLocal:
        return PerformLocally(operation, state_);
      case Family::kEnvironment:
        break;
    }
    return NotAvailable(info.call);
  }

  bool LeaderPassesOver(const Operation& operation, bool mine) override {
    return AskLeader(operation, state_, mine);
  }

  Status Finish() override {
    for (RequestEntry& entry : state_.requests.TakeAll()) {
      // Non-blocking collectives cannot be freed; then it stays.
      PMPI_Request_free(&entry.handle);
      if (entry.arguments != nullptr) kept_.push_back(std::move(entry));
    }
    if (state_.bsend_buffer != nullptr) {
      void* buffer = nullptr;
      int bytes = 0;
      PMPI_Buffer_detach(&buffer, &bytes);
    }
    state_.comms.FreeGroups();
    state_.types.FreeAll();
    state_.ops.Free();
    return Status::Ok();
  }

 private:
  MpiState state_;
  std::vector<RequestEntry> kept_;
};

}  // namespace

std::unique_ptr<Backend> MakeMpiBackend(const MpiBackendOptions& options) {
  return std::make_unique<MpiBackend>(options);
}

}  // namespace ranksight::replay_engine
