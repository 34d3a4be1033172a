// What of a twin may be drawn, or taken from a like rank, without breaking what
// ranks agree on: an amount, but not the operation of a reduction.
// Thread-safety: pure functions.
#pragma once

#include <set>

#include "online_model/twin/plan.h"

namespace ranksight::online_model {

// Whether a collective of some of the ranks says what its members agree on: a
// root among them, or how many they are.
bool IsOfMembersAlone(const TwinTree::Item& item);
// Whether that has no law.
bool IsOpenToMembers(const TwinTree::Item& item);

// Nodes that make communicators and of which something has no law; all where
// roots in what they make have none, so that these are members, where ranks
// call on one or another, or where what is made of parts of them is open; with
// any those that make intercommunicators.
std::set<int> OpenMakers(const TwinTree& tree, const SizesByColor& sizes);

// kNo, naming the call and what of it has no law, where that may not be drawn.
// REQUIRES: plan has its sizes, groups and graphs.
reduction::Status CheckMayBeDrawn(const TwinTree& tree, const TwinPlan& plan,
                                  const reduction::Sites& sites);

}  // namespace ranksight::online_model
