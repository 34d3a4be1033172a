#include "cli/base/format.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {

std::string Duration(double ns) {
  static constexpr const char* kUnits[] = {"ns", "us", "ms", "s"};
  if (!std::isfinite(ns)) return "unknown";
  if (ns == 0) return "0 s";
  int unit = 0;
  // 999.5 would round to 1000 with three digits.
  while (unit < 3 && std::fabs(ns) >= 999.5) {
    ns /= 1000;
    ++unit;
  }
  const double size = std::fabs(ns);
  const int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", ns, digits, kUnits[unit]);
}

std::string Timestamp(int64_t unix_ns) {
  if (unix_ns == 0) return "unknown";
  const time_t seconds = unix_ns / 1000000000;
  std::tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return "unknown";
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text;
}

std::string Percent(double share) {
  return fmt::format("{:.1f} %", share * 100);
}

std::string Counted(int64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string EscapeXml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

Table::Table(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::string& name : names_) {
    left_.push_back(name.starts_with('<'));
    if (left_.back()) name.erase(0, 1);
  }
}

void Table::Add(std::vector<std::string> cells) {
  RANKSIGHT_REQUIRE(cells.size() == names_.size());
  for (std::string& cell : cells) cell = reduction::ShownName(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::ToText() const {
  std::vector<size_t> widths;
  for (const std::string& name : names_) widths.push_back(name.size());
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string out;
  const auto append = [&](const std::vector<std::string>& row) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - row[i].size(), ' ');
      if (i > 0) line += "  ";
      line += left_[i] ? row[i] + gap : gap + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  append(names_);
  for (const auto& row : rows_) append(row);
  return out;
}

}  // namespace ranksight::cli
