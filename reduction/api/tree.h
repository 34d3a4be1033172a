// Merging the ranks' queues over a radix tree.
//
// Rank r's children in a radix-k tree are contiguous blocks of ranks, so
// every merge joins neighbouring rank ranges and columns only concatenate.
// Ranks of one host join first where each host has consecutive ranks; where
// they are dealt out in turn, neighbours go before hosts, since programs are
// alike among neighbours. Where MPI says how ranks sit on a torus, blocks are
// such of its nodes, line by line, whatever ranks these have.
//
// Transport hides who carries the bytes: MPI (MakeWorldLink, in
// reduction/tree_mpi, the only place here that knows MPI), or memory in
// tests. All ranks call MergeOverTree together.
// Thread-safety: each rank calls from one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reduction/api/epoch.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

class Transport {
 public:
  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // The same on all ranks.
  virtual const TreeOrder& order() const { return kRankOrder; }
  virtual Status Send(int to, const std::vector<uint8_t>& bytes) = 0;
  virtual Result<std::vector<uint8_t>> Receive(int from) = 0;
};

// Merges every rank's trace into one at rank 0. On rank 0 the result is the
// whole trace; elsewhere it is an empty trace. A child whose bytes do not
// decode is left out and counted in meta.losses["rank_lost"]; the trace is
// then marked incomplete. REQUIRES: radix >= 2.
Result<Trace> MergeOverTree(Transport& transport, Trace mine, int radix);

// A transport and a channel over one private communicator of the world, PMPI
// only. Failures are MPI's own and stay: ok() is false from then on.
class WorldLink : public Transport {
 public:
  virtual Channel& channel() = 0;
  virtual bool ok() const = 0;
};

// Collective: every rank of the world makes one, between MPI_Init and
// MPI_Finalize. Waiting in the transport yields the processor. Defined in the
// ranksight::reduction_tree_mpi target.
std::unique_ptr<WorldLink> MakeWorldLink();

}  // namespace ranksight::reduction
