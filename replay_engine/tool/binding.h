// A core for each rank of a replay, so that computing by spinning takes what it
// says and is not moved. Thread-safety: collective over MPI_COMM_WORLD, before
// other threads are started.
#pragma once

namespace ranksight::replay_engine {

// The ranks of one host, and the cores there that they may use.
struct HostRanks {
  int rank = 0, ranks = 1;  // this one's place among them, how many there are
  int cores = 1;
};

// Binds the calling thread to a core of its own, chosen so that the ranks of a
// host spread over its packages and caches. Left as they are: processes that
// their launcher bound to less than the host, hosts with more ranks than cores,
// and all where hwloc is not there or fails. Says whether all ranks have a core
// of their own now by this function.
bool BindToCores(const HostRanks& host);

// Collective. Cores: those that hwloc says this process may use, or the
// processors that are online.
HostRanks FindHostRanks();

}  // namespace ranksight::replay_engine
