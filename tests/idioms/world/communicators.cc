// Communicators, groups and neighbourhoods, for the running rank of a world.
#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/idioms/world/record.h"
#include "tests/idioms/world/world.h"

namespace ranksight::idioms {
namespace {

using reduction::Call;
using reduction::Param;

std::vector<int64_t> Numbers(const int* values, int n) {
  return {values, values + n};
}

std::vector<int64_t> WorldRanks(const int* ranks, int n,
                                const Communicator& comm) {
  std::vector<int64_t> there;
  for (int i = 0; i < n; ++i) there.push_back(WorldRank(ranks[i], comm));
  return there;
}

// The part of `parent` that has these members, the same object for each of
// them: which of the parent's meetings made it, and the part's number.
Communicator PartOf(Communicator* parent, int64_t meeting, int64_t part,
                    std::vector<int> members) {
  Rank& me = World::Now();
  auto& group = parent->group->parts[{meeting, part}];
  if (group == nullptr) group = me.world->NewGroup(std::move(members));
  Communicator made;
  made.group = group;
  const auto& all = group->members;
  made.rank = int(std::find(all.begin(), all.end(), me.number) - all.begin());
  return made;
}

// Those who brought the same first number, by the second, then by rank.
std::vector<int> MembersOf(int color, const Communicator& comm,
                           const std::vector<std::vector<int>>& brought) {
  std::vector<std::pair<int, int>> order;
  for (int m = 0; m < comm.size(); ++m) {
    const auto& b = brought[size_t(m)];
    if (b[0] == color) order.emplace_back(b[1], m);
  }
  std::sort(order.begin(), order.end());
  std::vector<int> members;
  for (const auto& [key, m] : order) {
    members.push_back(comm.group->members[size_t(m)]);
  }
  return members;
}

// MPI_COMM_NULL for who has no color.
MPI_Comm Split(Communicator* comm, int color, int key) {
  const int64_t meeting = comm->meetings;
  const auto brought = Meet(comm, {color, key});
  if (color == MPI_UNDEFINED) return MPI_COMM_NULL;
  return KeepComm(
      PartOf(comm, meeting, color, MembersOf(color, *comm, brought)));
}

int SizeOf(MPI_Comm comm) {
  return comm == MPI_COMM_NULL ? 0 : CommOf(comm).size();
}

std::vector<int> PlaceOf(int rank, const std::vector<int>& dims) {
  std::vector<int> at(dims.size());
  for (size_t d = dims.size(); d-- > 0; rank /= dims[d]) at[d] = rank % dims[d];
  return at;
}

int RankAt(std::vector<int> at, const Communicator& cart) {
  int rank = 0;
  for (size_t d = 0; d < at.size(); ++d) {
    const int side = cart.dims[d];
    if (cart.period[d] != 0) at[d] = (at[d] % side + side) % side;
    if (at[d] < 0 || at[d] >= side) return MPI_PROC_NULL;
    rank = rank * side + at[d];
  }
  return rank;
}

MPI_Group KeepGroup(std::vector<int> members) {
  Rank& me = World::Now();
  const int handle = ++me.handles;
  me.groups[handle] = std::move(members);
  return MPI_Group(handle);
}

const std::vector<int>& MembersOf(MPI_Group group) {
  return World::Now().groups.at(int(group));
}

std::vector<int64_t> Wide(const std::vector<int>& numbers) {
  return {numbers.begin(), numbers.end()};
}

size_t Neighbours(const Communicator& comm, bool sources) {
  if (!comm.dims.empty()) return 2 * comm.dims.size();
  return sources ? comm.sources : comm.destinations;
}

// Sides as equal as can be, the largest first.
void Factor(int ranks, int at, std::vector<int>* sides,
            std::vector<int>* best) {
  if (at + 1 == int(sides->size())) {
    sides->back() = ranks;
    std::vector<int> sorted = *sides;
    std::sort(sorted.rbegin(), sorted.rend());
    if (best->empty() || sorted < *best) *best = sorted;
    return;
  }
  for (int side = 1; side <= ranks; ++side) {
    if (ranks % side != 0) continue;
    (*sides)[size_t(at)] = side;
    Factor(ranks / side, at + 1, sides, best);
  }
}

}  // namespace
}  // namespace ranksight::idioms

using namespace ranksight::idioms;  // NOLINT: what MPI's names stand for

extern "C" {

#if defined(MPICH_VERSION)
// The address alone says what it is.
static int nothing;
extern int* const MPI_UNWEIGHTED;
int* const MPI_UNWEIGHTED = &nothing;
#endif

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  *rank = CommOf(comm).rank;
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
  *size = CommOf(comm).size();
  return MPI_SUCCESS;
}

int MPI_Dims_create(int ranks, int n, int dims[]) {
  std::vector<int> sides(size_t(n), 1), best;
  Factor(ranks, 0, &sides, &best);
  World::Now().made_dims.push_back(
      {ranks, std::vector<int64_t>(size_t(n)), {best.begin(), best.end()}});
  std::copy(best.begin(), best.end(), dims);
  return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  Record record(Call::MPI_Comm_dup_, __builtin_frame_address(0));
  record.SetComm(comm);
  *made = Split(&CommOf(comm), 0, 0);
  record.Set(Param::kCommSize, SizeOf(*made)).Push();
  return MPI_SUCCESS;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  Record record(Call::MPI_Comm_split_, __builtin_frame_address(0));
  record.SetComm(comm).Set(Param::kKey, key);
  record.Set(Param::kColor, color == MPI_UNDEFINED
                                ? ranksight::reduction::kColorUndefined
                                : color);
  *made = Split(&CommOf(comm), color, key);
  record.Set(Param::kCommSize, SizeOf(*made)).Push();
  return MPI_SUCCESS;
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  Record record(Call::MPI_Comm_create_, __builtin_frame_address(0));
  const std::vector<int>& members = MembersOf(group);
  record.SetComm(comm).SetList(Param::kMembers, Wide(members));
  const auto me =
      std::find(members.begin(), members.end(), World::Now().number);
  const bool in = me != members.end();
  *made = Split(&CommOf(comm), in ? members.front() : MPI_UNDEFINED,
                int(me - members.begin()));
  record.Set(Param::kCommSize, SizeOf(*made)).Push();
  return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm* comm) {
  Record record(Call::MPI_Comm_free_, __builtin_frame_address(0));
  record.SetComm(*comm);
  *comm = MPI_COMM_NULL;
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Cart_create(MPI_Comm comm, int n, const int dims[], const int periods[],
                    int reorder, MPI_Comm* made) {
  Record record(Call::MPI_Cart_create_, __builtin_frame_address(0));
  record.SetComm(comm).Set(Param::kReorder, reorder);
  record.SetList(Param::kDims, Numbers(dims, n));
  record.SetList(Param::kPeriods, Numbers(periods, n));
  const int cells = std::accumulate(dims, dims + n, 1, std::multiplies<int>());
  const bool in = CommOf(comm).rank < cells;
  *made = Split(&CommOf(comm), in ? 0 : MPI_UNDEFINED, 0);
  if (in) {
    CommOf(*made).dims.assign(dims, dims + n);
    CommOf(*made).period.assign(periods, periods + n);
  }
  record.Set(Param::kCommSize, SizeOf(*made)).Push();
  return MPI_SUCCESS;
}

int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* made) {
  Record record(Call::MPI_Cart_sub_, __builtin_frame_address(0));
  Communicator& cart = CommOf(comm);
  const int n = int(cart.dims.size());
  record.SetComm(comm).SetList(Param::kRemain, Numbers(remain, n));
  int color = 0;
  std::vector<int> dims, period;
  const std::vector<int> at = PlaceOf(cart.rank, cart.dims);
  for (size_t d = 0; d < cart.dims.size(); ++d) {
    if (remain[d] == 0) {
      color = color * cart.dims[d] + at[d];
    } else {
      dims.push_back(cart.dims[d]);
      period.push_back(cart.period[d]);
    }
  }
  *made = Split(&cart, color, 0);
  CommOf(*made).dims = dims;
  CommOf(*made).period = period;
  record.Set(Param::kCommSize, SizeOf(*made)).Push();
  return MPI_SUCCESS;
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int n, int coords[]) {
  const std::vector<int> at = PlaceOf(rank, CommOf(comm).dims);
  std::copy(at.begin(), at.begin() + n, coords);
  return MPI_SUCCESS;
}

int MPI_Cart_rank(MPI_Comm comm, const int coords[], int* rank) {
  const Communicator& cart = CommOf(comm);
  *rank = RankAt({coords, coords + cart.dims.size()}, cart);
  return MPI_SUCCESS;
}

int MPI_Cart_shift(MPI_Comm comm, int dim, int by, int* from, int* to) {
  const Communicator& cart = CommOf(comm);
  std::vector<int> at = PlaceOf(cart.rank, cart.dims);
  at[size_t(dim)] += by;
  *to = RankAt(at, cart);
  at[size_t(dim)] -= 2 * by;
  *from = RankAt(at, cart);
  return MPI_SUCCESS;
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int sources, const int from[],
                                   const int[], int destinations,
                                   const int to[], const int[], MPI_Info,
                                   int reorder, MPI_Comm* made) {
  Record record(Call::MPI_Dist_graph_create_adjacent_,
                __builtin_frame_address(0));
  Communicator& parent = CommOf(comm);
  record.SetComm(comm).Set(Param::kReorder, reorder);
  record.SetList(Param::kSources, WorldRanks(from, sources, parent));
  record.SetList(Param::kDestinations, WorldRanks(to, destinations, parent));
  *made = Split(&parent, 0, 0);
  CommOf(*made).sources = size_t(sources);
  CommOf(*made).destinations = size_t(destinations);
  record.Set(Param::kCommSize, SizeOf(*made)).Push();
  return MPI_SUCCESS;
}

int MPI_Neighbor_alltoall(const void*, int count, MPI_Datatype type, void*,
                          int taken_count, MPI_Datatype taken_type,
                          MPI_Comm comm) {
  Record record(Call::MPI_Neighbor_alltoall_, __builtin_frame_address(0));
  record.Set(Param::kCount, count).SetType(type).SetComm(comm);
  record.Set(Param::kRecvCount, taken_count).SetReceivedType(taken_type);
  Meet(&CommOf(comm), {});
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Neighbor_allgather(const void*, int count, MPI_Datatype type, void*,
                           int taken_count, MPI_Datatype taken_type,
                           MPI_Comm comm) {
  Record record(Call::MPI_Neighbor_allgather_, __builtin_frame_address(0));
  record.Set(Param::kCount, count).SetType(type).SetComm(comm);
  record.Set(Param::kRecvCount, taken_count).SetReceivedType(taken_type);
  Meet(&CommOf(comm), {});
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Neighbor_alltoallv(const void*, const int counts[], const int[],
                           MPI_Datatype type, void*, const int taken_counts[],
                           const int[], MPI_Datatype taken_type,
                           MPI_Comm comm) {
  Record record(Call::MPI_Neighbor_alltoallv_, __builtin_frame_address(0));
  const Communicator& c = CommOf(comm);
  record.SetType(type).SetReceivedType(taken_type).SetComm(comm);
  record.SetList(Param::kCounts, {counts, counts + Neighbours(c, false)});
  record.SetList(Param::kRecvCounts,
                 {taken_counts, taken_counts + Neighbours(c, true)});
  Meet(&CommOf(comm), {});
  record.Push();
  return MPI_SUCCESS;
}

// Looking at the group of a communicator is no event.
int MPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
  *group = KeepGroup(CommOf(comm).group->members);
  return MPI_SUCCESS;
}

int MPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group* made) {
  Record record(Call::MPI_Group_incl_, __builtin_frame_address(0));
  std::vector<int> members;
  for (int i = 0; i < n; ++i) {
    members.push_back(MembersOf(group)[size_t(ranks[i])]);
  }
  record.SetList(Param::kMembers, Wide(members));
  *made = KeepGroup(std::move(members));
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Group_free(MPI_Group* group) {
  Record(Call::MPI_Group_free_, __builtin_frame_address(0)).Push();
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}

}  // extern "C"
