#include "cli/look/simulation_cost.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/look/legend.h"
#include "reduction/api/contract.h"

namespace ranksight::cli {
namespace {

using replay_engine::EstimatedSeconds;
using replay_engine::MeterStop;
using replay_engine::ReplayMeter;

double EventsDone(const ReplayMeter& meter) {
  return meter.all_events > 0 ? meter.events / meter.all_events : 0;
}

// Two digits, however small.
std::string EventsDoneText(const ReplayMeter& meter) {
  return fmt::format("{:.2g} %", 100 * EventsDone(meter));
}

std::string ProcessorTime(double seconds) { return Duration(seconds * 1e9); }

std::string EstimatedFrom(const ReplayMeter& meter) {
  return fmt::format(
      "estimated from the first {} of the events ({}, after {} "
      "of start)",
      EventsDoneText(meter), ProcessorTime(meter.spent_s - meter.start_s),
      ProcessorTime(meter.start_s));
}

std::string WhatIsSimulated(const ReplayMeter& meter, int64_t ranks) {
  return fmt::format("{}, {:.0f} events", Counted(ranks, "rank"),
                     meter.all_events);
}

}  // namespace

std::string CostText(const ReplayMeter& meter, int64_t ranks,
                     double most_memory) {
  const std::string memory = AmountText(meter.memory_bytes, "B");
  if (meter.stop == MeterStop::kNone) {
    return fmt::format(
        "{} of processor time and {} of memory for {}\n"
        "measured: the whole simulation took no longer\n",
        ProcessorTime(meter.spent_s), memory, WhatIsSimulated(meter, ranks));
  }
  return fmt::format(
      "about {} of processor time and {} to {} of memory for {}\n"
      "{}; others may take longer\n",
      ProcessorTime(EstimatedSeconds(meter)), memory,
      AmountText(std::max(meter.memory_bytes, most_memory), "B"),
      WhatIsSimulated(meter, ranks), EstimatedFrom(meter));
}

std::string CostJson(const ReplayMeter& meter, int64_t ranks,
                     double most_memory) {
  const bool estimate = meter.stop != MeterStop::kNone;
  JsonWriter json;
  json.BeginObject()
      .Member("ranks", ranks)
      .Member("events", static_cast<uint64_t>(meter.all_events))
      .Member("estimate", estimate)
      .Member("processor_seconds", EstimatedSeconds(meter))
      .Member("memory_bytes", static_cast<uint64_t>(meter.memory_bytes))
      .Member("most_memory_bytes",
              static_cast<uint64_t>(
                  estimate ? std::max(meter.memory_bytes, most_memory)
                           : meter.memory_bytes))
      .Key("measured")
      .BeginObject()
      .Member("events", static_cast<uint64_t>(meter.events))
      .Member("share", EventsDone(meter))
      .Member("start_seconds", meter.start_s)
      .Member("processor_seconds", meter.spent_s)
      .EndObject()
      .EndObject();
  return json.Take();
}

std::string BeyondLimitText(const ReplayMeter& meter) {
  RANKSIGHT_REQUIRE(meter.stop == MeterStop::kLimit ||
                    meter.stop == MeterStop::kEstimateBeyond);
  const std::string limit = fmt::format("--limit {:g}", meter.limit_s);
  if (meter.stop == MeterStop::kEstimateBeyond) {
    return fmt::format(
        "the simulation would take about {} of processor time, more than "
        "{}: {}",
        ProcessorTime(EstimatedSeconds(meter)), limit, EstimatedFrom(meter));
  }
  const std::string ended =
      fmt::format("the simulation ended after {} of processor time ({})",
                  ProcessorTime(meter.spent_s), limit);
  if (!(meter.events > 0)) return ended + ", before its first event";
  return fmt::format("{}, with {} of the events done", ended,
                     EventsDoneText(meter));
}

}  // namespace ranksight::cli
