// Checks of options that hold a number. CLI11's own let "nan" and infinity
// through, and print the largest double when they refuse.
// Thread-safety: pure functions.
#pragma once

#include <CLI/CLI.hpp>

namespace ranksight::cli {

// Of what the text begins with: a unit may follow, and a conversion to the
// option's type finds what is no number at all.
CLI::Validator AboveZero();
CLI::Validator NotNegative();

}  // namespace ranksight::cli
