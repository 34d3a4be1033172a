// What all generators of programs ask of a trace.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters {

// kNo when a trace cannot become a program: it has no beginning or no end.
reduction::Status CheckProgram(const reduction::Trace& trace);

// The program's name as files and make take it.
std::string ProgramFileName(const std::string& program);

}  // namespace ranksight::adapters
