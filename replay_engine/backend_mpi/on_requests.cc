#include <utility>
#include <vector>

#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Param;
using reduction::Status;

// The handles of one operation, out of the table while a call works on them.
// A request named twice (some MPIs hand out one handle for several) is null
// the second time.
class Handles {
 public:
  Handles(const Operation& operation, MpiState& state)
      : operation_(operation), state_(state) {
    state_.handles.clear();
    state_.entries.clear();
    for (const int64_t number : operation.requests) {
      state_.entries.push_back(state_.requests.Take(number));
      state_.handles.push_back(state_.entries.back().handle);
    }
  }
  // What the call left is still outstanding.
  ~Handles() {
    for (size_t i = 0; i < state_.handles.size(); ++i) {
      state_.entries[i].handle = state_.handles[i];
      state_.requests.Put(operation_.requests[i], std::move(state_.entries[i]));
    }
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  int size() const { return static_cast<int>(state_.handles.size()); }
  MPI_Request* data() const { return state_.handles.data(); }
  bool AnyNull() const {
    for (const MPI_Request r : state_.handles) {
      if (r == MPI_REQUEST_NULL) return true;
    }
    return false;
  }

 private:
  const Operation& operation_;
  MpiState& state_;
};

// Calls f(&flag) until it has set flag.
template <class F>
Status Poll(F f) {
  int code = MPI_SUCCESS;
  for (int flag = 0; code == MPI_SUCCESS && !flag;) code = f(&flag);
  return FromMpi(code);
}

// MPI_Waitsome and MPI_Testsome complete what is complete at that moment.
// All requests passed are those of the recorded outcome, so the call waits
// until they are complete, unseen by a recorder.
Status CompleteSome(Handles& h, Call call) {
  for (int i = 0; i < h.size(); ++i) {
    const Status s = Poll([&](int* flag) {
      return PMPI_Request_get_status(h.data()[i], flag, MPI_STATUS_IGNORE);
    });
    if (!s.ok()) return s;
  }
  std::vector<int> indices(static_cast<size_t>(h.size()));
  int done = 0;
  const int code = call == Call::MPI_Waitsome_
                       ? MPI_Waitsome(h.size(), h.data(), &done, indices.data(),
                                      MPI_STATUSES_IGNORE)
                       : MPI_Testsome(h.size(), h.data(), &done, indices.data(),
                                      MPI_STATUSES_IGNORE);
  if (code != MPI_SUCCESS) return FromMpi(code);
  // An MPI may complete fewer than it could. Inactive requests wait for
  // nothing.
  return FromMpi(PMPI_Waitall(h.size(), h.data(), MPI_STATUSES_IGNORE));
}

#if MPI_VERSION >= 4
// What is said of the partitions of a request.
Status OnPartitions(Handles& h, const reduction::Event& e) {
  const auto first = static_cast<int>(e.Get(Param::kPartition));
  switch (e.call()) {
    case Call::MPI_Pready_:
      return FromMpi(MPI_Pready(first, *h.data()));
    case Call::MPI_Pready_range_:
      return FromMpi(MPI_Pready_range(
          first, static_cast<int>(e.Get(Param::kLastPartition)), *h.data()));
    case Call::MPI_Pready_list_: {
      const auto items = e.GetArray(Param::kItems);
      std::vector<int> list(items.begin(), items.end());
      return FromMpi(MPI_Pready_list(static_cast<int>(list.size()), list.data(),
                                     *h.data()));
    }
    default:
      return Poll(
          [&](int* flag) { return MPI_Parrived(*h.data(), first, flag); });
  }
}
#else
Status OnPartitions(Handles&, const reduction::Event& e) {
  return NotAvailable(e.call());
}
#endif

Status Manage(Handles& h, const reduction::Event& e) {
  switch (e.call()) {
    case Call::MPI_Startall_:
      return FromMpi(MPI_Startall(h.size(), h.data()));
    case Call::MPI_Start_:
      return FromMpi(MPI_Start(h.data()));
    case Call::MPI_Cancel_:
      return FromMpi(MPI_Cancel(h.data()));
    case Call::MPI_Request_free_:
      return FromMpi(MPI_Request_free(h.data()));
    case Call::MPI_Grequest_complete_:
      return FromMpi(MPI_Grequest_complete(*h.data()));
    default:
      return OnPartitions(h, e);
  }
}

Status Complete(Handles& h, Call call) {
  int index = 0;
  switch (call) {
    case Call::MPI_Wait_:
      return FromMpi(MPI_Wait(h.data(), MPI_STATUS_IGNORE));
    case Call::MPI_Waitall_:
      return FromMpi(MPI_Waitall(h.size(), h.data(), MPI_STATUSES_IGNORE));
    case Call::MPI_Waitany_:
      return FromMpi(
          MPI_Waitany(h.size(), h.data(), &index, MPI_STATUS_IGNORE));
    case Call::MPI_Test_:
      return Poll([&](int* flag) {
        return MPI_Test(h.data(), flag, MPI_STATUS_IGNORE);
      });
    case Call::MPI_Testall_:
      return Poll([&](int* flag) {
        return MPI_Testall(h.size(), h.data(), flag, MPI_STATUSES_IGNORE);
      });
    case Call::MPI_Testany_:
      return Poll([&](int* flag) {
        return MPI_Testany(h.size(), h.data(), &index, flag, MPI_STATUS_IGNORE);
      });
    case Call::MPI_Waitsome_:
    case Call::MPI_Testsome_:
      return CompleteSome(h, call);
    default:
      return NotAvailable(call);
  }
}

}  // namespace

Status PerformOnRequests(const Operation& operation, MpiState& state) {
  const Call call = operation.event->call();
  const bool single = !operation.event->Has(Param::kDone) &&
                      call != Call::MPI_Waitall_ &&
                      call != Call::MPI_Testall_ && call != Call::MPI_Startall_;
  if (single && operation.requests.size() != 1) {
    return Status::BadInput("has " + std::to_string(operation.requests.size()) +
                            " requests");
  }
  Handles handles(operation, state);
  if (reduction::Info(call).completes) return Complete(handles, call);
  if (handles.AnyNull()) {
    return Status::BadInput("refers to a request that is gone");
  }
  return Manage(handles, *operation.event);
}

}  // namespace ranksight::replay_engine
