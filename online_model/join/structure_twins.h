// StructureTwins: twins (api/twin.h) of the measured runs, for programs whose
// structure follows no laws throughout.
//
// Laws are searched when first asked, once, where nobody did before.
// Thread-safety: one thread. REQUIRES: the inputs outlive it.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "online_model/api/twin.h"
#include "online_model/join/structure_laws.h"

namespace ranksight::online_model {

class StructureTwins {
 public:
  // known: of the same runs, or nullptr.
  // how: laws are searched.
  StructureTwins(const FirstOfSize& first, ExtrapolationRequest how,
                 std::shared_ptr<TwinMaker> known)
      : first_(first), how_(std::move(how)), known_(std::move(known)) {}

  // Drawn by a seed. kNo where something cannot be drawn, or where it would
  // have more calls than are walked.
  reduction::Result<reduction::Trace> At(int64_t ranks, uint64_t seed);
  // The largest run, drawn from the others.
  reduction::Result<reduction::Trace> HeldOut(uint64_t seed);

 private:
  reduction::Result<TwinMaker*> Maker();

  const FirstOfSize& first_;
  const ExtrapolationRequest how_;
  const std::shared_ptr<TwinMaker> known_;
  std::optional<reduction::Result<TwinMaker>> maker_;
};

}  // namespace ranksight::online_model
