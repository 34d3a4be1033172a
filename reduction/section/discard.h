// Freeing a parameter in steps.
// Thread-safety: as Parameter.
#pragma once

#include "reduction/api/parameter.h"

namespace ranksight::reduction {

// Frees what p alone holds, column by column: hundreds of them at once take
// longer than a slice may. Pauses.
void Discard(Parameter p);

}  // namespace ranksight::reduction
