#include "adapters/conceptual/expressions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <span>
#include <string_view>

#include "adapters/conceptual/tasks.h"

namespace ranksight::adapters::conceptual {
namespace {

using reduction::RankSet;
using reduction::Section;
using reduction::Term;

// More cases than these are no benchmark that anybody reads. Doubling them
// doubles the longest line.
constexpr size_t kMostCases = 512;

// A term whose values are formulas of the task.
struct Form {
  std::string value;  // of a run
  int64_t stride = 0;
  uint64_t count = 1;
  std::vector<Form> body;
};

uint64_t SizeOf(std::span<const Form> forms) {
  uint64_t size = 0;
  for (const Form& f : forms) {
    size += f.count * (f.body.empty() ? 1 : SizeOf(f.body));
  }
  return size;
}

// The one value of all, or nullptr.
const std::string* OneValue(std::span<const Form> forms) {
  const std::string* one = nullptr;
  for (const Form& f : forms) {
    if (f.stride != 0 && f.count > 1) return nullptr;
    const std::string* value = f.body.empty() ? &f.value : OneValue(f.body);
    if (value == nullptr || (one != nullptr && *one != *value)) return nullptr;
    one = value;
  }
  return one;
}

class ClosedForm {
 public:
  // "" when there are too many cases.
  std::string Of(std::span<const Form> forms, std::vector<Level> levels) {
    const std::string text = Text(forms, std::move(levels));
    return cases_ > kMostCases ? "" : text;
  }

 private:
  std::string Text(std::span<const Form> forms, std::vector<Level> levels) {
    if (cases_ > kMostCases) return "0";
    if (const std::string* one = OneValue(forms)) return *one;
    std::erase_if(levels, [](const Level& l) { return l.most == 1; });
    if (levels.empty()) return "0";  // more than one value at one position
    return forms.size() == 1 ? Repeated(forms[0], std::move(levels))
                             : Listed(forms, std::move(levels));
  }

  // One term: what the outermost loop adds, and the rest.
  std::string Repeated(const Form& form, std::vector<Level> levels) {
    const Level outer = levels[0];
    const auto most = uint64_t(outer.most);
    if (form.count % most == 0) {
      const uint64_t rounds = form.count / most;
      levels.erase(levels.begin());
      Form inner = form;
      inner.count = rounds;
      const std::string rest =
          rounds > 1 || form.body.empty()
              ? Text(std::span(&inner, 1), std::move(levels))
              : Text(form.body, std::move(levels));
      return Sum(rest, form.stride * int64_t(rounds), outer.index);
    }
    if (most % form.count == 0) {
      const auto each = int64_t(most / form.count);
      levels[0] = {fmt::format("({} MOD {})", outer.index, each), each};
      levels.insert(
          levels.begin(),
          {fmt::format("({} / {})", outer.index, each), int64_t(form.count)});
      return Repeated(form, std::move(levels));
    }
    return Text(std::span(&form, 1), Flat(levels));
  }

  // Several terms: cases over the outermost loop, each of whole rounds.
  std::string Listed(std::span<const Form> forms, std::vector<Level> levels) {
    uint64_t round = 1;
    for (size_t i = 1; i < levels.size(); ++i)
      round *= uint64_t(levels[i].most);
    const std::vector<Level> all = levels;
    const std::string& index = all[0].index;
    struct Part {
      std::string text;
      uint64_t end;
    };
    std::vector<Part> parts;
    uint64_t done = 0;
    for (size_t first = 0; first < forms.size();) {
      size_t behind = first;
      uint64_t size = 0;
      do size += SizeOf(forms.subspan(behind++, 1));
      while (size % round != 0 && behind < forms.size());
      const bool mixed = behind - first > 1 && size > round;
      if (size % round != 0 || (mixed && levels.size() > 1)) {
        return Text(forms, Flat(all));
      }
      levels[0] = {done == 0 ? index : fmt::format("({} - {})", index, done),
                   int64_t(size / round)};
      const std::string text =
          Text(forms.subspan(first, behind - first), levels);
      done += size / round;
      if (!parts.empty() && parts.back().text == text) {
        parts.back().end = done;
      } else {
        parts.push_back({text, done});
        ++cases_;
      }
      first = behind;
    }
    std::string text;
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      text += fmt::format("{} IF {} < {} OTHERWISE ", Grouped(parts[i].text),
                          index, parts[i].end);
    }
    return text.empty() ? parts[0].text : text + Grouped(parts.back().text);
  }

  // All loops as one.
  static std::vector<Level> Flat(const std::vector<Level>& levels) {
    Level all = levels[0];
    for (size_t i = 1; i < levels.size(); ++i) {
      all.index = fmt::format("({} * {} + {})", all.index, levels[i].most,
                              levels[i].index);
      all.most *= levels[i].most;
    }
    return {all};
  }

  static std::string Sum(const std::string& rest, int64_t factor,
                         const std::string& index) {
    if (factor == 0) return rest;
    const int64_t size = factor < 0 ? -factor : factor;
    const std::string more =
        size == 1 ? index : fmt::format("{} * {}", size, index);
    if (rest == "0" && factor > 0) return more;
    const bool cases = rest.find(" IF ") != std::string::npos;
    return (cases ? Grouped(rest) : rest) + (factor < 0 ? " - " : " + ") + more;
  }

  size_t cases_ = 0;
};

// Longest round that is compared value by value; doubling it doubles the
// longest pattern that is found out of step with its loop.
constexpr uint64_t kLongestRound = 4096;

// Whether the values are those of one round, moved by a stride each time.
bool Repeats(const Section& values, const std::vector<int64_t>& round,
             int64_t stride) {
  reduction::SectionCursor next(&values);
  int64_t shift = 0;
  for (size_t i = 0; !next.done(); ++i) {
    if (i == round.size()) {
      i = 0;
      shift += stride;
    }
    if (next.Next() != round[i] + shift) return false;
  }
  return true;
}

// The section folded in step with the loops where it repeats as they do:
// elsewhere it may begin with a part of a round.
std::vector<Term> InStep(const Section& values,
                         const std::vector<Level>& levels) {
  const std::vector<Term> own(values.terms().begin(), values.terms().end());
  if (own.size() == 1) return own;
  uint64_t round = 1;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    round *= uint64_t(level->most);
    if (round >= values.size() || round > kLongestRound) break;
    const std::vector<int64_t> first = values.Expand(round);
    const int64_t stride = values.At(round) - first[0];
    if (!Repeats(values, first, stride)) continue;
    const Section folded = Section::Of(first);
    return {{0,
             stride,
             values.size() / round,
             {folded.terms().begin(), folded.terms().end()}}};
  }
  return own;
}

// Ranks whose sections nest alike, with the values of their runs.
struct Group {
  std::vector<Term> terms;  // of the first
  std::vector<int64_t> ranks;
  std::vector<std::vector<std::pair<int64_t, int64_t>>> values;
};

void Describe(std::span<const Term> terms, std::string* shape,
              std::vector<int64_t>* values) {
  for (const Term& t : terms) {
    *shape += fmt::format("{},{},{};", t.stride, t.count, t.body.size());
    if (t.body.empty()) values->push_back(t.value);
    Describe(t.body, shape, values);
  }
}

std::vector<Form> FormsOf(std::span<const Term> terms,
                          const std::vector<std::string>& values,
                          size_t* next) {
  std::vector<Form> forms;
  for (const Term& t : terms) {
    Form form;
    form.stride = t.stride;
    form.count = t.count;
    if (t.body.empty()) form.value = values[(*next)++];
    form.body = FormsOf(t.body, values, next);
    forms.push_back(std::move(form));
  }
  return forms;
}

std::string TextOf(const Group& group, const std::vector<Level>& levels,
                   int64_t ranks) {
  std::vector<std::string> values;
  for (const auto& over_ranks : group.values) {
    values.push_back(ValueText(over_ranks, ranks, kTask, kMostCases));
    if (values.back().empty()) return "";
  }
  size_t next = 0;
  return ClosedForm().Of(FormsOf(group.terms, values, &next), levels);
}

}  // namespace

std::string ExpressionText(const Sequences& sequences,
                           const std::vector<Level>& levels, int64_t ranks) {
  std::map<std::string, Group> groups;
  for (const auto& [rank, section] : sequences) {
    std::string shape;
    std::vector<int64_t> values;
    // However often it repeats, one value is one case.
    std::vector<Term> terms = {{0, 0, 1, {}}};
    if (!section.IsConstant()) {
      terms = InStep(section, levels);
    } else if (!section.empty()) {
      terms[0].value = section.At(0);
    }
    Describe(terms, &shape, &values);
    Group& group = groups[shape];
    if (group.ranks.empty()) {
      group.terms = std::move(terms);
      group.values.resize(values.size());
    }
    group.ranks.push_back(rank);
    for (size_t i = 0; i < values.size(); ++i) {
      group.values[i].push_back({rank, values[i]});
    }
  }
  // Ranks of different nesting may still say the same, and are one case then.
  std::map<std::string, std::vector<int64_t>> by_text;
  for (const auto& [shape, group] : groups) {
    const std::string text = TextOf(group, levels, ranks);
    if (text.empty()) return "";
    auto& all = by_text[text];
    all.insert(all.end(), group.ranks.begin(), group.ranks.end());
  }
  if (by_text.empty()) return "0";
  if (by_text.size() > kMostCases) return "";
  std::map<std::string, RankSet> cases;
  for (auto& [text, members] : by_text) {
    std::sort(members.begin(), members.end());
    cases[text] = Section::Of(members);
  }
  return CasesText(cases, ranks, kTask);
}

std::string ConditionOf(const std::string& text) {
  constexpr std::string_view kThen = "1 IF ", kElse = " OTHERWISE 0";
  const std::string_view all = text;
  if (all.starts_with(kThen) && all.ends_with(kElse)) {
    const auto inner =
        all.substr(kThen.size(), all.size() - kThen.size() - kElse.size());
    if (inner.find("OTHERWISE") == inner.npos) return std::string(inner);
  }
  return Grouped(text) + " = 1";
}

bool Names(const std::string& text, const std::string& variable) {
  const auto part = [&](size_t i) {
    return i < text.size() && (std::isalnum(text[i]) || text[i] == '_');
  };
  for (size_t at = 0; (at = text.find(variable, at)) != std::string::npos;
       ++at) {
    if ((at == 0 || !part(at - 1)) && !part(at + variable.size())) return true;
  }
  return false;
}

}  // namespace ranksight::adapters::conceptual
