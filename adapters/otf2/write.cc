#include <otf2/OTF2_Pthread_Locks.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "adapters/base/each_rank.h"
#include "adapters/otf2/definitions.h"
#include "adapters/otf2/otf2_adapter.h"
#include "adapters/otf2/rank_events.h"

namespace ranksight::adapters::otf2 {
namespace {

using reduction::Status;
using reduction::Trace;

OTF2_FlushType Flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}

OTF2_TimeStamp NoTime(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }

// The library holds one chunk for each file it writes, and clears it first:
// with larger ones, files of short runs take longer to open than to write.
constexpr uint64_t kEventChunk = OTF2_CHUNK_SIZE_MIN;

// The longest definition, the members of a communicator, fits into a chunk.
uint64_t DefinitionChunk(int64_t ranks) {
  constexpr uint64_t kMember = 16;  // more than a number takes
  return std::clamp<uint64_t>(std::bit_ceil(kMember * uint64_t(ranks)),
                              OTF2_CHUNK_SIZE_MIN, OTF2_CHUNK_SIZE_MAX);
}

struct ArchiveCloser {
  void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
};

Status Failed(const std::string& out, const char* what) {
  return Status::Io(out + ": OTF2 cannot " + what);
}

// events: how many records; end_ns: when the last one is.
Status WriteRank(const Trace& trace, const reduction::Communicators& comms,
                 int64_t rank, const std::string& out, OTF2_Archive* archive,
                 uint64_t* written, uint64_t* end_ns, Conversion* conversion) {
  auto walk = reduction::RankWalk::OpenAhead(trace, rank);
  if (!walk.ok()) return walk.status();
  OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive, uint64_t(rank));
  if (writer == nullptr) return Failed(out, "open a location");
  RankEvents events(comms, rank, writer, conversion);
  while (walk->Next()) events.Add(*walk);
  if (!walk->status().ok()) return walk->status();
  if (!events.ok()) return Failed(out, "write events");
  *end_ns = events.now_ns();
  OTF2_EvtWriter_GetNumberOfEvents(writer, written);
  return OTF2_Archive_CloseEvtWriter(archive, writer) == OTF2_SUCCESS
             ? Status::Ok()
             : Failed(out, "write events");
}

}  // namespace

Status Write(std::span<const Trace> traces, const std::string& out,
             Conversion* conversion) {
  const Trace& trace = traces[0];
  auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  std::unique_ptr<OTF2_Archive, ArchiveCloser> archive(
      OTF2_Archive_Open(out.c_str(), "traces", OTF2_FILEMODE_WRITE, kEventChunk,
                        DefinitionChunk(trace.meta.ranks), OTF2_SUBSTRATE_POSIX,
                        OTF2_COMPRESSION_NONE));
  if (archive == nullptr) return Failed(out, "make the archive");
  const OTF2_FlushCallbacks flush = {&Flush, &NoTime};
  OTF2_Archive_SetFlushCallbacks(archive.get(), &flush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive.get());
  // Several threads write, each a rank at a time.
  if (OTF2_Pthread_Archive_SetLockingCallbacks(archive.get(), nullptr) !=
      OTF2_SUCCESS) {
    return Failed(out, "lock the archive");
  }
  if (OTF2_Archive_OpenEvtFiles(archive.get()) != OTF2_SUCCESS) {
    return Failed(out, "open files");
  }
  std::vector<uint64_t> events(size_t(trace.meta.ranks));
  std::vector<uint64_t> ends_ns(events.size());
  const Status written = ForEachRank(
      trace.meta.ranks, conversion, [&](int64_t rank, Conversion* own) {
        const auto i = size_t(rank);
        return WriteRank(trace, *comms, rank, out, archive.get(), &events[i],
                         &ends_ns[i], own);
      });
  if (!written.ok()) return written;
  if (OTF2_Archive_CloseEvtFiles(archive.get()) != OTF2_SUCCESS ||
      OTF2_Archive_OpenDefFiles(archive.get()) != OTF2_SUCCESS) {
    return Failed(out, "write events");
  }
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    OTF2_DefWriter* local =
        OTF2_Archive_GetDefWriter(archive.get(), uint64_t(rank));
    if (local == nullptr ||
        OTF2_Archive_CloseDefWriter(archive.get(), local) != OTF2_SUCCESS) {
      return Failed(out, "write definitions");
    }
  }
  if (OTF2_Archive_CloseDefFiles(archive.get()) != OTF2_SUCCESS) {
    return Failed(out, "write definitions");
  }
  OTF2_GlobalDefWriter* global = OTF2_Archive_GetGlobalDefWriter(archive.get());
  if (global == nullptr ||
      !WriteDefinitions(trace, *comms, events,
                        *std::ranges::max_element(ends_ns), global)) {
    return Failed(out, "write definitions");
  }
  if (OTF2_Archive_CloseGlobalDefWriter(archive.get(), global) !=
      OTF2_SUCCESS) {
    return Failed(out, "write definitions");
  }
  if (OTF2_Archive_Close(archive.release()) != OTF2_SUCCESS) {
    return Failed(out, "close the archive");
  }
  conversion->files = 2 * uint64_t(trace.meta.ranks) + 2;
  return Status::Ok();
}

}  // namespace ranksight::adapters::otf2
