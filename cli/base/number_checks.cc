#include "cli/base/number_checks.h"

#include <cmath>
#include <cstdlib>
#include <string>

namespace ranksight::cli {
namespace {

CLI::Validator FiniteCheck(bool (*holds)(double), const std::string& what) {
  return CLI::Validator(
      [holds, what](std::string& text) {
        const double x = std::strtod(text.c_str(), nullptr);
        return std::isfinite(x) && holds(x)
                   ? std::string()
                   : "'" + text + "' is no number " + what;
      },
      "");
}

}  // namespace

CLI::Validator AboveZero() {
  return FiniteCheck([](double x) { return x > 0; }, "above 0");
}

CLI::Validator NotNegative() {
  return FiniteCheck([](double x) { return x >= 0 && !std::signbit(x); },
                     "of 0 or more");
}

}  // namespace ranksight::cli
