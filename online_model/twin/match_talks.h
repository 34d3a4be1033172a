// Which send meets which receive: in order between each two ranks and tag. Who
// asks for any takes from whom it took nothing for longest, as in which order
// messages came one run decided. Where ranks would then wait for one another,
// as whom a master gives work hangs on who has asked, it is as recorded.
// Thread-safety: pure but for what it is given to change.
// Complexity: O(messages log messages).
#pragma once

#include "online_model/twin/input_run.h"

namespace ranksight::online_model {

// recorded: the run as it was; the input need not know what was matched.
void MatchTalks(const TwinTree& tree, const reduction::Trace& recorded,
                InputRun* input);

}  // namespace ranksight::online_model
