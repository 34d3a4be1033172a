// From the standard's interface to MPICH's and back.
//
// A handle of MPICH that is no constant is a number above 2^26, so that it goes
// into a pointer as it is, apart from all constants of the standard. What is no
// constant of a kind stays as it is: ranks, tags, codes that a program made.
// Thread-safety: any thread.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "tests/abi/constants.h"
#include "tests/abi/mpich_types.h"

namespace ranksight::abi_shim {

long ToMpich(Kind kind, long value);
long FromMpich(Kind kind, long value);

// Numbers that are joined by |.
int ModeToMpich(int mode);
int ModeFromMpich(int mode);

// What a call returned, or a status holds: classes have other numbers, and
// codes of MPICH that are no classes lie above all of the standard's.
inline int ErrorFromMpich(int error) {
  return int(FromMpich(Kind::kError, error));
}
inline int ErrorToMpich(int error) { return int(ToMpich(Kind::kError, error)); }

template <class Handle>
struct HandleOf;
#define RANKSIGHT_ABI_HANDLE(name, type)         \
  template <>                                    \
  struct HandleOf<MPI_##name> {                  \
    using Mpich = type;                          \
    static constexpr Kind kKind = Kind::k##name; \
  };
RANKSIGHT_ABI_HANDLE(Op, MpichHandle)
RANKSIGHT_ABI_HANDLE(Comm, MpichHandle)
RANKSIGHT_ABI_HANDLE(Group, MpichHandle)
RANKSIGHT_ABI_HANDLE(Win, MpichHandle)
RANKSIGHT_ABI_HANDLE(File, MpichFile)
RANKSIGHT_ABI_HANDLE(Session, MpichHandle)
RANKSIGHT_ABI_HANDLE(Message, MpichHandle)
RANKSIGHT_ABI_HANDLE(Info, MpichHandle)
RANKSIGHT_ABI_HANDLE(Errhandler, MpichHandle)
RANKSIGHT_ABI_HANDLE(Request, MpichHandle)
RANKSIGHT_ABI_HANDLE(Datatype, MpichHandle)
#undef RANKSIGHT_ABI_HANDLE

template <class Handle>
auto HandleToMpich(Handle handle) {
  using Mpich = typename HandleOf<Handle>::Mpich;
  // Those of MPICH are negative where their first bit is set.
  const auto bits = (long)handle;
  const long number = sizeof(Mpich) < sizeof(long) ? long(int(bits)) : bits;
  return (Mpich)ToMpich(HandleOf<Handle>::kKind, bits < 4096 ? bits : number);
}

template <class Handle>
Handle HandleFromMpich(typename HandleOf<Handle>::Mpich handle) {
  const long number = FromMpich(HandleOf<Handle>::kKind, (long)handle);
  const bool is_constant = number >= 0 && number < 4096;
  if (is_constant || sizeof handle == sizeof(long)) return (Handle)number;
  return (Handle)(uintptr_t)(unsigned)number;
}

inline const void* BufferToMpich(const void* buffer) {
  return buffer == MPI_IN_PLACE ? kMpichPointers.in_place : buffer;
}
inline void* BufferToMpich(void* buffer) {
  return buffer == MPI_IN_PLACE ? kMpichPointers.in_place : buffer;
}

MpichStatus StatusToMpich(const MPI_Status& status);
void StatusFromMpich(const MpichStatus& from, MPI_Status* to);

// MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY are objects in MPICH.
const int* WeightsToMpich(const int* weights);

// An argument through which a handle goes in, out or both; written back when
// the call is over.
template <class Handle>
class HandleArgument {
 public:
  explicit HandleArgument(Handle* handle) : abi_(handle) {
    if (abi_ != nullptr) mpich_ = HandleToMpich(*abi_);
  }
  ~HandleArgument() {
    if (abi_ != nullptr) *abi_ = HandleFromMpich<Handle>(mpich_);
  }
  HandleArgument(const HandleArgument&) = delete;
  HandleArgument& operator=(const HandleArgument&) = delete;
  auto* mpich() { return abi_ == nullptr ? nullptr : &mpich_; }

 private:
  Handle* abi_;
  typename HandleOf<Handle>::Mpich mpich_{};
};

// Several that a call reads.
template <class Handle>
class HandlesRead {
 public:
  HandlesRead(const Handle* handles, long count) {
    if (handles == nullptr) return;
    for (long i = 0; i < count; ++i)
      mpich_.push_back(HandleToMpich(handles[i]));
    mpich_.push_back({});  // an address also where there are none
  }
  auto* mpich() { return mpich_.empty() ? nullptr : mpich_.data(); }
  // For as long as the process lives: of a call that may read them later.
  auto* kept() {
    return (new std::vector<typename HandleOf<Handle>::Mpich>(mpich_))->data();
  }

 private:
  std::vector<typename HandleOf<Handle>::Mpich> mpich_;
};

// Several that a call reads and changes.
template <class Handle>
class HandlesArgument : public HandlesRead<Handle> {
 public:
  HandlesArgument(Handle* handles, long count)
      : HandlesRead<Handle>(handles, count), abi_(handles), count_(count) {}
  ~HandlesArgument() {
    if (abi_ == nullptr) return;
    for (long i = 0; i < count_; ++i)
      abi_[i] = HandleFromMpich<Handle>(this->mpich()[i]);
  }
  HandlesArgument(const HandlesArgument&) = delete;
  HandlesArgument& operator=(const HandlesArgument&) = delete;

 private:
  Handle* abi_;
  long count_;
};

// Statuses that a call fills in, or reads, or both.
class StatusArgument {
 public:
  StatusArgument(MPI_Status* statuses, long count, void* ignore);
  ~StatusArgument();
  StatusArgument(const StatusArgument&) = delete;
  StatusArgument& operator=(const StatusArgument&) = delete;
  MpichStatus* mpich() {
    return abi_ == nullptr ? static_cast<MpichStatus*>(ignore_) : mpich_.data();
  }

 private:
  MPI_Status* abi_;
  void* ignore_;
  std::vector<MpichStatus> mpich_;
};

// A number through which a constant of a kind comes out, and may go in.
class ConstantArgument {
 public:
  ConstantArgument(Kind kind, int* value) : kind_(kind), value_(value) {
    if (value_ != nullptr) *value_ = int(ToMpich(kind_, *value_));
  }
  ~ConstantArgument() {
    if (value_ != nullptr) *value_ = int(FromMpich(kind_, *value_));
  }
  ConstantArgument(const ConstantArgument&) = delete;
  ConstantArgument& operator=(const ConstantArgument&) = delete;
  int* mpich() { return value_; }

 private:
  Kind kind_;
  int* value_;
};

std::vector<int> ConstantsToMpich(Kind kind, const int* values, long count);

// How many ranks a list of a collective call on the communicator speaks of; of
// a call with neighbours, into it or out of it.
long PeersOf(MPI_Comm comm);
long SourcesOf(MPI_Comm comm);
long DestinationsOf(MPI_Comm comm);

// The function of that name of MPICH, which ends the process where there is
// none.
void* FindInMpich(const char* name);
template <class Function>
Function Mpich(const char* name) {
  return reinterpret_cast<Function>(FindInMpich(name));
}

}  // namespace ranksight::abi_shim
