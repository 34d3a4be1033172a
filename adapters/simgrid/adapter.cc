// SimGrid's time-independent traces: trace.txt names a file for each rank,
// as `smpirun -replay trace.txt` wants it. Actions as of SimGrid 3.32.
#include "adapters/api/adapter.h"

#include <algorithm>

#include "adapters/base/each_rank.h"
#include "adapters/base/output_file.h"
#include "adapters/simgrid/actions.h"

namespace ranksight::adapters {
namespace {

using reduction::Status;
using reduction::Trace;

std::string NameOf(int64_t rank) { return std::to_string(rank) + ".trace.txt"; }

Status WriteSimgrid(std::span<const Trace> traces, const std::string& out,
                    Conversion* conversion) {
  const Trace& trace = traces[0];
  auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  auto tags = MessageTags::Find(trace, *comms);
  if (!tags.ok()) return tags.status();
  const bool any_tag =
      tags->only_world() && !simgrid::MakesMessages(trace, *comms);
  const Status status = ForEachRank(
      trace.meta.ranks, conversion, [&](int64_t rank, Conversion* done) {
        OutputFile file(out + "/" + NameOf(rank));
        auto walk = reduction::RankWalk::OpenAhead(trace, rank);
        if (!walk.ok()) return walk.status();
        simgrid::Actions actions(*comms, &*tags, any_tag, rank, &file, done);
        while (walk->Next()) actions.Add(*walk);
        if (!walk->status().ok()) return walk->status();
        done->files = 1;
        return file.Commit();
      });
  if (!status.ok()) return status;
  OutputFile list(out + "/trace.txt");
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    list.Write(NameOf(rank) + "\n");
  }
  ++conversion->files;
  return list.Commit();
}

}  // namespace

const Adapter& SimgridAdapter() {
  static const Adapter adapter = {
      .name = "simgrid",
      .what =
          "Time-independent traces for `smpirun -replay OUT/trace.txt`; "
          "computation in flops for hosts of 1 Gflop/s",
      .cannot =
          "Communicators: messages outside the world have other tags, from "
          "10000000 on, where theirs are in use already, as have those that "
          "collectives over part of the ranks become. Receives with any tag "
          "are left out where others would match them, unless the trace "
          "holds what they matched. Sendrecv and persistent requests become "
          "isend, irecv and wait. Non-blocking collectives happen where they "
          "start. Waits for some of many wait for those completed. Probes, "
          "matched receives, receives that were cancelled, persistent "
          "collectives, one-sided calls and files are left out. Computation "
          "has its mean, the same on every rank.",
      .folder = true,
      .write = &WriteSimgrid};
  return adapter;
}

}  // namespace ranksight::adapters
