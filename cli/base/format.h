// Numbers and tables for people.
// Thread-safety: pure functions; a Table belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ranksight::cli {

// "0 s", "812 ns", "4.56 us", "1.23 ms", "12.3 s": three digits.
std::string Duration(double ns);
// UTC, "2026-11-21 08:15:30 UTC"; "unknown" when 0.
std::string Timestamp(int64_t unix_ns);
// "12.5 %".
std::string Percent(double share);
// "1 segment", "2 segments".
std::string Counted(int64_t n, std::string_view what);

// Of attributes and text of XML: SVG, JUnit.
std::string EscapeXml(std::string_view text);

// A table with columns as wide as they need to be, two spaces between them.
class Table {
 public:
  // One entry per column; a name that starts with '<' is aligned left, the
  // others right.
  explicit Table(std::vector<std::string> names);
  // REQUIRES: as many cells as columns.
  void Add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  std::string ToText() const;

 private:
  std::vector<std::string> names_;
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ranksight::cli
