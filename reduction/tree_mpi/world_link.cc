#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/tree.h"
#include "reduction/tree/shape.h"

// Blue Gene/Q's, where the MPI library has them.
extern "C" {
__attribute__((weak)) int MPIX_Torus_ndims(int* dims);
__attribute__((weak)) int MPIX_Rank2torus(int rank, int* coordinates);
}

namespace ranksight::reduction {
namespace {

// Of all tori there are: six.
constexpr int kMostDims = 8;

// The communicator is private and messages between two ranks stay in order,
// so a tag for each kind of traffic is enough.
constexpr int kTag = 1;
constexpr int kEpochTag = 2;
// Bytes of one MPI message; an int counts them.
constexpr uint64_t kMaxMessage = uint64_t{1} << 30;
// And of one part of what is sent in several: there is always memory to receive
// it. Large enough for the network to take no longer than in one.
constexpr uint64_t kPartBytes = uint64_t{1} << 18;

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

// Not a duplicate of the world: that would run the program's attribute
// callbacks.
class PrivateComm {
 public:
  PrivateComm() {
    MPI_Group world = MPI_GROUP_NULL;
    ok_ = PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS &&
          PMPI_Comm_create(MPI_COMM_WORLD, world, &comm_) == MPI_SUCCESS;
    if (world != MPI_GROUP_NULL) PMPI_Group_free(&world);
    if (!ok_) return;
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm_, &rank_);
    PMPI_Comm_size(comm_, &size_);
  }
  ~PrivateComm() {
    if (comm_ != MPI_COMM_NULL) PMPI_Comm_free(&comm_);
  }
  PrivateComm(const PrivateComm&) = delete;
  PrivateComm& operator=(const PrivateComm&) = delete;

  MPI_Comm get() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool ok() const { return ok_; }
  // Notes the outcome of an MPI call; a failure stays.
  bool Note(int result) {
    ok_ = ok_ && result == MPI_SUCCESS;
    return ok_;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  bool ok_ = false;
  int rank_ = 0;
  int size_ = 1;
};

// A communicator made from the private one for a moment.
class PartComm {
 public:
  ~PartComm() {
    if (comm_ != MPI_COMM_NULL) PMPI_Comm_free(&comm_);
  }
  PartComm() = default;
  PartComm(const PartComm&) = delete;
  PartComm& operator=(const PartComm&) = delete;

  MPI_Comm* address() { return &comm_; }
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

// See TreeOrder. Collective. Ranks are on one host that share memory.
std::vector<int64_t> HostFirsts(PrivateComm* comm) {
  PartComm here, firsts;
  const int rank = comm->rank();
  int local = 0, ranks_here = 0;
  if (!comm->Note(PMPI_Comm_split_type(comm->get(), MPI_COMM_TYPE_SHARED, rank,
                                       MPI_INFO_NULL, here.address())) ||
      !comm->Note(PMPI_Comm_rank(here.get(), &local)) ||
      !comm->Note(PMPI_Comm_size(here.get(), &ranks_here)) ||
      ranks_here == comm->size()) {
    return {};
  }
  int64_t first = rank;
  comm->Note(PMPI_Bcast(&first, 1, MPI_INT64_T, 0, here.get()));
  int consecutive = rank == first + local ? 1 : 0;
  comm->Note(PMPI_Allreduce(MPI_IN_PLACE, &consecutive, 1, MPI_INT, MPI_MIN,
                            comm->get()));
  if (consecutive == 0) return {};
  comm->Note(PMPI_Comm_split(comm->get(), local == 0 ? 0 : MPI_UNDEFINED, rank,
                             firsts.address()));
  int hosts = 0;
  if (local == 0) comm->Note(PMPI_Comm_size(firsts.get(), &hosts));
  comm->Note(PMPI_Bcast(&hosts, 1, MPI_INT, 0, here.get()));
  std::vector<int64_t> all(size_t(hosts), first);
  if (local == 0) {
    comm->Note(PMPI_Allgather(&first, 1, MPI_INT64_T, all.data(), 1,
                              MPI_INT64_T, firsts.get()));
  }
  comm->Note(PMPI_Bcast(all.data(), hosts, MPI_INT64_T, 0, here.get()));
  return all;
}

// Where this rank's node sits on the torus; nothing where MPI does not say.
std::vector<int> Coordinates(int rank) {
  int dims = 0;
  if (MPIX_Torus_ndims == nullptr || MPIX_Rank2torus == nullptr ||
      MPIX_Torus_ndims(&dims) != MPI_SUCCESS || dims < 1 || dims > kMostDims) {
    return {};
  }
  // The last is the place on the node.
  std::vector<int> at(size_t(dims) + 1);
  if (MPIX_Rank2torus(rank, at.data()) != MPI_SUCCESS) return {};
  at.pop_back();
  return at;
}

// The order of the torus that all ranks say they sit on; nothing if they do
// not. Collective.
std::optional<TreeOrder> TorusOrder(PrivateComm* comm) {
  const std::vector<int> at = Coordinates(comm->rank());
  // All the same number of dimensions, and none below 0.
  const int lowest = at.empty() ? -1 : *std::min_element(at.begin(), at.end());
  int agreed[] = {int(at.size()), -int(at.size()), lowest};
  if (!comm->Note(PMPI_Allreduce(MPI_IN_PLACE, agreed, 3, MPI_INT, MPI_MIN,
                                 comm->get())) ||
      agreed[0] < 1 || agreed[0] != -agreed[1] || agreed[2] < 0) {
    return std::nullopt;
  }
  std::vector<int> last = at;
  comm->Note(PMPI_Allreduce(MPI_IN_PLACE, last.data(), int(last.size()),
                            MPI_INT, MPI_MAX, comm->get()));
  int64_t node = 0, all = 1;
  for (size_t d = 0; d < at.size(); ++d) {
    const int64_t length = int64_t{last[d]} + 1;
    if (all > INT64_MAX / length) return std::nullopt;
    all *= length;
    node = node * length + at[d];
  }
  std::vector<int64_t> nodes(size_t(comm->size()));
  comm->Note(PMPI_Allgather(&node, 1, MPI_INT64_T, nodes.data(), 1, MPI_INT64_T,
                            comm->get()));
  if (!comm->ok()) return std::nullopt;
  return OrderOfTorus(nodes);
}

TreeOrder OrderOf(PrivateComm* comm) {
  if (auto torus = TorusOrder(comm)) return std::move(*torus);
  return {{}, HostFirsts(comm)};
}

class WorldChannel : public Channel {
 public:
  explicit WorldChannel(PrivateComm* comm) : comm_(comm) {
    if (comm->ok()) order_ = OrderOf(comm);
  }

  int rank() const override { return comm_->rank(); }
  int size() const override { return comm_->size(); }
  const TreeOrder& order() const override { return order_; }

  Status Send(int to, std::vector<uint8_t> bytes) override {
    if (!comm_->ok() || bytes.size() > kMaxMessage) {
      return Status::Io(Failed("send", to));
    }
    outgoing_ = std::move(bytes);
    const int result =
        PMPI_Isend(outgoing_.data(), int(outgoing_.size()), MPI_BYTE, to,
                   kEpochTag, comm_->get(), &sending_);
    return comm_->Note(result) ? Status::Ok() : Status::Io(Failed("send", to));
  }

  bool Sending() override {
    if (sending_ == MPI_REQUEST_NULL || !comm_->ok()) return false;
    int done = 0;
    comm_->Note(PMPI_Test(&sending_, &done, MPI_STATUS_IGNORE));
    return done == 0;
  }

  std::optional<std::vector<uint8_t>> Poll(int from) override {
    if (!comm_->ok()) return std::nullopt;
    auto at = incoming_.find(from);
    if (at == incoming_.end()) {
      int there = 0, size = 0;
      MPI_Status status;
      comm_->Note(PMPI_Iprobe(from, kEpochTag, comm_->get(), &there, &status));
      if (there == 0 || !comm_->ok()) return std::nullopt;
      PMPI_Get_count(&status, MPI_BYTE, &size);
      std::vector<uint8_t> bytes;
      try {
        bytes.resize(size_t(size));
      } catch (...) {
        Drop(from);
        return std::nullopt;
      }
      at = incoming_.try_emplace(from).first;
      at->second.bytes = std::move(bytes);
      comm_->Note(PMPI_Irecv(at->second.bytes.data(), size, MPI_BYTE, from,
                             kEpochTag, comm_->get(), &at->second.request));
    }
    int done = 0;
    comm_->Note(PMPI_Test(&at->second.request, &done, MPI_STATUS_IGNORE));
    if (done == 0 || !comm_->ok()) return std::nullopt;
    std::vector<uint8_t> bytes = std::move(at->second.bytes);
    incoming_.erase(at);
    return bytes;
  }

 private:
  // Takes a message there is no memory for, so that its sender can go on: one
  // that is too long for nothing at all.
  void Drop(int from) const {
    uint8_t nothing = 0;
    (void)PMPI_Recv(&nothing, 0, MPI_BYTE, from, kEpochTag, comm_->get(),
                    MPI_STATUS_IGNORE);
  }

  struct Incoming {
    std::vector<uint8_t> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  PrivateComm* comm_;
  TreeOrder order_;
  std::vector<uint8_t> outgoing_;
  MPI_Request sending_ = MPI_REQUEST_NULL;
  std::map<int, Incoming> incoming_;
};

class MpiWorldLink : public WorldLink {
 public:
  MpiWorldLink() : channel_(&comm_) {}

  int rank() const override { return comm_.rank(); }
  int size() const override { return comm_.size(); }
  const TreeOrder& order() const override { return channel_.order(); }
  Channel& channel() override { return channel_; }
  bool ok() const override { return comm_.ok(); }

  Status Send(int to, const std::vector<uint8_t>& bytes) override {
    uint64_t size = bytes.size();
    if (!SendPart(to, &size, sizeof size)) return Lost("send", to);
    for (uint64_t at = 0; at < size; at += kPartBytes) {
      const uint64_t part = std::min(kPartBytes, size - at);
      if (!SendPart(to, bytes.data() + at, part)) return Lost("send", to);
    }
    return Status::Ok();
  }

  // What there is no memory for is received all the same, so that its sender
  // can go on.
  Result<std::vector<uint8_t>> Receive(int from) override {
    uint64_t size = 0;
    if (!ReceivePart(from, &size, sizeof size)) return Lost("receive", from);
    std::vector<uint8_t> bytes;
    try {
      bytes.resize(size);
    } catch (...) {
      (void)ReceiveAll(from, size, nullptr);
      throw;
    }
    if (!ReceiveAll(from, size, bytes.data())) return Lost("receive", from);
    return bytes;
  }

 private:
  static Status Lost(const char* what, int peer) {
    return Status::Io(Failed(what, peer));
  }
  bool SendPart(int to, const void* data, uint64_t size) {
    MPI_Request request;
    return comm_.ok() &&
           comm_.Note(PMPI_Isend(data, int(size), MPI_BYTE, to, kTag,
                                 comm_.get(), &request)) &&
           Finish(&request);
  }
  bool ReceivePart(int from, void* data, uint64_t size) {
    MPI_Request request;
    return comm_.ok() &&
           comm_.Note(PMPI_Irecv(data, int(size), MPI_BYTE, from, kTag,
                                 comm_.get(), &request)) &&
           Finish(&request);
  }

  // to is null for what nobody wants.
  bool ReceiveAll(int from, uint64_t size, uint8_t* to) {
    static uint8_t unwanted[kPartBytes];
    for (uint64_t at = 0; at < size; at += kPartBytes) {
      const uint64_t part = std::min(kPartBytes, size - at);
      if (!ReceivePart(from, to != nullptr ? to + at : unwanted, part)) {
        return false;
      }
    }
    return true;
  }

  PrivateComm comm_;
  WorldChannel channel_;
};

}  // namespace

std::unique_ptr<WorldLink> MakeWorldLink() {
  return std::make_unique<MpiWorldLink>();
}

}  // namespace ranksight::reduction
