#include "adapters/c_mpi/wrapped_text.h"

namespace ranksight::adapters::c_mpi {
namespace {

constexpr size_t kColumns = 80;

}  // namespace

std::string Wrapped(const std::string& text, size_t indent) {
  const std::string margin(indent, ' ');
  std::string out, line = margin;
  size_t at = 0;
  bool first = true;
  while (at < text.size()) {
    size_t end = text.find(", ", at);
    end = end == std::string::npos ? text.size() : end + 2;
    const std::string word = text.substr(at, end - at);
    const size_t width = line.size() + word.size() - (word.back() == ' ');
    if (width > kColumns && !first) {
      while (line.back() == ' ') line.pop_back();
      out += line + "\n";
      line = margin + "    ";
    }
    line += word;
    first = false;
    at = end;
  }
  return out + line + "\n";
}

}  // namespace ranksight::adapters::c_mpi
