// Slurm's words for nodes, tasks and their distribution.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "bgq_support/hosts/scan.h"

namespace ranksight::bgq_support {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads from left to right; the first thing that is wrong stays.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ == text_.size(); }
  bool Is(char c) const { return !AtEnd() && text_[at_] == c; }
  bool Take(char c) {
    if (!Is(c)) return false;
    ++at_;
    return true;
  }
  template <class Kind>
  std::string_view TakeAll(Kind&& kind) {
    const size_t begin = at_;
    while (!AtEnd() && kind(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  // Not longer than nine digits, so that every sum fits.
  std::optional<int32_t> TakeNumber(std::string_view* digits) {
    constexpr size_t kMostDigits = 9;
    *digits = TakeAll(&IsDigit);
    if (digits->empty() || digits->size() > kMostDigits) {
      Wrong(digits->empty() ? "a number expected" : "the number is too long");
      return std::nullopt;
    }
    int32_t value = 0;
    std::from_chars(digits->data(), digits->data() + digits->size(), value);
    return value;
  }
  void Wrong(const std::string& what) {
    if (!wrong_.empty()) return;
    wrong_ = std::to_string(at_ + 1) + ": " + what;
    if (!AtEnd()) wrong_ += ", found " + Quoted(text_.substr(at_));
  }
  const std::string& wrong() const { return wrong_; }

 private:
  std::string_view text_;
  size_t at_ = 0;
  std::string wrong_;
};

class NodeListReader {
 public:
  explicit NodeListReader(std::string_view text) : scan_(text) {}

  std::optional<std::vector<std::string>> Run(std::string* reason) {
    do {
      TakeItem();
    } while (scan_.wrong().empty() && scan_.Take(','));
    if (!scan_.AtEnd()) scan_.Wrong("a comma expected");
    if (!scan_.wrong().empty()) {
      *reason = scan_.wrong();
      return std::nullopt;
    }
    return std::move(names_);
  }

 private:
  // Text and brackets by turns; each bracket multiplies what is before it.
  void TakeItem() {
    std::vector<std::string> item = {""};
    bool any = false;
    while (scan_.wrong().empty()) {
      const std::string_view text = scan_.TakeAll(&IsNameCharacter);
      for (std::string& name : item) name += text;
      any = any || !text.empty();
      if (!scan_.Take('[')) break;
      item = Multiply(item, TakeBracket());
      any = true;
    }
    if (!any) scan_.Wrong("the name of a node expected");
    for (std::string& name : item) Add(std::move(name));
  }

  std::vector<std::string> TakeBracket() {
    std::vector<std::string> parts;
    do {
      TakeRange(&parts);
    } while (scan_.wrong().empty() && scan_.Take(','));
    if (!scan_.Take(']')) scan_.Wrong("']' expected");
    return parts;
  }

  void TakeRange(std::vector<std::string>* parts) {
    std::string_view low_digits, high_digits;
    const auto low = scan_.TakeNumber(&low_digits);
    if (!low) return;
    auto high = low;
    if (scan_.Take('-')) high = scan_.TakeNumber(&high_digits);
    if (!high) return;
    if (*high < *low) return scan_.Wrong("a range that grows expected");
    if (*high - *low >= kMostNames) return TooMany();
    for (int32_t i = *low; i <= *high; ++i) {
      std::string digits = std::to_string(i);
      if (digits.size() < low_digits.size()) {
        digits.insert(0, low_digits.size() - digits.size(), '0');
      }
      parts->push_back(std::move(digits));
    }
    if (int64_t(parts->size()) > kMostNames) TooMany();
  }

  std::vector<std::string> Multiply(const std::vector<std::string>& names,
                                    const std::vector<std::string>& parts) {
    std::vector<std::string> all;
    if (names.size() * parts.size() > size_t{kMostNames}) {
      TooMany();
      return all;
    }
    for (const std::string& name : names) {
      for (const std::string& part : parts) all.push_back(name + part);
    }
    return all;
  }

  void Add(std::string name) {
    if (!scan_.wrong().empty()) return;
    if (int64_t(names_.size()) >= kMostNames) return TooMany();
    if (!seen_.insert(name).second) {
      return scan_.Wrong("node " + Quoted(name) + " is named twice");
    }
    names_.push_back(std::move(name));
  }

  void TooMany() {
    scan_.Wrong("more than " + std::to_string(kMostNames) + " nodes");
  }

  static constexpr int64_t kMostNames = int64_t{1} << 20;
  Scanner scan_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> seen_;
};

// In large letters, in small ones, or in both.
bool IsWord(std::string_view text, std::string_view small) {
  return std::ranges::equal(text, small, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
  });
}

std::optional<bool> PackagesAreCyclic(std::string_view levels) {
  const std::string_view first = levels.substr(0, levels.find(':'));
  if (first.empty() || first == "*" || first == "cyclic" ||
      first == "fcyclic") {
    return true;
  }
  if (first == "block") return false;
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> ExpandNodeList(std::string_view text,
                                                       std::string* reason) {
  return NodeListReader(text).Run(reason);
}

std::optional<std::vector<int32_t>> ExpandTaskCounts(std::string_view text,
                                                     std::string* reason) {
  Scanner scan(text);
  std::vector<int32_t> counts;
  int64_t slots = 0;
  do {
    std::string_view digits;
    const auto tasks = scan.TakeNumber(&digits);
    std::optional<int32_t> times = 1;
    if (tasks && scan.Take('(')) {
      times = scan.Take('x') ? scan.TakeNumber(&digits) : std::nullopt;
      if (!times || !scan.Take(')')) scan.Wrong("(xN) expected");
    }
    if (!tasks || !times || !scan.wrong().empty()) break;
    // Counted before anything is allocated: "4(x2000000000)" is short.
    slots += int64_t{*tasks} * *times;
    if (*tasks < 1 || *times < 1 || slots > kMostSlots) {
      scan.Wrong("1 to " + std::to_string(kMostSlots) + " tasks expected");
      break;
    }
    counts.insert(counts.end(), static_cast<size_t>(*times), *tasks);
  } while (scan.Take(','));
  if (!scan.AtEnd()) scan.Wrong("a comma expected");
  if (scan.wrong().empty()) return counts;
  *reason = scan.wrong();
  return std::nullopt;
}

std::optional<Distribution> Distribution::Parse(std::string_view text,
                                                std::string* reason) {
  // NODES[:PACKAGES[:CORES]][,Pack|NoPack], as srun takes it; cores below a
  // package are not told apart.
  const size_t comma = std::min(text.find(','), text.size());
  const std::string_view levels = text.substr(0, comma);
  const size_t colon = std::min(levels.find(':'), levels.size());
  const std::string_view nodes = levels.substr(0, colon);
  const auto cyclic =
      PackagesAreCyclic(levels.substr(std::min(colon + 1, levels.size())));
  constexpr std::string_view kPlaneIs = "plane=";
  Distribution found;
  if (nodes == "block" || nodes == "*") {
    found.kind = Kind::kBlock;
  } else if (nodes == "cyclic") {
    found.kind = Kind::kCyclic;
  } else if (nodes.starts_with(kPlaneIs) &&
             SlotCount(nodes.substr(kPlaneIs.size()))) {
    found.kind = Kind::kPlane;
    found.plane = *SlotCount(nodes.substr(kPlaneIs.size()));
  } else {
    *reason = Quoted(text) + " is no distribution: block, cyclic or plane=N";
    return std::nullopt;
  }
  if (!cyclic) {
    *reason = Quoted(text) + ": block or cyclic expected behind the colon";
    return std::nullopt;
  }
  found.cyclic_packages = *cyclic;
  if (comma == text.size()) return found;
  const std::string_view word = text.substr(comma + 1);
  found.pack = IsWord(word, "pack");
  if (found.pack || IsWord(word, "nopack")) return found;
  *reason = Quoted(text) + ": Pack or NoPack expected behind the comma";
  return std::nullopt;
}

}  // namespace ranksight::bgq_support
