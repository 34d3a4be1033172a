// A run as the walk takes it, for tests.
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "online_model/join/costs.h"
#include "online_model/walk/calibrate.h"

namespace ranksight::testing {

struct Compiled {
  online_model::CostTable costs;
  online_model::Program program;
};

// With its own computation.
inline Compiled CompileRun(const reduction::Trace& trace) {
  Compiled c;
  c.costs.Add(trace);
  auto program = online_model::Compile(
      trace, uint32_t(c.costs.events()),
      [&](const reduction::Node& node) {
        return c.costs.NumberOf(trace, node);
      },
      c.costs.contexts());
  EXPECT_TRUE(program.ok()) << program.status().message();
  c.program = std::move(*program);
  c.costs.AddProgram(trace.meta.ranks, c.program);
  c.costs.Separate();
  return c;
}

// What a calibration takes.
inline online_model::Measured MeasuredRun(const reduction::Trace& trace,
                                          double seconds) {
  Compiled c = CompileRun(trace);
  const int64_t ranks = trace.meta.ranks;
  return {std::move(c.program), c.costs.At(ranks), c.costs.InCall(ranks),
          seconds};
}

}  // namespace ranksight::testing
