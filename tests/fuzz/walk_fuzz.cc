// Any trace that decodes: cursors, walks, totals, communicators, condensing
// and the C interface give what they promise or an error with a reason, and
// all of them the same calls.
#include <algorithm>
#include <cstring>

#include "reduction/api/canonical.h"
#include "reduction/api/codec.h"
#include "reduction/api/communicators.h"
#include "reduction/api/condense.h"
#include "reduction/api/cursor.h"
#include "reduction/api/rank_walk.h"
#include "reduction/api/ranksight_trace.h"
#include "reduction/api/total.h"
#include "tests/fuzz/mend.h"
#include "tests/fuzz/seeds.h"

namespace ranksight::fuzz {
namespace {

using reduction::Trace;

constexpr uint64_t kMostEvents = 3000;
constexpr int64_t kMostRanks = 64;

// Canonical text of the first events of a rank; ends with why it ended.
std::vector<std::string> LinesOf(const Trace& trace, int64_t rank) {
  std::vector<std::string> lines;
  auto cursor =
      reduction::Cursor::Open(trace, rank, reduction::Missing::kAccepted);
  if (!cursor.ok()) {
    RequireReason(cursor.status().message());
    return {cursor.status().message()};
  }
  while (lines.size() < kMostEvents && cursor->Next()) {
    lines.push_back(reduction::CanonicalText(cursor->event()));
    RequireReason(lines.back());
  }
  if (!cursor->status().ok()) {
    RequireReason(cursor->status().message());
    lines.push_back(cursor->status().message());
  }
  return lines;
}

void WalkRank(const Trace& trace, int64_t rank) {
  auto walk = reduction::RankWalk::Open(trace, rank);
  if (!walk.ok()) return RequireReason(walk.status().message());
  for (uint64_t i = 0; i < kMostEvents && walk->Next(); ++i) {
    Require(!(walk->compute_ns() < 0) && !(walk->call_ns() < 0));
  }
  // That one may walk all events at its first receive.
  if (CountEvents(trace) > uint64_t{kMostRanks} * kMostEvents) return;
  auto ahead = reduction::RankWalk::OpenAhead(trace, rank);
  for (uint64_t i = 0; i < kMostEvents && ahead->Next(); ++i) {
  }
  Require(ahead->status().ok() == walk->status().ok());
}

void WalkFromC(const ranksight_trace* trace, int64_t rank,
               const std::vector<std::string>& lines) {
  char error[200] = "";
  ranksight_cursor* cursor =
      ranksight_cursor_open(trace, rank, error, sizeof error);
  if (cursor == nullptr) return RequireReason(error);
  size_t i = 0;
  int more = 0;
  while (i < kMostEvents && (more = ranksight_cursor_next(cursor)) == 1) {
    Require(i < lines.size() && lines[i] == ranksight_cursor_text(cursor));
    ++i;
  }
  if (i < kMostEvents && more == 0) Require(i == lines.size());
  ranksight_cursor_close(cursor);
}

void LookAt(const Trace& trace) {
  for (const auto& child : trace.root.children) {
    (void)reduction::TotalOf(child.trips);
  }
  (void)CountEvents(trace);
  (void)reduction::FarthestRequest(trace);
  if (trace.meta.ranks <= kMostRanks &&
      CountEvents(trace) <= uint64_t{kMostRanks} * kMostEvents) {
    const auto found = reduction::Communicators::Find(trace);
    if (!found.ok()) RequireReason(found.status().message());
  }
}

}  // namespace

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds = TraceSeeds();
  for (const auto& ranks : RankSeeds(2)) {
    seeds.push_back(ranks[0]);
    seeds.push_back(ranks[1]);
  }
  return seeds;
}

void Try(const Bytes& bytes, const ScratchFolder& folder) {
  const auto trace = reduction::Decode(bytes);
  if (!trace.ok()) return;
  LookAt(*trace);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());
  folder.Put("t.trace", text);
  ranksight_trace* from_c =
      ranksight_trace_open((folder.path() + "/t.trace").c_str(), nullptr, 0);
  Require(from_c != nullptr);
  for (const int64_t rank :
       {int64_t{0}, trace->meta.ranks / 2, trace->meta.ranks - 1}) {
    const std::vector<std::string> lines = LinesOf(*trace, rank);
    WalkRank(*trace, rank);
    WalkFromC(from_c, rank, lines);
  }
  ranksight_trace_close(from_c);
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  static const fuzz::ScratchFolder folder;
  fuzz::Bytes bytes(data, data + size);
  reduction::testing::MendChecksums(&bytes);
  fuzz::Try(bytes, folder);
  return 0;
}
