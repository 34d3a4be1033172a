// Chrome's trace event format (JSON), which Perfetto and chrome://tracing
// open: a process for each rank, a slice for each call.
#include "adapters/api/adapter.h"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/base/each_rank.h"
#include "adapters/base/output_file.h"
#include "adapters/base/quoted_text.h"
#include "reduction/api/canonical.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters {
namespace {

using reduction::Event;
using reduction::Param;
using reduction::Status;
using reduction::Trace;

// Microseconds, with nanoseconds behind the point.
void WriteTime(double ns, ByteWriter* file) {
  const auto whole = static_cast<int64_t>(ns);
  file->WriteNumber(whole / 1000);
  const auto rest = int(whole % 1000);
  const char digits[] = {'.', char('0' + rest / 100),
                         char('0' + rest / 10 % 10), char('0' + rest % 10)};
  file->Write(std::string_view(digits, sizeof digits));
}

void WriteSlice(const reduction::RankWalk& walk, int64_t rank, double start_ns,
                std::string* call, ByteWriter* file) {
  const Event& e = walk.event();
  file->Write(",\n{\"ph\":\"X\",\"name\":\"");
  file->Write(reduction::Info(e.call()).name);
  file->Write("\",\"pid\":");
  file->WriteNumber(rank);
  file->Write(",\"tid\":0,\"ts\":");
  WriteTime(start_ns, file);
  file->Write(",\"dur\":");
  WriteTime(walk.call_ns(), file);
  file->Write(",\"args\":{\"call\":\"");
  call->clear();
  AppendCanonicalText(e, call);
  file->Write(*call);
  file->Write("\",\"site\":");
  file->WriteNumber(e.site);
  file->Write("}}");
}

Status WriteRank(const Trace& trace, int64_t rank, ByteWriter* file,
                 Conversion* conversion) {
  auto walk = reduction::RankWalk::Open(trace, rank);
  if (!walk.ok()) return walk.status();
  double now_ns = 0;
  std::string call;
  while (walk->Next()) {
    now_ns += walk->compute_ns();
    WriteSlice(*walk, rank, now_ns, &call, file);
    now_ns += walk->call_ns();
    ++conversion->events;
  }
  return walk->status();
}

Status WriteTimeline(std::span<const Trace> traces, const std::string& out,
                     Conversion* conversion) {
  const Trace& trace = traces[0];
  OutputFile file(out, conversion->compress ? OutputFile::Packing::kGzip
                                            : OutputFile::Packing::kNone);
  file.Write("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":");
  file.Write(JsonText(trace.meta.program));
  file.Write(
      "},\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"process_name\","
      "\"pid\":0,\"args\":{\"name\":\"rank 0\"}}");
  const Status status = WriteRanksInOrder(
      trace.meta.ranks, conversion, &file, nullptr,
      [&](int64_t rank, Conversion* own, RankPart* part) {
        if (rank > 0) {
          part->Write(
              fmt::format(",\n{{\"ph\":\"M\",\"name\":\"process_name\","
                          "\"pid\":{},\"args\":{{\"name\":\"rank {}\"}}}}",
                          rank, rank));
        }
        return WriteRank(trace, rank, part, own);
      });
  if (!status.ok()) return status;
  file.Write("\n]}\n");
  conversion->files = 1;
  return file.Commit();
}

}  // namespace

const Adapter& TimelineAdapter() {
  static const Adapter adapter = {
      .name = "timeline",
      .what = "Chrome trace events (JSON) for Perfetto, a slice for each call",
      .cannot =
          "Each rank's clock runs by itself, made of mean times: messages may "
          "arrive before they are sent. Call paths are numbers.",
      .compresses = true,
      .write = &WriteTimeline};
  return adapter;
}

}  // namespace ranksight::adapters
