#include "adapters/api/generate.h"

#include <fmt/core.h>

#include <algorithm>

#include "adapters/base/output_file.h"
#include "adapters/base/program_name.h"
#include "adapters/conceptual/align.h"
#include "adapters/conceptual/program.h"
#include "adapters/conceptual/resolved.h"
#include "reduction/api/shown_text.h"

namespace ranksight::adapters {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

std::string ProgramText(const Trace& trace,
                        const conceptual::Program& program) {
  return fmt::format(
             "# What {} does with MPI on {} ranks, written by ranksight "
             "generate.\n"
             "# Before each call stand its number and its call path.\n"
             "Require language version \"1.5\".\n\n"
             "Assert that \"this program runs with {} tasks\" with num_tasks = "
             "{}.\n\n{{\n",
             reduction::ShownName(trace.meta.program), trace.meta.ranks,
             trace.meta.ranks, trace.meta.ranks) +
         LaidOut(program.statements(), 1) + "}.\n";
}

}  // namespace

Result<Generated> GenerateConceptual(const Trace& trace,
                                     const GenerateOptions& options,
                                     const std::string& folder) {
  if (Status s = CheckProgram(trace); !s.ok()) return s;
  auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  auto resolved = conceptual::Resolve(trace, *comms);
  if (!resolved.ok()) return resolved.status();
  if (Status s = conceptual::Align(trace, *comms, &resolved->root); !s.ok()) {
    return s;
  }
  conceptual::Program program(trace, *comms, options);
  if (Status s = program.Write(resolved->root); !s.ok()) return s;
  const std::string text = ProgramText(trace, program);
  const std::string file = ProgramFileName(trace.meta.program) + ".ncptl";
  if (Status s = WriteSmallFile(folder + "/" + file, text); !s.ok()) return s;
  Generated result;
  result.files = {file};
  result.calls = program.calls();
  result.body_lines = uint64_t(std::count(text.begin(), text.end(), '\n'));
  result.notes.assign(resolved->notes.begin(), resolved->notes.end());
  result.notes.insert(result.notes.end(), program.notes().begin(),
                      program.notes().end());
  return result;
}

}  // namespace ranksight::adapters
