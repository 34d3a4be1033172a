#include "adapters/c_mpi/call_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "adapters/c_mpi/wrapped_text.h"

namespace ranksight::adapters::c_mpi {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWordPart(char c) {
  return IsDigit(c) || c == '_' || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

// "i3"
bool IsCounter(std::string_view word) {
  return word.size() > 1 && word[0] == 'i' &&
         std::all_of(word.begin() + 1, word.end(), IsDigit);
}

// What is left of a statement without its numbers and tables, and these.
class Abstraction {
 public:
  Abstraction(std::string_view statement, const CallTable::PlaceOf& place)
      : place_(place) {
    while (!statement.empty()) {
      const size_t size = TakeWord(statement);
      statement.remove_prefix(size);
    }
  }
  const std::string& form() const { return form_; }
  const std::vector<std::string>& arguments() const { return arguments_; }

 private:
  // One character, where no word begins.
  size_t TakeWord(std::string_view rest) {
    size_t size = 0;
    while (size < rest.size() && IsWordPart(rest[size])) ++size;
    if (size == 0) {
      form_ += rest[0];
      return 1;
    }
    const std::string_view word = rest.substr(0, size);
    if (IsDigit(word[0])) {
      AddArgument(std::string(word), "a[{}]");
    } else if (IsCounter(word)) {
      form_ += 'i';
    } else if (const int64_t place = place_(word); place >= 0) {
      return size + TakeVariable(place, rest.substr(size));
    } else {
      form_ += word;
    }
    return size;
  }

  // "&name" and "name.now".
  size_t TakeVariable(int64_t place, std::string_view behind) {
    if (!form_.empty() && form_.back() == '&') {
      form_.pop_back();
      AddArgument(std::to_string(place), "all_values[a[{}]]");
      return 0;
    }
    AddArgument(std::to_string(place), "all_values[a[{}]]->");
    return behind.starts_with('.') ? 1 : 0;
  }

  void AddArgument(std::string value, std::string_view as) {
    form_ += fmt::format(fmt::runtime(as), arguments_.size());
    arguments_.push_back(std::move(value));
  }

  const CallTable::PlaceOf& place_;
  std::string form_;
  std::vector<std::string> arguments_;
};

}  // namespace

std::string CallTable::AddRow(const std::string& statement,
                              const PlaceOf& place) {
  const Abstraction call(statement, place);
  const auto [form, added] = numbers_.try_emplace(call.form(), forms_.size());
  if (added) {
    forms_.push_back(call.form());
    arguments_.push_back(call.arguments().size());
  }
  std::string row = std::to_string(form->second);
  for (const std::string& argument : call.arguments()) row += ", " + argument;
  return row + ",";
}

std::string CallTable::FormsText() const {
  if (forms_.empty()) return "";
  std::string text =
      "/* Calls that stand in tables: what differs between them is read from "
      "a\n"
      " * row, whose length each returns. */\n";
  std::string list;
  for (size_t i = 0; i < forms_.size(); ++i) {
    text += fmt::format("static int form_{}(const number *a) {{\n", i) +
            Wrapped(forms_[i], 2) +
            fmt::format("  return {};\n}}\n", arguments_[i]);
    list += fmt::format("form_{}, ", i);
  }
  return text + "static int (*const forms[])(const number *) = {\n" +
         Wrapped(list + "NULL", 4) + "};\n\n";
}

}  // namespace ranksight::adapters::c_mpi
