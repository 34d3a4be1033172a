// Is a new build worse than the one before? What a merge asks of traces of
// both: does it communicate more, does it take longer, does it still fit into
// a time at another rank count.
//
// Communication is counted, so it is exact and needs one run a rank count.
// Times need runs of both builds in turn, and an interval; where that does not
// decide, the answer is that nobody can tell.
// Thread-safety: pure functions.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "online_model/api/forecast.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

enum class Verdict : uint8_t { kSame, kBetter, kWorse, kCannotTell };
std::string_view NameOf(Verdict verdict);  // "same", "cannot tell"
// Of both together: worse before cannot tell before better before same.
Verdict Both(Verdict a, Verdict b);

// A call in a function. Offsets and lines change with every build, so call
// sites that have the same names are one.
struct NamedSite {
  std::string call, where;
  auto operator<=>(const NamedSite&) const = default;
};
// Names a call site of a trace in a way that another build has, too; "" where
// its functions have no names.
using NameSite =
    std::function<std::string(const reduction::Trace& trace, uint32_t site)>;

// Of all ranks together, the least and the most of the runs.
struct Amount {
  uint64_t least = 0, most = 0;
  void Add(uint64_t value);
  bool operator==(const Amount&) const = default;
};
struct PlaceAmounts {
  Amount calls;
  Amount bytes;  // sent; or posted, where nothing is sent
  Amount pairs;  // reduction/api/partners.h
  bool operator==(const PlaceAmounts&) const = default;
};
using PlacesOfSize = std::map<NamedSite, PlaceAmounts>;

// How a build communicates.
struct Communication {
  std::string program;
  std::vector<std::string> settings;       // "NAME=VALUE", by name
  std::map<int64_t, uint64_t> runs;        // by rank count
  std::map<int64_t, PlacesOfSize> places;  // by rank count
  bool operator==(const Communication&) const = default;
};

// kUsage where the traces are of several programs or settings, kNo where one is
// not complete.
reduction::Result<Communication> CommunicationOf(
    std::span<const reduction::Trace> traces, const NameSite& name);
// The text of a baseline: lines in a stable order, to be committed.
std::string BaselineText(const Communication& communication);
// kBadInput with the line, from 1, where it is no baseline of ours.
reduction::Result<Communication> ReadBaseline(std::string_view text);
bool IsBaseline(std::string_view text);

// One quantity of one place that is not as it was.
struct AmountChange {
  struct At {
    int64_t ranks = 0;
    Amount before, after;
  };
  NamedSite place;
  std::string quantity;     // "calls", "bytes", "pairs"
  std::vector<At> sizes;    // ascending, all that both have
  std::string grew, grows;  // "N", "N^2"; "" where nobody can say
  Verdict verdict = Verdict::kSame;
};
struct CommunicationCheck {
  Verdict verdict = Verdict::kSame;
  std::string reason;  // where nobody can tell
  std::vector<AmountChange> changes;
  uint64_t places = 0;         // compared
  std::vector<int64_t> ranks;  // compared
};
// kUsage where the programs or settings differ. Where one of both has no names
// of functions at all, all sites of a call are compared as one.
reduction::Result<CommunicationCheck> CompareCommunication(
    const Communication& before, const Communication& after);

// How a quantity grows with the ranks, by the simplest sum of one or two terms
// that gives every value: "N", "N log N", or "1" where it does not. Where none
// does, the power that comes nearest, "about N^1.3"; "" for fewer than three
// sizes.
std::string GrowthOf(const std::map<int64_t, uint64_t>& values);

// The times of one rank count.
struct TimeCheck {
  int64_t ranks = 0;
  uint64_t pairs = 0;            // of runs
  bool processor_time = false;   // of a mean rank; else from start to end
  double before = 0, after = 0;  // medians, seconds
  double ratio = 1, low = 0, high = 0;  // after / before, with its interval
  bool HasInterval() const { return high > 0; }
  double alpha = 0;  // chance of each end to lie on the wrong side
  Verdict verdict = Verdict::kCannotTell;
  std::string reason;  // where nobody can tell
  // What takes most of the additional time, where it is slower.
  NamedSite grown;
  bool grown_in_call = false;  // in the call, not in the computation before it
  double grown_seconds = 0;
};
// tolerance: 0.05 lets a build be slower by 5 %. One for each rank count of
// both.
std::vector<TimeCheck> CompareTimes(std::span<const reduction::Trace> before,
                                    std::span<const reduction::Trace> after,
                                    const NameSite& name, double tolerance);

struct BudgetCheck {
  int64_t ranks = 0;
  double within = 0;  // seconds
  double seconds = 0, low = 0, high = 0;
  Verdict verdict = Verdict::kCannotTell;
  std::string reason;  // where nobody can tell
};
std::vector<BudgetCheck> CheckBudget(const Forecast& forecast, double within);

}  // namespace ranksight::online_model
