// MPICH's values, by its own header.
#include <mpi.h>

#include <type_traits>

#include "tests/abi/constants.h"
#include "tests/abi/mpich_types.h"

namespace ranksight::abi_shim {

const Constant kMpichConstants[] = {
#define ABI_CONSTANT(kind, name) {Kind::kind, (long)(name)},
#include "tests/abi/constants.def"
#undef ABI_CONSTANT
};

const MpichPointers kMpichPointers = {MPI_IN_PLACE, MPI_STATUS_IGNORE,
                                      MPI_STATUSES_IGNORE};

// What the rest of the shim takes MPICH's types for.
static_assert(std::is_same_v<MPI_Comm, MpichHandle>);
static_assert(std::is_same_v<MPI_Datatype, MpichHandle>);
static_assert(std::is_same_v<MPI_Request, MpichHandle>);
static_assert(std::is_same_v<MPI_Message, MpichHandle>);
static_assert(std::is_same_v<MPI_Session, MpichHandle>);
static_assert(sizeof(MPI_File) == sizeof(void*));
static_assert(sizeof(MPI_Aint) == sizeof(long) &&
              sizeof(MPI_Count) == sizeof(long) &&
              sizeof(MPI_Offset) == sizeof(long));
static_assert(sizeof(MPI_Status) == sizeof(MpichStatus));
static_assert(offsetof(MPI_Status, MPI_SOURCE) ==
              offsetof(MpichStatus, source));
static_assert(offsetof(MPI_Status, MPI_TAG) == offsetof(MpichStatus, tag));
static_assert(offsetof(MPI_Status, MPI_ERROR) == offsetof(MpichStatus, error));

}  // namespace ranksight::abi_shim
