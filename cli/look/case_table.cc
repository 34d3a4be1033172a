#include "cli/look/case_table.h"

#include <algorithm>

#include "cli/base/format.h"
#include "cli/base/json.h"
#include "reduction/api/contract.h"

namespace ranksight::cli {
namespace {

std::string CaseTimeText(double seconds) {
  constexpr double kNsPerSecond = 1e9;
  return Duration(seconds * kNsPerSecond);
}

std::vector<std::string> CellsOf(const CaseRow& row, const CasePoint& point,
                                 const CasePoint& first, bool has_intervals) {
  const bool is_known = point.refused.empty();
  const bool is_compared =
      is_known && first.refused.empty() && first.seconds > 0;
  std::vector<std::string> cells = {
      std::to_string(point.ranks),
      is_known ? CaseTimeText(point.seconds) : "refused"};
  if (has_intervals) {
    cells.push_back(is_known ? CaseTimeText(point.low) : "");
    cells.push_back(is_known ? CaseTimeText(point.high) : "");
  }
  cells.push_back(is_compared ? Percent(point.seconds / first.seconds) : "");
  for (const auto& [option, value] : row.values) cells.push_back(value);
  return cells;
}

// Each reason once.
std::string RefusalsText(const CaseTable& table) {
  std::vector<std::string> lines;
  for (const CaseRow& row : table) {
    for (const CasePoint& point : row.points) {
      if (point.refused.empty()) continue;
      std::string line = std::to_string(point.ranks) +
                         " ranks refused: " + point.refused + "\n";
      if (std::ranges::find(lines, line) == lines.end()) {
        lines.push_back(std::move(line));
      }
    }
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace

std::string CasesText(const CaseTable& table) {
  RANKSIGHT_REQUIRE(!table.empty());
  const bool has_intervals = std::ranges::any_of(table, [](const auto& row) {
    return std::ranges::any_of(
        row.points, [](const CasePoint& point) { return point.high > 0; });
  });
  std::vector<std::string> names = {"ranks", "time"};
  if (has_intervals) names.insert(names.end(), {"low", "high"});
  names.emplace_back("of the first");
  for (const auto& [option, value] : table.front().values) {
    names.push_back("<" + option);
  }
  Table text(std::move(names));
  const std::vector<CasePoint>& first = table.front().points;
  for (size_t i = 0; i < first.size(); ++i) {
    for (const CaseRow& row : table) {
      text.Add(CellsOf(row, row.points[i], first[i], has_intervals));
    }
  }
  return text.ToText() + RefusalsText(table);
}

std::string CasesJson(const CaseTable& table, std::string_view key) {
  RANKSIGHT_REQUIRE(!table.empty());
  JsonWriter json;
  json.BeginObject().Key("varied").BeginArray();
  for (const auto& [option, value] : table.front().values) json.Value(option);
  json.EndArray().Key("cases").BeginArray();
  for (const CaseRow& row : table) {
    json.BeginObject().Key("options").BeginObject();
    for (const auto& [option, value] : row.values) json.Member(option, value);
    json.EndObject().Key(key).Raw(row.json).EndObject();
  }
  return json.EndArray().EndObject().text();
}

}  // namespace ranksight::cli
