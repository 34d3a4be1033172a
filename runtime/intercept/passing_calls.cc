#include <algorithm>

#include "runtime/intercept/interception.h"

namespace ranksight::runtime {
namespace {

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

void ObtainComm(const MPI_Comm* comm, int result) noexcept {
  if (result != MPI_SUCCESS || *comm == MPI_COMM_NULL) return;
  ChangeTables([&](Tables* tables) { tables->comms.Add(*comm); });
}

void ObtainDuplicate(const MPI_Comm* comm, MPI_Comm parent,
                     int result) noexcept {
  if (result != MPI_SUCCESS) return;
  ChangeTables([&](Tables* t) { t->comms.AddDuplicate(*comm, parent); });
}

DimsWatch::DimsWatch(int nodes, int sides, const int* dims) noexcept
    : nodes_(nodes) {
  const Recorder* r = Recorder::Active();
  if (r == nullptr || r->rank != 0 || hot.expected == &kInside || sides < 1 ||
      size_t(sides) > asked_.size()) {
    return;
  }
  sides_ = sides;
  std::copy(dims, dims + sides, asked_.begin());
}

void DimsWatch::Keep(const int* dims, int result) const noexcept {
  Recorder* r = Recorder::Active();
  // What failed, or has no meaning, is nothing to keep.
  if (sides_ == 0 || result != MPI_SUCCESS || r == nullptr || nodes_ < 1 ||
      std::any_of(asked_.begin(), asked_.end(), [](int s) { return s < 0; })) {
    return;
  }
  try {
    const auto sides = size_t(sides_);
    const reduction::MadeDims made{
        nodes_, {asked_.begin(), asked_.begin() + sides}, {dims, dims + sides}};
    const Hold hold(r);
    auto& all = r->made_dims;
    if (all.size() < reduction::kMostMadeDims &&
        std::find(all.begin(), all.end(), made) == all.end()) {
      all.push_back(made);
    }
  } catch (...) {
    r->Fail("recorder_failed");
  }
}

}  // namespace ranksight::runtime
