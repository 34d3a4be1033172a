// Where the ranks of a replay run. Thread-safety: collective over
// MPI_COMM_WORLD, one thread.
#pragma once

namespace ranksight::replay_engine {

// True when some host has more ranks than cores for them.
bool Oversubscribed();

}  // namespace ranksight::replay_engine
