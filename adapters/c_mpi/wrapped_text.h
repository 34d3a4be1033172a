// Statements on lines of at most 80 columns. Thread-safety: pure functions.
#pragma once

#include <string>

namespace ranksight::adapters::c_mpi {

// Breaks behind commas, continuing two levels deeper; ends with a line's end.
std::string Wrapped(const std::string& text, size_t indent);

}  // namespace ranksight::adapters::c_mpi
