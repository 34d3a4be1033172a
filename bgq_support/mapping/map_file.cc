// Map files, read and written.
#include <charconv>
#include <functional>
#include <unordered_set>

#include "bgq_support/api/hosts.h"
#include "bgq_support/api/mapping.h"
#include "bgq_support/api/network.h"

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

// What lines of a map file may say.
struct Places {
  // The node that the columns but the last name; "" or what is wrong.
  std::function<std::string(const Coordinates& columns, int32_t* node)> node;
  std::string columns;  // their letters, and that of the slot
  int64_t slots = 1;    // on each node
};

class Reader {
 public:
  explicit Reader(const Places& places) : known_(places) {}

  // "" or what is wrong with the line.
  std::string Take(const std::vector<int>& numbers) {
    const size_t columns = known_.columns.size();
    if (numbers.size() != columns) {
      return std::to_string(columns) + " columns (" + known_.columns +
             ") expected, found " + std::to_string(numbers.size());
    }
    int32_t node = 0;
    std::string wrong =
        known_.node(Coordinates(numbers.begin(), numbers.end() - 1), &node);
    return wrong.empty() ? TakePlace({node, numbers.back()}) : wrong;
  }
  std::vector<Place> places;

 private:
  std::string TakePlace(Place place) {
    if (place.slot < 0 || place.slot >= known_.slots) {
      return "slot T=" + std::to_string(place.slot) + " outside 0 to " +
             std::to_string(known_.slots - 1);
    }
    const auto key = static_cast<uint64_t>(place.node) << 32 |
                     static_cast<uint32_t>(place.slot);
    if (!taken_.insert(key).second) return "this place is taken already";
    places.push_back(place);
    return "";
  }

  const Places& known_;
  std::unordered_set<uint64_t> taken_;
};

std::string NodeAt(const Machine& machine, const Coordinates& at,
                   int32_t* node) {
  for (size_t i = 0; i < at.size(); ++i) {
    if (at[i] < 0 || at[i] >= machine.torus.dimensions()[i].length) {
      return std::string("coordinate ") + machine.Letters()[i] + "=" +
             std::to_string(at[i]) + " outside " + machine.torus.ToString();
    }
  }
  *node = machine.torus.NodeAt(at);
  return machine.IsHole(*node) ? "no ranks on this node" : "";
}

std::optional<Mapping> ReadMap(const Places& known, int64_t ranks,
                               std::string_view text, std::string* reason) {
  Reader reader(known);
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

}  // namespace

std::optional<Mapping> Mapping::Read(const Machine& machine, int64_t ranks,
                                     std::string_view text,
                                     std::string* reason) {
  const Places known{[&](const Coordinates& at, int32_t* node) {
                       return NodeAt(machine, at, node);
                     },
                     machine.Letters() + "T", machine.slots_per_node};
  return ReadMap(known, ranks, text, reason);
}

std::optional<Mapping> ReadPlaces(const Network& network, int64_t ranks,
                                  std::string_view text, std::string* reason) {
  if (const TorusNetwork* torus = network.torus()) {
    return Mapping::Read(torus->machine, ranks, text, reason);
  }
  const Places known{[&](const Coordinates& at, int32_t* node) -> std::string {
                       *node = at[0];
                       if (at[0] >= 0 && at[0] < network.nodes()) return "";
                       return "node " + std::to_string(at[0]) +
                              " outside 0 to " +
                              std::to_string(network.nodes() - 1);
                     },
                     "NT", kMostSlots};
  return ReadMap(known, ranks, text, reason);
}

int64_t CountPlaces(std::string_view text) {
  int64_t places = 0;
  std::vector<int> numbers;
  while (!text.empty()) {
    const bool read = Numbers(TakeLine(&text), &numbers);
    if (!read || !numbers.empty()) ++places;
  }
  return places;
}

std::string WritePlaces(const Network& network, const Mapping& mapping) {
  if (const TorusNetwork* torus = network.torus()) {
    return mapping.Write(torus->machine);
  }
  std::string text = "# " + network.ToString() +
                     ", node and slot on it, one line for each rank\n";
  for (const Place& place : mapping.places()) {
    text +=
        std::to_string(place.node) + ' ' + std::to_string(place.slot) + '\n';
  }
  return text;
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
