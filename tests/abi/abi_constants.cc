// The standard's values.
#include <mpi.h>

#include "tests/abi/constants.h"

namespace ranksight::abi_shim {

const Constant kAbiConstants[] = {
#define ABI_CONSTANT(kind, name) {Kind::kind, (long)(name)},
#include "tests/abi/constants.def"
#undef ABI_CONSTANT
};

const size_t kConstants = sizeof kAbiConstants / sizeof *kAbiConstants;

}  // namespace ranksight::abi_shim
