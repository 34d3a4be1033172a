// Pauses: long work in small slices on the thread of somebody else.
//
// Copying, encoding, decoding and merging traces call Pause() between pieces
// of work of a few microseconds. Whoever runs them on a stack of its own may
// set a hook and switch away from there. A hook may throw to give the work
// up: everything on the way is released, results are lost.
// Thread-safety: the hook belongs to the thread that sets it.
#pragma once

namespace ranksight::reduction {

using PauseHook = void (*)();

// nullptr: no hook, the default.
void SetPauseHook(PauseHook hook);
// Calls the hook, if there is one. REQUIRES: no lock is held.
void Pause();

}  // namespace ranksight::reduction
