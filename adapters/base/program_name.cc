#include "adapters/base/program_name.h"

#include <algorithm>

#include "reduction/api/call.h"
#include "reduction/api/shown_text.h"

namespace ranksight::adapters {

using reduction::Status;
using reduction::Trace;

std::string ProgramFileName(const std::string& program) {
  std::string name = program.empty() ? "program" : program;
  // File names with an ending end at 255 bytes.
  name.resize(std::min<size_t>(name.size(), 200));
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '.' || c == '_' ||
                       c == '-';
    if (!plain) c = '_';
  }
  if (name[0] == '.' || name[0] == '-') name[0] = '_';
  return name;
}

std::string SiteComment(const Trace& trace, const GenerateOptions& options,
                        uint32_t site) {
  return reduction::ShownName(options.site_name
                                  ? options.site_name(site)
                                  : reduction::ToString(trace.sites, site));
}

Status CheckProgram(const Trace& trace) {
  bool initialised = false;
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& node) {
    initialised |= node.call == reduction::Call::MPI_Init_;
  });
  if (!initialised) return Status::No("the trace has no MPI_Init");
  if (trace.meta.ranks > (int64_t{1} << 30)) {
    return Status::No("more ranks than an int can number");
  }
  if (!trace.meta.complete) {
    return Status::No(
        "the trace is partial: its ranks end in different places");
  }
  return Status::Ok();
}

}  // namespace ranksight::adapters
