// Hostfiles of MPICH's Hydra, of Open MPI, of batch systems.
#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "bgq_support/hosts/scan.h"

namespace ranksight::bgq_support {
namespace {

constexpr std::string_view kBlanks = " \t\r";

struct Word {
  std::string_view text;
  size_t column = 0;  // from 1
};

// Words of a line without its comment.
std::vector<Word> WordsOf(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<Word> words;
  size_t at = line.find_first_not_of(kBlanks);
  while (at != line.npos) {
    const size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back({line.substr(at, end - at), at + 1});
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

// The same, but that "key = value" is one word as "key=value" is: it reaches
// over the blanks, which line has in it.
std::vector<Word> WordsWithValues(std::string_view line) {
  std::vector<Word> words;
  for (const Word& word : WordsOf(line)) {
    const bool joins = words.size() > 1 && (word.text.starts_with('=') ||
                                            words.back().text.ends_with('='));
    if (!joins) {
      words.push_back(word);
      continue;
    }
    Word& last = words.back();
    last.text = line.substr(last.column - 1,
                            word.column - last.column + word.text.size());
  }
  return words;
}

std::string_view WithoutBlanks(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

bool IsName(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), &IsNameCharacter);
}

// Of IPv6, with a zone or without: "fe80::1%eth0".
bool IsAddress(std::string_view text) {
  const size_t zone = std::min(text.find('%'), text.size());
  if (zone < text.size() && !IsName(text.substr(zone + 1))) return false;
  in6_addr address{};
  return ::inet_pton(AF_INET6, std::string(text.substr(0, zone)).c_str(),
                     &address) == 1;
}

// "name", "user@name:4", "::1", "[::1]:4".
struct HostWord {
  std::string_view name;  // without brackets
  bool valid = false;
  std::optional<size_t> count;  // begins there in the word
};

HostWord TakeApart(std::string_view word) {
  HostWord host;
  const size_t user = word.find('@');
  const size_t skip = user == word.npos ? 0 : user + 1;
  host.valid = skip == 0 || IsName(word.substr(0, user));
  const std::string_view rest = word.substr(skip);
  size_t end = rest.size();
  // An address of IPv6 has colons of its own: in brackets where a count
  // follows.
  if (rest.starts_with('[')) {
    end = std::min(rest.find(']'), rest.size());
    host.name = rest.substr(1, end - 1);
    host.valid = host.valid && end < rest.size() && IsAddress(host.name);
    end = std::min(end + 1, rest.size());
  } else if (IsAddress(rest)) {
    host.name = rest;
  } else {
    end = std::min(rest.find(':'), rest.size());
    host.name = rest.substr(0, end);
    host.valid = host.valid && IsName(host.name);
  }
  if (end == rest.size()) return host;
  host.valid = host.valid && rest[end] == ':';
  host.count = skip + end + 1;
  return host;
}

class HostFileReader {
 public:
  // "" or "COLUMN: what is wrong".
  std::string Take(std::string_view line) {
    const std::vector<Word> words = WordsWithValues(line);
    if (words.empty()) return "";
    const HostWord host = TakeApart(words[0].text);
    if (!host.valid) return Wrong(words[0], 0, "the name of a host");
    int32_t ranks = 1;
    if (host.count) {
      const auto count = CountOrNone(words[0].text.substr(*host.count));
      if (!count) return Wrong(words[0], *host.count, "a number of ranks");
      ranks = *count;
    }
    for (size_t i = 1; i < words.size(); ++i) {
      std::string wrong = TakeWord(words[i], &ranks);
      if (!wrong.empty()) return wrong;
    }
    // A host that is named but has no room.
    if (ranks == 0) return "";
    return Add(words[0], host.name, ranks);
  }

  // Likewise, of names behind commas.
  std::string TakeNames(std::string_view line) {
    for (const Word& word : WordsOf(line)) {
      size_t at = 0;
      while (at <= word.text.size()) {
        const size_t end = std::min(word.text.find(',', at), word.text.size());
        const std::string_view item = word.text.substr(at, end - at);
        std::string wrong = TakeName({item, word.column + at});
        if (!wrong.empty()) return wrong;
        at = end + 1;
      }
    }
    return "";
  }
  HostList list;

 private:
  static std::string Wrong(const Word& word, size_t skip, const char* wanted) {
    return std::to_string(word.column + skip) + ": " + wanted +
           " expected, found " + Quoted(word.text.substr(skip));
  }

  std::string TakeName(const Word& item) {
    const size_t star = std::min(item.text.find('*'), item.text.size());
    const std::string_view name = item.text.substr(0, star);
    if (!IsName(name)) return Wrong(item, 0, "the name of a host");
    if (star == item.text.size()) return Add(item, name, 1);
    const auto count = SlotCount(item.text.substr(star + 1));
    if (!count) return Wrong(item, star + 1, "a number of ranks");
    return Add(item, name, *count);
  }

  // As SlotCount, or 0.
  static std::optional<int32_t> CountOrNone(std::string_view text) {
    if (text == "0") return 0;
    return SlotCount(text);
  }

  static std::string TakeWord(const Word& word, int32_t* ranks) {
    static constexpr std::array<std::string_view, 6> kPassedOver = {
        "max_slots", "max-slots", "binding", "map", "ifname", "user"};
    const size_t equals = std::min(word.text.find('='), word.text.size());
    const std::string_view key = WithoutBlanks(word.text.substr(0, equals));
    if (key == "slots" || key == "cpu" || key == "count") {
      size_t skip = std::min(equals + 1, word.text.size());
      skip = std::min(word.text.find_first_not_of(kBlanks, skip),
                      word.text.size());
      const auto count = CountOrNone(word.text.substr(skip));
      if (!count) return Wrong(word, skip, "a number of ranks");
      *ranks = *count;
      return "";
    }
    if (equals < word.text.size() &&
        std::find(kPassedOver.begin(), kPassedOver.end(), key) !=
            kPassedOver.end()) {
      return "";
    }
    return Wrong(word, 0, "slots=N");
  }

  std::string Add(const Word& at, std::string_view name, int32_t ranks) {
    slots_ += ranks;
    if (slots_ > kMostSlots) {
      return std::to_string(at.column) + ": more than " +
             std::to_string(kMostSlots) + " ranks";
    }
    const auto [known, is_new] = number_.emplace(
        std::string(name), static_cast<int32_t>(list.names.size()));
    if (is_new) list.names.emplace_back(name);
    if (!list.runs.empty() && list.runs.back().host == known->second) {
      list.runs.back().ranks += ranks;
    } else {
      list.runs.push_back({known->second, ranks});
    }
    return "";
  }

  int64_t slots_ = 0;
  std::unordered_map<std::string, int32_t> number_;
};

std::optional<HostList> ReadLines(
    std::string_view text,
    std::string (HostFileReader::*take)(std::string_view line),
    std::string* reason) {
  HostFileReader reader;
  int64_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string wrong = (reader.*take)(text.substr(0, end));
    if (!wrong.empty()) {
      *reason = std::to_string(line_number) + ":" + wrong;
      return std::nullopt;
    }
    // The last line may lack its newline.
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (reader.list.names.empty()) {
    *reason = "1:1: no host with room for a rank is named";
    return std::nullopt;
  }
  return std::move(reader.list);
}

}  // namespace

int64_t HostList::slots() const {
  int64_t sum = 0;
  for (const HostRun& run : runs) sum += run.ranks;
  return sum;
}

HostList HostList::With(int32_t ranks_per_host) const {
  HostList list;
  list.names = names;
  for (size_t i = 0; i < names.size(); ++i) {
    list.runs.push_back({static_cast<int32_t>(i), ranks_per_host});
  }
  return list;
}

std::optional<HostList> ReadHostFile(std::string_view text,
                                     std::string* reason) {
  return ReadLines(text, &HostFileReader::Take, reason);
}

std::optional<HostList> ReadSlurmHostFile(std::string_view text,
                                          std::string* reason) {
  return ReadLines(text, &HostFileReader::TakeNames, reason);
}

}  // namespace ranksight::bgq_support
