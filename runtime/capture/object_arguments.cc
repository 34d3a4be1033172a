// Arguments that name windows, files, sessions, groups, graphs and the parts
// of datatypes.
#include "runtime/capture/arguments.h"

namespace ranksight::runtime {
namespace {

enum ModeKind { kAssertion, kAccess, kWhence, kOrder };
struct Mode {
  ModeKind kind;
  int64_t number;
  int here;  // what this MPI has for it
};
constexpr Mode kModes[] = {
#define RANKSIGHT_MODE(kind, number, name) {kind, number, name},
#include "reduction/api/modes.def"
#undef RANKSIGHT_MODE
};

int64_t Bits(ModeKind kind, int here) {
  int64_t bits = 0;
  for (const Mode& mode : kModes) {
    if (mode.kind == kind && (here & mode.here) != 0) bits |= mode.number;
  }
  return bits;
}

// kNone: the program's error, which MPI reports.
int64_t Number(ModeKind kind, int here) {
  for (const Mode& mode : kModes) {
    if (mode.kind == kind && mode.here == here) return mode.number;
  }
  return reduction::kNone;
}

}  // namespace

int64_t WindowTable::WorldRank(int rank, MPI_Win window) const {
  if (rank == MPI_PROC_NULL) return reduction::kPeerNull;
  const auto it = ranks_.find(KeyOf(window));
  if (it == ranks_.end() || rank < 0 || size_t(rank) >= it->second.size()) {
    return reduction::kNone;
  }
  const int64_t world = it->second[size_t(rank)];
  return world == MPI_UNDEFINED ? reduction::kNone : world;
}

void Arguments::Window(MPI_Win window) {
  event_.Add(tables_->windows.Number(window));
}

void Arguments::WindowPeer(int rank, MPI_Win window) {
  event_.Add(tables_->windows.WorldRank(rank, window));
}

void Arguments::NewWindow(const MPI_Win* window) {
  if (!Made() || *window == MPI_WIN_NULL) return;
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Win_get_group(*window, &group);
  tables_->windows.Add(*window, tables_->comms.WorldRanks(group));
  PMPI_Group_free(&group);
}

void Arguments::LockType(int type) {
  event_.Add(type == MPI_LOCK_SHARED ? 0 : 1);
}

void Arguments::NewGroup(const MPI_Group* group) {
  values_.clear();
  if (Made()) values_ = tables_->comms.WorldRanks(*group);
  AddList();
}

void Arguments::NewType(const MPI_Datatype* type) {
  TypeInfo info;
  if (Made()) {
    info = tables_->types.Add(*type);
  }
  event_.Add(info.size);
  event_.Add(info.excess);
}

void Arguments::TypeReference(const MPI_Datatype* type, bool freed) {
  // Freed it is none any more after the call.
  const bool known = !freed || tables_->types.Find(*type) != nullptr;
  Type(*type, Side::kSend, known);
  if (freed) Release(&tables_->types, *type);
}

void Arguments::ItemTypes(const MPI_Datatype* types, int n) {
  handles_.assign(types, types + std::max(n, 0));
  AddTypes(2);
}

void Arguments::Assertion(int bits) { event_.Add(Bits(kAssertion, bits)); }

void Arguments::Access(int bits) { event_.Add(Bits(kAccess, bits)); }

void Arguments::Whence(int whence) { event_.Add(Number(kWhence, whence)); }

void Arguments::ArrayOrder(int order) { event_.Add(Number(kOrder, order)); }

void Arguments::Element(MPI_Datatype type) {
  event_.Add(1);
  Type(type, Side::kSend, true);
}

void Arguments::Ranks(const int* ranks, int n, MPI_Comm comm) {
  values_.clear();
  for (int i = 0; i < n; ++i) {
    values_.push_back(tables_->comms.WorldRank(ranks[i], comm));
  }
  event_.AddArray(values_);
}

void Arguments::AllDestinations(const int* ranks, const int* degrees, int n,
                                MPI_Comm comm) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += std::max(degrees[i], 0);
  event_.Add(total);
  Ranks(ranks, total, comm);
}

void Arguments::Edges(const int* edges, const int* index, int nodes) {
  const int n = nodes > 0 ? std::max(index[nodes - 1], 0) : 0;
  event_.Add(n);
  Array(edges, n);
}

}  // namespace ranksight::runtime
