// A format to start from: a line for each call, `rank time name bytes`, with
// the time in nanoseconds since MPI_Init on this rank. Copy the folder, rename
// the function, and follow "To add a format" in adapters/README.md.
//
// Built and held to its text by the tests (tests/unit/adapters), but in no
// registry: no command offers it.
#include "adapters/api/adapter.h"

#include <cmath>
#include <string>

#include "adapters/base/output_file.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters {
namespace {

using reduction::Status;
using reduction::Trace;

// One rank after the other: memory is the structure of the trace.
Status WriteRank(const Trace& trace, int64_t rank, OutputFile* file,
                 Conversion* conversion) {
  auto walk = reduction::RankWalk::Open(trace, rank);
  if (!walk.ok()) return walk.status();
  double now_ns = 0;
  while (walk->Next()) {
    ++conversion->events;
    const reduction::Event& e = walk->event();
    now_ns += walk->compute_ns();
    if (reduction::Info(e.call()).family != reduction::Family::kPointToPoint) {
      // Counted, so that the user learns what is missing.
      ++conversion->not_expressed["calls that are no messages"];
    } else {
      file->WriteNumber(rank);
      file->Write(' ');
      file->WriteNumber(std::llround(now_ns));
      file->Write(' ');
      file->Write(reduction::Info(e.call()).name);
      file->Write(' ');
      file->WriteNumber(SendBytes(e) + RecvBytes(e));
      file->Write('\n');
    }
    now_ns += walk->call_ns();
  }
  return walk->status();
}

Status Write(std::span<const Trace> traces, const std::string& out,
             Conversion* conversion) {
  OutputFile file(out);
  for (int64_t rank = 0; rank < traces[0].meta.ranks; ++rank) {
    const Status status = WriteRank(traces[0], rank, &file, conversion);
    if (!status.ok()) return status;  // nothing is left behind
    conversion->Tell(rank + 1, traces[0].meta.ranks);
  }
  conversion->files = 1;
  return file.Commit();
}

}  // namespace

// Its line in registry/adapters.def would be
// RANKSIGHT_ADAPTER(TemplateAdapter).
const Adapter& TemplateAdapter() {
  static const Adapter adapter = {
      .name = "template",
      .what = "A line for each message: rank, time, call, bytes",
      .cannot = "Everything but messages; peers and tags.",
      .write = &Write};
  return adapter;
}

}  // namespace ranksight::adapters
