#include "adapters/api/generate.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "adapters/base/output_file.h"
#include "adapters/base/program_name.h"
#include "adapters/base/quoted_text.h"
#include "adapters/c_mpi/body.h"
#include "adapters/c_mpi/graph_edges.h"
#include "adapters/c_mpi/support.h"
#include "reduction/api/exchanges.h"
#include "reduction/api/partitions.h"

namespace ranksight::adapters {
namespace {

using c_mpi::Body;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

std::string_view TypeOfTemporary(std::string_view name) {
  if (name == "on") return "MPI_Comm ";
  if (name == "w") return "struct window *";
  if (name == "f") return "struct file *";
  return "number ";
}

std::string Declarations(const Body& body, std::string_view before) {
  std::string text;
  for (const std::string& name : body.temporaries()) {
    text += fmt::format("{}{}{};\n", before, TypeOfTemporary(name), name);
  }
  return text;
}

// The functions before main, which share what is put down in between.
std::string PartsText(const Body& body) {
  if (body.parts().empty()) return "";
  return Declarations(body, "static ") + body.parts();
}

std::string PartitionsText(const Trace& trace) {
  std::string list;
  for (const int64_t count : reduction::PartitionCounts(trace)) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", count);
  }
  return list.empty() ? "" : "#define PARTITIONS " + list + "\n";
}

std::string ProgramText(const Trace& trace, const Body& body,
                        const GenerateOptions& options, const std::string& name,
                        bool knows_edges) {
  const bool by_law = options.laws.has_value();
  // Larger runs may look back farther than the one the laws are attached to.
  const auto requests = std::bit_ceil(
      by_law ? std::max<uint64_t>(1024, 16 * uint64_t(body.farthest_request()))
             : uint64_t(body.farthest_request()));
  const std::string size =
      by_law ? std::string("any number of") : std::to_string(trace.meta.ranks);
  const std::string run =
      by_law ? std::string("N") : std::to_string(trace.meta.ranks);
  std::string text = fmt::format(
      "/* What {} does with MPI on {} ranks, written by ranksight generate.\n"
      " * Build: mpicc -O2 {}.c -o {}. Run: mpiexec -n {} ./{}\n"
      " * Before each call stand its number and its call path; CALL computes\n"
      " * as long as was recorded there, then calls. --help lists options. "
      "*/\n",
      CCommentText(trace.meta.program), size, name, name, run, name);
  if (by_law) {
    text += fmt::format(
        "#define SELF_SIZING\n#ifndef REQUESTS\n#define REQUESTS {}\n#endif\n",
        requests);
  } else {
    text += fmt::format("#define REQUESTS {}\n", requests);
  }
  if (options.compute_scale != 1) {
    text += fmt::format("#define COMPUTE_SCALE {}\n", options.compute_scale);
  }
  if (options.bytes_scale != 1) {
    text += fmt::format("#define BYTES_SCALE {}\n", options.bytes_scale);
  }
  if (!options.exchanges.empty()) {
    text += "#define EXCHANGE \"" +
            reduction::ExchangesText(options.exchanges) + "\"\n";
  }
  text += PartitionsText(trace);
  text += fmt::format(
      "#include \"benchmark.h\"\n"
      "#include \"{}_tables.h\"\n\n{}"
      "int main(int argc, char **argv) {{\n{}"
      "  MPI_Init(&argc, &argv);\n"
      "  start(argc, argv, {}, {:.0f}, all_values, computation, {});\n",
      name, PartsText(body),
      body.parts().empty() ? Declarations(body, "  ") : "",
      by_law ? 0 : trace.meta.ranks, body.buffer_bytes(), body.calls());
  if (by_law) {
    text += "  " + options.laws->shape + ";\n";
    if (options.laws->powers_of_two) text += "  check_power_of_two();\n";
    if (!options.laws->growth_ranks.empty()) {
      text +=
          fmt::format("  grow(computation, {}, {}, growth_ranks, *growth);\n",
                      body.Growth().size(), options.laws->growth_ranks.size());
    }
  }
  if (body.has_buffered_sends()) text += "  attach_own_buffer();\n";
  if (knows_edges) text += "  graph_edges = recorded_edges;\n";
  return text + body.text() + "  return 0;\n}\n";
}

// The types that a call takes from a table.
std::string TypesFunction(const Body& body) {
  std::string text =
      "static inline MPI_Datatype type(number kind, number size,\n"
      "                                number excess) {\n  switch (kind) {\n";
  for (const int64_t kind : body.kinds()) {
    if (kind <= 0 || kind >= int64_t(reduction::TypeNames().size())) continue;
    text += fmt::format("    case {}:\n      return {};\n", kind,
                        reduction::TypeNameByCode(kind));
  }
  return text +
         "    default:\n      return bytes_type(size, excess);\n  }\n}\n\n";
}

// How many times as long as recorded each call computes before it.
std::string GrowthText(const LawTexts& laws, const Body& body) {
  const auto list = [](const auto& values) {
    std::string text;
    for (const auto& v : values) {
      text += fmt::format("{}{:.9g}", text.empty() ? "" : ", ", double(v));
    }
    return "{" + text + "}";
  };
  std::string text = fmt::format(
      "\nstatic const double growth_ranks[] = {};\n"
      "static const double growth[][{}] = {{\n",
      list(laws.growth_ranks), laws.growth_ranks.size());
  const auto growth = body.Growth();
  for (size_t i = 0; i < growth.size(); ++i) {
    text += fmt::format("    /* {} */ {},\n", i, list(*growth[i]));
  }
  return text + "};\n";
}

std::string WaysText(const Body& body) {
  std::string text = "\nstatic const struct way ways[] = {";
  const auto ways = body.Ways();
  for (size_t i = 0; i < ways.size(); ++i) {
    text += (i % 8 == 0 ? "\n    " : " ") + ways[i] + ",";
  }
  return text + (ways.empty() ? "{-1, 0}};\n" : "\n};\n");
}

std::string TablesText(const Body& body, const LawTexts* laws,
                       const std::string& edges) {
  std::string text =
      "/* Values that no short formula gives, and how long each call computes\n"
      " * before it: see benchmark.h for both forms. */\n";
  if (!body.kinds().empty()) text += TypesFunction(body);
  if (laws != nullptr) text += laws->lists;
  text += body.values().TablesText();
  if (laws != nullptr && !laws->growth_ranks.empty())
    text += GrowthText(*laws, body);
  text += "\nstatic struct compute computation[] = {\n";
  const auto computation = body.Computation();
  for (size_t i = 0; i < computation.size(); ++i) {
    text += fmt::format("    /* {} */ {},\n", i, computation[i]);
  }
  text += "};\n" + WaysText(body);
  if (edges.empty()) return text;
  return text + "\nstatic const number recorded_edges[] = {\n" + edges +
         "    -1};\n";
}

// What the program and its source are called: make and the source know other
// files, and something to be done, by these names.
std::string BuildName(const std::string& program) {
  const std::string name = ProgramFileName(program);
  for (const std::string_view taken : {"Makefile", "makefile", "GNUmakefile",
                                       "clean", "benchmark.h", "shape.h"}) {
    if (name == taken) return name + "_";
  }
  return name;
}

std::string MakefileText(const std::string& name) {
  return fmt::format(
      "MPICC ?= mpicc\nCFLAGS ?= -O2\n{0}: {0}.c {0}_tables.h benchmark.h\n"
      "\t$(MPICC) $(CFLAGS) -o $@ {0}.c\nclean:\n\trm -f {0}\n",
      name);
}

}  // namespace

Result<Generated> GenerateC(const Trace& trace, const GenerateOptions& options,
                            const std::string& folder) {
  if (Status s = CheckProgram(trace); !s.ok()) return s;
  Body body(trace, options);
  if (Status s = body.Write(); !s.ok()) return s;
  const std::string name = BuildName(trace.meta.program);
  const Result<std::string> edges = c_mpi::GraphEdgesText(trace, options);
  if (!edges.ok()) return edges.status();
  const std::string program =
      ProgramText(trace, body, options, name, !edges->empty());
  Generated result;
  result.calls = body.calls();
  result.body_lines =
      uint64_t(std::count(program.begin() + int64_t(program.find("int main")),
                          program.end(), '\n') +
               std::ranges::count(body.parts(), '\n'));
  result.notes = body.notes();
  std::vector<std::pair<std::string, std::string>> files = {
      {name + ".c", program},
      {name + "_tables.h",
       TablesText(body, options.laws ? &*options.laws : nullptr, *edges)},
      {"benchmark.h", std::string(c_mpi::kSupport)},
      {"Makefile", MakefileText(name)}};
  if (options.laws) files.push_back({"shape.h", std::string(c_mpi::kShape)});
  for (const auto& [file, text] : files) {
    if (Status s = WriteSmallFile(folder + "/" + file, text); !s.ok()) return s;
    result.files.push_back(file);
  }
  return result;
}

}  // namespace ranksight::adapters
