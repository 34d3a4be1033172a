#include "tests/idioms/run.h"

#include <utility>

#include "tests/idioms/world/record.h"
#include "tests/idioms/world/world.h"

namespace ranksight::idioms {
namespace {

using reduction::Call;

// Calls as from line `line` of the program's main.
template <class Body>
[[gnu::noinline]] void AtLine(Rank* me, uint64_t line, Body body) {
  me->phase = 16 * line;
  me->outermost = __builtin_frame_address(0);
  body();
}

void RunSteps(const Program& p, const std::vector<void*>& states, Rank* me) {
  const uint64_t n = p.phases.size();
  for (int step = 0; step < p.steps; ++step) {
    for (uint64_t i = 0; i < n; ++i) {
      AtLine(me, 2 + n + i, [&] { p.phases[i].idiom->step(states[i], step); });
    }
    if (p.residual > 0 && step % p.residual == 0) {
      double mine = 0, sum = 0;
      AtLine(me, 2 + 2 * n, [&] {
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      });
    }
  }
}

void RunRank(const Program& p, Rank* me) {
  const uint64_t n = p.phases.size();
  AtLine(me, 0,
         [] { Record(Call::MPI_Init_, __builtin_frame_address(0)).Push(); });
  grid g{};
  make_grid(&g, p.rule, p.order, p.sides, p.mesh.data());
  std::vector<void*> states(n);
  for (uint64_t i = 0; i < n; ++i) {
    std::vector<int> form = p.phases[i].form;
    form.push_back(0);
    AtLine(me, 1 + i,
           [&] { states[i] = p.phases[i].idiom->start(&g, form.data()); });
  }
  RunSteps(p, states, me);
  for (uint64_t i = 0; i < n; ++i) {
    AtLine(me, 3 + 2 * n + i, [&] { p.phases[i].idiom->end(states[i]); });
  }
  AtLine(me, 3 + 3 * n, [] {
    Record(Call::MPI_Finalize_, __builtin_frame_address(0)).Push();
  });
}

}  // namespace

reduction::Result<reduction::Trace> RunProgram(const Program& program,
                                               int ranks, uint64_t chance) {
  World world(ranks, program.seed * 1000003u + chance);
  if (!world.Run([&](Rank* me) { RunRank(program, me); })) {
    return reduction::Status(
        reduction::StatusCode::kInternal,
        "the program does not end on " + std::to_string(ranks) + " ranks");
  }
  return world.MergedTrace();
}

}  // namespace ranksight::idioms
