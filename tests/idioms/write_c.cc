#include "tests/idioms/write_c.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

namespace ranksight::idioms {
namespace {

using reduction::Status;

constexpr const char* kRules[] = {
    "kLine",         "kDimsCreate", "kEqualSides",  "kHalves",
    "kLeastSurface", "kLongFirst",  "kGivenColumns"};
constexpr const char* kOrders[] = {"kRowMajor", "kColumnMajor", "kSnake",
                                   "kMorton"};

std::set<const Idiom*> IdiomsOf(const Program& p) {
  std::set<const Idiom*> idioms;
  for (const Phase& phase : p.phases) idioms.insert(phase.idiom);
  return idioms;
}

std::string FormsText(const Program& p) {
  std::string text = "#pragma once\n\n#include \"common.h\"\n";
  for (const Idiom* idiom : IdiomsOf(p)) {
    const std::string name = idiom->name;
    text += fmt::format("\nstruct {}_form {{\n", name);
    for (const Field& f : idiom->fields) {
      text +=
          fmt::format("  int {}; /* {} to {} */\n", f.name, f.least, f.most);
    }
    text += fmt::format(
        "}};\nstruct {0};\nstruct {0} *{0}_start(const struct grid *g,\n"
        "    const struct {0}_form *form);\nvoid {0}_step(struct {0} *state, "
        "int step);\nvoid {0}_end(struct {0} *state);\n",
        name);
  }
  return text;
}

std::string FormText(const Phase& phase) {
  std::string text;
  for (size_t i = 0; i < phase.form.size(); ++i) {
    text += fmt::format("      .{} = {},\n", phase.idiom->fields[i].name,
                        phase.form[i]);
  }
  return text;
}

std::string StepsText(const Program& p) {
  std::string text =
      fmt::format("  for (int step = 0; step < {}; ++step) {{\n", p.steps);
  for (size_t i = 0; i < p.phases.size(); ++i) {
    text += fmt::format("    {}_step(phase_{}, step);\n",
                        p.phases[i].idiom->name, i);
  }
  if (p.residual > 0) {
    text += fmt::format(
        "    if (step % {} == 0) {{\n      MPI_Allreduce(&mine, &sum, 1, "
        "MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n    }}\n",
        p.residual);
  }
  return text + "  }\n";
}

std::string MainText(const Program& p) {
  std::string text = fmt::format(
      "/* Drawn from seed {}, for {} ranks. */\n#include \"forms.h\"\n\n"
      "int main(int argc, char **argv) {{\n  struct grid g;\n"
      "  const int mesh[kMostSides] = {{{}, {}, {}}};\n"
      "  double mine = 1, sum = 0;\n  MPI_Init(&argc, &argv);\n"
      "  make_grid(&g, {}, {}, {}, mesh);\n",
      p.seed, fmt::join(p.inputs, " "), p.mesh[0], p.mesh[1], p.mesh[2],
      kRules[p.rule], kOrders[p.order], p.sides);
  for (size_t i = 0; i < p.phases.size(); ++i) {
    const std::string name = p.phases[i].idiom->name;
    text += fmt::format("  const struct {}_form form_{} = {{\n{}  }};\n", name,
                        i, FormText(p.phases[i]));
    text += fmt::format("  struct {0} *phase_{1} = {0}_start(&g, &form_{1});\n",
                        name, i);
  }
  text += StepsText(p);
  for (size_t i = 0; i < p.phases.size(); ++i) {
    text += fmt::format("  {}_end(phase_{});\n", p.phases[i].idiom->name, i);
  }
  return text + "  MPI_Finalize();\n  return mine + sum < 0;\n}\n";
}

Status WriteText(const std::string& text, const std::string& path) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) return Status::Io(path + ": cannot be written");
  return Status::Ok();
}

// A file of programs/, whose includes then name files beside it.
Status Copy(const std::string& name, const std::string& folder) {
  const std::string from = std::string(RANKSIGHT_IDIOM_SOURCES) + "/" + name;
  std::ifstream file(from);
  std::ostringstream all;
  all << file.rdbuf();
  if (!file) return Status::Io(from + ": cannot be read");
  std::string text = all.str();
  const std::string path = "tests/idioms/programs/";
  for (size_t at; (at = text.find(path)) != std::string::npos;) {
    text.erase(at, path.size());
  }
  return WriteText(text, folder + "/" + name);
}

}  // namespace

std::string GridText(const Program& p) {
  return fmt::format("{}, {}, {} sides", kRules[p.rule], kOrders[p.order],
                     p.sides);
}

Status WriteC(const Program& program, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Status::Io(folder + ": cannot be made");
  std::vector<std::string> names = {"common.h", "grid.c", "finish.c"};
  for (const Idiom* idiom : IdiomsOf(program)) {
    names.push_back(std::string(idiom->name) + ".c");
  }
  for (const std::string& name : names) {
    if (auto s = Copy(name, folder); !s.ok()) return s;
  }
  if (auto s = WriteText(FormsText(program), folder + "/forms.h"); !s.ok()) {
    return s;
  }
  return WriteText(MainText(program), folder + "/main.c");
}

}  // namespace ranksight::idioms
