// The search for laws of lists over the ranks, such as rank 0 receives from all
// others by: a law of each rank, the same wherever the list is. And for what
// follows the rank that a message goes to, or comes from.
// Thread-safety: pure function.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// More places of one rank are none of a program: the sides of its block are so
// many.
inline constexpr int64_t kMostPlacesEach = 3;

// The law, of kind kThere, that gives all these values at places of lists, of
// which as many in a row stand for each rank; nothing where a place stands for
// no rank (Context::There), or is seen twice with two values.
std::optional<ScalarLaw> FindThere(std::span<const Sample> samples,
                                   const SearchSpace& space, int64_t each = 1);

// What a law of each rank says of that which the space has as the partner:
// blocks of theirs, most often. Nothing where it has none, or a partner is seen
// twice with two values.
std::optional<ScalarLaw> FindOfPartner(std::span<const Sample> samples,
                                       const SearchSpace& space);

// Whom that law of a peer gives, where there is somebody: a step, where it is
// next to the rank. nullptr where it cannot be said so.
ExpressionPtr PartnerOf(const ScalarLaw& peer);

// The law of a rank as that of the rank that `rank` gives, where it follows the
// rank alone, or coordinates and `rank` is a step along a side; nullptr where
// that is not so. is_line: ranks are the only side.
ExpressionPtr AtRank(ExpressionPtr rank, const ExpressionPtr& law,
                     bool is_line);

// Of a law that FindThere gave, that of each of a rank's places; empty where
// one is no expression.
std::vector<ExpressionPtr> PlacesThere(const ScalarLaw& law);

}  // namespace ranksight::online_model
