// The runs of a forecast, and the forecasts made from them.
// Thread-safety: as what it holds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/base/time_options.h"
#include "cli/base/vary.h"
#include "cli/base/what_if_options.h"
#include "online_model/api/forecast.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

struct ForecastOptions {
  std::vector<std::string> files, plugins;
  std::string store, program, ranks;
  std::string models = "weighed";
  std::string param;  // NAME=VALUE
  TimeOptions times;
  online_model::SizeTarget target;
  std::string memory_per_node;
  double limit_seconds = 0;
  WhatIfOptions what_if;
  VaryOptions vary;
  bool json = false, laws_only = false;
};

// A case of --vary, or the only one: no values, and the options as they are.
struct ForecastCase {
  Case values;
  ForecastOptions options;
};

// Whether an extrapolated trace is walked.
bool IsWalked(const ForecastOptions& options);

// For each case, from files or a store, and the traces that were read. options:
// of the runs, and what does not differ between cases.
reduction::Result<std::vector<online_model::Forecast>> AtRanks(
    const ForecastOptions& options, const std::vector<int64_t>& ranks,
    const std::vector<ForecastCase>& cases,
    std::vector<reduction::Trace>* traces);

// At a value of a parameter of the runs.
reduction::Result<online_model::Forecast> OverParameter(
    const ForecastOptions& options, const std::vector<int64_t>& ranks,
    std::vector<reduction::Trace>* traces);

}  // namespace ranksight::cli
