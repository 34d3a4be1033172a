#include "reduction/merge/unite_parameters.h"

#include <cstdint>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/api/pause.h"

namespace ranksight::reduction {

size_t ParameterUniter::KeyHash::operator()(const Key& key) const {
  const auto a = reinterpret_cast<uintptr_t>(key.a);
  const auto b = reinterpret_cast<uintptr_t>(key.b);
  return size_t((a + (key.ranked ? 1 : 0)) * 0x9E3779B97F4A7C15u ^ (b >> 4));
}

void ParameterUniter::Unite(Parameter* a, Parameter b, bool ranked) {
  RANKSIGHT_REQUIRE(a != nullptr);
  if (!a->is_shared() || !b.is_shared() || a->distribution() != nullptr ||
      b.distribution() != nullptr) {
    return a->Merge(std::move(b), ranked);
  }
  // Parameters that many events share are united once: who has the same two
  // gets the same result, shared again.
  const Key key{a->identity(), b.identity(), ranked};
  const auto [at, is_new] = known_.try_emplace(key);
  Union& u = at->second;
  if (is_new) {
    u.a = *a;
    u.b = std::move(b);
    u.all = u.a;
    u.all.Merge(u.b, ranked);
  }
  *a = u.all;
}

void ParameterUniter::Discard() {
  while (!known_.empty()) {
    Pause();
    known_.erase(known_.begin());
  }
}

}  // namespace ranksight::reduction
