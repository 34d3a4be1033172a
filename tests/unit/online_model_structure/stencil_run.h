// A stencil program whose every event is a formula: the runs that
// extrapolation gets, and what it must give.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reduction/api/event.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model::testing {

enum class Style {
  kLoop,    // one call site in a loop over the sides that exist
  kGuards,  // one guarded call site for each side
  kNull,    // a loop over all sides, MPI_PROC_NULL beyond the edge
};

struct Stencil {
  std::vector<bool> periodic;  // by dimension, slowest first
  Style style = Style::kLoop;
  int steps = 5;
  // Cells of the whole grid along the first dimension, shared out with the
  // remainder to the first ranks; 0: 16 cells a rank.
  int64_t cells = 0;
  // Replaces the peer of a rank's sends where it is set.
  std::function<int64_t(int64_t rank, int64_t ranks, int64_t peer)> peer =
      nullptr;
};

// Row-major on `dims`.
std::vector<reduction::Event> EventsOf(const Stencil& stencil,
                                       const std::vector<int64_t>& dims,
                                       int64_t rank);
reduction::Trace RunOf(const Stencil& stencil,
                       const std::vector<int64_t>& dims);

}  // namespace ranksight::online_model::testing
