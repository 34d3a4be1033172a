#include "online_model/twin/may_be_drawn.h"

#include <algorithm>
#include <string>

#include "online_model/synthesize/node_name.h"
#include "online_model/twin/window_reach.h"
#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using reduction::Param;
using reduction::Status;

// Of a datatype: the root of a gather has one that others lack.
bool IsOfType(reduction::Param p) {
  using reduction::Param;
  switch (p) {
    case Param::kTypeKind:
    case Param::kTypeSize:
    case Param::kTypeExcess:
    case Param::kRecvTypeKind:
    case Param::kRecvTypeSize:
    case Param::kRecvTypeExcess:
    case Param::kTargetTypeKind:
    case Param::kTargetTypeSize:
    case Param::kTargetTypeExcess:
      return true;
    default:
      return false;
  }
}

// What may be drawn, or taken from a like rank, without breaking what ranks
// agree on.
bool MayBeEstimated(const TwinTree::Item& item, reduction::Param p) {
  using reduction::Family;
  using reduction::Param;
  const auto& info = reduction::Info(item.like->call);
  // Messages go between the same two ranks on any.
  if (p == Param::kComm) return info.family == Family::kPointToPoint;
  switch (info.family) {
    case Family::kPointToPoint:
    case Family::kCompletion:
    case Family::kLocal:
      return true;
    case Family::kNeighbourhood:
    case Family::kCollective:
      return reduction::IsAmount(p) || IsOfType(p) || IsTypeSizes(p) ||
             p == Param::kTypeExcesses || p == Param::kRecvTypeExcesses ||
             p == Param::kRoot || IsPeerCount(p);
    case Family::kCommunicator:
      return p == Param::kKey || p == Param::kDims;
    case Family::kOneSided:
      if (p == Param::kSize) return MakesWindow(info.call);
      return IsTransfer(info) && (p == Param::kPeer || p == Param::kOffset ||
                                  reduction::IsAmount(p) || IsOfType(p));
    case Family::kFile:
      return p == Param::kOffset || reduction::IsAmount(p) || IsOfType(p);
    default:
      return false;
  }
}

// What a rank does for itself between its own transfers: nobody waits for it.
bool IsPassive(reduction::Call call) {
  using reduction::Call;
  switch (call) {
    case Call::MPI_Win_lock_:
    case Call::MPI_Win_unlock_:
    case Call::MPI_Win_lock_all_:
    case Call::MPI_Win_unlock_all_:
    case Call::MPI_Win_flush_:
    case Call::MPI_Win_flush_all_:
    case Call::MPI_Win_flush_local_:
    case Call::MPI_Win_flush_local_all_:
    case Call::MPI_Win_sync_:
      return true;
    default:
      return false;
  }
}

// Whether ranks may make the call as often as a like rank did. The last one may
// stand in a loop, where what ranks call before repeats itself.
bool MayBeCopied(const reduction::CallInfo& info) {
  using reduction::Family;
  return info.call == reduction::Call::MPI_Finalize_ ||
         info.call == reduction::Call::MPI_Win_fence_ ||
         info.call == reduction::Call::MPI_Comm_free_ || IsPassive(info.call) ||
         (!info.makes_comm &&
          (info.family == Family::kPointToPoint ||
           info.family == Family::kCompletion ||
           info.family == Family::kCollective ||
           info.family == Family::kLocal || info.family == Family::kFile ||
           IsTransfer(info)));
}

// Of what members of a communicator agree on: a root among them, how many they
// are.
bool IsOfMembers(reduction::Param p) {
  return p == reduction::Param::kRoot || IsPeerCount(p);
}

}  // namespace

bool IsOfMembersAlone(const TwinTree::Item& item) {
  const auto& info = reduction::Info(item.like->call);
  return info.family == reduction::Family::kCollective && !item.on_world &&
         std::ranges::any_of(info.params, IsOfMembers);
}

bool IsOpenToMembers(const TwinTree::Item& item) {
  if (!IsOfMembersAlone(item)) return false;
  const auto params = reduction::Info(item.like->call).params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (IsOfMembers(params[i]) && (item.copied || item.law->missing[i])) {
      return true;
    }
  }
  return false;
}

namespace {

// Whether which communicator ranks call on together has no law.
bool IsOnAnyComm(const TwinTree::Item& item) {
  if (reduction::Info(item.like->call).family ==
      reduction::Family::kPointToPoint) {
    return false;
  }
  const int comm = reduction::ParamPlace(item.like->call, Param::kComm);
  return comm >= 0 && item.HasNoLaw(size_t(comm));
}

bool MakesComm(const TwinTree::Item& item) {
  return item.like->is_event() && reduction::Info(item.like->call).makes_comm;
}

}  // namespace

std::set<int> OpenMakers(const TwinTree& tree, const SizesByColor& sizes) {
  const auto is_open = [&](const TwinTree::Item& item) {
    if (!item.IsOpen()) return false;
    const int node = int(&item - tree.nodes.data());
    return !sizes.Tells(node) ||
           std::ranges::count(item.law->missing, true) > 1;
  };
  const bool all =
      std::ranges::any_of(tree.nodes, [&](const TwinTree::Item& item) {
        return item.like->is_event() &&
               (IsOpenToMembers(item) || IsOnAnyComm(item) ||
                (MakesComm(item) && is_open(item) && !item.on_world));
      });
  std::set<int> open;
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (MakesComm(item) && (all || is_open(item))) open.insert(int(n));
  }
  if (open.empty()) return open;
  // Who leads a group that is drawn is drawn, too.
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const reduction::Node& like = *tree.nodes[n].like;
    if (like.is_event() && like.call == reduction::Call::MPI_Intercomm_create_)
      open.insert(int(n));
  }
  return open;
}

namespace {

// Whether ranks may call on what their like ones did: all have obtained what
// these had, and are together in it.
bool MayBeOnAnyComm(const TwinTree& tree, const DrawnGroups& groups,
                    reduction::Family family) {
  using reduction::Family;
  if (family != Family::kCollective && family != Family::kNeighbourhood &&
      family != Family::kCommunicator) {
    return false;
  }
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    if (MakesComm(tree.nodes[n]) && !groups.Draws(int(n))) return false;
  }
  return true;
}

}  // namespace

Status CheckMayBeDrawn(const TwinTree& tree, const TwinPlan& plan,
                       const reduction::Sites& sites) {
  const DrawnGroups& groups = plan.groups;
  for (size_t n = 0; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.like->is_event() || groups.Draws(int(n)) ||
        plan.graphs.Draws(int(n))) {
      continue;
    }
    const auto& info = reduction::Info(item.like->call);
    if (item.copied && !MayBeCopied(info)) {
      return Status::No("no estimate of how often ranks call " +
                        NameOf(*item.like, sites));
    }
    for (size_t i = 0; i < item.law->missing.size(); ++i) {
      const bool is_comm = info.params[i] == reduction::Param::kComm;
      const bool is_told = info.params[i] == reduction::Param::kCommSize &&
                           plan.sizes.Tells(int(n));
      if (!item.law->missing[i] || is_told ||
          MayBeEstimated(item, info.params[i]) ||
          (is_comm && MayBeOnAnyComm(tree, groups, info.family))) {
        continue;
      }
      return Status::No("no estimate of the " +
                        std::string(reduction::ParamWords(info.params[i])) +
                        " of " + NameOf(*item.like, sites));
    }
  }
  return Status::Ok();
}

}  // namespace ranksight::online_model
