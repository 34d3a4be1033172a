// How a program waits for the requests of an exchange, so that as many as are
// drawn can be waited for in the same way.
// Thread-safety: value types, pure functions. Complexity: O(events).
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
  std::set<SiteKey> of;       // the calls that made what it completes
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

// Of all calls that complete what any of `makers` made.
CompletionStyles StylesOf(const TwinTree& tree, const InputRun& input,
                          const std::set<SiteKey>& makers);

}  // namespace ranksight::online_model
