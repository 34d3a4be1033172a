// How a program waits for the requests of an exchange, and starts and frees
// persistent ones, so that as many as are drawn can be waited for in the same
// way. Thread-safety: value types, pure functions. Complexity: O(events).
#pragma once

#include <map>
#include <set>

#include "online_model/twin/exchange.h"

namespace ranksight::online_model {

struct CompletionStyle {
  enum class Kind {
    kAll,   // one call for all that are open
    kEach,  // a call for each
    kSome   // calls for some each, as they happened to come
  };
  Kind kind = Kind::kAll;
  std::set<SiteKey> of;  // the calls that made what it completes
  enum class Act {
    kComplete,
    kStart,  // persistent requests
    kFree    // those, too
  };
  Act act = Act::kComplete;
  int loop = 0;               // in whose iterations all of it happens
  bool newest_first = false;  // kEach
  bool passes_open = true;    // it is passed no more than it completes
  // Once all are done it is called once more.
  bool ends_with_none = false;
  double taken = 1;  // kSome: by a call that completes any, on average
  int node = 0;      // one of its nodes, and where it was seen
  uint32_t rank = 0;
  uint64_t run = 0;
};

using CompletionStyles = std::map<SiteKey, CompletionStyle>;

// Of calls that complete what was made at a site of drawn_loops (with the loop
// in whose iterations it is drawn), or have no law for what they complete; and
// of those that complete what these do.
CompletionStyles StylesOf(const TwinTree& tree, const InputRun& input,
                          const std::map<SiteKey, int>& drawn_loops);

}  // namespace ranksight::online_model
