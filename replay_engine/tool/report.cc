#include "replay_engine/tool/report.h"

#include <mpi.h>

#include <cinttypes>
#include <cstdio>

namespace ranksight::replay_engine {
namespace {

constexpr double kNsPerSecond = 1e9;

struct Summary {
  int ranks = 1;
  uint64_t events = 0, aborts = 0, moved = 0;
  double mean_s = 0, longest_s = 0;  // over ranks
  double compute_s = 0;              // mean over ranks
  double late_s = 0;                 // of the rank that is latest
  double trace_s = 0;                // mean over ranks
  double Ratio() const { return trace_s > 0 ? mean_s / trace_s : 0; }
};

// At rank 0; elsewhere unfinished.
Summary Join(const reduction::Trace& trace, const RankReport& mine) {
  Summary s;
  PMPI_Comm_size(MPI_COMM_WORLD, &s.ranks);
  const uint64_t counts[3] = {mine.events, mine.aborts, mine.moved};
  uint64_t total[3] = {0, 0, 0};
  PMPI_Reduce(counts, total, 3, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  const double times[3] = {double(mine.elapsed_ns), double(mine.compute_ns),
                           double(mine.late_ns)};
  double sum[3] = {0, 0, 0}, longest[3] = {0, 0, 0};
  PMPI_Reduce(times, sum, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  PMPI_Reduce(times, longest, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  s.events = total[0];
  s.aborts = total[1];
  s.moved = total[2];
  s.mean_s = sum[0] / s.ranks / kNsPerSecond;
  s.longest_s = longest[0] / kNsPerSecond;
  s.compute_s = sum[1] / s.ranks / kNsPerSecond;
  s.late_s = longest[2] / kNsPerSecond;
  s.trace_s = trace.meta.elapsed.Mean() / kNsPerSecond;
  return s;
}

void PrintJson(const Summary& s, bool pinned, const char* origin) {
  std::printf("{\"ranks\": %d, \"events\": %" PRIu64
              ", \"replayed_seconds\": %.9g, "
              "\"replayed_seconds_longest_rank\": %.9g, "
              "\"trace_seconds\": %.9g, \"ratio\": %.6g, "
              "\"compute_seconds\": %.9g, \"late_seconds\": %.9g, "
              "\"aborts_skipped\": %" PRIu64 ", \"posts_moved\": %" PRIu64
              ", \"pinned\": %s, \"trace_origin\": \"%s\"}\n",
              s.ranks, s.events, s.mean_s, s.longest_s, s.trace_s, s.Ratio(),
              s.compute_s, s.late_s, s.aborts, s.moved,
              pinned ? "true" : "false", origin);
}

void PrintText(const Summary& s, const char* origin) {
  std::printf("replayed %" PRIu64 " events on %d ranks in %.6f s", s.events,
              s.ranks, s.mean_s);
  if (s.trace_s > 0) {
    std::printf(" (%s: %.6f s, ratio %.3f)", origin, s.trace_s, s.Ratio());
  }
  std::printf("\n");
  if (s.aborts > 0) {
    std::printf("MPI_Abort skipped on %" PRIu64 " ranks\n", s.aborts);
  }
  if (s.moved > 0) {
    std::printf("%" PRIu64 " posts moved to suit the torus\n", s.moved);
  }
}

}  // namespace

void PrintReport(const reduction::Trace& trace, const RankReport& mine,
                 bool pinned, bool json) {
  const Summary summary = Join(trace, mine);
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  const char* origin = trace.meta.origin == reduction::Origin::kExtrapolated
                           ? "forecast"
                           : "recorded";
  json ? PrintJson(summary, pinned, origin) : PrintText(summary, origin);
  std::fflush(stdout);
}

}  // namespace ranksight::replay_engine
