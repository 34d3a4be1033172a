// Generators: a trace as a readable benchmark program.
// Thread-safety: pure functions but for the files they write.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reduction/api/call.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters {

// A law as C expressions; see online_model/api/laws_in_c.h, which makes them.
struct LawText {
  std::string value;
  bool of_run = false;
  int step = 1;
  int loop = -1;
  int64_t firsts = 0;
  std::string first, place, period;
  bool absent = false;
};

struct LawTexts {
  struct Node {
    LawText trips;
    std::vector<LawText> params;
    std::vector<double> growth;
    std::vector<std::vector<double>> growth_after;
  };
  std::vector<int64_t> growth_ranks;
  std::string lists, shape;
  bool powers_of_two = false;
  std::vector<Node> nodes;  // of the trace's tree, in preorder
};

struct GenerateOptions {
  // What the program does when it is started without options.
  double compute_scale = 1;  // >= 0
  // On top of that: computation before the calls of a site, by its number in
  // the trace's sites; sites beyond the end have 1.
  std::vector<double> site_scale;
  double ScaleAt(uint32_t site) const {
    return site < site_scale.size() ? site_scale[site] : 1;
  }
  double bytes_scale = 1;  // >= 0
  // Collectives that are point-to-point messages instead. No others than
  // reduction::ReadExchanges knows.
  std::set<reduction::Call> exchanges;
  // Laws of the trace that the program is to follow on any number of ranks;
  // none: on the trace's.
  std::optional<LawTexts> laws;
  // What to call a call path in the program's comments, by its number in the
  // trace's sites. None: modules and offsets.
  std::function<std::string(uint32_t)> site_name;
};

struct Generated {
  std::vector<std::string> files;  // relative to the folder
  uint64_t calls = 0;              // MPI calls in the source
  uint64_t body_lines = 0;         // lines of its main function
  std::vector<std::string> notes;  // what the program does otherwise
};

// C with MPI-3, and MPI-4 for calls that it brought, of the trace's rank count,
// or of any that the laws hold for. Writes <program>.c, its tables, what it
// stands on, and a Makefile into `folder`, which must exist. kNo with the
// reason when a call has no form in the program; kIo.
reduction::Result<Generated> GenerateC(const reduction::Trace& trace,
                                       const GenerateOptions& options,
                                       const std::string& folder);

// coNCePTuaL 1.5, of the trace's rank count, as one file <program>.ncptl.
// Sources of wildcard receives are those that they matched. kNo with the
// reason when a call has no form or values follow no short rule; kIo.
reduction::Result<Generated> GenerateConceptual(const reduction::Trace& trace,
                                                const GenerateOptions& options,
                                                const std::string& folder);

}  // namespace ranksight::adapters
