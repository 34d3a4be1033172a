// Forecasts of run time, refitted as runs arrive.
//
// A Forecaster holds, per program, one series per event (call, call site)
// and quantity (computation before it, time in the call) with sufficient
// statistics per rank count, so that adding a run costs the same however many
// came before. Each series is fitted with the shapes of a ModelFamily. All
// times are seconds unless the name says otherwise.
// Thread-safety: a Forecaster belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "online_model/api/machine.h"
#include "online_model/api/memory.h"
#include "reduction/api/names.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// a + b g(N) with g(N) = N^power log2(N)^log_power: one term of the
// performance model normal form (Calotoiu et al., SC13), exponents of either
// sign.
struct Shape {
  double power = 0;
  int log_power = 0;
  bool offset = true;  // a is free; without it, 0
  bool IsConstant() const { return power == 0 && log_power == 0; }
  // g rises with N from 2 on.
  bool Grows() const { return power > 0 || (power == 0 && log_power > 0); }
  friend bool operator==(const Shape&, const Shape&) = default;
};
// g(ranks). REQUIRES: ranks >= 1.
double Basis(const Shape& shape, double ranks);

// Which shapes are tried, and what is made of them.
enum class ModelFamily : uint8_t {
  // Powers and logarithms of either sign under sign rules, weighed by how they
  // predict held-out rank counts; the forecast is their weighted median.
  kWeighed,
  // constant, a + b N, b / N, a + b / N; the one with the least held-out error
  // (ScalaExtrap's four, Wu and Mueller, ICS 2011).
  kClassic,
  // 42 growing terms without sign rules, the one with the least held-out
  // symmetric error (the rule of Calotoiu et al.). For comparison.
  kNormalForm,
};

struct Model {
  Shape shape;
  double a = 0, b = 0;
  double held_out_error = 0;  // relative, symmetric; 0..2
  double from = 0;            // the rank count it holds from; 0: everywhere
  double At(double ranks) const;
  std::string ToString() const;  // "1.2e-3 + 4.5e-2 / N"
};

// The factors of the POP model (pop-coe.eu), each 1 where nothing is lost.
struct Efficiencies {
  double load_balance = 0;  // computation of a mean rank, of the most of one
  double serialisation =
      0;                // that most, of the time if nothing were transferred
  double transfer = 0;  // that time, of the time
  // Computation of all ranks of the smallest run, of that here; where the work
  // grows with the ranks (weak scaling), of a mean rank.
  double computation = 0;
  bool is_weak = false;
  double Communication() const { return serialisation * transfer; }
  double Parallel() const { return load_balance * Communication(); }
  double Global() const { return Parallel() * computation; }
};

struct ForecastPoint {
  int64_t ranks = 0;
  // What stands below is not to be relied on, and why.
  bool refused = false;
  std::string reason;
  double seconds = 0, low = 0, high = 0;     // 90 % interval
  double compute_share = 0, call_share = 0;  // of the time of a mean rank
  double efficiency = 0;   // against the smallest measured run, strong scaling
  std::string basis;       // how the time was found; "" says: laws added up
  bool walked = false;     // along the extrapolated trace
  bool estimated = false;  // that trace is a twin (twin.h)
  std::optional<Efficiencies> efficiencies;  // where it was walked
  // Where a single rank count was measured nothing is known at another.
  bool HasFigure() const { return seconds > 0; }
};

struct GrowingSite {
  std::string call, site;
  bool in_call = false;  // what grows most of it
  Model model;
  double share_now = 0, share_then = 0;  // of total, largest N measured/asked
};

// What takes the largest part of a mean rank's time, by the laws, from a rank
// count on until the next.
struct DominantSite {
  int64_t from_ranks = 0;
  std::string call, site;
  bool in_call = false;  // the call itself, not the computation before it
  double share = 0;      // there
};

// One rank count that was measured.
struct MeasuredSize {
  int64_t ranks = 0;
  uint64_t runs = 0;
  double seconds = 0;    // mean of the runs' times
  double deviation = 0;  // standard deviation between runs, 0 for one run
  // What the runs took on their cores, where these were shared; else 0.
  double took_seconds = 0;
  std::optional<Efficiencies> efficiencies;  // of a walk of the run
};

// The fitted laws of one event, seconds (or times) a rank over a whole run.
struct SiteModel {
  std::string call, site;
  Model compute, in_call, occurrences;
  double share_now = 0;  // of the time at the largest N measured
};

// A run that is not over, as it enters the forecast.
struct RunUnderWay {
  std::string job;
  int64_t ranks = 0;
  bool used = false;
  std::string reason;     // when not used
  double share_seen = 0;  // of its time, 0..1
  double seconds = 0;     // that the whole run is expected to take
};

// A shift of run times at the same rank counts, beyond their spread: from a
// run on they take `factor` times as long. Forecasts are for the time since:
// what was measured before is multiplied by it.
struct Drift {
  std::string job;  // the first run since
  int64_t since_unix_ns = 0;
  double factor = 1, low = 1, high = 1;  // 90 % interval
};
// By what times of a run that began then are to be multiplied.
inline double DriftScale(const std::optional<Drift>& drift,
                         int64_t start_unix_ns) {
  return drift && start_unix_ns < drift->since_unix_ns ? drift->factor : 1;
}

// What a run may take; 0: as long, or as much, as it likes.
struct SizeTarget {
  double within_seconds = 0;
  double budget_rank_hours = 0;  // ranks times hours
};

// The rank count to run at.
struct BestSize {
  int64_t ranks = 0;   // 0: none meets the target
  std::string reason;  // when there is none
  double seconds = 0, rank_hours = 0;
  bool sure = false;  // the upper end of the interval meets it, too
};

// The fitted laws of one event over rank counts and a parameter, seconds a rank
// over a whole run, in algebra: "1.2e-3 + 4.5e-9 size^2 / N".
struct ParameterLaw {
  std::string call, site, compute, in_call;
  double share = 0;  // of the time at the parameter's value, most ranks asked
};

// A forecast at one value of a parameter, from runs at several.
struct OverParameter {
  struct Cell {
    int64_t ranks = 0;
    double value = 0;
    uint64_t runs = 0;
    double seconds = 0;  // mean of the runs' times
  };
  std::string name;
  double value = 0;                // that was asked for
  std::vector<Cell> cells;         // measured, by ranks, then value
  std::vector<ParameterLaw> laws;  // largest share first
  double next_value = 0;           // of the next run
};

// The factor of efficiency that first falls below kGoodEfficiency as ranks get
// more, at about so many; where none does, the lowest at the most ranks.
inline constexpr double kGoodEfficiency =
    0.8;  // below it POP looks for a cause
struct FirstLimit {
  std::string factor;
  int64_t ranks = 0;
  double efficiency = 0;  // there
  bool is_reached = false;
};

// A call site as it is read; by what it is known as elsewhere (module and
// offset), which no other build has.
struct SiteName {
  std::string text;   // "step solver.f90:128 < main main.f90:12"
  std::string place;  // "solver.f90:128", or the function without a line
};

// How the mean time of one occurrence differs from rank to rank, in seconds: of
// the rank with the least, of all, of the one with the most, and the standard
// deviation over ranks. (A trace keeps moments over ranks, no quartiles.)
struct OverRanks {
  double least = 0, mean = 0, most = 0, deviation = 0;
};
struct SiteSpread {
  OverRanks compute;                 // before the call
  std::optional<OverRanks> in_call;  // where these times can be used
  // Of the time in the call on all ranks, the share beyond the least that it
  // took on any rank at any time; where in_call is known.
  double waiting_share = 0;
};

// ForecastPoint::basis of a point whose walk others wait for.
inline constexpr std::string_view kBeingWalked =
    "laws added up: the walk is being made";

// How far those walks are.
struct WalkProgress {
  int64_t walked = 0, all = 0;  // rank counts; without those that cannot be
  double left_seconds = 0;      // at the pace until now; 0: not known yet
  bool waits_for_core = false;  // most of the time, as others have them all
};

struct Forecast {
  std::string program;
  std::vector<MeasuredSize> sizes;  // ascending
  std::vector<SiteModel> sites;     // largest share first
  std::vector<int64_t> measured;    // rank counts
  std::vector<uint64_t> repetitions;
  std::vector<ForecastPoint> points;
  std::vector<RunUnderWay> under_way;  // by job
  std::optional<Drift> drift;
  std::vector<GrowingSite> growing;  // most growing first
  // From the smallest rank count measured to the largest that was asked for
  // and not refused; by rank count.
  std::vector<DominantSite> dominant;
  int64_t next_run = 0;  // rank count that would help most
  std::string next_run_reason;
  std::optional<BestSize> best;          // where somebody asked
  std::optional<OverParameter> over;     // where somebody asked
  std::optional<MachineRatios> machine;  // the points' where it is another
  std::string what_if;  // how points are otherwise than the program (what_if.h)
  bool walking = false;  // points will change soon: they are being walked
  WalkProgress walks;    // where walking
  // Times, those of the sizes too, are of a machine with a core for each rank
  // and the network of this name; "": of the machine of the runs.
  std::string network;
  // The network whose links the points' messages were walked over, as options
  // name it; "": of none.
  std::string links;
  std::optional<MemoryForecast> memory;   // where runs say what they hold
  std::map<std::string, SiteName> names;  // of sites, where they are known
  // Of sites of the runs: their frames, outermost first. Sites that differ
  // further out than they are told apart by have what they share, behind
  // kManyPaths.
  std::map<std::string, std::vector<std::string>> paths;
  // By call and site, of a run on so many ranks; none of either where no run
  // was looked at.
  std::map<std::pair<std::string, std::string>, SiteSpread> spreads;
  int64_t spread_ranks = 0;
  // Of the same runs at more rank counts: what is said of the whole in one
  // sentence (verdict.h) is said of these, so that whoever asks for other
  // counts is told the same. nullptr: of this forecast.
  std::shared_ptr<const Forecast> judged_by;
};
inline constexpr char kManyPaths[] = "...";

// Takes over how ranks of a run, the largest there is, differ at its sites.
// After `network` is set.
void SetSpreads(const reduction::Trace& run, Forecast* f);

// Takes over the paths of the sites of runs, and what is known of them.
void SetNames(const reduction::Sites& sites, const reduction::Names& names,
              Forecast* f);

// Of sizes and points that have efficiencies; nothing where fewer than two do.
std::optional<FirstLimit> FindFirstLimit(const Forecast& forecast);

// Of the points that are not refused: the cheapest within a time, else the
// fastest within a budget.
BestSize ChooseSize(const Forecast& forecast, const SizeTarget& target);

// Whether a rank count is further beyond what was measured (ascending) than
// anything is forecast.
bool IsTooFar(int64_t ranks, std::span<const int64_t> measured);

class Forecaster {
 public:
  explicit Forecaster(ModelFamily family = ModelFamily::kWeighed);
  ~Forecaster();
  Forecaster(Forecaster&&) noexcept;
  Forecaster& operator=(Forecaster&&) noexcept;

  // kNo when the run is of another program or build, or incomplete. A run
  // under way of the same job is over then.
  reduction::Status AddRun(const reduction::Trace& trace);
  // What has been seen of a run that goes on takes the place of what was seen
  // of that job before. It counts until EndUnderWay or AddRun: the time of an
  // occurrence at that rank count, times how often the event will have
  // occurred by its law (forecast/under_way.h). kNo as for AddRun, and when no
  // run was added yet.
  reduction::Status SetUnderWay(const reduction::Trace& so_far);
  void EndUnderWay(const std::string& job);
  // Jobs, ascending.
  std::vector<std::string> UnderWay() const;
  Forecast At(std::span<const int64_t> ranks) const;
  // What was learned from the runs so far, as bytes; and a Forecaster that
  // has learned it. kBadInput when the bytes are damaged.
  std::vector<uint8_t> Encode() const;
  static reduction::Result<Forecaster> Decode(
      std::span<const uint8_t> bytes,
      ModelFamily family = ModelFamily::kWeighed);
  // The fitted mean time of one occurrence of an event, at each of `ranks`; its
  // own in `base` where the event or too few sizes were seen. Used to scale
  // sketches.
  struct EventTime {
    double compute_ns = 0, call_ns = 0;
  };
  std::vector<EventTime> EventAt(const reduction::Trace& base,
                                 const reduction::Node& event,
                                 std::span<const int64_t> ranks) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// One JSON document: points, intervals, models, growing sites, next run.
std::string ToJson(const Forecast& forecast);
// A table for people; every line ends with a newline.
std::string ToText(const Forecast& forecast);

}  // namespace ranksight::online_model
