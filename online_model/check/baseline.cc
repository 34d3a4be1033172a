// The text of a baseline. One line an entry, words separated by one space, the
// last one to the end of the line:
//   ranksight baseline 1
//   program NAME
//   setting NAME=VALUE
//   ranks N runs R
//   CALLS BYTES PAIRS MPI_Name PLACE
// An amount is a number, or LEAST..MOST where runs differ.
#include <charconv>

#include "online_model/api/check.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

constexpr std::string_view kHeader = "ranksight baseline 1";
constexpr std::string_view kKind = "ranksight baseline ";

std::string AmountText(const Amount& amount) {
  std::string text = std::to_string(amount.least);
  if (amount.most != amount.least) text += ".." + std::to_string(amount.most);
  return text;
}

// The next word of *line, taken off with the space behind it.
std::string_view TakeWord(std::string_view* line) {
  const size_t end = line->find(' ');
  const std::string_view word = line->substr(0, end);
  line->remove_prefix(end == line->npos ? line->size() : end + 1);
  return word;
}

template <class Number>
bool ReadNumber(std::string_view text, Number* number) {
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, *number);
  return error == std::errc() && at == end && !text.empty();
}

bool ReadAmount(std::string_view text, Amount* amount) {
  const size_t dots = text.find("..");
  if (!ReadNumber(text.substr(0, dots), &amount->least)) return false;
  if (dots == text.npos) {
    amount->most = amount->least;
    return true;
  }
  return ReadNumber(text.substr(dots + 2), &amount->most) &&
         amount->least <= amount->most;
}

class Reader {
 public:
  // What is wrong with the line, if anything.
  std::string See(std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = TakeWord(&rest);
    if (word == "program") return SeeProgram(rest);
    if (word == "setting") return SeeSetting(rest);
    if (word == "ranks") return SeeRanks(rest);
    return SeePlace(line);
  }
  Communication Take() { return std::move(c_); }

 private:
  std::string SeeProgram(std::string_view name) {
    if (!c_.program.empty() || name.empty()) return "a program is named once";
    c_.program = name;
    return "";
  }
  std::string SeeSetting(std::string_view rest) {
    c_.settings.emplace_back(rest);
    return rest.find('=') == rest.npos ? "expected: setting NAME=VALUE" : "";
  }
  std::string SeeRanks(std::string_view rest) {
    uint64_t runs = 0;
    if (!ReadNumber(TakeWord(&rest), &ranks_) || ranks_ < 1 ||
        TakeWord(&rest) != "runs" || !ReadNumber(rest, &runs) || runs < 1) {
      return "expected: ranks N runs R";
    }
    if (!c_.runs.try_emplace(ranks_, runs).second) {
      return "a rank count stands twice";
    }
    places_ = &c_.places[ranks_];
    return "";
  }
  std::string SeePlace(std::string_view rest) {
    if (places_ == nullptr) return "expected: ranks N runs R";
    PlaceAmounts amounts;
    for (Amount* amount : {&amounts.calls, &amounts.bytes, &amounts.pairs}) {
      if (!ReadAmount(TakeWord(&rest), amount)) {
        return "expected: CALLS BYTES PAIRS MPI_Name PLACE";
      }
    }
    const std::string call(TakeWord(&rest));
    if (reduction::FindCallByName(call) == nullptr || rest.empty()) {
      return "expected: CALLS BYTES PAIRS MPI_Name PLACE";
    }
    const bool is_new =
        places_->try_emplace({call, std::string(rest)}, amounts).second;
    return is_new ? "" : "a place stands twice";
  }

  Communication c_;
  int64_t ranks_ = 0;
  PlacesOfSize* places_ = nullptr;
};

}  // namespace

std::string BaselineText(const Communication& c) {
  std::string text(kHeader);
  text += "\nprogram " + c.program + '\n';
  for (const std::string& setting : c.settings) {
    text += "setting " + setting + '\n';
  }
  for (const auto& [ranks, places] : c.places) {
    text += "ranks " + std::to_string(ranks) + " runs " +
            std::to_string(c.runs.at(ranks)) + '\n';
    for (const auto& [place, amounts] : places) {
      text += AmountText(amounts.calls) + ' ' + AmountText(amounts.bytes) +
              ' ' + AmountText(amounts.pairs) + ' ' + place.call + ' ' +
              place.where + '\n';
    }
  }
  return text;
}

bool IsBaseline(std::string_view text) { return text.starts_with(kKind); }

Result<Communication> ReadBaseline(std::string_view text) {
  Reader reader;
  for (uint64_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    const std::string wrong = number > 1 ? reader.See(line)
                              : line != kHeader
                                  ? std::string("not a baseline of version 1")
                                  : "";
    if (!wrong.empty()) {
      return Status::BadInput(std::to_string(number) + ": " + wrong);
    }
  }
  Communication c = reader.Take();
  if (c.program.empty() || c.places.empty()) {
    return Status::BadInput("it ends before a program and a rank count");
  }
  return c;
}

}  // namespace ranksight::online_model
