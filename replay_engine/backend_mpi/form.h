// Form: the three ways to make a collective call.
//
// Thread-safety: one thread.
#pragma once

#include <mpi.h>

#include <type_traits>

// Persistent and partitioned calls, where the MPI has them.
#if MPI_VERSION >= 4
#define RANKSIGHT_MPI4(function) function
#else
#define RANKSIGHT_MPI4(function) nullptr
#endif

namespace ranksight::replay_engine {

class Form {
 public:
  enum Kind { kBlocking, kNonblocking, kPersistent };

  explicit Form(Kind kind) : kind_(kind) {}
  Kind kind() const { return kind_; }
  // Made by a call of the other two kinds.
  MPI_Request request() const { return request_; }

  // Makes the call in this form and returns its MPI error. A null function
  // is one that this MPI does not have.
  template <class Blocking, class Nonblocking, class Persistent, class... Args>
  int operator()(Blocking* blocking, Nonblocking* nonblocking,
                 Persistent persistent, Args... args) {
    if (kind_ == kBlocking) return blocking(args...);
    if (kind_ == kNonblocking) return nonblocking(args..., &request_);
    if constexpr (!std::is_null_pointer_v<Persistent>) {
      return persistent(args..., MPI_INFO_NULL, &request_);
    }
    return MPI_ERR_UNSUPPORTED_OPERATION;
  }

 private:
  Kind kind_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace ranksight::replay_engine
