#include "runtime/intercept/fatal_error.h"

#include <mpi.h>

#include <cstring>

#include "runtime/intercept/lifetime.h"
#include "runtime/intercept/next_function.h"

namespace ranksight::runtime {
namespace {

#if defined(MPICH_VERSION)
// The handle of an object of MPICH, or of a library made from it, is its first
// member, and says of what kind it is.
bool ErrorsAreFatalOn(const void* object) {
  constexpr unsigned kKindBits = 0x3C000000;
  MPI_Comm comm = MPI_COMM_WORLD;
  if (object != nullptr) std::memcpy(&comm, object, sizeof comm);
  if (((unsigned(comm) ^ unsigned(MPI_COMM_WORLD)) & kKindBits) != 0) {
    return false;
  }
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) return false;
  bool are_fatal = handler == MPI_ERRORS_ARE_FATAL;
#if MPI_VERSION >= 4
  are_fatal |= handler == MPI_ERRORS_ABORT;
#endif
  const bool is_own = !are_fatal && handler != MPI_ERRORS_RETURN;
  if (is_own) PMPI_Errhandler_free(&handler);
  return are_fatal;
}
#elif defined(MPI_ABI_VERSION)
// Whoever's library it is, of its own objects nothing is known here. Open MPI
// tells of those errors alone that are fatal, others of every one.
bool ErrorsAreFatalOn(const void*) {
  return NextFunction("ompi_mpi_abort") != nullptr;
}
#else
// Open MPI tells of those alone that are.
bool ErrorsAreFatalOn(const void*) { return true; }
#endif

}  // namespace

void WatchError(const void* comm) noexcept {
  // Looking it up may fail as well.
  static thread_local bool looking = false;
  if (looking || Recorder::Active() == nullptr) return;
  looking = true;
  if (ErrorsAreFatalOn(comm)) EndAlone(kWithoutFinalize);
  looking = false;
}

}  // namespace ranksight::runtime
