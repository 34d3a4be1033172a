// What is left when an error of MPI ends the job: the rank's part, written
// before the launcher hears of the error, since it then ends the rank.
// Thread-safety: any thread.
#pragma once

namespace ranksight::runtime {

// An MPI call has failed; whether that ends the job is looked up. comm: the MPI
// library's own object, nullptr for that of all ranks.
void WatchError(const void* comm) noexcept;

}  // namespace ranksight::runtime
