// The tree of a trace for people and as JSON.
// Thread-safety: pure functions. Cost grows with the structure.
#pragma once

#include <string>

#include "cli/base/json.h"
#include "cli/symbols/site_names.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

// One line per node, loops indented around what they hold:
//   loop x200
//     MPI_Isend x4  comm=0 peer=(r+1 r-1)x2 tag=7 ...  @ app+0x1234
// ~ stands before what a twin estimates.
// names: of the trace's sites; what is not found is module and offset.
std::string TreeText(const reduction::Trace& trace, SiteNames* names);
// The same as nested objects; a parameter is a list of {ranks, form},
// "site" module and offset, "source" the names, "estimated" as ~.
void WriteTree(const reduction::Trace& trace, SiteNames* names,
               JsonWriter* json);

}  // namespace ranksight::cli
