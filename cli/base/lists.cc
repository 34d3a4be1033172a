#include "cli/base/lists.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;

constexpr int64_t kMaxCount = int64_t{1} << 40;
constexpr std::string_view kRanksMark = "{ranks}";

Result<std::vector<int64_t>> ParseNumbers(std::string_view text, char separator,
                                          const char* what) {
  const auto wrong = [&] {
    return Status::Usage("'" + std::string(text) + "' is not " + what);
  };
  std::vector<int64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 1 || number > kMaxCount) {
      return wrong();
    }
    numbers.push_back(number);
    if (next == end) return numbers;
    if (*next != separator) return wrong();
    at = next + 1;
  }
}

// Takes the quoted part that starts at text[*at] (a quote) into *word; false
// when it is not closed.
bool TakeQuoted(std::string_view text, size_t* at, std::string* word) {
  RANKSIGHT_REQUIRE(*at < text.size());
  const char quote = text[(*at)++];
  for (; *at < text.size(); ++*at) {
    const char c = text[*at];
    if (c == quote) {
      ++*at;
      return true;
    }
    if (quote == '"' && c == '\\' && *at + 1 < text.size() &&
        (text[*at + 1] == '"' || text[*at + 1] == '\\')) {
      ++*at;
    }
    *word += text[*at];
  }
  return false;
}

}  // namespace

Result<std::vector<int64_t>> ParseRankList(std::string_view text) {
  return ParseNumbers(text, ',', "a list of rank counts like 4,9,16");
}

Result<std::vector<int64_t>> ParseShape(std::string_view text) {
  return ParseNumbers(text, 'x', "a shape like 32x32");
}

Result<std::pair<std::string, int64_t>> ParseSetting(std::string_view text) {
  const size_t equals = text.find('=');
  const char* const what = "NAME=VALUE with a whole number above 0";
  if (equals == 0 || equals == std::string_view::npos) {
    return Status::Usage("'" + std::string(text) + "' is not " + what);
  }
  const auto value = ParseNumbers(text.substr(equals + 1), ',', what);
  if (!value.ok() || value->size() != 1) {
    return Status::Usage("'" + std::string(text) + "' is not " + what);
  }
  return std::pair(std::string(text.substr(0, equals)), value->front());
}

void DropRepeated(std::vector<int64_t>* numbers) {
  std::set<int64_t> seen;
  std::erase_if(*numbers,
                [&](int64_t number) { return !seen.insert(number).second; });
}

std::string JoinNumbers(const std::vector<int64_t>& numbers,
                        std::string_view separator) {
  std::string out;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out += separator;
    out += std::to_string(numbers[i]);
  }
  return out;
}

Result<std::vector<std::string>> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
      ++at;
      continue;
    }
    // Of the word itself nothing may have come yet: quotes with nothing in them
    // are a word.
    in_word = true;
    if (c == '\'' || c == '"') {
      if (TakeQuoted(text, &at, &word)) continue;
      return Status::Usage("'" + std::string(text) + "' has an open quote");
    }
    if (c == '\\' && at + 1 < text.size()) ++at;
    word += text[at++];
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

std::string ShellWord(const std::string& word) {
  constexpr std::string_view kPlain = "_./,:=+@%-";
  const bool is_plain =
      !word.empty() && std::ranges::all_of(word, [&](unsigned char c) {
        return c < 0x80 &&
               (std::isalnum(c) || kPlain.find(char(c)) != kPlain.npos);
      });
  if (is_plain) return word;
  std::string out = "'";
  for (const char c : word) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

int ReplaceInWords(std::string_view mark, std::string_view text,
                   std::vector<std::string>* words) {
  int found = 0;
  for (std::string& word : *words) {
    for (size_t at = 0; (at = word.find(mark, at)) != word.npos; ++found) {
      word.replace(at, mark.size(), text);
      at += text.size();
    }
  }
  return found;
}

Result<std::vector<std::string>> ExpandLauncher(std::string_view launcher,
                                                int64_t ranks) {
  auto words = SplitWords(launcher);
  if (!words.ok()) return words.status();
  const std::string number = std::to_string(ranks);
  const bool found = ReplaceInWords(kRanksMark, number, &*words) > 0;
  if (words->empty()) return Status::Usage("the launcher is empty");
  if (!found) {
    words->push_back("-n");
    words->push_back(number);
  }
  return words;
}

}  // namespace ranksight::cli
