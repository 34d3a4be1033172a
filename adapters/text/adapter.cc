// Canonical event text, a file RANK.txt for each rank: what
// `ranksight show --events` prints, and what a raw logger writes.
#include "adapters/api/adapter.h"

#include <algorithm>
#include <fstream>
#include <vector>

#include "adapters/base/each_rank.h"
#include "adapters/base/output_file.h"
#include "adapters/text/read_line.h"
#include "reduction/api/canonical.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

std::string PathOf(const std::string& folder, int64_t rank) {
  return folder + "/" + std::to_string(rank) + ".txt";
}

Status WriteRank(const Trace& trace, int64_t rank, const std::string& folder,
                 Conversion* conversion) {
  auto cursor = reduction::Cursor::Open(trace, rank);
  if (!cursor.ok()) return cursor.status();
  OutputFile file(PathOf(folder, rank));
  std::string line;
  while (cursor->Next()) {
    line.clear();
    AppendCanonicalText(cursor->event(), &line);
    line += '\n';
    file.Write(line);
    ++conversion->events;
  }
  if (!cursor->status().ok()) return cursor->status();
  ++conversion->files;
  return file.Commit();
}

Status WriteText(std::span<const Trace> traces, const std::string& out,
                 Conversion* conversion) {
  const Trace& trace = traces[0];
  return ForEachRank(trace.meta.ranks, conversion,
                     [&](int64_t rank, Conversion* done) {
                       return WriteRank(trace, rank, out, done);
                     });
}

Result<Trace> ReadRank(const std::string& path, int64_t rank, int64_t ranks) {
  std::ifstream file(path);
  if (!file) return Status::Io(path + ": cannot be read");
  reduction::Folder folder;
  const uint32_t module = folder.AddModule({"", "text"});
  LineReader reader{reduction::CommSizes(ranks)};
  std::string line;
  uint64_t offset = 0;
  while (std::getline(file, line)) {
    reduction::Event event;
    if (Status s = reader.Read(line, &event); !s.ok()) {
      return Status::BadInput(path + ":" + std::to_string(offset) + ": " +
                              s.message());
    }
    // No call path is known: what looks alike counts as one call site.
    event.site = folder.AddSite({{{module, reader.site()}}});
    folder.Push(event, 0, 0);
    offset += line.size() + 1;
  }
  return folder.Snapshot(rank, ranks);
}

Result<Trace> ReadText(const std::string& path, const TellShare& tell_share) {
  int64_t ranks = 0;
  while (std::ifstream(PathOf(path, ranks)).good()) ++ranks;
  if (ranks == 0) return Status::Io(PathOf(path, 0) + ": cannot be read");
  Trace all;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    Result<Trace> one = ReadRank(PathOf(path, rank), rank, ranks);
    if (!one.ok()) return one;
    if (rank == 0) {
      all = std::move(*one);
    } else {
      Result<Trace> merged = Merge(std::move(all), std::move(*one));
      if (!merged.ok()) return merged;
      all = std::move(*merged);
    }
    if (tell_share) tell_share(double(rank + 1) / double(ranks));
  }
  all.meta.losses["call paths, types, requests and times"] = 1;
  return all;
}

}  // namespace

const Adapter& TextAdapter() {
  static const Adapter adapter = {
      .name = "text",
      .what = "Canonical event text, a file RANK.txt for each rank",
      .cannot =
          "Times, types, call paths, which requests are completed, and "
          "members of communicators: a trace read from text can be "
          "compared, counted and looked at, not replayed.",
      .folder = true,
      .write = &WriteText,
      .read = &ReadText};
  return adapter;
}

}  // namespace ranksight::adapters
