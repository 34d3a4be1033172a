// Arguments: the C arguments of one MPI call, made from its event.
//
// The first thing that cannot be made is remembered and the rest comes out
// harmless, so callers build all arguments and then ask status() once.
//
// Thread-safety: one thread.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "reduction/api/event.h"
#include "reduction/api/status.h"
#include "replay_engine/api/backend.h"
#include "replay_engine/backend_mpi/mpi_state.h"

namespace ranksight::replay_engine {

enum class Side { kSend, kReceive };  // which parameters of the event
enum class Area { kSend, kReceive };  // which buffer

struct Payload {
  void* buffer = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  bool predefined = true;
};

// One side of a collective with a count for each rank.
struct VectorPayload {
  void* buffer = nullptr;
  const int* counts = nullptr;
  const int* places = nullptr;            // in extents; bytes with types
  const MPI_Aint* byte_places = nullptr;  // with types
  MPI_Datatype type = MPI_BYTE;
  const MPI_Datatype* types = nullptr;  // MPI_Alltoallw
  bool predefined = true;
};

class Arguments {
 public:
  // REQUIRES: both outlive it.
  Arguments(const Operation& operation, MpiState& state);
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  const reduction::Status& status() const { return status_; }
  bool ok() const { return status_.ok(); }
  reduction::Call call() const { return event_.call(); }

  MPI_Comm comm() const { return comm_; }
  // Ranks that collectives have shares for: of the other group in an
  // intercommunicator.
  int comm_size() const { return comm_size_; }
  int own_size() const { return own_size_; }
  // Neighbours in the communicator's topology.
  int Sources();
  int Destinations();
  int Peer(reduction::Param p);
  // What a receive or probe asks for.
  int Source() { return RankOf(operation_.source); }
  int SourceTag() const { return TagOf(operation_.tag); }
  std::vector<int> Peers(reduction::Param array);
  int Tag(reduction::Param p) const;
  bool InPlace() const;
  // Whether this collective is to be messages instead.
  bool IsExchanged() const { return state_.options.exchanges.contains(call()); }
  // A duplicate of comm(), made by the first use; MPI_COMM_NULL, and not ok(),
  // where none can be made. Collective.
  MPI_Comm ExchangeComm();
  // Before comm() is freed.
  void FreeExchangeComm();
  // An int, refused when it does not fit.
  int Int(reduction::Param p);
  MPI_Op Op(bool predefined_type) const;

  // From here on types are bytes of the same size and extent, and what is
  // reduced is scaled as messages are.
  void TakeBytes() { takes_bytes_ = true; }
  // `copies` messages of that many elements lie in the buffer.
  Payload Make(Side side, Area area, int copies = 1);
  // Shares of that many ranks. Where the event has no counts (not significant
  // here) all are 0.
  VectorPayload MakeVector(Side side, Area area, int shares);
  // The target's side of a transfer; without a buffer.
  Payload MakeTarget();
  // One element, whatever the scale; kind: kTypeKind or kTargetTypeKind, which
  // size and excess follow.
  MPI_Datatype Type(reduction::Param kind);

  // Remembers the request that a call made.
  void MadeRequest(MPI_Request request);

 private:
  struct Elements {
    int64_t count;
    TypeDescription type;
  };
  int RankOf(int64_t world_rank);
  static int TagOf(int64_t tag);
  TypeDescription Described(reduction::Param kind) const;
  Elements Scale(int64_t count, const TypeDescription& type) const;
  Layout LayoutOf(int64_t count, const TypeDescription& type);
  // Where the share of the i-th neighbour stands in the event.
  size_t RecordedPlace(Side side, size_t i) const;
  void* Buffer(Area area, uint64_t bytes);
  VectorArguments& Vectors();
  void Fail(reduction::Status status) {
    if (status_.ok()) status_ = std::move(status);
  }

  const Operation& operation_;
  const reduction::Event& event_;
  MpiState& state_;
  reduction::Status status_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  CommEntry* comm_entry_ = nullptr;
  int comm_size_ = 0, own_size_ = 0;
  bool takes_bytes_ = false;
  std::unique_ptr<VectorArguments> vectors_;
};

}  // namespace ranksight::replay_engine
