// Why a program is not recorded: nothing is printed into somebody's program, so
// a file beside the trace-to-be tells `ranksight record`, which says it.
// Thread-safety: any thread, any process of the job.
#pragma once

#include <cstddef>

namespace ranksight::runtime {

// parts: ended by nullptr. What does not fit is cut off.
void JoinText(char* text, size_t room, const char* const* parts);

// Where RANKSIGHT_BEGAN says that somebody looks for it; the first process that
// has something to say writes it: reduction/api/unrecorded.h.
void LeaveReason(const char* reason);

}  // namespace ranksight::runtime
