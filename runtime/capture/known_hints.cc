#include "runtime/capture/known_hints.h"

namespace ranksight::runtime {

void KnownHints::Add(const Hint* hint) {
  const bool is_exact = hint->caller != nullptr;
  CallKey key(hint->call, is_exact ? hint->caller : hint->open_caller,
              hint->frame);
  if (!is_exact && hint->open_count > 0) {
    // The first tells what any like it is compared by.
    *Place(key) = hint;
    *Place(OpenKeyOf(key, *hint, hint->raw)) = hint;
    return;
  }
  key.AddAll(hint->raw);
  key.AddDone(hint->done_count);
  *Place(key) = hint;
}

}  // namespace ranksight::runtime
