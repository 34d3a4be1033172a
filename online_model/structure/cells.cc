#include "online_model/structure/cells.h"

#include <cstdlib>

#include "online_model/structure/expression.h"

namespace ranksight::online_model {
namespace {

void AddTerm(int64_t factor, const std::string& name, std::string* text) {
  if (factor == 0) return;
  if (!text->empty() || factor < 0) *text += factor < 0 ? "-" : "+";
  if (std::abs(factor) != 1) *text += std::to_string(std::abs(factor)) + "*";
  *text += name;
}

}  // namespace

int64_t CellCoordinate::At(const Context& c, int64_t k) const {
  const int64_t q = c.dim(0);
  const int64_t v = a0 * c.at[0] + a1 * c.at[1] + ak * k + add;
  return ((v % q) + q) % q;
}

std::string CellCoordinate::ToString(const std::string& k) const {
  std::string text;
  AddTerm(a0, "x0", &text);
  AddTerm(a1, "x1", &text);
  AddTerm(ak, k, &text);
  if (add != 0) text += (add < 0 ? "" : "+") + std::to_string(add);
  return "(" + (text.empty() ? "0" : text) + ") mod d0";
}

int64_t Cells::At(const Context& c) const {
  const int64_t q = c.dim(0);
  if (numbered) {
    return whole + sides[0].At(c, c.position) + q * sides[1].At(c, c.position);
  }
  const auto size_at = [&](int64_t k) {
    int64_t product = scale;
    for (const CellCoordinate& side : sides) {
      const int64_t x = side.At(c, k);
      const int64_t edges = inner ? (x == 0) + (x == q - 1) : 0;
      product *= BlockSize(whole, q, x) - edges;
    }
    return product;
  };
  if (!summed) return size_at(c.position);
  int64_t sum = 0;
  for (int64_t k = 0; k < q; ++k) {
    if (guarded && guard.At(c, k) == (at_last ? q - 1 : 0)) continue;
    sum += size_at(k);
  }
  return sum;
}

std::string Cells::ToString() const {
  const std::string k = summed ? "c" : "k";
  if (numbered) {
    return std::to_string(whole) + " + " + sides[0].ToString(k) + " + d0*(" +
           sides[1].ToString(k) + ")";
  }
  std::string text = std::to_string(scale);
  for (const CellCoordinate& side : sides) {
    text += std::string("*") + (inner ? "inner" : "") + "block(" +
            std::to_string(whole) + ", d0, " + side.ToString(k) + ")";
  }
  if (!summed) return text;
  std::string range = "c < d0";
  if (guarded) {
    range += ", " + guard.ToString(k) + " != " + (at_last ? "d0-1" : "0");
  }
  return "sum over " + range + " of " + text;
}

}  // namespace ranksight::online_model
