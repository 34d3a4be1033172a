#include <fmt/format.h>

#include "online_model/api/forecast.h"

namespace ranksight::online_model {

double Model::At(double ranks) const {
  switch (kind) {
    case ModelKind::kConstant:
      return a;
    case ModelKind::kLinear:
      return a + b * ranks;
    case ModelKind::kInverse:
      return b / ranks;
    case ModelKind::kInversePlusConstant:
      return a + b / ranks;
  }
  return a;
}

std::string Model::ToString() const {
  const char* sign = b < 0 ? "-" : "+";
  const double size = b < 0 ? -b : b;
  switch (kind) {
    case ModelKind::kConstant:
      return fmt::format("{:.3g}", a);
    case ModelKind::kLinear:
      return fmt::format("{:.3g} {} {:.3g} N", a, sign, size);
    case ModelKind::kInverse:
      return fmt::format("{:.3g} / N", b);
    case ModelKind::kInversePlusConstant:
      return fmt::format("{:.3g} {} {:.3g} / N", a, sign, size);
  }
  return {};
}

}  // namespace ranksight::online_model
