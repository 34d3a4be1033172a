// DUMPI traces, which sst-macro reads, alone or as an element of SST.
#include "adapters/api/adapter.h"

#include <cstdio>
#include <string>

#include "adapters/base/each_rank.h"
#include "adapters/base/output_file.h"
#include "adapters/base/program_name.h"
#include "adapters/dumpi/calls.h"

namespace ranksight::adapters {
namespace {

using reduction::Communicators;
using reduction::Status;
using reduction::Trace;

// What a time of the format holds.
constexpr double kMostSeconds = 65535;

// Whether the files have all communicators of the trace.
bool HoldsAll(const Trace& trace) {
  bool all = true;
  ForEachEvent(trace.root, [&](const reduction::Node& node) {
    all &=
        !reduction::Info(node.call).makes_comm || dumpi::MakesHeld(node.call);
  });
  return all;
}

Status WriteRank(const Trace& trace, const Communicators& comms,
                 const MessageTags* tags, int64_t rank,
                 const std::string& prefix, Conversion* conversion) {
  char number[32];
  std::snprintf(number, sizeof number, "-%04lld.bin", (long long)rank);
  auto walk = reduction::RankWalk::OpenAhead(trace, rank);
  if (!walk.ok()) return walk.status();
  dumpi::RecordFile file(prefix + number);
  dumpi::Calls calls(comms, tags, HoldsAll(trace), rank, &file, conversion);
  while (walk->Next()) calls.Add(*walk);
  if (!walk->status().ok()) return walk->status();
  if (double(calls.end_ns()) > kMostSeconds * 1e9) {
    ++conversion->not_expressed["times above 65535 s (they begin again)"];
  }
  ++conversion->files;
  return file.Commit(calls.sizes());
}

Status WriteDumpi(std::span<const Trace> traces, const std::string& out,
                  Conversion* conversion) {
  const Trace& trace = traces[0];
  auto comms = Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  auto tags = MessageTags::Find(trace, *comms);
  if (!tags.ok()) return tags.status();
  const std::string name = "dumpi-" + ProgramFileName(trace.meta.program);
  const Status status = ForEachRank(
      trace.meta.ranks, conversion, [&](int64_t rank, Conversion* done) {
        return WriteRank(trace, *comms, &*tags, rank, out + "/" + name, done);
      });
  if (!status.ok()) return status;
  ++conversion->files;
  return WriteSmallFile(
      out + "/" + name + ".meta",
      "hostname=ranksight\nnumprocs=" + std::to_string(trace.meta.ranks) +
          "\nusername=ranksight\nstartime=0\nfileprefix=" + name +
          "\nversion=13\nsubversion=0\nsubsubversion=0\n");
}

}  // namespace

const Adapter& DumpiAdapter() {
  static const Adapter adapter = {
      .name = "dumpi",
      .what = "DUMPI traces for SST (sst-macro), a file for each rank",
      .cannot =
          "Non-blocking collectives and MPI_Isendrecv block. Communicators "
          "but duplicates are made by splits, those made by two groups or by "
          "some members alone not at all: their messages are of the world, "
          "with tags from 10000000 on where theirs are in use already, their "
          "collectives left out. Waits and tests for some of several are "
          "waits for those that completed. Types of one's own have their "
          "size alone. Messages to MPI_PROC_NULL, matched receives, receives "
          "that were cancelled, statuses, one-sided calls and files are left "
          "out. Counts end at 2147483647. Times are the means over all "
          "ranks.",
      .folder = true,
      .write = &WriteDumpi};
  return adapter;
}

}  // namespace ranksight::adapters
