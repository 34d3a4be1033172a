// The front: finds the MPI of the process and fills the slots of jumps.S with
// the functions of the flavour for it. In a process without MPI that is one
// look-up, and nothing else happens.
#include "runtime/front/front.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/api/ranksight.h"
#include "runtime/front/mpi_library.h"
#include "runtime/front/reason.h"

extern "C" {
// Of jumps.S, in the order of kNames.
[[gnu::visibility("hidden")]] extern void* ranksight_slots[];
// What jumps.S asks at a call whose slot has not been filled.
[[gnu::visibility("hidden")]] void* ranksight_first_call(size_t number);
}

namespace ranksight::runtime {
namespace {

const char* const kNames[] = {
#define RANKSIGHT_ENTRY(number, name) #name,
#include MPI_NAMES
#undef RANKSIGHT_ENTRY
};

pthread_mutex_t attaching = PTHREAD_MUTEX_INITIALIZER;
MpiLibrary mpi;  // once it is known
size_t modules_at_start = 0;
void (*next_abort)() = nullptr;
void (*watch_abort)() = nullptr;
void (*watch_error)(const void* comm) = nullptr;
// Of the MPI library: before an error of a communicator is handled (MPICH), or
// ends the job (Open MPI).
using ErrorFunction = intptr_t (*)(const void*, intptr_t, intptr_t);
ErrorFunction next_mpich_error = nullptr, next_open_mpi_abort = nullptr;

// Of programs that ask whether MPI_X is there and call it without an MPI
// library: they are told that it failed.
int AnswerWithoutMpi() {
  constexpr int kMpiErrOther = 15;
  return kMpiErrOther;
}

// The folder of this library with a slash at its end.
bool FindOwnFolder(char* folder, size_t room) {
  Dl_info info;
  const void* const own = reinterpret_cast<void*>(&ranksight_first_call);
  if (dladdr(own, &info) == 0 || info.dli_fname == nullptr) return false;
  const char* const slash = strrchr(info.dli_fname, '/');
  const size_t length = slash == nullptr ? 0 : slash + 1 - info.dli_fname;
  if (length >= room) return false;
  memcpy(folder, info.dli_fname, length);
  folder[length] = '\0';
  return true;
}

void* OpenFlavour(const char* name) {
  char path[4096], reason[256];
  constexpr size_t kRoom = 64;  // of the file's name
  if (!FindOwnFolder(path, sizeof path - kRoom)) return nullptr;
  const char* const parts[] = {"libranksight-", name, ".so", nullptr};
  JoinText(path + strlen(path), kRoom, parts);
  void* const flavour = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (flavour != nullptr) return flavour;
  const char* const error = dlerror();
  const char* const missing[] = {
      "its MPI is of the ",
      name,
      " kind, and this Ranksight has no ",
      strrchr(path, '/') == nullptr ? path : strrchr(path, '/') + 1,
      " for it",
      nullptr};
  const char* const broken[] = {error == nullptr ? path : error, nullptr};
  JoinText(reason, sizeof reason, access(path, R_OK) == 0 ? broken : missing);
  LeaveReason(reason);
  return nullptr;
}

// The flavour for the MPI, where it is recorded.
void* FlavourOf(const MpiLibrary& library) {
  char reason[256];
  const char* const flavour =
      ChooseFlavour(library, getenv("RANKSIGHT_MPI"), reason, sizeof reason);
  if (flavour != nullptr) return OpenFlavour(flavour);
  if (reason[0] != '\0') LeaveReason(reason);
  return nullptr;
}

// Every slot gets the flavour's function, or what is behind the front.
void FillSlots(void* flavour) {
  for (size_t i = 0; i < sizeof kNames / sizeof *kNames; ++i) {
    void* function = nullptr;
    if (flavour != nullptr) function = dlsym(flavour, kNames[i]);
    if (function == nullptr) function = ranksight_front_next(kNames[i]);
    if (function == nullptr) {
      function = reinterpret_cast<void*>(&AnswerWithoutMpi);
    }
    __atomic_store_n(&ranksight_slots[i], function, __ATOMIC_RELEASE);
  }
}

// REQUIRES: the lock. False where there is no MPI yet.
bool Attach(MpiLibrary found) {
  if (found.handle == nullptr) return false;
  mpi = found;
  void* const flavour = FlavourOf(mpi);
  FillSlots(flavour);
  if (flavour != nullptr) {
    watch_abort =
        reinterpret_cast<void (*)()>(dlsym(flavour, "ranksight_watch_abort"));
    watch_error = reinterpret_cast<void (*)(const void*)>(
        dlsym(flavour, "ranksight_watch_error"));
  }
  return true;
}

int CountModule(dl_phdr_info*, size_t, void* count) {
  ++*static_cast<size_t*>(count);
  return 0;
}

// All libraries that the program was started with are there.
[[gnu::constructor]] void Begin() {
  dl_iterate_phdr(CountModule, &modules_at_start);
  // In time: whoever aborts may hold the loader's lock.
  next_abort = reinterpret_cast<void (*)()>(dlsym(RTLD_NEXT, "abort"));
  next_mpich_error =
      reinterpret_cast<ErrorFunction>(dlsym(RTLD_NEXT, "MPIR_Err_return_comm"));
  next_open_mpi_abort =
      reinterpret_cast<ErrorFunction>(dlsym(RTLD_NEXT, "ompi_mpi_abort"));
  pthread_mutex_lock(&attaching);
  Attach(MpiAtStart());
  pthread_mutex_unlock(&attaching);
}

}  // namespace
}  // namespace ranksight::runtime

using namespace ranksight::runtime;

void* ranksight_first_call(size_t number) {
  pthread_mutex_lock(&attaching);
  if (mpi.handle == nullptr) Attach(MpiLoadedSince());
  void* const function = mpi.handle != nullptr
                             ? ranksight_slots[number]
                             : reinterpret_cast<void*>(&AnswerWithoutMpi);
  pthread_mutex_unlock(&attaching);
  return function;
}

extern "C" {
#pragma GCC visibility push(default)

// No tail call: CMakeLists.txt.
void* ranksight_front_next(const char* name) {
  return mpi.at_start ? dlsym(RTLD_NEXT, name) : dlsym(mpi.handle, name);
}

size_t ranksight_front_modules() { return modules_at_start; }

const char* ranksight_version(void) { return RANKSIGHT_VERSION_STRING; }

[[noreturn]] void abort() noexcept {
  if (watch_abort != nullptr) watch_abort();
  if (next_abort != nullptr) next_abort();
  // As a shell says of a process that aborted.
  constexpr int kAborted = 134;
  _exit(kAborted);
}

// Functions of MPI libraries, which they call by their names. A launcher ends a
// rank that told it of an error before any handler of exit can run.
intptr_t MPIR_Err_return_comm(const void* comm, intptr_t function,
                              intptr_t error) {
  if (watch_error != nullptr) watch_error(comm);
  // Without the library nobody calls it.
  return next_mpich_error == nullptr ? error
                                     : next_mpich_error(comm, function, error);
}

intptr_t ompi_mpi_abort(const void* comm, intptr_t error, intptr_t unused) {
  if (watch_error != nullptr) watch_error(comm);
  return next_open_mpi_abort == nullptr
             ? error
             : next_open_mpi_abort(comm, error, unused);
}

#pragma GCC visibility pop
}
