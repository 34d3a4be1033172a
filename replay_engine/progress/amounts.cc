#include "replay_engine/progress/amounts.h"

#include <algorithm>

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;

// Of bytes that go from one to another; 0 of none. Steps of splitmix64.
uint64_t Mark(int64_t from, int64_t to, int64_t bytes) {
  if (bytes <= 0) return 0;
  uint64_t x = 0;
  for (const int64_t part : {from, to, bytes}) {
    x += static_cast<uint64_t>(part) + 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    x ^= x >> 31;
  }
  return x;
}

// One of the two sides of a call.
struct Side {
  Param count, size, counts, sizes;
};
constexpr Side kGives = {Param::kCount, Param::kTypeSize, Param::kCounts,
                         Param::kTypeSizes};
constexpr Side kTakes = {Param::kRecvCount, Param::kRecvTypeSize,
                         Param::kRecvCounts, Param::kRecvTypeSizes};

// Wraps rather than overflows, as traces may say anything.
int64_t BytesOf(int64_t count, int64_t size) {
  return int64_t(uint64_t(count) * uint64_t(size));
}

int64_t BytesOf(const Event& e, const Side& side) {
  const int64_t count = e.Get(side.count, Amounts::kNone);
  const int64_t size = e.Get(side.size, Amounts::kNone);
  return count < 0 || size < 0 ? Amounts::kNone : BytesOf(count, size);
}

// f(place, bytes) of each entry.
template <class F>
void ForEntries(const Event& e, const Side& side, F f) {
  const int counts = reduction::ParamPlace(e.call(), side.counts);
  if (counts < 0) return;
  const int sizes = reduction::ParamPlace(e.call(), side.sizes);
  const auto of = e.ValuesAt(size_t(counts));
  const auto of_each = sizes < 0 ? decltype(of)() : e.ValuesAt(size_t(sizes));
  for (size_t k = 0; k < of.size(); ++k) {
    const int64_t size = k < of_each.size() ? of_each[k] : e.Get(side.size, 0);
    f(int64_t(k), BytesOf(of[k], size));
  }
}

bool IsInPlace(const Event& e) { return e.Get(Param::kInPlace, 0) != 0; }

// Between a root, who has a list, and each of the others.
uint64_t OfRooted(const Event& e, int64_t place, bool gathers) {
  uint64_t lists = 0;
  const bool in_place = IsInPlace(e);
  ForEntries(e, gathers ? kTakes : kGives, [&](int64_t k, int64_t bytes) {
    if (k != place || !in_place) lists += Mark(k, 0, bytes);
  });
  // Each entry of the root's list adds what its member takes off again: summed
  // over all members nothing is left if they agree.
  const int64_t own = in_place ? 0 : BytesOf(e, gathers ? kGives : kTakes);
  return lists - Mark(place, 0, own);
}

// All have the same list, of what each gives all.
uint64_t OfGatheredByAll(const Event& e, int64_t place, int64_t size) {
  uint64_t lists = 0;
  // Each of `size` members takes off its whole list, and each adds what it
  // gives once for every list that it stands in.
  int64_t own = IsInPlace(e) ? 0 : BytesOf(e, kGives);
  ForEntries(e, kTakes, [&](int64_t k, int64_t bytes) {
    lists -= Mark(k, 0, bytes);
    if (k == place && IsInPlace(e)) own = bytes;
  });
  return lists + static_cast<uint64_t>(size) * Mark(place, 0, own);
}

uint64_t OfAllToAll(const Event& e, int64_t place) {
  uint64_t lists = 0;
  ForEntries(e, IsInPlace(e) ? kTakes : kGives,
             [&](int64_t k, int64_t bytes) { lists += Mark(place, k, bytes); });
  ForEntries(e, kTakes,
             [&](int64_t k, int64_t bytes) { lists -= Mark(k, place, bytes); });
  return lists;
}

}  // namespace

Amounts AmountsOf(const Event& e, bool is_root, int64_t place, int64_t size) {
  Amounts of;
  switch (reduction::BlockingForm(e.call())) {
    case Call::MPI_Bcast_:
    case Call::MPI_Reduce_:
    case Call::MPI_Allreduce_:
    case Call::MPI_Scan_:
    case Call::MPI_Exscan_:
    case Call::MPI_Reduce_scatter_block_:
      of.alike = BytesOf(e, kGives);
      return of;
    case Call::MPI_Reduce_scatter_:
      of.alike = 0;
      ForEntries(e, kGives, [&](int64_t, int64_t bytes) {
        of.alike = int64_t(uint64_t(of.alike) + uint64_t(bytes));
      });
      return of;
    case Call::MPI_Gather_:
      if (!IsInPlace(e)) of.given = BytesOf(e, kGives);
      if (is_root) of.taken = BytesOf(e, kTakes);
      return of;
    case Call::MPI_Scatter_:
      if (is_root) of.given = BytesOf(e, kGives);
      if (!IsInPlace(e)) of.taken = BytesOf(e, kTakes);
      return of;
    case Call::MPI_Allgather_:
    case Call::MPI_Alltoall_:
      if (!IsInPlace(e)) of.given = BytesOf(e, kGives);
      of.taken = BytesOf(e, kTakes);
      return of;
    case Call::MPI_Gatherv_:
    case Call::MPI_Scatterv_:
      of.lists = OfRooted(
          e, place, reduction::BlockingForm(e.call()) == Call::MPI_Gatherv_);
      return of;
    case Call::MPI_Allgatherv_:
      of.lists = OfGatheredByAll(e, place, size);
      return of;
    case Call::MPI_Alltoallv_:
    case Call::MPI_Alltoallw_:
      of.lists = OfAllToAll(e, place);
      return of;
    default:
      return of;
  }
}

}  // namespace ranksight::replay_engine
