// Runs made call by call with times in seconds, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "reduction/api/folder.h"
#include "reduction/api/merge.h"

namespace ranksight::testing {

// One rank's trace: MPI_Init, messages of bytes with tag 1, MPI_Finalize.
class MadeRank {
 public:
  MadeRank() : module_(folder_.AddModule({"b1", "app"})) {
    Push(reduction::Call::MPI_Init_, 1, {}, 0, 1e-6);
  }
  // place: of the call site in the program, from 2 on. The call takes `inside`
  // seconds, after `computed` seconds; below zero is none.
  void Message(reduction::Call call, uint64_t place, int64_t peer,
               int64_t bytes, double computed, double inside) {
    using reduction::Param;
    Push(call, place,
         {{Param::kPeer, peer},
          {Param::kTag, 1},
          {Param::kCount, bytes},
          {Param::kTypeKind, reduction::TypeCodeByName("MPI_BYTE")},
          {Param::kTypeSize, 1}},
         computed, inside);
  }
  void Barrier(uint64_t place, double computed, double inside) {
    Collective(reduction::Call::MPI_Barrier_, place, computed, inside);
  }
  // Of rank 0.
  void Broadcast(uint64_t place, int64_t bytes, double computed,
                 double inside) {
    Rooted(reduction::Call::MPI_Bcast_, place, bytes, computed, inside);
  }
  // A broadcast or a reduction whose root is rank 0.
  void Rooted(reduction::Call call, uint64_t place, int64_t bytes,
              double computed, double inside) {
    using reduction::Param;
    Push(call, place,
         {{Param::kCount, bytes},
          {Param::kTypeKind, reduction::TypeCodeByName("MPI_BYTE")},
          {Param::kTypeSize, 1}},
         computed, inside);
  }
  // A byte of each rank to rank 0, which says what it takes it as.
  void GatherByte(uint64_t place, bool is_root, double computed,
                  double inside) {
    using reduction::Param;
    const int64_t byte = reduction::TypeCodeByName("MPI_BYTE");
    std::map<Param, int64_t> values{
        {Param::kCount, 1}, {Param::kTypeKind, byte}, {Param::kTypeSize, 1}};
    if (is_root) {
      values[Param::kRecvCount] = values[Param::kRecvTypeSize] = 1;
      values[Param::kRecvTypeKind] = byte;
    }
    Push(reduction::Call::MPI_Gather_, place, values, computed, inside);
  }
  // Out of a communicator, one of `size` ranks.
  void Split(uint64_t place, int64_t comm, int64_t color, int64_t size) {
    using reduction::Param;
    Push(reduction::Call::MPI_Comm_split_, place,
         {{Param::kComm, comm},
          {Param::kColor, color},
          {Param::kCommSize, size}},
         1e-6, 1e-6);
  }
  // Within a communicator, from a rank of all.
  void BroadcastIn(uint64_t place, int64_t comm, int64_t root, int64_t bytes) {
    using reduction::Param;
    Push(reduction::Call::MPI_Bcast_, place,
         {{Param::kComm, comm},
          {Param::kRoot, root},
          {Param::kCount, bytes},
          {Param::kTypeKind, reduction::TypeCodeByName("MPI_BYTE")},
          {Param::kTypeSize, 1}},
         1e-6, 1e-6);
  }
  // To each rank of a communicator, and from each.
  void AllToAll(uint64_t place, int64_t comm, int64_t bytes) {
    using reduction::Param;
    const int64_t byte = reduction::TypeCodeByName("MPI_BYTE");
    Push(reduction::Call::MPI_Alltoall_, place,
         {{Param::kComm, comm},
          {Param::kCount, bytes},
          {Param::kTypeKind, byte},
          {Param::kTypeSize, 1},
          {Param::kRecvCount, bytes},
          {Param::kRecvTypeKind, byte},
          {Param::kRecvTypeSize, 1}},
         1e-6, 1e-6);
  }
  // Of all ranks, of bytes.
  void Window(uint64_t place, int64_t size) {
    using reduction::Param;
    Push(reduction::Call::MPI_Win_allocate_, place,
         {{Param::kSize, size}, {Param::kDispUnit, 8}}, 1e-6, 1e-6);
  }
  // Into the first window there, `offset` times 8 bytes behind its begin.
  void Put(uint64_t place, int64_t peer, int64_t bytes, int64_t offset) {
    using reduction::Param;
    const int64_t byte = reduction::TypeCodeByName("MPI_BYTE");
    Push(reduction::Call::MPI_Put_, place,
         {{Param::kPeer, peer},
          {Param::kOffset, offset},
          {Param::kCount, bytes},
          {Param::kTypeKind, byte},
          {Param::kTypeSize, 1},
          {Param::kTargetCount, bytes},
          {Param::kTargetTypeKind, byte},
          {Param::kTargetTypeSize, 1}},
         1e-6, 1e-6);
  }
  // Of nothing, over all ranks; its root, where it has one, is rank 0.
  void Collective(reduction::Call call, uint64_t place, double computed,
                  double inside) {
    Push(call, place, {}, computed, inside);
  }
  reduction::Trace End(int64_t rank, int64_t ranks, double elapsed,
                       double computed = 0) {
    Push(reduction::Call::MPI_Finalize_, 1000, {}, computed, 1e-6);
    reduction::Trace trace = folder_.Snapshot(rank, ranks);
    trace.meta.elapsed.Add(elapsed * 1e9);
    return trace;
  }

 private:
  void Push(reduction::Call call, uint64_t place,
            const std::map<reduction::Param, int64_t>& values, double computed,
            double inside) {
    reduction::Event e(call);
    e.site = folder_.AddSite({{{module_, 16 * place}}});
    for (const reduction::Param p : reduction::Info(call).params) {
      if (reduction::IsArray(p)) {
        e.AddArray({});
        continue;
      }
      const auto it = values.find(p);
      e.Add(it == values.end() ? 0 : it->second);
    }
    const auto ns = [](double seconds) {
      return uint64_t(std::llround(std::max(0.0, seconds) * 1e9));
    };
    folder_.Push(e, ns(computed), ns(inside));
  }

  reduction::Folder folder_;
  uint32_t module_;
};

// one(rank): that rank's trace.
template <typename One>
reduction::Trace MadeRun(const std::string& program, int64_t ranks,
                         const One& one) {
  reduction::Trace trace = one(0);
  for (int64_t rank = 1; rank < ranks; ++rank) {
    trace = *reduction::Merge(std::move(trace), one(rank));
  }
  trace.meta.program = program;
  trace.meta.build_id = "b1";
  trace.meta.job = program + "-" + std::to_string(ranks);
  return trace;
}

}  // namespace ranksight::testing
