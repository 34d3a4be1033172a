#include "replay_engine/backend_mpi/arguments.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <string>
#include <utility>

#include "reduction/api/partitions.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Event;
using reduction::Param;
using reduction::Result;
using reduction::Status;

Param KindOf(Side side) {
  return side == Side::kSend ? Param::kTypeKind : Param::kRecvTypeKind;
}

// The types of MPI_Alltoallw, one for each rank.
struct TypeArrays {
  std::span<const int64_t> kinds, sizes, excesses;
};

TypeArrays TypesOf(const Event& e, Side side) {
  if (side == Side::kSend) {
    return {e.GetArray(Param::kTypeKinds), e.GetArray(Param::kTypeSizes),
            e.GetArray(Param::kTypeExcesses)};
  }
  return {e.GetArray(Param::kRecvTypeKinds), e.GetArray(Param::kRecvTypeSizes),
          e.GetArray(Param::kRecvTypeExcesses)};
}

}  // namespace

Arguments::Arguments(const Operation& operation, MpiState& state)
    : operation_(operation), event_(*operation.event), state_(state) {
  if (!event_.Has(Param::kComm)) return;
  Result<CommEntry*> found = state_.comms.Find(event_.Get(Param::kComm));
  if (!found.ok()) {
    Fail(found.status());
    return;
  }
  comm_entry_ = *found;
  comm_ = comm_entry_->handle;
  comm_size_ = comm_entry_->members.size;
  own_size_ = comm_entry_->size;
}

Arguments::~Arguments() {
  if (vectors_ != nullptr) state_.spare_arguments = std::move(vectors_);
}

int Arguments::Peer(Param p) {
  return RankOf(event_.Get(p, reduction::kPeerNull));
}

std::vector<int> Arguments::Peers(Param array) {
  std::vector<int> ranks;
  for (const int64_t rank : event_.GetArray(array)) {
    ranks.push_back(RankOf(rank));
  }
  return ranks;
}

int Arguments::RankOf(int64_t rank) {
  if (rank == reduction::kPeerAny) return MPI_ANY_SOURCE;
  if (rank == reduction::kPeerNull) return MPI_PROC_NULL;
  if (rank == reduction::kPeerRoot) return MPI_ROOT;
  if (comm_entry_ == nullptr) return MPI_PROC_NULL;
  Result<int> local = state_.comms.RankIn(comm_entry_->members, rank);
  if (local.ok()) return *local;
  Fail(local.status());
  return MPI_PROC_NULL;
}

int Arguments::Tag(Param p) const { return TagOf(event_.Get(p)); }

int Arguments::TagOf(int64_t tag) {
  return tag == reduction::kTagAny ? MPI_ANY_TAG : static_cast<int>(tag);
}

bool Arguments::InPlace() const { return event_.Get(Param::kInPlace) != 0; }

int Arguments::Sources() {
  if (comm_entry_ == nullptr) return 0;
  CommTable::CountNeighbours(comm_entry_);
  return comm_entry_->sources;
}

int Arguments::Destinations() {
  if (comm_entry_ == nullptr) return 0;
  CommTable::CountNeighbours(comm_entry_);
  return comm_entry_->destinations;
}

// Calls like the program's own, so that a recorder knows what they make.
MPI_Comm Arguments::ExchangeComm() {
  MPI_Comm& exchange = comm_entry_->exchange;
  if (exchange == MPI_COMM_NULL) {
    const int code = MPI_Comm_dup(comm_, &exchange);
    if (code != MPI_SUCCESS) {
      exchange = MPI_COMM_NULL;
      const std::string reason = FromMpi(code).message();
      Fail(Status::BadInput("no communicator for --exchange: " + reason));
    }
  }
  return exchange;
}

void Arguments::FreeExchangeComm() {
  MPI_Comm& exchange = comm_entry_->exchange;
  if (exchange == MPI_COMM_NULL) return;
  if (Status s = FromMpi(MPI_Comm_free(&exchange)); !s.ok()) Fail(s);
}

int Arguments::Int(Param p) {
  const int64_t value = event_.Get(p);
  if (value >= INT_MIN && value <= INT_MAX) return static_cast<int>(value);
  Fail(Status::BadInput(std::string(reduction::ParamName(p)) + " is " +
                        std::to_string(value)));
  return 0;
}

MPI_Op Arguments::Op(bool predefined_type) const {
  return state_.ops.Get(event_.Get(Param::kReduceOp), predefined_type);
}

// Scaled messages are bytes, so that both ends round alike whatever types
// they use; what is reduced, and what lies in a file, keeps its elements.
Arguments::Elements Arguments::Scale(int64_t count,
                                     const TypeDescription& type) const {
  const double factor = state_.options.bytes_scale;
  if (factor == 1) return {count, type};
  const bool reduced = event_.Has(Param::kReduceOp) && !takes_bytes_;
  if (reduced || event_.Has(Param::kFile)) {
    return {std::llround(std::floor(double(count) * factor)), type};
  }
  const TypeDescription byte = {reduction::TypeCodeByName("MPI_BYTE"), 1, 0};
  const double bytes = std::min(double(count) * double(type.size), 0x1p62);
  if (event_.Has(Param::kPartitions)) {
    return {reduction::ScaledPartition(int64_t(bytes),
                                       event_.Get(Param::kPartitions), factor,
                                       state_.options.partitions),
            byte};
  }
  const double scaled = bytes * factor;
  return {scaled < 0x1p62 ? static_cast<int64_t>(scaled) : INT64_MAX, byte};
}

Layout Arguments::LayoutOf(int64_t count, const TypeDescription& type) {
  Elements scaled = Scale(count, type);
  if (takes_bytes_) scaled.type.kind = 0;
  Result<Layout> layout = state_.types.Get(scaled.count, scaled.type);
  if (layout.ok()) return *layout;
  Fail(layout.status());
  return Layout{};
}

void* Arguments::Buffer(Area area, uint64_t bytes) {
  Result<void*> buffer = area == Area::kSend ? state_.buffers.Send(bytes)
                                             : state_.buffers.Receive(bytes);
  if (buffer.ok()) return *buffer;
  Fail(buffer.status());
  return nullptr;
}

Payload Arguments::Make(Side side, Area area, int copies) {
  const int64_t count =
      event_.Get(side == Side::kSend ? Param::kCount : Param::kRecvCount);
  const Layout layout = LayoutOf(count, Described(KindOf(side)));
  return {Buffer(area, layout.span * uint64_t(copies)), layout.count,
          layout.type, layout.predefined};
}

// Size and excess follow the kind in numbers, too.
TypeDescription Arguments::Described(Param kind) const {
  const auto number = static_cast<uint8_t>(kind);
  return {event_.Get(kind), event_.Get(static_cast<Param>(number + 1)),
          event_.Get(static_cast<Param>(number + 2))};
}

MPI_Datatype Arguments::Type(Param kind) {
  Result<Layout> layout = state_.types.Get(1, Described(kind));
  if (layout.ok()) return layout->type;
  Fail(layout.status());
  return MPI_BYTE;
}

Payload Arguments::MakeTarget() {
  const Layout layout = LayoutOf(event_.Get(Param::kTargetCount),
                                 Described(Param::kTargetTypeKind));
  return {nullptr, layout.count, layout.type, layout.predefined};
}

VectorArguments& Arguments::Vectors() {
  if (vectors_ == nullptr) vectors_ = std::move(state_.spare_arguments);
  if (vectors_ == nullptr) vectors_ = std::make_unique<VectorArguments>();
  return *vectors_;
}

size_t Arguments::RecordedPlace(Side side, size_t i) const {
  const bool from_neighbours =
      side == Side::kReceive &&
      reduction::Info(call()).family == reduction::Family::kNeighbourhood;
  if (!from_neighbours || comm_entry_ == nullptr) return i;
  const std::vector<int>& places = comm_entry_->recorded_sources;
  return i < places.size() ? size_t(places[i]) : i;
}

VectorPayload Arguments::MakeVector(Side side, Area area, int shares) {
  const bool sends = side == Side::kSend;
  VectorArguments& v = Vectors();
  std::vector<int>& counts = sends ? v.counts : v.receive_counts;
  std::vector<int>& places = sends ? v.places : v.receive_places;
  std::vector<MPI_Datatype>& types = sends ? v.types : v.receive_types;
  const auto ranks = static_cast<size_t>(shares);
  // Of nobody, too: MPICH looks at arrays without elements.
  const size_t room = std::max<size_t>(ranks, 1);
  counts.assign(room, 0);
  places.assign(room, 0);
  types.assign(room, MPI_BYTE);
  const std::span<const int64_t> recorded =
      event_.GetArray(sends ? Param::kCounts : Param::kRecvCounts);
  const TypeArrays each = TypesOf(event_, side);
  if (!recorded.empty() && recorded.size() != ranks) {
    Fail(Status::BadInput(std::to_string(recorded.size()) + " counts for " +
                          std::to_string(ranks) + " ranks"));
  }
  VectorPayload payload;
  uint64_t bytes = 0;
  for (size_t i = 0; i < recorded.size() && ok(); ++i) {
    const size_t share = RecordedPlace(side, i);
    TypeDescription type = Described(KindOf(side));
    if (!each.kinds.empty()) {
      type = {each.kinds[share], each.sizes[share], each.excesses[share]};
    }
    const Layout layout = LayoutOf(recorded[share], type);
    // MPI_Alltoallw counts places in bytes, the others in extents. Where
    // they grow too large for an int, shares overlap.
    const bool by_bytes = !each.kinds.empty() || layout.extent == 0;
    const uint64_t unit = by_bytes ? 1 : uint64_t(layout.extent);
    const uint64_t place = (bytes + unit - 1) / unit;
    bytes = place * unit + layout.span;
    counts[i] = layout.count;
    types[i] = layout.type;
    places[i] = place <= INT_MAX ? static_cast<int>(place) : 0;
    if (each.kinds.empty() && layout.type != types[0]) {
      Fail(Status::BadInput("a count does not fit an int"));
    }
    payload.type = layout.type;
    payload.predefined = layout.predefined;
  }
  payload.buffer = Buffer(area, bytes);
  payload.counts = counts.data();
  payload.places = places.data();
  payload.types = types.data();
  if (!each.kinds.empty() || recorded.empty()) {
    std::vector<MPI_Aint>& wide = sends ? v.byte_places : v.receive_byte_places;
    wide.assign(places.begin(), places.end());
    payload.byte_places = wide.data();
  }
  return payload;
}

void Arguments::MadeRequest(MPI_Request request) {
  state_.requests.Put(operation_.new_request, {request, std::move(vectors_)});
}

}  // namespace ranksight::replay_engine
