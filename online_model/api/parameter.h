// Forecasts over the rank count and one numeric parameter of the runs, such
// as a problem size: `record --param size=4096`, ranksight_param().
//
// Every event's times are fitted by laws in both (fit/surface.h) and added up;
// traces are not walked, because their structure is extrapolated over rank
// counts alone.
// Thread-safety: one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "online_model/api/forecast.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// A parameter's value that laws can be fitted over: a finite number above 0.
std::optional<double> ParameterNumber(std::string_view text);

class ParameterForecaster {
 public:
  explicit ParameterForecaster(std::string name);
  ~ParameterForecaster();
  ParameterForecaster(ParameterForecaster&&) noexcept;
  ParameterForecaster& operator=(ParameterForecaster&&) noexcept;

  // kNo when the run is of another program or build, incomplete, differs from
  // the others in another parameter, or has no value above 0 of this one.
  reduction::Status AddRun(const reduction::Trace& trace);
  // Every point is refused, with the run that is missing, where there are
  // fewer than three rank counts or values, where no two rank counts were run
  // with the same two values (sums of laws and products of laws then look the
  // same), and further than 64 times beyond what was measured.
  Forecast At(double value, std::span<const int64_t> ranks) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ranksight::online_model
