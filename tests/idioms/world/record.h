// Record: one call on its way into the running rank's folder, with the
// parameters that the runtime would keep of it.
//
// Thread-safety: as World.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tests/idioms/world/world.h"

namespace ranksight::idioms {

class Record {
 public:
  // frame: the frame address of the function that stands for the call.
  Record(reduction::Call call, void* frame);

  Record& Set(reduction::Param param, int64_t value);
  // And the parameter that says how long it is.
  Record& SetList(reduction::Param list, std::vector<int64_t> values);
  Record& SetComm(MPI_Comm comm);
  // Of the send side, the receive side, the target's side.
  Record& SetType(MPI_Datatype type);
  Record& SetReceivedType(MPI_Datatype type);
  Record& SetTargetType(MPI_Datatype type);
  Record& SetMadeType(const TypeInfo& made);
  Record& SetOp(MPI_Op op);
  // The requests as they are before the call; and the places of those that it
  // completed, where it completes some.
  Record& SetRequests(int n, const MPI_Request* requests);
  Record& SetCompleted(const std::vector<int>& places);
  // A request that asked for any source or tag got this. Before the request is
  // given up.
  Record& AddMatch(const Operation& operation);
  // After the call.
  void Push();

 private:
  void Put(reduction::Param param, const TypeInfo& info);

  reduction::Call call_;
  uint32_t site_;
  std::vector<std::pair<reduction::Param, int64_t>> values_;
  std::vector<std::pair<reduction::Param, std::vector<int64_t>>> lists_;
  struct Match {
    int64_t reference, source, tag;
  };
  std::vector<Match> matches_;
  bool has_requests_ = false;
  std::vector<int64_t> passed_;  // references
};

}  // namespace ranksight::idioms
