#include "adapters/conceptual/statement.h"

namespace ranksight::adapters::conceptual {
namespace {

constexpr size_t kColumns = 80;

std::string Wrapped(const std::string& text, size_t indent) {
  std::string out, line(indent, ' ');
  bool first = true;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!first && line.size() + 1 + word.size() > kColumns) {
      out += line + "\n";
      line = std::string(indent + 4, ' ') + word;
    } else {
      line += (first ? "" : " ") + word;
    }
    first = false;
    at = end + 1;
  }
  return out + line + "\n";
}

}  // namespace

std::string LaidOut(const std::vector<Statement>& statements, int depth) {
  const size_t indent = 2 * size_t(depth);
  const std::string margin(indent, ' ');
  std::string out;
  for (size_t i = 0; i < statements.size(); ++i) {
    const Statement& s = statements[i];
    const std::string end = i + 1 < statements.size() ? " THEN" : "";
    if (!s.comment.empty()) out += margin + "# " + s.comment + "\n";
    if (s.body.empty()) {
      out += Wrapped(s.text + end, indent);
      continue;
    }
    out += Wrapped(s.text + " {", indent) + LaidOut(s.body, depth + 1);
    out += margin + "}" + end + "\n";
  }
  return out;
}

}  // namespace ranksight::adapters::conceptual
