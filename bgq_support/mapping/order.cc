// Mappings by an order of letters.
#include <algorithm>
#include <bit>

#include "bgq_support/api/mapping.h"
#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {
namespace {

// Counts through all places, the last letter of the order fastest.
class PlaceCounter {
 public:
  // order: indices of dimensions, dims() for the slot.
  PlaceCounter(const Torus& torus, int slots, std::vector<size_t> order)
      : torus_(torus),
        slots_(slots),
        order_(std::move(order)),
        at_(order_.size(), 0) {}

  Place Here() const {
    const Coordinates node(at_.begin(), at_.end() - 1);
    return {torus_.NodeAt(node), at_.back()};
  }
  void Step() {
    for (size_t i = order_.size(); i-- > 0;) {
      const size_t digit = order_[i];
      const int length =
          digit + 1 == at_.size() ? slots_ : torus_.dimensions()[digit].length;
      if (++at_[digit] < length) return;
      at_[digit] = 0;
    }
  }

 private:
  const Torus& torus_;
  const int slots_;
  const std::vector<size_t> order_;
  std::vector<int> at_;  // coordinates, then the slot
};

}  // namespace

int FewestRanksPerNode(const Machine& machine, int64_t ranks) {
  RANKSIGHT_REQUIRE(ranks > 0);
  const int64_t nodes = std::max<int64_t>(1, machine.free_nodes());
  const int64_t each = std::max<int64_t>(1, (ranks + nodes - 1) / nodes);
  return static_cast<int>(machine.powers_of_two
                              ? std::bit_ceil(static_cast<uint64_t>(each))
                              : static_cast<uint64_t>(each));
}

std::optional<Mapping> Mapping::FromOrder(const Machine& machine, int64_t ranks,
                                          int ranks_per_node,
                                          std::string_view order,
                                          std::string* reason) {
  RANKSIGHT_REQUIRE(reason != nullptr);
  const std::string letters = machine.Letters() + 'T';
  const std::string wanted = order.empty() ? letters : std::string(order);
  if (!std::is_permutation(letters.begin(), letters.end(), wanted.begin(),
                           wanted.end())) {
    *reason = "order '" + wanted + "' is no permutation of " + letters;
    return std::nullopt;
  }
  const int64_t nodes = machine.free_nodes();
  if (ranks < 1 || ranks_per_node < 1 ||
      ranks_per_node > machine.slots_per_node ||
      (ranks + ranks_per_node - 1) / ranks_per_node > nodes) {
    *reason = std::to_string(ranks) + " ranks, " +
              std::to_string(ranks_per_node) + " a node, do not fit on " +
              std::to_string(nodes) + " nodes of " +
              std::to_string(machine.slots_per_node) + " slots";
    return std::nullopt;
  }
  if (machine.powers_of_two &&
      !std::has_single_bit(static_cast<unsigned>(ranks_per_node))) {
    *reason = "a node of " + machine.kind + " runs 1, 2, 4, ... ranks, not " +
              std::to_string(ranks_per_node);
    return std::nullopt;
  }
  std::vector<size_t> digits;
  for (const char letter : wanted) digits.push_back(letters.find(letter));
  // A hole has its turn in the order and takes no rank.
  PlaceCounter counter(machine.torus, ranks_per_node, std::move(digits));
  std::vector<Place> places;
  places.reserve(static_cast<size_t>(ranks));
  while (static_cast<int64_t>(places.size()) < ranks) {
    const Place place = counter.Here();
    if (!machine.IsHole(place.node)) places.push_back(place);
    counter.Step();
  }
  return Mapping(std::move(places));
}

}  // namespace ranksight::bgq_support
