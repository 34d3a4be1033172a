#include "replay_engine/schedule/site_path.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace ranksight::replay_engine {
namespace {

constexpr int kDigitBits = 4;
constexpr uint32_t kDigits = 1u << kDigitBits;

struct Descent {
  uint32_t site;
  int level;  // digits still to go
  SitePath::Function function;
  void* argument;
};

using StepFunction = void (*)(Descent*);
extern const std::array<StepFunction, kDigits> kSteps;

[[gnu::always_inline]] inline void Descend(Descent* d) {
  if (d->level == 0) {
    d->function(d->argument);
  } else {
    --d->level;
    kSteps[(d->site >> (d->level * kDigitBits)) % kDigits](d);
  }
}

// The constant in the assembler text keeps the compiler and the linker from
// merging the instances, its place behind the call from making it a jump.
template <uint32_t kDigit>
[[gnu::noinline]] void Step(Descent* d) {
  Descend(d);
  asm volatile("# %c0" ::"i"(kDigit) : "memory");
}

template <uint32_t... kDigit>
std::array<StepFunction, kDigits> SortedSteps(
    std::integer_sequence<uint32_t, kDigit...>) {
  std::array<StepFunction, kDigits> steps = {&Step<kDigit>...};
  std::sort(steps.begin(), steps.end(), std::less<StepFunction>());
  return steps;
}

const std::array<StepFunction, kDigits> kSteps =
    SortedSteps(std::make_integer_sequence<uint32_t, kDigits>());

}  // namespace

SitePath::SitePath(uint32_t sites) {
  while (levels_ < 8 && (uint64_t{sites} >> (levels_ * kDigitBits)) > 0) {
    ++levels_;
  }
}

void SitePath::Call(uint32_t site, Function function, void* argument) const {
  Descent descent{site, levels_, function, argument};
  Descend(&descent);
}

}  // namespace ranksight::replay_engine
