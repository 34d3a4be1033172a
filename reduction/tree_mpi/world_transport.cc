#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <memory>
#include <string>

#include "reduction/api/tree.h"

namespace ranksight::reduction {
namespace {

// One tag for all: the communicator is private and messages between two ranks
// stay in order.
constexpr int kTag = 1;
// Bytes of one MPI message; an int counts them.
constexpr uint64_t kMaxMessage = uint64_t{1} << 30;

std::string Failed(const char* what, int peer) {
  return std::string(what) + " failed between ranks, peer " +
         std::to_string(peer);
}

// Waits without holding the processor, which ranks of an oversubscribed node
// would otherwise spin away from each other.
bool Finish(MPI_Request* request) {
  int done = 0;
  while (done == 0) {
    if (PMPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      return false;
    }
    if (done == 0) sched_yield();
  }
  return true;
}

class WorldTransport : public Transport {
 public:
  WorldTransport() {
    // Not a duplicate: that would run the program's attribute callbacks.
    MPI_Group world = MPI_GROUP_NULL;
    ok_ = PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS &&
          PMPI_Comm_create(MPI_COMM_WORLD, world, &comm_) == MPI_SUCCESS;
    if (world != MPI_GROUP_NULL) PMPI_Group_free(&world);
    if (!ok_) return;
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm_, &rank_);
    PMPI_Comm_size(comm_, &size_);
  }
  ~WorldTransport() override {
    if (ok_) PMPI_Comm_free(&comm_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  Status Send(int to, const std::vector<uint8_t>& bytes) override {
    uint64_t size = bytes.size();
    if (!SendPart(to, &size, sizeof size)) return Lost("send", to);
    for (uint64_t at = 0; at < size; at += kMaxMessage) {
      const uint64_t part = std::min(kMaxMessage, size - at);
      if (!SendPart(to, bytes.data() + at, part)) return Lost("send", to);
    }
    return Status::Ok();
  }

  Result<std::vector<uint8_t>> Receive(int from) override {
    uint64_t size = 0;
    if (!ReceivePart(from, &size, sizeof size)) return Lost("receive", from);
    std::vector<uint8_t> bytes(size);
    for (uint64_t at = 0; at < size; at += kMaxMessage) {
      const uint64_t part = std::min(kMaxMessage, size - at);
      if (!ReceivePart(from, bytes.data() + at, part)) {
        return Lost("receive", from);
      }
    }
    return bytes;
  }

 private:
  static Status Lost(const char* what, int peer) {
    return Status::Io(Failed(what, peer));
  }
  bool SendPart(int to, const void* data, uint64_t size) {
    MPI_Request request;
    return ok_ &&
           PMPI_Isend(data, int(size), MPI_BYTE, to, kTag, comm_, &request) ==
               MPI_SUCCESS &&
           Finish(&request);
  }
  bool ReceivePart(int from, void* data, uint64_t size) {
    MPI_Request request;
    return ok_ &&
           PMPI_Irecv(data, int(size), MPI_BYTE, from, kTag, comm_, &request) ==
               MPI_SUCCESS &&
           Finish(&request);
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  bool ok_ = false;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

std::unique_ptr<Transport> MakeWorldTransport() {
  return std::make_unique<WorldTransport>();
}

}  // namespace ranksight::reduction
