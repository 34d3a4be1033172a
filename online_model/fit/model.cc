#include <fmt/format.h>

#include <cmath>

#include "online_model/api/forecast.h"

namespace ranksight::online_model {
namespace {

// "N^0.5 log N", "log N^2 / N^0.333".
std::string BasisText(const Shape& shape) {
  std::string logs;
  if (shape.log_power == 1) logs = "log N";
  if (shape.log_power > 1) logs = fmt::format("log^{} N", shape.log_power);
  const double size = std::abs(shape.power);
  const std::string power =
      size == 1 ? std::string("N") : fmt::format("N^{:.3g}", size);
  if (shape.power > 0) return logs.empty() ? power : power + " " + logs;
  if (shape.power < 0) return (logs.empty() ? "1" : logs) + " / " + power;
  return logs;
}

}  // namespace

double Basis(const Shape& shape, double ranks) {
  double g = 1;
  if (shape.power == 1) {
    g = ranks;
  } else if (shape.power == -1) {
    g = 1 / ranks;
  } else if (shape.power != 0) {
    g = std::pow(ranks, shape.power);
  }
  for (int i = 0; i < shape.log_power; ++i) g *= std::log2(ranks);
  return g;
}

double Model::At(double ranks) const {
  return shape.IsConstant() ? a : a + b * Basis(shape, ranks);
}

std::string Model::ToString() const {
  if (from > 0) {
    Model everywhere = *this;
    everywhere.from = 0;
    return fmt::format("{} from N = {} on", everywhere.ToString(), from);
  }
  if (shape.IsConstant()) return fmt::format("{:.3g}", a);
  const std::string g = BasisText(shape);
  const double size = std::abs(b);
  const std::string term = g.rfind("1 /", 0) == 0
                               ? fmt::format("{:.3g} {}", size, g.substr(2))
                               : fmt::format("{:.3g} {}", size, g);
  if (!shape.offset) return (b < 0 ? "-" : "") + term;
  return fmt::format("{:.3g} {} {}", a, b < 0 ? "-" : "+", term);
}

}  // namespace ranksight::online_model
