// Values by laws: see values.h.
#include <fmt/core.h>

#include <cstdlib>

#include "adapters/c_mpi/values.h"
#include "reduction/api/call.h"

namespace ranksight::adapters::c_mpi {
namespace {

constexpr std::string_view kOfPlace = "k, n";
constexpr std::string_view kOfRun = "k, n, j";

}  // namespace

using reduction::Parameter;

bool Values::Number(const Parameter& p, int64_t* value) const {
  if (!by_law()) return IsNumber(p, value);
  const LawText& law = *laws_.at(&p);
  if (law.value.empty() || law.loop >= 0) return false;
  char* end = nullptr;
  *value = std::strtoll(law.value.c_str(), &end, 10);
  return *end == '\0';
}

bool Values::Special(const Parameter& p) const {
  if (!by_law()) return HasSpecial(p);
  const LawText& law = *laws_.at(&p);
  for (const std::string* text : {&law.value, &law.first, &law.place}) {
    for (const char* word :
         {"_PEER", "TAG_ANY", "NO_COLOR", "neighbour(", "along_ranks("}) {
      if (text->find(word) != std::string::npos) return true;
    }
  }
  return HasSpecial(p);
}

// A function of these ("k, n"), or of nothing; laws that say the same share
// one.
std::string Values::AddFunction(std::string_view name, const std::string& value,
                                std::string_view of) {
  const std::string key = fmt::format("{}: {}", of, value);
  const auto [known, added] = law_functions_.try_emplace(
      key, fmt::format("{}_law_{}", name, law_functions_.size()));
  if (!added) return known->second;
  if (of.empty()) {
    functions_ +=
        fmt::format("static inline number {}(void) {{ return {}; }}\n",
                    known->second, value);
    return known->second;
  }
  const bool of_run = of == kOfRun;
  functions_ += fmt::format(
      "static inline number {}(number k, number n{}) {{\n"
      "  (void)k, (void)n;\n  return {};\n}}\n",
      known->second, of_run ? ", number j" : "", value);
  return known->second;
}

std::string Values::AddLaw(const LawText& law, std::string_view name) {
  if (law.loop >= 0) {
    problem_ = "an array that follows a loop";
    return "none";
  }
  const std::string variable = fmt::format("{}_{}", name, laws_made_++);
  // One value is a list of one.
  const std::string& place = law.value.empty() ? law.place : law.value;
  const std::string period = law.value.empty() ? law.period : "1";
  std::string fields =
      ".law = " + AddFunction(name, place.empty() ? "0" : place, kOfPlace);
  if (law.firsts > 0) {
    fields += fmt::format(", .first = {}, .firsts = {}",
                          AddFunction(name, law.first, kOfPlace), law.firsts);
  }
  if (!period.empty()) {
    fields += ", .period = " + AddFunction("period", period, "");
  }
  law_variables_ +=
      fmt::format("static struct value {} = {{{}}};\n", variable, fields);
  return variable;
}

std::string Values::ByLaw(const LawText& law, std::string_view name) {
  if (law.absent) return "0";
  if (law.value.empty()) return "next(&" + AddLaw(law, name) + ")";
  return law.loop < 0 ? law.value : InLoop(law, name);
}

std::string Values::InLoop(const LawText& law, std::string_view name) {
  if (size_t(law.loop) >= loops_.size()) {
    problem_ = "a law that follows a loop which is not around it";
    return "0";
  }
  Around& around = loops_[size_t(law.loop)];
  const std::string function =
      AddFunction(name, law.value, law.of_run ? kOfRun : kOfPlace);
  const std::string part = law.step > 1 ? fmt::format(" / {}", law.step) : "";
  const std::string place = around.index + part + ", " + around.rounds + part;
  if (!law.of_run) return fmt::format("{}({})", function, place);
  const std::string run = fmt::format("run_{}", runs_counted_++);
  around.resets.push_back(law.step > 1
                              ? fmt::format("if ({} % {} == 0) {} = 0;",
                                            around.index, law.step, run)
                              : run + " = 0;");
  law_variables_ += fmt::format("static number {};\n", run);
  return fmt::format("{}({}, {}++)", function, place, run);
}

std::vector<std::string> Values::LeaveLoop() {
  std::vector<std::string> resets = std::move(loops_.back().resets);
  loops_.pop_back();
  return resets;
}

std::string Values::Most(const Parameter& p, std::string_view name) {
  const LawText& law = *laws_.at(&p);
  if (!law.value.empty() || law.absent) return ByLaw(law, name);
  return "most(&" + AddLaw(law, name) + ")";
}

}  // namespace ranksight::adapters::c_mpi
