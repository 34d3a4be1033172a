#include "replay_engine/backend_mpi/request_table.h"

#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::replay_engine {

void RequestTable::Put(int64_t number, RequestEntry entry) {
  if (entry.handle == MPI_REQUEST_NULL) return;
  RANKSIGHT_REQUIRE(number >= 0);
  Slot& slot = SlotOf(number);
  if (slot.number >= 0) {
    overtaken_.emplace(slot.number, std::move(slot.entry));
  }
  slot.number = number;
  slot.entry = std::move(entry);
}

RequestEntry RequestTable::Take(int64_t number) {
  if (number < 0) return RequestEntry{};
  Slot& slot = SlotOf(number);
  if (slot.number == number) {
    slot.number = -1;
    return std::exchange(slot.entry, RequestEntry{});
  }
  const auto it = overtaken_.find(number);
  if (it == overtaken_.end()) return RequestEntry{};
  RequestEntry entry = std::move(it->second);
  overtaken_.erase(it);
  return entry;
}

std::vector<RequestEntry> RequestTable::TakeAll() {
  std::vector<RequestEntry> all;
  for (Slot& slot : ring_) {
    if (slot.number >= 0) all.push_back(std::move(slot.entry));
    slot = Slot{};
  }
  for (auto& [number, entry] : overtaken_) all.push_back(std::move(entry));
  overtaken_.clear();
  return all;
}

}  // namespace ranksight::replay_engine
