// What all generators of programs ask of a trace.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "adapters/api/generate.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters {

// kNo when a trace cannot become a program: it has no beginning or no end.
reduction::Status CheckProgram(const reduction::Trace& trace);

// The program's name as files and make take it.
std::string ProgramFileName(const std::string& program);

// A call path of the trace in one line, innermost first, for a comment.
std::string SiteComment(const reduction::Trace& trace,
                        const GenerateOptions& options, uint32_t site);

}  // namespace ranksight::adapters
