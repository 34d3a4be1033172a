#include "tests/idioms/table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <vector>

namespace ranksight::idioms {
namespace {

// exact/estimated/refused/wrong, and what came to no answer where there is any.
std::string CellText(const Table::Counts& c) {
  const auto of = [&](Verdict v) { return c[size_t(v)]; };
  std::string text =
      fmt::format("{}/{}/{}/{}", of(Verdict::kExact), of(Verdict::kEstimated),
                  of(Verdict::kRefused), of(Verdict::kWrong));
  if (of(Verdict::kTooLong) > 0) {
    text += fmt::format(" {} long", of(Verdict::kTooLong));
  }
  if (of(Verdict::kBroken) > 0) {
    text += fmt::format(" {} broken", of(Verdict::kBroken));
  }
  return text;
}

using Row = std::map<std::pair<int, bool>, Table::Counts>;

std::string RowText(const std::string& name, const Row& row, const Row& all) {
  std::string text = fmt::format("{:<16}", name);
  for (const auto& [which, unused] : all) {
    const auto it = row.find(which);
    text += fmt::format(
        " {:>19}", it == row.end() ? std::string("-") : CellText(it->second));
  }
  return text + "\n";
}

void AddUp(const Row& row, Row* all) {
  for (const auto& [which, counts] : row) {
    for (size_t v = 0; v < counts.size(); ++v) (*all)[which][v] += counts[v];
  }
}

}  // namespace

void Table::Add(const std::string& idiom, const Outcome& o) {
  ++counts_[idiom][{o.which.inputs, o.which.far}][size_t(o.verdict)];
  Off off{};
  std::array<int, 4> inside{};
  if (o.verdict == Verdict::kEstimated &&
      std::sscanf(o.reason.c_str(), kOffRead, &off[0], &off[1], &off[2],
                  &inside[0], &inside[1], &inside[2], &inside[3]) == 7) {
    for (size_t i = 0; i < inside.size(); ++i) inside_[i] += inside[i];
    off_[idiom][{o.which.inputs, o.which.far}].push_back(off);
    return;
  }
  if (o.verdict == Verdict::kExact) return;
  for (const std::string told : {kToldDims, kToldRun}) {
    if (!o.reason.starts_with(told)) continue;
    const size_t end = o.reason.find(';');
    ++told_[told][o.reason.substr(told.size(), end - told.size())];
  }
  ++reasons_[idiom][fmt::format("{}: {}", NameOf(o.verdict), KindOf(o.reason))];
}

std::string Table::ToText() const {
  Row all;
  for (const auto& [name, row] : counts_) AddUp(row, &all);
  std::string text = fmt::format("{:<16}", "");
  for (const auto& [which, unused] : all) {
    text += fmt::format(" {:>19}", fmt::format("{} inputs, x{}", which.first,
                                               which.second ? 4 : 2));
  }
  text += "\n";
  for (const auto& [name, row] : counts_) text += RowText(name, row, all);
  if (counts_.size() > 1) text += RowText("all", all, all);
  return text;
}

std::string Table::OffText() const {
  std::string text;
  for (const auto& [idiom, cases] : off_) {
    text += fmt::format("{:<16}", idiom);
    for (const auto& [which, all] : cases) {
      text +=
          fmt::format(" {} inputs, x{}: ", which.first, which.second ? 4 : 2);
      for (size_t i = 0; i < 3; ++i) {
        std::vector<double> values;
        for (const Off& off : all) values.push_back(off[i]);
        std::sort(values.begin(), values.end());
        text += fmt::format("{}{:.0f}", i == 0 ? "" : "/",
                            values[values.size() / 2]);
      }
      text += fmt::format(" of {};", all.size());
    }
    text += "\n";
  }
  if (inside_[3] > 0) {
    text += fmt::format("inside {}/{}/{} of {} call sites\n", inside_[0],
                        inside_[1], inside_[2], inside_[3]);
  }
  return text;
}

std::string Table::ToldText() const {
  std::string text;
  for (const auto& [told, outcomes] : told_) {
    text += told;
    for (const auto& [outcome, n] : outcomes) {
      text +=
          fmt::format("{}{} {}", text.ends_with(' ') ? "" : ", ", n, outcome);
    }
    text += "\n";
  }
  return text;
}

std::string Table::WhyText() const {
  std::string text;
  for (const auto& [idiom, kinds] : reasons_) {
    std::vector<std::pair<int, std::string>> order;
    for (const auto& [kind, n] : kinds) order.emplace_back(n, kind);
    std::sort(order.rbegin(), order.rend());
    text += idiom + "\n";
    for (const auto& [n, kind] : order) {
      text += fmt::format("  {:>5}  {}\n", n, kind);
    }
  }
  return text;
}

std::string KindOf(const std::string& reason) {
  // Which parameter of which call, not where, nor as which grid.
  const size_t law = reason.find("no law for ");
  const size_t begin = law == std::string::npos ? 0 : law;
  const size_t end = law == std::string::npos ? 80 : reason.find(" at ", law);
  std::string kind;
  for (size_t i = begin; i < std::min(end, reason.size()); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(reason[i])) != 0;
    if (digit && !kind.empty() && kind.back() == '#') continue;
    kind += digit ? '#' : reason[i];
  }
  return kind;
}

}  // namespace ranksight::idioms
