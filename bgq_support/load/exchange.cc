// Everybody to everybody, without looking at pairs. While a message of such
// an exchange travels dimension d, the dimensions behind it have the
// receiver's coordinates and those ahead the sender's. So the senders that
// matter for a line of nodes are those that agree with it in the dimensions
// ahead, the receivers those that agree in the ones behind, and only their
// numbers at each coordinate of d count.
#define RANKSIGHT_KERNEL inline
#include "bgq_support/base/contract.h"
#include "bgq_support/load/view.h"

namespace ranksight::bgq_support {
namespace {

// Members whose coordinates outside `summed` are those of a node, at the
// node with 0 for the coordinates in `summed`.
std::vector<uint64_t> SumOver(const Plan& plan,
                              const std::vector<uint64_t>& members,
                              uint32_t summed) {
  RANKSIGHT_REQUIRE(members.size() == static_cast<size_t>(plan.nodes));
  std::vector<uint64_t> sums(members.size(), 0);
  for (int64_t node = 0; node < plan.nodes; ++node) {
    if (members[static_cast<size_t>(node)] == 0) continue;
    int64_t to = node;
    for (int j = 0; j < plan.dims; ++j) {
      if (summed >> j & 1) {
        to -= plan.coordinates[node * plan.dims + j] * plan.step[j];
      }
    }
    sums[static_cast<size_t>(to)] += members[static_cast<size_t>(node)];
  }
  return sums;
}

// The node with 0 for the coordinates in `cleared`.
int64_t Clear(const Plan& plan, int64_t node, uint32_t cleared) {
  int64_t to = node;
  for (int j = 0; j < plan.dims; ++j) {
    if (cleared >> j & 1) {
      to -= plan.coordinates[node * plan.dims + j] * plan.step[j];
    }
  }
  return to;
}

void AddTurn(const Plan& plan, const std::vector<uint64_t>& members, int dim,
             const Turn& turn, uint64_t bytes) {
  const uint32_t own = 1u << dim;
  const uint32_t ahead = ((1u << plan.dims) - 1) & ~turn.done & ~own;
  // A message that turns into `dim` has its receiver's coordinates in the
  // dimensions done and its sender's in those ahead. What it had or will have
  // there may be anything, so two sums stand for all pairs.
  const auto senders = SumOver(plan, members, turn.done);
  const auto receivers = SumOver(plan, members, ahead);
  for (int64_t base = 0; base < plan.nodes; ++base) {
    if (plan.coordinates[base * plan.dims + dim] != 0) continue;
    const int64_t from_base = Clear(plan, base, turn.done);
    const int64_t to_base = Clear(plan, base, ahead);
    for (int a = 0; a < plan.length[dim]; ++a) {
      const uint64_t from =
          senders[static_cast<size_t>(from_base + a * plan.step[dim])];
      if (from == 0) continue;
      for (int b = 0; b < plan.length[dim]; ++b) {
        const uint64_t to =
            receivers[static_cast<size_t>(to_base + b * plan.step[dim])];
        if (to == 0 || a == b) continue;
        MessageKernel<PlainAdd>::AddTurn(plan, dim, base, a, b,
                                         bytes * from * to * turn.weight);
      }
    }
  }
}

}  // namespace

void AddExchanges(const EngineInput& input,
                  const std::vector<Exchange>& exchanges,
                  std::vector<uint64_t>* differences, uint64_t* local) {
  RANKSIGHT_REQUIRE(differences != nullptr && local != nullptr);
  Plan plan = PlanWithoutMemory(input);
  plan.turns = input.plan.turns.data();
  plan.coordinates = input.plan.coordinates.data();
  plan.differences = differences->data();
  for (const Exchange& exchange : exchanges) {
    std::vector<uint64_t> members(static_cast<size_t>(plan.nodes), 0);
    for (const int64_t rank : exchange.members) {
      ++members[static_cast<size_t>(
          input.node_of_rank[static_cast<size_t>(rank)])];
    }
    for (const uint64_t n : members) {
      if (n > 1) *local += n * (n - 1) * exchange.bytes;
    }
    for (int dim = 0; dim < plan.dims; ++dim) {
      for (int t = plan.first_turn[dim]; t < plan.first_turn[dim + 1]; ++t) {
        AddTurn(plan, members, dim, plan.turns[t], exchange.bytes);
      }
    }
  }
}

}  // namespace ranksight::bgq_support
