// TwinStream: the events of one rank of a twin, in order.
//
// What has a law follows it. Else the rank does what its like did in the
// largest input (DonorOf), but for exchanges: in each iteration of its loop the
// calls of an exchange are taken out, and those of the drawn edges put in their
// place, with as many completions as that needs.
// Thread-safety: reads what it is given; one stream, one thread.
// Complexity: O(events).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "online_model/twin/twin_plan.h"
#include "reduction/api/event.h"

namespace ranksight::online_model {

class TwinStream {
 public:
  // REQUIRES: all outlive it. law: of the rank.
  TwinStream(const TwinPlan& plan, int64_t rank, const RankRun& law);

  const std::vector<TwinEvent>& events() const { return events_; }
  // REQUIRES: sites[i] is what stands for site i of the tree.
  reduction::Event EventOf(const TwinEvent& e,
                           const std::vector<uint32_t>& sites) const;
  // Of the parameter, before amounts are scaled; kNotKept where it has none.
  int64_t Scalar(const TwinEvent& e, size_t param) const;

 private:
  void VisitChildren(int at, int64_t by_law, int64_t copied);
  void Visit(int at, int64_t by_law, int64_t copied);
  void Body(int at, int64_t by_law, int64_t copied);
  void Rewrite(int16_t which, uint64_t iteration, size_t begin);
  int64_t ShiftValue(const TwinEvent& e, size_t param) const;
  std::vector<int64_t> Array(const TwinEvent& e, size_t param,
                             int64_t length) const;
  int64_t ArrayStart(const RankRun& run, uint32_t node, size_t length,
                     int64_t occurrence) const;
  int64_t Kept(const TwinEvent& e, int64_t value, reduction::Param param) const;
  double AmountScaleOf(const TwinEvent& e, size_t param) const;
  double PlaceInList(reduction::Call call, reduction::Param role,
                     int64_t k) const;
  double PlaceOfAmount(const TwinEvent& e, reduction::Param role) const;
  // What e has there whose value is like another's.
  int64_t ScaledOf(const TwinEvent& e, const TwinEvent& like,
                   size_t param) const;
  bool IsByLike(const TwinEvent& e, size_t param) const;
  void NumberCommunicators();
  // What the event makes, where that is drawn; else where it is called, where
  // that was drawn.
  std::optional<DrawnGroups::Membership> Made(const TwinEvent& e) const;
  const DrawnGroups::Group* GroupAround(const TwinEvent& e) const;
  // Of an amount that all members of a group give and take alike, whatever it
  // is by law; nothing where it is no such amount.
  std::optional<int64_t> SharedAmount(const TwinEvent& e, size_t param) const;
  // Likewise, where it has no law.
  std::optional<int64_t> MeanAmount(const TwinEvent& e, size_t param) const;
  int64_t Unshared(const TwinEvent& e, size_t param) const;
  // Whether it goes on the communicator of all, whatever the law says.
  bool IsOnWorld(const TwinEvent& e, size_t comm) const;
  // Of its communicator, on this rank; -1: it has none.
  int64_t CommOf(const TwinEvent& e) const;
  // Of a parameter that says who is together, in place of the value.
  int64_t OfGroup(const TwinEvent& e, const DrawnGroups::Membership& made,
                  reduction::Param role, int64_t value) const;
  int64_t RootOf(const TwinEvent& e, int64_t by_law) const;
  int64_t SpecialRootOf(const TwinEvent& e, int64_t by_law) const;
  // Where one is the root of a group that is drawn whose like one is not, or
  // the other way round: the call of a rank that was what it is now.
  std::optional<TwinEvent> InRole(const TwinEvent& e) const;
  // Whether the law gives the parameter one value on this rank that counts.
  bool HasSingle(const TwinEvent& e, size_t param) const;
  // What makes a graph that is drawn, and what is called on one; nullptr else.
  const DrawnGraphs::Neighbours* GraphMade(const TwinEvent& e) const;
  const DrawnGraphs::Neighbours* GraphAround(const TwinEvent& e) const;

  const TwinPlan& plan_;
  int64_t rank_;
  int64_t donor_;
  const RankRun& law_;
  std::vector<TwinEvent> events_;
  std::vector<std::vector<int64_t>> references_;
  // By the number of the communicator on this rank.
  std::map<int64_t, const DrawnGroups::Group*> group_of_;
  // Of intercommunicators, the group that the rank is in itself.
  std::map<int64_t, const DrawnGroups::Group*> own_group_of_;
  std::map<int64_t, const DrawnGraphs::Neighbours*> graph_of_;
  mutable std::map<std::pair<const RankRun*, std::pair<uint32_t, size_t>>,
                   std::vector<int64_t>>
      starts_;
};

}  // namespace ranksight::online_model
