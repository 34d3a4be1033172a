// Laws at a value of a setting that nobody ran, from those at some that were
// run: of the same kinds, with every amount by its law over the setting
// (amount_law.h). Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "online_model/api/own_laws.h"
#include "online_model/synthesize/law_code.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct LawsAtValue {
  int64_t value = 0;
  SymbolicLaws laws;
};

// known: ascending by value, all for the tree of `like`, and for grids by one
// rule, but for its mesh. Where a few are of another kind than the most, as
// where a whole comes out even by chance, these do not count: whoever asks
// compares with the runs. most_free: see FindAmountLaw. kNo with the event
// whose laws have none over the values.
reduction::Result<SymbolicLaws> LawsAtSetting(
    std::span<const LawsAtValue> known, int64_t wanted, int most_free,
    const OwnLaws& own, const reduction::Trace& like);

}  // namespace ranksight::online_model
