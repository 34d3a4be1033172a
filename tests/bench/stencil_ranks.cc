#include "tests/bench/stencil_ranks.h"

#include <utility>
#include <vector>

#include "reduction/api/merge.h"

namespace ranksight::bench {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Folder;
using reduction::Trace;

}  // namespace

StencilRank::StencilRank(int64_t rank, int64_t side) {
  const int64_t row = rank / side;
  const int64_t column = rank % side;
  neighbours_[0] = (row + side - 1) % side * side + column;
  neighbours_[1] = (row + 1) % side * side + column;
  neighbours_[2] = row * side + (column + side - 1) % side;
  neighbours_[3] = row * side + (column + 1) % side;
}

void StencilRank::Add(Folder* folder, Call call, uint64_t address,
                      std::span<const int64_t> scalars,
                      std::span<const int64_t> array) {
  Event event(call);
  for (const int64_t value : scalars) event.Add(value);
  if (!array.empty()) {
    event.AddArray(array);
    event.Add(0);  // nothing matched
    event.AddArray({});
    event.AddArray({});
  }
  event.site = folder->AddSite({{{module_, 0x100}, {module_, address}}});
  ++tick_;
  folder->Push(event, 1000 + tick_ % 97, 200 + tick_ % 31);
}

// Parameters in the order of Info(call).params.
void StencilRank::Step(Folder* folder) {
  if (!ready_) module_ = folder->AddModule({"ab12", "stencil"});
  ready_ = true;
  for (const int64_t peer : neighbours_) {
    const int64_t receive[] = {64, 0, 8, 0, peer, 7, 0};
    Add(folder, Call::MPI_Irecv_, 0x200, receive, {});
  }
  for (const int64_t peer : neighbours_) {
    const int64_t send[] = {64, 0, 8, 0, peer, 7, 0};
    Add(folder, Call::MPI_Isend_, 0x210, send, {});
  }
  const int64_t all[] = {8, 8};
  const int64_t requests[] = {8, 7, 6, 5, 4, 3, 2, 1};
  Add(folder, Call::MPI_Waitall_, 0x220, all, requests);
  const int64_t residual[] = {0, 1, 0, 8, 0, 0, 0};
  Add(folder, Call::MPI_Allreduce_, 0x230, residual, {});
}

Trace FoldRank(int64_t rank, int64_t side, int steps) {
  Folder folder;
  StencilRank stencil(rank, side);
  for (int i = 0; i < steps; ++i) stencil.Step(&folder);
  return folder.Snapshot(rank, side * side);
}

Trace MergedTrace(int64_t side, int steps) {
  Trace all = FoldRank(0, side, steps);
  for (int64_t rank = 1; rank < side * side; ++rank) {
    auto merged = reduction::Merge(std::move(all), FoldRank(rank, side, steps));
    if (!merged.ok()) return {};
    all = std::move(*merged);
  }
  return all;
}

}  // namespace ranksight::bench
