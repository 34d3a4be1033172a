// SitePath: gives every call site of the trace a call path of its own in the
// replayer, so that whoever records a replay sees as many call sites as the
// program had, in the same order, and folds them as well.
//
// The number of the site is written in base 16; each digit is one of 16
// functions that calls the next. Functions are ranked by their address, so
// the order of paths by return address is the order of the sites.
//
// Complexity: log16(sites) indirect calls.
// Thread-safety: immutable.
#pragma once

#include <cstdint>

namespace ranksight::replay_engine {

class SitePath {
 public:
  using Function = void (*)(void* argument);

  explicit SitePath(uint32_t sites);
  // Calls function(argument) below the path of `site`.
  void Call(uint32_t site, Function function, void* argument) const;
  int levels() const { return levels_; }

 private:
  int levels_ = 1;
};

}  // namespace ranksight::replay_engine
