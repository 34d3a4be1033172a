#include "online_model/join/structure_twins.h"

#include <utility>
#include <vector>

namespace ranksight::online_model {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

namespace {

// About as many are made in half a minute.
constexpr double kMostCalls = 1 << 23;

}  // namespace

Result<Trace> StructureTwins::At(int64_t ranks, uint64_t seed) {
  const Trace& largest = *first_.rbegin()->second;
  const double calls =
      double(CountEvents(largest)) * double(ranks) / double(largest.meta.ranks);
  if (calls > kMostCalls) {
    return Status::No("it would have too many calls to be drawn");
  }
  const auto maker = Maker();
  if (!maker.ok()) return maker.status();
  ExtrapolationRequest request = how_;
  request.ranks = ranks;
  request.seed = seed;
  auto made = (*maker)->Make(request);
  if (!made.ok()) return made.status();
  return std::move(made->trace);
}

Result<Trace> StructureTwins::HeldOut(uint64_t seed) {
  const auto maker = Maker();
  if (!maker.ok()) return maker.status();
  return (*maker)->MakeHeldOut(seed);
}

Result<TwinMaker*> StructureTwins::Maker() {
  if (known_ != nullptr) return known_.get();
  if (!maker_) {
    std::vector<Trace> inputs;
    for (const auto& [ranks, trace] : first_) inputs.push_back(*trace);
    maker_.emplace(TwinMaker::Of(inputs, how_));
  }
  if (!maker_->ok()) return maker_->status();
  return &**maker_;
}

}  // namespace ranksight::online_model
