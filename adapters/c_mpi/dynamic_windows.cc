#include "adapters/c_mpi/dynamic_windows.h"

#include <set>
#include <string>

#include "adapters/base/program_name.h"
#include "reduction/api/cursor.h"

namespace ranksight::adapters::c_mpi {
namespace {

using reduction::Call;
using reduction::Cursor;
using reduction::Event;
using reduction::Node;
using reduction::Param;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

bool MakesWindow(Call call) {
  return call == Call::MPI_Win_create_ || call == Call::MPI_Win_allocate_ ||
         call == Call::MPI_Win_allocate_shared_ ||
         call == Call::MPI_Win_create_dynamic_;
}

// The windows of one rank, in the order in which it obtained them.
class Windows {
 public:
  // Whether this moves something in a window without memory of its own.
  bool Sees(const Event& e) {
    if (e.call() == Call::MPI_Win_create_dynamic_) dynamic_.insert(made_);
    if (MakesWindow(e.call())) ++made_;
    return e.Has(Param::kWindow) && e.Has(Param::kOffset) &&
           dynamic_.contains(e.Get(Param::kWindow));
  }

 private:
  int64_t made_ = 0;
  std::set<int64_t> dynamic_;
};

Status CheckRank(const Trace& trace, int64_t rank,
                 const GenerateOptions& options) {
  Result<Cursor> cursor = Cursor::Open(trace, rank);
  if (!cursor.ok()) return cursor.status();
  Windows windows;
  while (cursor->Next()) {
    if (!windows.Sees(cursor->event())) continue;
    return Status::No(
        std::string(reduction::Info(cursor->event().call()).name) +
        " moves data in a window made by MPI_Win_create_dynamic, where places "
        "are addresses of the recorded run, at " +
        SiteComment(trace, options, cursor->node().site));
  }
  return cursor->status();
}

}  // namespace

Status CheckWindows(const Trace& trace, const GenerateOptions& options) {
  bool any = false;
  reduction::ForEachEvent(trace.root, [&](const Node& node) {
    any |= node.call == Call::MPI_Win_create_dynamic_;
  });
  for (int64_t rank = 0; any && rank < trace.meta.ranks; ++rank) {
    if (Status s = CheckRank(trace, rank, options); !s.ok()) return s;
  }
  return Status::Ok();
}

}  // namespace ranksight::adapters::c_mpi
