// Dimemas traces (.dim), as of the simulator's sources of 2025: a header, the
// communicators, each rank's records, and where each rank's begin.
#include "adapters/api/adapter.h"

#include <cstdio>
#include <string>
#include <vector>

#include "adapters/base/each_rank.h"
#include "adapters/base/output_file.h"
#include "adapters/dimemas/records.h"
#include "reduction/api/shown_text.h"

namespace ranksight::adapters {
namespace {

using reduction::Communicators;
using reduction::Status;
using reduction::Trace;

// Digits of the place where the offsets begin, written last.
constexpr int kOffsetDigits = 20;

std::string Padded(uint64_t number) {
  char text[kOffsetDigits + 1];
  std::snprintf(text, sizeof text, "%0*llu", kOffsetDigits,
                static_cast<unsigned long long>(number));
  return text;
}

// What the header cannot hold in the program's name.
std::string Name(const std::string& program) {
  std::string name = reduction::ShownName(program);
  for (char& c : name) {
    if (c == '"' || c == ':') c = '_';
  }
  return name.empty() ? "program" : name;
}

// Returns where the place of the offsets stands.
uint64_t WriteHeader(const Trace& trace, size_t comms, OutputFile* file) {
  file->Write("#DIMEMAS:\"" + Name(trace.meta.program) + "\":1,");
  const uint64_t place = file->size();
  file->Write(Padded(0) + ":" + std::to_string(trace.meta.ranks) + "(1");
  for (int64_t r = 1; r < trace.meta.ranks; ++r) file->Write(",1");
  file->Write(")," + std::to_string(comms) + "\n");
  return place;
}

void WriteCommunicators(const Communicators& comms, OutputFile* file) {
  for (const auto& comm : comms.all()) {
    std::vector<int64_t> members = comm->members;
    // Of two groups both: messages name the first of the two.
    if (comm->remote != nullptr) {
      const auto& others = comm->remote->members;
      members.insert(members.end(), others.begin(), others.end());
    }
    const bool world = comm->id == 0;
    const auto size = world ? comms.ranks() : int64_t(members.size());
    file->Write("d:1:");
    file->WriteNumber(comm->id + 1);
    file->Write(':');
    file->WriteNumber(size);
    for (int64_t i = 0; i < size; ++i) {
      file->Write(':');
      file->WriteNumber(world ? i : members[size_t(i)]);
    }
    file->Write('\n');
  }
}

Status WriteDimemas(std::span<const Trace> traces, const std::string& out,
                    Conversion* conversion) {
  const Trace& trace = traces[0];
  auto comms = Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  auto tags = MessageTags::Find(trace, *comms);
  if (!tags.ok()) return tags.status();
  OutputFile file(out);
  const uint64_t place = WriteHeader(trace, comms->all().size(), &file);
  WriteCommunicators(*comms, &file);
  std::vector<uint64_t> begins;
  const Status written = WriteRanksInOrder(
      trace.meta.ranks, conversion, &file, &begins,
      [&](int64_t rank, Conversion* own, RankPart* part) {
        auto walk = reduction::RankWalk::OpenAhead(trace, rank);
        if (!walk.ok()) return walk.status();
        dimemas::Records records(*comms, &*tags, rank, part, own);
        while (walk->Next()) records.Add(*walk);
        return walk->status();
      });
  if (!written.ok()) return written;
  const uint64_t offsets = file.size();
  for (size_t rank = 0; rank < begins.size(); ++rank) {
    file.Write("s:" + std::to_string(rank) + ":" +
               std::to_string(begins[rank]) + "\n");
  }
  file.WriteAt(place, Padded(offsets));
  conversion->files = 1;
  return file.Commit();
}

}  // namespace

const Adapter& DimemasAdapter() {
  static const Adapter adapter = {
      .name = "dimemas",
      .what = "A trace for the Dimemas simulator (.dim)",
      .cannot =
          "Waits for sends and for some of many receives: a wait is for one "
          "receive that completed. Sendrecv and persistent requests become "
          "sends that return at once, receives and waits. Non-blocking "
          "collectives block; MPI_Exscan is a scan. Receives with any tag are "
          "left out unless the trace holds what they matched, as are probes, "
          "matched receives, receives that were cancelled, persistent "
          "collectives, one-sided calls and files. Computation has its mean, "
          "the same on every rank.",
      .write = &WriteDimemas};
  return adapter;
}

}  // namespace ranksight::adapters
