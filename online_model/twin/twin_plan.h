// What a twin is made by: exchanges that are drawn, and everything else that is
// not by law; and the events of a rank that come of it.
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "online_model/twin/completion_style.h"
#include "online_model/twin/draw.h"
#include "online_model/twin/drawn_graphs.h"
#include "online_model/twin/drawn_groups.h"
#include "online_model/twin/exchange.h"
#include "online_model/twin/groups_by_law.h"
#include "online_model/twin/meeting_nodes.h"
#include "online_model/twin/sizes_by_color.h"

namespace ranksight::online_model {

// An exchange at the target.
struct DrawnExchange {
  Exchange exchange;
  bool is_drawn = false;  // else only its amounts have no law
  std::vector<DrawnEdge> edges;
  // Of each rank, its edges in the order in which it goes through them.
  std::vector<std::vector<uint32_t>> of_rank;
  std::vector<SiteKey> order;  // its sites in the order of calls
  uint32_t first_node = 0;     // of its sites, in the tree
  bool by_edge = false;        // all calls for one partner, then for the next
  bool by_round = false;       // shifts.h
  // Its messages go on the communicator of all ranks: on which ones has no law,
  // or partners that are drawn need not be in it.
  bool on_world = false;
  // By edge, and of the two ends of each one has no other.
  bool is_star = false;
  // Set where each message stays between the collectives that are around it.
  std::optional<MeetingsOfTalks> meetings;
  // Set where all stand before the first of these in each iteration, which
  // every rank calls there together with all others.
  std::optional<uint32_t> before_node;
  double amount_scale = 1;
  double message_scale = 1;  // as many messages of an edge as its like has
  uint64_t seed = 0;         // which ones there are more or less of
  // Not all ranks have the same of these by law, so that drawn messages have
  // those of their like ones.
  bool amounts_by_like = false, tags_by_like = false;
};

struct TwinEvent {
  static constexpr int64_t kNone = -1;
  uint32_t node = 0;
  uint32_t donor = 0;       // rank of the largest input
  int64_t by_law = kNone;   // which run of the node on this rank
  int64_t copied = kNone;   // which run of it on the donor
  int64_t partner = kNone;  // in place of whom its messages go to, come from
  // Of a shift, what it receives: as this call did, from whom. Then partner is
  // whom it sends to; kPeerNull: nobody.
  struct Receives {
    uint32_t node = 0, donor = 0;
    int64_t copied = kNone;
    int64_t from = kNone;
  };
  std::optional<Receives> receives;
  // The root of a group, or another of it, like one that was so: no law of its
  // own rank says what it gives and takes.
  bool in_role = false;
  int16_t exchange = -1;
  // Where no law says it, the communicator that it is called on; -1: its
  // like's.
  int32_t comm = -1;
  // A completion of what is open, or a start: as style->kind says.
  const CompletionStyle* style = nullptr;
  bool expands = false;    // stands for all calls that the style needs
  int32_t completes = -1;  // which list of references, once that is known
  int64_t passed = 0;
};

struct TwinPlan {
  const TwinTree* tree = nullptr;
  const InputRun* last = nullptr;  // the largest input
  int64_t ranks = 0;
  std::vector<int64_t> sides;  // of the target's grid
  std::vector<DrawnExchange> exchanges;
  CompletionStyles styles;
  DrawnGroups groups;
  DrawnGraphs graphs;
  GroupsByLaw by_law;  // asked where groups are not drawn
  SizesByColor sizes;
  std::map<SiteKey, int16_t> exchange_of;
  // By how much amounts without a law get longer at other calls.
  std::map<SiteKey, double> amount_scales;
  // Amounts of collectives, by node and parameter, that have a law and are
  // taken from like ranks all the same, as others that go with them have none.
  std::set<std::pair<size_t, size_t>> by_like;
  // Of collectives of some of the ranks: every rank gives and takes as much, so
  // that it goes together whoever the others are. By parameter.
  std::map<std::pair<SiteKey, size_t>, int64_t> mean_amounts;
  // Where each gives something to each: what a rank gives, or takes, in all.
  // The larger a group is, the less is for each of it.
  std::map<std::pair<SiteKey, size_t>, double> shared_amounts;
  // How much oftener nodes run whose trips have no law and are the same on all
  // ranks.
  std::map<int, double> trip_scales;
  // How often nodes run that stand behind one another, in turn.
  std::map<int, int64_t> repeats;

  // Whether a message by law goes on the communicator of all: on one that is
  // drawn its two ranks need not be together. Of plans that set apart.
  bool LeavesDrawnComm(const TwinTree::Item& item) const;
};

inline SiteKey SiteOf(const TwinPlan& plan, const TwinEvent& e) {
  return SiteOf(*plan.tree->nodes[e.node].like);
}

// Where `wanted` of `there` iterations is among `known`.
inline uint64_t IterationOfLike(uint64_t wanted, uint64_t there,
                                uint64_t known) {
  return there == known || there == 0 ? wanted : wanted * known / there;
}

inline bool IsTag(reduction::Param param) {
  return param == reduction::Param::kTag || param == reduction::Param::kRecvTag;
}

inline bool IsPeerCount(reduction::Param param) {
  return param == reduction::Param::kPeerCount ||
         param == reduction::Param::kRecvPeerCount;
}

// Of a list of datatypes.
inline bool IsTypeSizes(reduction::Param param) {
  return param == reduction::Param::kTypeSizes ||
         param == reduction::Param::kRecvTypeSizes;
}

inline bool LooksForMessage(reduction::Call call) {
  return call == reduction::Call::MPI_Probe_ ||
         call == reduction::Call::MPI_Iprobe_;
}

}  // namespace ranksight::online_model
