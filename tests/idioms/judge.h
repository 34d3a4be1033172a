// What becomes of a program: recorded on some ranks, extrapolated, and held
// against what it does on the target's ranks.
// Thread-safety: for processes of one thread, which it forks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/idioms/grammar.h"

namespace ranksight::idioms {

enum class Verdict : uint8_t {
  kExact,
  kEstimated,
  kRefused,
  kWrong,    // said to be exact, and is not
  kTooLong,  // no answer within the limit
  kBroken,   // the program does not end, or the search crashed
};
constexpr int kVerdicts = 6;
const char* NameOf(Verdict verdict);

struct Case {
  int inputs = 4;    // how many sizes are recorded, the largest of the five
  bool far = false;  // 4 times the largest, not 2 times
  bool twin = true;  // made where there are no laws throughout
  // From runs at three values of a setting, to another one as well.
  bool setting = false;
  // Where a refusal asks for something, tell it, and say what comes of it.
  bool told = false;
};

struct Outcome {
  Case which;
  Verdict verdict = Verdict::kBroken;
  std::string reason;  // of a refusal; what differs; empty where exact
  int took_ms = 0;     // of processor time
};

// How the reason of a refusal begins that asked for something and was told it.
inline constexpr char kToldDims[] = "told the grid: ";
inline constexpr char kToldRun[] = "told by another run: ";

// The reason of a twin: percent of messages, bytes and partners, and of how
// many estimated call sites these are within their intervals.
inline constexpr char kOffForm[] =
    "off by %.1f %.1f %.1f percent, inside %d %d %d of %d";
inline constexpr char kOffRead[] =
    "off by %lf %lf %lf percent, inside %d %d %d of %d";

// From three, four and five sizes, or from so many alone, to both targets.
std::vector<Case> AllCases(int only_inputs);

// The program's outcome in each case, in processes of their own that end
// after limit_s seconds of processor time each.
void Judge(const Program& program, const std::vector<Case>& cases, int limit_s,
           const std::function<void(const Outcome&)>& tell);

}  // namespace ranksight::idioms
