#include "adapters/conceptual/tasks.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "adapters/base/rank_formula.h"
#include "reduction/api/contract.h"

namespace ranksight::adapters::conceptual {
namespace {

using reduction::RankSet;
using reduction::Section;
using reduction::Term;
using Values = std::vector<std::pair<int64_t, int64_t>>;

// Runs up to this length are listed in full.
constexpr uint64_t kListed = 4;

std::string RunText(const Term& run) {
  std::string text = "{";
  const uint64_t shown =
      run.count <= kListed ? run.count : (run.stride == 1 ? 1 : 3);
  for (uint64_t i = 0; i < shown; ++i) {
    text += fmt::format("{}{}", i > 0 ? ", " : "",
                        run.value + run.stride * int64_t(i));
  }
  if (shown < run.count) {
    text += fmt::format(", ..., {}",
                        run.value + run.stride * int64_t(run.count - 1));
  }
  return text + "}";
}

// Without a body: one range. With one: its values, moved once for each round.
std::string TermsText(std::span<const Term> terms, int depth) {
  std::string text;
  for (size_t i = 0; i < terms.size(); ++i) {
    const Term& t = terms[i];
    if (!text.empty()) text += ", ";
    if (t.body.empty() && t.count == 1) {
      // Values by themselves share one pair of braces.
      text += "{" + std::to_string(t.value);
      while (i + 1 < terms.size() && terms[i + 1].body.empty() &&
             terms[i + 1].count == 1) {
        text += ", " + std::to_string(terms[++i].value);
      }
      text += "}";
      continue;
    }
    if (t.body.empty()) {
      text += RunText(t);
      continue;
    }
    const Term rounds = {0, t.stride, t.count, {}};
    text +=
        fmt::format("{{r{0} + v{0} FOR EACH r{0} IN {1} FOR EACH v{0} IN {2}}}",
                    depth, RunText(rounds), TermsText(t.body, depth + 1));
  }
  return text;
}

std::string FormulaText(const RankFormula& f, int64_t ranks,
                        const std::string& task) {
  switch (f.form) {
    case RankFormula::Form::kNone:
      return "";
    case RankFormula::Form::kNumber:
      return std::to_string(f.b);
    case RankFormula::Form::kShifted:
      return PlusText(task, f.b);
    case RankFormula::Form::kLinear:
      return PlusText(fmt::format("{} * {}", f.a, task), f.b);
    case RankFormula::Form::kXor:
      return fmt::format("{} XOR {}", task, f.b);
    case RankFormula::Form::kModulo:
      return fmt::format("{} MOD {}", task, f.a);
    case RankFormula::Form::kQuotient:
      return fmt::format("{} / {}", task, f.a);
    case RankFormula::Form::kRing:
      break;
  }
  return fmt::format("({} + {}) MOD {}", task, f.b, ranks);
}

// The sets of ranks with the same value, relative to the rank or not.
std::map<int64_t, RankSet> Groups(const Values& values, bool relative) {
  std::map<int64_t, RankSet> groups;
  for (const auto& [rank, value] : values) {
    groups[relative ? value - rank : value].Append(rank);
  }
  return groups;
}

}  // namespace

std::string Grouped(const std::string& text) {
  RANKSIGHT_REQUIRE(!text.empty());
  const bool word = text.find(' ') == std::string::npos;
  const bool closed = text.front() == '(' && text.find(')') == text.size() - 1;
  return word || closed ? text : "(" + text + ")";
}

std::string PlusText(const std::string& text, int64_t c) {
  if (c == 0) return text;
  return fmt::format("{} {} {}", text, c < 0 ? '-' : '+', c < 0 ? -c : c);
}

std::string RangesText(const Section& values) {
  return TermsText(values.terms(), 0);
}

std::string ConditionText(const RankSet& set, int64_t ranks,
                          const std::string& task) {
  RANKSIGHT_REQUIRE(!set.empty() && int64_t(set.size()) <= ranks);
  if (int64_t(set.size()) == ranks) return "";
  if (set.terms().size() == 1 && set.terms()[0].body.empty()) {
    const Term& t = set.terms()[0];
    const int64_t last = t.value + t.stride * int64_t(t.count - 1);
    if (t.count == 1) return fmt::format("{} = {}", task, t.value);
    if (t.stride == 1 && t.value == 0)
      return fmt::format("{} < {}", task, last + 1);
    if (t.stride == 1 && last == ranks - 1) {
      return fmt::format("{} >= {}", task, t.value);
    }
    // A remainder alone says it where no rank is left out at either end.
    if (t.value < t.stride && last + t.stride >= ranks) {
      return fmt::format("{} MOD {} = {}", task, t.stride, t.value);
    }
  }
  return fmt::format("{} IS IN {}", task, RangesText(set));
}

std::string CasesText(const std::map<std::string, RankSet>& cases,
                      int64_t ranks, const std::string& task) {
  RANKSIGHT_REQUIRE(!cases.empty());
  const auto largest = std::max_element(
      cases.begin(), cases.end(), [](const auto& a, const auto& b) {
        return a.second.size() < b.second.size();
      });
  std::string text;
  for (auto it = cases.begin(); it != cases.end(); ++it) {
    if (it == largest) continue;
    text += Grouped(it->first) + " IF " +
            ConditionText(it->second, ranks, task) + " OTHERWISE ";
  }
  return text.empty() ? largest->first : text + Grouped(largest->first);
}

std::string ValueText(const Values& values, int64_t ranks,
                      const std::string& task, size_t most_cases) {
  if (values.empty()) return "0";
  const RankFormula f = FindRankFormula(values, ranks);
  if (f.form != RankFormula::Form::kNone) return FormulaText(f, ranks, task);
  const auto relative = Groups(values, true), absolute = Groups(values, false);
  const bool shorter = relative.size() <= absolute.size();
  const auto& groups = shorter ? relative : absolute;
  if (groups.size() > most_cases) return "";
  std::map<std::string, RankSet> cases;
  for (const auto& [value, set] : groups) {
    cases[shorter ? PlusText(task, value) : std::to_string(value)] = set;
  }
  return CasesText(cases, ranks, task);
}

}  // namespace ranksight::adapters::conceptual
