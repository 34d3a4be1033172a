// Values by laws: see values.h.
#include <fmt/core.h>

#include <cstdlib>

#include "adapters/c_mpi/values.h"
#include "reduction/api/call.h"

namespace ranksight::adapters::c_mpi {

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

// A function of k and n, or of nothing; laws that say the same share one.
std::string Values::AddFunction(std::string_view name, const std::string& value,
                                bool of_place) {
  const std::string key = (of_place ? "k, n: " : "") + value;
  const auto [known, added] = law_functions_.try_emplace(
      key, fmt::format("{}_law_{}", name, law_functions_.size()));
  if (added && of_place) {
    functions_ += fmt::format(
        "static inline number {}(number k, number n) {{\n"
        "  (void)k, (void)n;\n  return {};\n}}\n",
        known->second, value);
  } else if (added) {
    functions_ +=
        fmt::format("static inline number {}(void) {{ return {}; }}\n",
                    known->second, value);
  }
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
      ".law = " + AddFunction(name, place.empty() ? "0" : place, true);
  if (law.firsts > 0) {
    fields += fmt::format(", .first = {}, .firsts = {}",
                          AddFunction(name, law.first, true), law.firsts);
  }
  if (!period.empty()) {
    fields += ", .period = " + AddFunction("period", period, false);
  }
  law_variables_ +=
      fmt::format("static struct value {} = {{{}}};\n", variable, fields);
  return variable;
}

std::string Values::ByLaw(const LawText& law, std::string_view name) {
  if (law.absent) return "0";
  if (law.value.empty()) return "next(&" + AddLaw(law, name) + ")";
  if (law.loop < 0) return law.value;
  if (size_t(law.loop) >= loops_.size()) {
    problem_ = "a law that follows a loop which is not around it";
    return "0";
  }
  const auto& [index, rounds] = loops_[size_t(law.loop)];
  return fmt::format("{}({}, {})", AddFunction(name, law.value, true), index,
                     rounds);
}

std::string Values::Most(const Parameter& p, std::string_view name) {
  const LawText& law = *laws_.at(&p);
  if (!law.value.empty() || law.absent) return ByLaw(law, name);
  return "most(&" + AddLaw(law, name) + ")";
}

}  // namespace ranksight::adapters::c_mpi
