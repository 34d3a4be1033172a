// Another machine than the one the runs were made on, for forecasts there:
// how long it takes for computation, and for messages of each length, of what
// they take here. The cross-platform prediction T = Tcomm s + Tcomp of
// benchmark generation (Wu, Deshpande and Mueller, "ScalaBenchGen", IPDPS 2012)
// with a ratio for either part, walked rather than added.
//
// Files are JSON:
//   times   {"ranks": N, "pulled": B, "kernels": {"NAME": SECONDS, ...},
//            "messages": [{"bytes": B, "seconds": S}, ...]}
//   ratios  {"compute": R, "messages": [{"bytes": B, "ratio": R}, ...]}
// Messages are in ascending order of bytes; in ratios either part may be
// missing, which says 1, and "kernels" may say where compute is from. In times
// "ranks" and "pulled" may be missing.
// Thread-safety: pure functions and value types.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::online_model {

// By length: seconds or a ratio, both above 0.
struct AtBytes {
  double bytes = 0, value = 0;
};

// What a machine was measured to take (ranksight machine measure).
struct MachineTimes {
  std::map<std::string, double> kernels;  // seconds, by name
  std::vector<AtBytes> messages;          // seconds one way
  // Messages went from the first to the last of so many; 0 where not known.
  int64_t ranks = 0;
  // Whether short messages leave no sooner than their receive is posted.
  std::optional<bool> pulled;
};

struct MachineRatios {
  double compute = 1;
  std::map<std::string, double> kernels;  // what compute is the mean of
  std::vector<AtBytes> messages;

  // Between the lengths known by the logarithm of the length, beyond them that
  // of the nearest.
  double Message(double bytes) const;
};

// kIo when there is no such file; else as below, after the file's name.
reduction::Result<MachineTimes> ReadTimes(const std::string& path);
reduction::Result<MachineRatios> ReadRatios(const std::string& path);
// kBadInput, with the byte it is at where the text is no JSON.
reduction::Result<MachineTimes> ParseTimes(std::string_view json);
reduction::Result<MachineRatios> ParseRatios(std::string_view json);
std::string ToJson(const MachineRatios& ratios);

// there / here; compute is the geometric mean over the kernels both have. kNo
// when they have none or no message length in common.
reduction::Result<MachineRatios> Compare(const MachineTimes& here,
                                         const MachineTimes& there);
// "computation x0.5, messages x0.4 (1 byte) to x0.7 (4194304 bytes)".
std::string ToText(const MachineRatios& ratios);

}  // namespace ranksight::online_model
