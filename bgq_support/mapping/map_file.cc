// Map files, read and written.
#include <charconv>
#include <unordered_set>

#include "bgq_support/api/mapping.h"

namespace ranksight::bgq_support {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Takes the next line off the text, without its comment.
std::string_view TakeLine(std::string_view* text) {
  const size_t end = text->find('\n');
  std::string_view line = text->substr(0, end);
  text->remove_prefix(end == text->npos ? text->size() : end + 1);
  return line.substr(0, line.find('#'));
}

// The numbers of a line; false when there is something else.
bool Numbers(std::string_view line, std::vector<int>* numbers) {
  numbers->clear();
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at != end && IsBlank(*at)) ++at;
    if (at == end) return true;
    int value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (after != end && !IsBlank(*after))) {
      return false;
    }
    numbers->push_back(value);
    at = after;
  }
}

class Reader {
 public:
  explicit Reader(const Machine& machine) : machine_(machine) {}

  // "" or what is wrong with the line.
  std::string Take(const std::vector<int>& numbers) {
    const auto dims = static_cast<size_t>(machine_.torus.dims());
    if (numbers.size() != dims + 1) {
      return std::to_string(dims + 1) + " columns (" + machine_.Letters() +
             "T) expected, found " + std::to_string(numbers.size());
    }
    const Coordinates node(numbers.begin(), numbers.end() - 1);
    for (size_t i = 0; i < dims; ++i) {
      if (node[i] < 0 || node[i] >= machine_.torus.dimensions()[i].length) {
        return std::string("coordinate ") + machine_.Letters()[i] + "=" +
               std::to_string(node[i]) + " outside " +
               machine_.torus.ToString();
      }
    }
    return TakePlace({machine_.torus.NodeAt(node), numbers.back()});
  }
  std::vector<Place> places;

 private:
  std::string TakePlace(Place place) {
    if (place.slot < 0 || place.slot >= machine_.slots_per_node) {
      return "slot T=" + std::to_string(place.slot) + " outside 0 to " +
             std::to_string(machine_.slots_per_node - 1);
    }
    if (machine_.IsHole(place.node)) return "no ranks on this node";
    const auto key = static_cast<uint64_t>(place.node) << 32 |
                     static_cast<uint32_t>(place.slot);
    if (!taken_.insert(key).second) return "this place is taken already";
    places.push_back(place);
    return "";
  }

  const Machine& machine_;
  std::unordered_set<uint64_t> taken_;
};

}  // namespace

std::optional<Mapping> Mapping::Read(const Machine& machine, int64_t ranks,
                                     std::string_view text,
                                     std::string* reason) {
  Reader reader(machine);
  std::vector<int> numbers;
  int64_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const std::string_view line = TakeLine(&text);
    std::string wrong;
    if (!Numbers(line, &numbers)) {
      wrong = "whole numbers expected";
    } else if (!numbers.empty()) {
      wrong = reader.Take(numbers);
    }
    if (!wrong.empty()) {
      *reason = std::to_string(line_number) + ": " + wrong;
      return std::nullopt;
    }
  }
  if (static_cast<int64_t>(reader.places.size()) < ranks) {
    *reason = std::to_string(line_number) + ": places of " +
              std::to_string(reader.places.size()) + " ranks, " +
              std::to_string(ranks) + " needed";
    return std::nullopt;
  }
  reader.places.resize(static_cast<size_t>(ranks));
  return Mapping(std::move(reader.places));
}

std::string Mapping::Write(const Machine& machine) const {
  std::string text =
      "# " + machine.kind + " " + machine.torus.ToString() + ", columns";
  for (const char letter : machine.Letters()) text += {' ', letter};
  text += " T, one line for each rank\n";
  for (const Place& place : places_) {
    for (const int c : machine.torus.CoordinatesOf(place.node)) {
      text += std::to_string(c) + ' ';
    }
    text += std::to_string(place.slot) + '\n';
  }
  return text;
}

}  // namespace ranksight::bgq_support
