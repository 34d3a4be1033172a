// How far the walks of one rank count are, by how often they ask whether to go
// on: a walk that is over soon asks never, and tells nothing.
// Thread-safety: Begin by one thread, while nothing walks; what Counting gives
// as any Stop. REQUIRES: outlives what Counting gave.
#pragma once

#include <algorithm>
#include <functional>

#include "online_model/api/stop.h"
#include "online_model/walk/program.h"
#include "online_model/walk/walk.h"

namespace ranksight::online_model {

class WalkMeter {
 public:
  // tell: told how much is done, above 0, at most 1, never less than before.
  // Empty: nobody.
  void TellTo(std::function<void(double share)> tell) {
    tell_ = std::move(tell);
    share_ = 0;
  }
  // So many walks of this program are all; those counted before are none of
  // them.
  void Begin(const Program& program, double walks) {
    double operations = 0;
    for (const Actor& a : program.actors) operations += double(a.end - a.begin);
    all_ = walks * operations / double(kStopEvery);
    asked_ = 0;
  }
  // Counts, and asks `stop`, which it outlives not.
  Stop Counting(const Stop& stop) {
    if (!tell_) return stop;
    return [this, &stop] {
      share_ = std::max(share_, std::min(1.0, ++asked_ / std::max(1.0, all_)));
      tell_(share_);
      return stop ? stop() : reduction::Status::Ok();
    };
  }

 private:
  std::function<void(double)> tell_;
  double all_ = 0, asked_ = 0, share_ = 0;
};

}  // namespace ranksight::online_model
