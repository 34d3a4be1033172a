#include <array>
#include <atomic>
#include <map>
#include <string>

#include "runtime/intercept/interception.h"

namespace ranksight::runtime {
namespace {

// More than any MPI has; calls beyond share the last counter.
constexpr int kMost = 1024;
std::array<std::atomic<uint64_t>, kMost> counts;

// Runs change on the tables of the recorder, if it records this thread.
template <class Change>
void ChangeTables(Change change) noexcept {
  Recorder* r = Recorder::Active();
  if (r == nullptr || hot.expected == &kInside) return;
  try {
    const Hold hold(r);
    change(&r->tables);
  } catch (...) {
    r->Fail("recorder_failed");
  }
}

}  // namespace

void CountNotRecorded(int call) noexcept {
  if (Recorder::Active() == nullptr || hot.expected == &kInside) return;
  counts[size_t(call < kMost ? call : kMost - 1)].fetch_add(
      1, std::memory_order_relaxed);
}

void ObtainComm(const MPI_Comm* comm, int result) noexcept {
  if (result != MPI_SUCCESS || *comm == MPI_COMM_NULL) return;
  ChangeTables([&](Tables* tables) { tables->comms.Add(*comm); });
}

void ObtainDuplicate(const MPI_Comm* comm, MPI_Comm parent,
                     int result) noexcept {
  if (result != MPI_SUCCESS) return;
  ChangeTables([&](Tables* t) { t->comms.AddDuplicate(*comm, parent); });
}

std::map<std::string, uint64_t> NotRecorded() {
  std::map<std::string, uint64_t> out;
  for (int i = 0; kPassingCalls[i] != nullptr && i < kMost; ++i) {
    const uint64_t n = counts[size_t(i)].load(std::memory_order_relaxed);
    if (n != 0) out[kPassingCalls[i]] = n;
  }
  return out;
}

}  // namespace ranksight::runtime
