// Twins: the trace of a larger run of a program that follows no laws
// throughout. What has a law is exact; the rest is drawn, so that messages and
// receives go together, and marked as an estimate (Meta::estimates).
//
// The largest input is held out first: laws that do not hold there are none,
// and a drawn run of its size must have about as many messages and bytes.
// Thread-safety: pure functions. Complexity: O(events at the target).
#pragma once

#include <memory>
#include <span>

#include "online_model/api/extrapolate.h"

namespace ranksight::online_model {

// A twin with more events than this is not made: about 4 GB.
inline constexpr uint64_t kMostTwinEvents = uint64_t{1} << 25;

// Twins of one program: laws are searched once, whatever is drawn.
// Thread-safety: one thread at a time.
class TwinMaker {
 public:
  // inputs: as for Extrapolate; copied. Of the request: how laws are searched.
  // What has no law by its stop is drawn.
  static reduction::Result<TwinMaker> Of(
      std::span<const reduction::Trace> inputs,
      const ExtrapolationRequest& request = {});
  TwinMaker(TwinMaker&&) noexcept;
  TwinMaker& operator=(TwinMaker&&) noexcept;
  ~TwinMaker();
  // Of the request: ranks, dims and seed. As MakeTwin.
  reduction::Result<Extrapolation> Make(const ExtrapolationRequest& request);
  // Whether the program can have the request's ranks, as far as the inputs
  // tell: a number of them that forms no grid of theirs has no run to be like.
  bool HasGridFor(const ExtrapolationRequest& request) const;
  // From now on draws all messages, whatever laws these have: for programs of
  // which the drawn ones would wait for those that have laws.
  void DrawAllMessages();
  // Whether calls that send and receive at once, for one partner, are drawn
  // from now on with those beside them that block: apart they follow the runs
  // more closely, and ranks may wait for one another.
  void DrawTogether(bool together);
  // Whether drawn messages that block stand, from now on, behind all else that
  // ranks call before they next meet: where they stand otherwise is nearer to
  // the runs, and ranks may wait for one another.
  void SetApart(bool apart);
  // From now on draws what ranks give one another in collectives, whatever laws
  // it has: for programs of which laws of both ends do not go together.
  void DrawCollectives();
  // From now on parts of the ranks call together what their like ones did,
  // whatever laws say who calls it: for programs of which ranks would call what
  // they are not in.
  void LikenCallers();
  // The largest input as it is drawn from the others, by laws that hold there.
  reduction::Result<reduction::Trace> MakeHeldOut(uint64_t seed);

 private:
  struct Impl;
  explicit TwinMaker(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// inputs: as for Extrapolate, which should have refused them. kNo with the call
// site where something without a law cannot be drawn. The same for the same
// inputs and seed.
reduction::Result<Extrapolation> MakeTwin(
    std::span<const reduction::Trace> inputs,
    const ExtrapolationRequest& request);

}  // namespace ranksight::online_model
