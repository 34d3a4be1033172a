#include <filesystem>

#include "adapters/otf2/apart.h"
#include "adapters/otf2/library_errors.h"
#include "adapters/otf2/otf2_adapter.h"

namespace ranksight::adapters {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

Status WithReason(const Status& status, const otf2::LibraryErrors& errors) {
  if (status.ok() || errors.first().empty()) return status;
  return Status(status.code(), status.message() + ": " + errors.first());
}

// Of path/to/traces.otf2: definitions and events lie beside it.
uint64_t ArchiveBytes(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  uint64_t bytes = 0;
  for (auto it = fs::recursive_directory_iterator(
           fs::path(path).replace_extension(), ignored);
       it != fs::recursive_directory_iterator(); it.increment(ignored)) {
    const uint64_t size = it->file_size(ignored);
    if (!ignored) bytes += size;
  }
  const uint64_t definitions =
      fs::file_size(fs::path(path).replace_extension(".def"), ignored);
  return ignored ? bytes : bytes + definitions;
}

Result<Trace> ReadOtf2(const std::string& given, const TellShare& tell_share) {
  const Result<std::string> anchor = otf2::AnchorOf(given);
  if (!anchor.ok()) return anchor.status();
  const std::string& path = *anchor;
  const auto read = [&]() -> Result<Trace> {
    const otf2::LibraryErrors errors;
    Result<Trace> trace = otf2::ReadArchive(path, true, tell_share);
    if (!trace.ok()) return WithReason(trace.status(), errors);
    return trace;
  };
  Result<Trace> trace =
      otf2::ReadApart(otf2::LimitsFor(ArchiveBytes(path)), read);
  if (trace.ok() || !trace.status().message().starts_with("0:")) return trace;
  return Status(trace.status().code(), path + ":" + trace.status().message());
}

Status WriteOtf2(std::span<const Trace> traces, const std::string& out,
                 Conversion* conversion) {
  const otf2::LibraryErrors errors;
  Status status = otf2::Write(traces, out, conversion);
  // Not every call of the library that fails says so in what it returns.
  if (status.ok() && !errors.first().empty()) {
    status = Status::Io(out + ": OTF2 cannot write");
  }
  return WithReason(status, errors);
}

}  // namespace

const Adapter& Otf2Adapter() {
  static const Adapter adapter = {
      .name = "otf2",
      .what =
          "OTF2 archive OUT/traces.otf2 for Vampir, otf2-print and the like",
      .cannot =
          "Clocks: each rank's runs by itself, made of mean times. MPI records "
          "of non-blocking collectives, of one-sided calls, between two "
          "groups, and of receives from any source whose match the trace does "
          "not hold are left out. Call paths, types and which requests are "
          "completed.",
      .folder = true,
      .write = &WriteOtf2,
      .read = &ReadOtf2};
  return adapter;
}

}  // namespace ranksight::adapters
