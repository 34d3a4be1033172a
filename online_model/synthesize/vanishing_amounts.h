// Where amounts of messages may come to nothing: who has nothing to send may
// make other calls than who has something.
// Thread-safety: pure functions.
#pragma once

#include <set>

#include "online_model/synthesize/known_laws.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Whether ranks leave out such a call by themselves: a message, and no call
// that others wait for.
bool MayBeLeftOut(reduction::Call call);

// Adds the lines of calls that may be left out in which an amount is 0 on some
// rank, or nothing.
void AddLinesWithNone(const reduction::Node& tree,
                      const reduction::Sites& sites,
                      std::set<KnownLaws::Line>* lines);

}  // namespace ranksight::online_model
