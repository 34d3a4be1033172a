// Tables of all call sites: CSV, a report in the manner of mpiP, and
// Extra-P's JSON Lines over several rank counts.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "adapters/base/output_file.h"
#include "adapters/base/quoted_text.h"
#include "adapters/report/rows.h"
#include "reduction/api/shown_text.h"

namespace ranksight::adapters {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;
using report::Row;

Status WriteCsv(std::span<const Trace> traces, const std::string& out,
                Conversion* conversion) {
  OutputFile file(out);
  file.Write(
      "ranks,call,site,path,count,sent_bytes,posted_bytes,call_seconds,"
      "compute_seconds\n");
  for (const Trace& trace : traces) {
    Result<std::vector<Row>> rows = report::Rows(trace, conversion);
    if (!rows.ok()) return rows.status();
    for (const Row& r : *rows) {
      file.Write(fmt::format("{},{},{},{},{},{},{},{:.9g},{:.9g}\n",
                             trace.meta.ranks, r.call, r.number,
                             CsvText(r.site), r.count, r.sent, r.received,
                             r.call_ns / 1e9, r.compute_ns / 1e9));
    }
  }
  conversion->files = 1;
  return file.Commit();
}

std::string Heading(const std::string& text) {
  return fmt::format("{:-<79}\n@--- {} {:-<{}}\n{:-<79}\n", "", text, "",
                     std::max<int>(1, 73 - int(text.size())), "");
}

Status WriteMpip(std::span<const Trace> traces, const std::string& out,
                 Conversion* conversion) {
  const Trace& trace = traces[0];
  Result<std::vector<Row>> rows = report::Rows(trace, conversion);
  if (!rows.ok()) return rows.status();
  const double app_ns = std::max(1.0, trace.meta.elapsed.sum);
  double mpi_ns = 0;
  for (const Row& r : *rows) mpi_ns += r.call_ns;
  mpi_ns = std::max(1.0, mpi_ns);
  OutputFile file(out);
  file.Write(
      fmt::format("@ mpiP-style report by ranksight\n"
                  "@ Command : {}\n@ MPI Task Assignment : {} tasks\n\n",
                  reduction::ShownName(trace.meta.program), trace.meta.ranks));
  file.Write(Heading("MPI Time (seconds)"));
  file.Write(
      fmt::format("{:>4} {:>12} {:>12} {:>8}\n{:>4} {:>12.4g} {:>12.4g} "
                  "{:>8.2f}\n",
                  "Task", "AppTime", "MPITime", "MPI%", "*", app_ns / 1e9,
                  mpi_ns / 1e9, 100 * mpi_ns / app_ns));
  file.Write(Heading(fmt::format("Callsites: {}", rows->size())));
  file.Write(fmt::format("{:>4} {:<24} {}\n", "ID", "MPI_Call", "Call path"));
  for (size_t i = 0; i < rows->size(); ++i) {
    file.Write(fmt::format("{:>4} {:<24} {}\n", i + 1,
                           (*rows)[i].call.substr(4), (*rows)[i].site));
  }
  std::vector<size_t> order(rows->size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return (*rows)[a].call_ns > (*rows)[b].call_ns;
  });
  file.Write(Heading("Aggregate Time (descending, milliseconds)"));
  file.Write(fmt::format("{:<24} {:>4} {:>12} {:>7} {:>7} {:>10}\n", "Call",
                         "Site", "Time", "App%", "MPI%", "Count"));
  for (const size_t i : order) {
    const Row& r = (*rows)[i];
    file.Write(fmt::format("{:<24} {:>4} {:>12.4g} {:>7.2f} {:>7.2f} {:>10}\n",
                           r.call.substr(4), i + 1, r.call_ns / 1e6,
                           100 * r.call_ns / app_ns, 100 * r.call_ns / mpi_ns,
                           r.count));
  }
  file.Write(Heading("Callsite Time statistics (all tasks, milliseconds)"));
  file.Write(fmt::format("{:<24} {:>4} {:>10} {:>10} {:>10} {:>10}\n", "Name",
                         "Site", "Count", "Max", "Mean", "Min"));
  for (size_t i = 0; i < rows->size(); ++i) {
    const Row& r = (*rows)[i];
    file.Write(
        fmt::format("{:<24} {:>4} {:>10} {:>10.3g} {:>10.3g} {:>10.3g}\n",
                    r.call.substr(4), i + 1, r.count, r.most_ns / 1e6,
                    r.call_ns / 1e6 / std::max<double>(1, double(r.count)),
                    r.least_ns / 1e6));
  }
  file.Write(Heading("Callsite Message Sent statistics (all tasks)"));
  file.Write(fmt::format("{:<24} {:>4} {:>10} {:>14} {:>14}\n", "Name", "Site",
                         "Count", "Sum (bytes)", "Mean"));
  for (size_t i = 0; i < rows->size(); ++i) {
    const Row& r = (*rows)[i];
    if (r.sent == 0) continue;
    file.Write(fmt::format("{:<24} {:>4} {:>10} {:>14} {:>14.6g}\n",
                           r.call.substr(4), i + 1, r.count, r.sent,
                           double(r.sent) / double(r.count)));
  }
  conversion->files = 1;
  return file.Commit();
}

// A call path of module and offset as Extra-P takes it apart: the frame nearest
// to main first, which is the last of `site`, after the regions around them.
std::string FromMain(std::string_view site, std::string_view call) {
  constexpr std::string_view kBetween = " < ", kRegionEnd = "] ";
  std::string path = "main->";
  const size_t region =
      site.starts_with('[') ? site.rfind(kRegionEnd) : std::string_view::npos;
  if (region != site.npos) {
    path.append(site.substr(0, region + 1)).append("->");
    site.remove_prefix(region + kRegionEnd.size());
  }
  size_t end = site.size();
  for (size_t at; (at = site.rfind(kBetween, end - 1)) != site.npos; end = at) {
    path.append(site.substr(at + kBetween.size(), end - at - kBetween.size()))
        .append("->");
  }
  return path.append(site.substr(0, end)).append("->").append(call);
}

// Values of one call site: means for each rank, so that shapes over the
// number of ranks read as they should.
Status WriteExtrap(std::span<const Trace> traces, const std::string& out,
                   Conversion* conversion) {
  OutputFile file(out);
  for (const Trace& trace : traces) {
    Result<std::vector<Row>> rows = report::Rows(trace, conversion);
    if (!rows.ok()) return rows.status();
    const auto ranks = double(trace.meta.ranks);
    const auto line = [&](const std::string& path, const char* metric,
                          double value) {
      file.Write(
          fmt::format("{{\"params\":{{\"p\":{}}},\"callpath\":{},"
                      "\"metric\":\"{}\",\"value\":{:.9g}}}\n",
                      trace.meta.ranks, JsonText(path), metric, value));
    };
    line("main", "time", trace.meta.elapsed.Mean() / 1e9);
    // The same call along one path in several places is one call path.
    std::map<std::string, Row> sums;
    for (const Row& r : *rows) {
      Row& sum = sums[FromMain(r.site, r.call)];
      sum.count += r.count;
      sum.sent += r.sent;
      sum.call_ns += r.call_ns;
      sum.compute_ns += r.compute_ns;
    }
    for (const auto& [path, r] : sums) {
      line(path, "time", r.call_ns / 1e9 / ranks);
      line(path, "computation", r.compute_ns / 1e9 / ranks);
      line(path, "visits", double(r.count) / ranks);
      line(path, "bytes_sent", double(r.sent) / ranks);
    }
  }
  conversion->files = 1;
  return file.Commit();
}

}  // namespace

const Adapter& CsvAdapter() {
  static const Adapter adapter = {
      .name = "csv",
      .what = "A row for each call site, sums over all ranks (CSV)",
      .cannot = "Order, peers, tags and differences between ranks.",
      .several = true,
      .write = &WriteCsv};
  return adapter;
}

const Adapter& MpipAdapter() {
  static const Adapter adapter = {
      .name = "mpip",
      .what = "A text report in the manner of mpiP",
      .cannot =
          "Order, peers, tags and differences between ranks; call paths "
          "are module and offset.",
      .write = &WriteMpip};
  return adapter;
}

const Adapter& ExtrapAdapter() {
  static const Adapter adapter = {
      .name = "extrap",
      .what = "JSON Lines for Extra-P, from traces of several rank counts",
      .cannot =
          "Order, peers, tags and differences between ranks. One value "
          "for each call site and run: repeated runs are repeated lines.",
      .several = true,
      .write = &WriteExtrap};
  return adapter;
}

}  // namespace ranksight::adapters
