#include "online_model/structure/bit_order.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <set>

#include "online_model/structure/dims_rule.h"
#include "online_model/structure/expression.h"

namespace ranksight::online_model {
namespace {

int BaseOf(BitOrder::Base base, int i, int n) {
  const int evens = (n + 1) / 2;
  switch (base) {
    case BitOrder::Base::kSame:
      return i;
    case BitOrder::Base::kReversed:
      return n - 1 - i;
    case BitOrder::Base::kExchanged:
      return i == 0 || i == n - 1 ? n - 1 - i : i;
    case BitOrder::Base::kEvenFirst:
      return i < evens ? 2 * i : 2 * (i - evens) + 1;
    case BitOrder::Base::kEvenApart:
      return i % 2 == 0 ? i / 2 : evens + i / 2;
  }
  return i;
}

std::string PlaceText(const BitOrder& order) {
  std::string text = "k";
  if (order.shift != 0) {
    text += (order.shift < 0 ? " - " : " + ") +
            std::to_string(std::abs(order.shift));
  }
  if (order.half) text += " + n/2";
  return text == "k" ? text : "(" + text + ") mod n";
}

// Fewer than three bits have one order besides the one they are in; of eight
// ranks four change their places when bits are reversed.
constexpr int64_t kEnoughRanks = 8;
constexpr size_t kEnoughMoved = 4;

std::vector<BitOrder> AllOrders() {
  std::vector<BitOrder> orders;
  for (int base = 0; base <= int(BitOrder::Base::kEvenApart); ++base) {
    for (const bool half : {false, true}) {
      for (int s = -BitOrder::kMostShift; s <= BitOrder::kMostShift; ++s) {
        orders.push_back({BitOrder::Base(base), s, half});
      }
    }
  }
  std::erase(orders, BitOrder{});
  std::stable_sort(
      orders.begin(), orders.end(),
      [](const auto& a, const auto& b) { return a.cost() < b.cost(); });
  return orders;
}

}  // namespace

int BitOrder::SourceOf(int i, int n) const {
  const int at = i + shift + (half ? n / 2 : 0);
  return BaseOf(base, (at % n + n) % n, n);
}

int64_t BitOrder::Of(const Context& c) const {
  if (!IsPowerOfTwo(c.ranks())) return kNotWhole;
  const int n = std::bit_width(uint64_t(c.ranks())) - 1;
  int64_t v = 0;
  for (int i = 0; i < n; ++i) v |= (c.rank >> SourceOf(i, n) & 1) << i;
  return v;
}

std::string BitOrder::ToString() const {
  const std::string at = PlaceText(*this);
  const std::string in = at == "k" ? at : "(" + at + ")";
  std::string from;
  switch (base) {
    case Base::kSame:
      from = at;
      break;
    case Base::kReversed:
      from = "n-1-" + in;
      break;
    case Base::kExchanged:
      from = "ends_exchanged(" + at + ")";
      break;
    case Base::kEvenFirst:
      from = "even_first(" + at + ")";
      break;
    case Base::kEvenApart:
      from = "even_apart(" + at + ")";
      break;
  }
  return "bits(r: k from " + from + ")";
}

double BitOrder::cost() const {
  return 3 + (base > Base::kReversed ? 1 : 0) + (half ? 1 : 0) +
         ConstantCost(shift);
}

const std::vector<BitOrder>& BitOrders() {
  static const std::vector<BitOrder> orders = AllOrders();
  return orders;
}

bool TellBitOrder(std::span<const Sample> samples) {
  std::map<int64_t, std::set<int64_t>> moved;  // by size
  for (const Sample& s : samples) {
    const int64_t n = s.where.ranks();
    if (!IsPowerOfTwo(n)) return false;
    if (s.value != s.where.rank) moved[n].insert(s.where.rank);
  }
  return std::any_of(moved.begin(), moved.end(), [](const auto& of_size) {
    return of_size.first >= kEnoughRanks &&
           of_size.second.size() >= kEnoughMoved;
  });
}

std::optional<BitOrder> FindBitOrder(std::span<const Sample> samples) {
  for (const BitOrder& order : BitOrders()) {
    const bool gives = std::all_of(
        samples.begin(), samples.end(),
        [&order](const Sample& s) { return order.Of(s.where) == s.value; });
    if (gives) return order;
  }
  return std::nullopt;
}

}  // namespace ranksight::online_model
