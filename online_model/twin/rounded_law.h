// Laws that give no whole number somewhere, rounded there: 120/N is 8 on 16
// ranks. An estimate, for such a law does not know what is done with a
// remainder.
// Thread-safety: pure functions.
#pragma once

#include <optional>

#include "online_model/structure/sequence_law.h"

namespace ranksight::online_model {

// The law with what it gives rounded to the nearest whole number, a half up;
// nothing where no division in it can leave a remainder. It gives the same
// where the law itself gives a number. Quotients are rounded once, when all
// else is worked out, so that a law gives the same however it is written:
// 2*(N/3) as (2*N)/3.
std::optional<SequenceLaw> RoundedLaw(const SequenceLaw& law);

}  // namespace ranksight::online_model
