#include "adapters/base/quoted_text.h"

#include "reduction/api/shown_text.h"

namespace ranksight::adapters {
namespace {

constexpr std::string_view kFormula = "=+-@";

// What would begin or end a comment, or, at its end, continue the line.
bool GoesTogether(char before, char c) {
  return (before == '*' && c == '/') || (before == '/' && c == '*') ||
         (before == '?' && c == '?');
}

}  // namespace

std::string CCommentText(std::string_view name) {
  std::string out;
  for (const char c : reduction::ShownName(name)) {
    // A backslash at the end of a line joins the next one to it.
    const char safe = c == '\\' ? '|' : c;
    if (!out.empty() && GoesTogether(out.back(), safe)) out += ' ';
    out += safe;
  }
  return out;
}

std::string JsonText(std::string_view name) {
  std::string out = "\"";
  for (const char c : reduction::ShownName(name)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string CsvText(std::string_view name) {
  const std::string shown = reduction::ShownName(name);
  std::string out = "\"";
  if (!shown.empty() && kFormula.find(shown[0]) != kFormula.npos) out += ' ';
  for (const char c : shown) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace ranksight::adapters
