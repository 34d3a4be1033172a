// Link loads on threads of the C++ library.
#include <algorithm>
#include <atomic>
#include <thread>

#include "bgq_support/load/on_threads.h"

#define RANKSIGHT_KERNEL inline
#include "bgq_support/base/contract.h"
#include "bgq_support/load/view.h"

namespace ranksight::bgq_support {
namespace {

template <class AddTo>
uint64_t AddAll(const Plan& plan, const EngineInput& input,
                const std::vector<Flow>& pieces, unsigned threads) {
  std::atomic<size_t> next{0};
  std::atomic<uint64_t> local{0};
  OnThreads(threads, [&](unsigned) {
    uint64_t mine = 0;
    for (size_t i; (i = next.fetch_add(1)) < pieces.size();) {
      mine += MessageKernel<AddTo>::AddFlow(plan, input.node_of_rank.data(),
                                            pieces[i]);
    }
    local += mine;
  });
  return local;
}

void SumUp(const Plan& plan, unsigned threads) {
  OnThreads(threads, [&](unsigned thread) {
    for (int dim = 0; dim < plan.dims; ++dim) {
      const int64_t lines = plan.nodes / plan.length[dim];
      for (int64_t line = thread; line < lines; line += threads) {
        MessageKernel<PlainAdd>::SumLine(plan, dim, 0, line);
        MessageKernel<PlainAdd>::SumLine(plan, dim, 1, line);
      }
    }
  });
}

}  // namespace

unsigned UsefulThreads(size_t pieces) {
  const auto useful =
      static_cast<unsigned>(std::min<size_t>(pieces / 16 + 1, 64));
  return std::min(useful, std::max(1u, std::thread::hardware_concurrency()));
}

uint64_t RunOnThreads(const EngineInput& input,
                      std::vector<uint64_t>* differences) {
  RANKSIGHT_REQUIRE(differences != nullptr);
  RANKSIGHT_REQUIRE(differences->size() ==
                    2 * static_cast<size_t>(input.torus.dims()) *
                        static_cast<size_t>(input.torus.nodes()));
  Plan plan = PlanWithoutMemory(input);
  plan.turns = input.plan.turns.data();
  plan.coordinates = input.plan.coordinates.data();
  plan.differences = differences->data();
  const std::vector<Flow> pieces = CutFlows(input.flows);
  const unsigned threads = UsefulThreads(pieces.size());
  const uint64_t local = threads == 1
                             ? AddAll<PlainAdd>(plan, input, pieces, 1)
                             : AddAll<AtomicAdd>(plan, input, pieces, threads);
  SumUp(plan, threads);
  return local;
}

}  // namespace ranksight::bgq_support
