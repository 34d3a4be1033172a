// Forecasts of run time, refitted as runs arrive.
//
// A Forecaster holds, per program, one series per event (call, call site)
// and quantity (computation before it, time in the call) with sufficient
// statistics per rank count, so that adding a run costs the same however many
// came before. Each series is fitted with the four classic models of the
// literature: constant, linear, inverse, inverse plus constant; the choice
// is by held-out error. All times are seconds unless the name says otherwise.
// Thread-safety: a Forecaster belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

enum class ModelKind : uint8_t {
  kConstant,             // a
  kLinear,               // a + b N
  kInverse,              // b / N
  kInversePlusConstant,  // a + b / N
};

struct Model {
  ModelKind kind = ModelKind::kConstant;
  double a = 0, b = 0;
  double held_out_error = 0;  // relative, symmetric; 0..2
  double At(double ranks) const;
  std::string ToString() const;  // "1.2e-3 + 4.5e-2 / N"
};

struct ForecastPoint {
  int64_t ranks = 0;
  bool refused = false;
  std::string reason;                        // when refused
  double seconds = 0, low = 0, high = 0;     // 90 % interval
  double compute_share = 0, call_share = 0;  // of the time of a mean rank
  double efficiency = 0;  // against the smallest measured run, strong scaling
};

struct GrowingSite {
  std::string call, site;
  Model model;
  double share_now = 0, share_then = 0;  // of total, largest N measured/asked
};

// One rank count that was measured.
struct MeasuredSize {
  int64_t ranks = 0;
  uint64_t runs = 0;
  double seconds = 0;    // mean of the runs' times
  double deviation = 0;  // standard deviation between runs, 0 for one run
};

// The fitted laws of one event, seconds (or times) a rank over a whole run.
struct SiteModel {
  std::string call, site;
  Model compute, in_call, occurrences;
  double share_now = 0;  // of the time at the largest N measured
};

struct Forecast {
  std::string program;
  std::vector<MeasuredSize> sizes;  // ascending
  std::vector<SiteModel> sites;     // largest share first
  std::vector<int64_t> measured;    // rank counts
  std::vector<uint64_t> repetitions;
  std::vector<ForecastPoint> points;
  std::vector<GrowingSite> growing;  // most growing first
  int64_t next_run = 0;              // rank count that would help most
  std::string next_run_reason;
};

class Forecaster {
 public:
  Forecaster();
  ~Forecaster();
  Forecaster(Forecaster&&) noexcept;
  Forecaster& operator=(Forecaster&&) noexcept;

  // kNo when the run is of another program or build, or incomplete.
  reduction::Status AddRun(const reduction::Trace& trace);
  Forecast At(std::span<const int64_t> ranks) const;
  // The fitted mean time of one event, per occurrence, at `ranks`; and what
  // it was at the measured size nearest to it. Used to scale sketches.
  struct EventTime {
    double compute_ns = 0, call_ns = 0;
  };
  EventTime EventAt(const reduction::Trace& base, const reduction::Node& event,
                    int64_t ranks) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// One JSON document: points, intervals, models, growing sites, next run.
std::string ToJson(const Forecast& forecast);
// A table for people; every line ends with a newline.
std::string ToText(const Forecast& forecast);

}  // namespace ranksight::online_model
