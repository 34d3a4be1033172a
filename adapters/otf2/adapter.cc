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

Result<Trace> Read(const std::string& path) {
  const otf2::LibraryErrors errors;
  Result<Trace> trace = otf2::ReadArchive(path, true);
  if (!trace.ok()) return WithReason(trace.status(), errors);
  return trace;
}

Status Write(std::span<const Trace> traces, const std::string& out,
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
          "of receives from any source and of non-blocking collectives are "
          "left out. Call paths, types and which requests are completed.",
      .folder = true,
      .write = &Write,
      .read = &Read};
  return adapter;
}

}  // namespace ranksight::adapters
