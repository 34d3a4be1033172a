// The search for laws over a place: in a list, in rows or runs of a list, in
// the array of a call, or in a loop around (sequence_law.h has the forms).
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/sequence_law.h"

namespace ranksight::online_model {

// Whether the law gives each rank its pattern.
bool ExplainsAll(const SequenceLaw& law, std::span<const RankPattern> patterns);

// Each fills in what `law` says already; nothing where there is none.
// In a loop around, or in a list with its own length.
std::optional<SequenceLaw> FindByPlace(std::span<const RankPattern> patterns,
                                       const SearchSpace& space,
                                       const SequenceLaw& law);
// In the innermost loop around that explains it.
std::optional<SequenceLaw> FindByIteration(
    std::span<const RankPattern> patterns, SearchSpace space,
    const SequenceLaw& law);

}  // namespace ranksight::online_model
