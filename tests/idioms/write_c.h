// Writes a drawn program as plain C over MPI, to read, compile and run.
// Thread-safety: pure function.
#pragma once

#include <string>

#include "reduction/api/status.h"
#include "tests/idioms/grammar.h"

namespace ranksight::idioms {

// "kHalves, kMorton, 3 sides": how its ranks become a grid.
std::string GridText(const Program& program);

// Into a folder, made if there is none: main.c, an own file for each idiom in
// it, and what they share. `mpicc FOLDER/*.c` makes the program.
reduction::Status WriteC(const Program& program, const std::string& folder);

}  // namespace ranksight::idioms
