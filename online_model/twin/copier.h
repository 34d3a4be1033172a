// A recorded run as copies of it on more ranks (api/copies.h): call by call.
// Thread-safety: one thread. Complexity: O(events of all copies).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "online_model/synthesize/site_sums.h"
#include "online_model/twin/copied_comms.h"
#include "reduction/api/event.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// What is scaled alike, as ends of one message are, and all calls of one
// collective.
using CopiedKind = std::pair<reduction::Family, reduction::Call>;
CopiedKind CopiedKindOf(reduction::Call call);

class Copier {
 public:
  // REQUIRES: the trace and the ranks outlive it.
  Copier(const reduction::Trace& like, const CopiedRanks& ranks,
         CopiedComms comms)
      : like_(like), ranks_(ranks), comms_(std::move(comms)) {}

  // Reads the run, once and first. kNo where it cannot be copied.
  reduction::Status See();
  // How many times as much of a kind each rank sends, but for those that have
  // no one length. After See.
  void Scale(const CopiedKind& kind, double factor);
  // Adds what it does at each site. tell: told how much is done; empty: nobody.
  reduction::Result<reduction::Trace> Make(
      const std::function<void(double share)>& tell, SumsBySite* sums) const;

 private:
  struct CopyRank {
    int64_t copy, rank;  // of the run
  };
  reduction::Status CheckEvent(int64_t rank, const reduction::Event& event);
  reduction::Result<reduction::Trace> OneRank(int64_t rank,
                                              SumsBySite* sums) const;
  reduction::Event CopyOf(const reduction::Event& event, const CopyRank& at,
                          int64_t makes) const;
  // Of the root's call where another copy's is the root.
  reduction::Event AsNonRoot(const reduction::Event& event,
                             const CopyRank& at) const;
  int64_t ScalarOf(const reduction::Event& event, const CopyRank& at,
                   reduction::Param p, int64_t makes) const;
  std::vector<int64_t> ArrayOf(const reduction::Event& event,
                               const CopyRank& at, reduction::Param p,
                               int64_t makes) const;
  bool IsJoined(const reduction::Event& event, const CopyRank& at) const {
    return comms_.IsJoined(at.rank, event.Get(reduction::Param::kComm));
  }
  // Whether what it makes is, which has this number; 0: it makes nothing.
  bool MakesJoined(const reduction::Event& event, const CopyRank& at,
                   int64_t makes) const {
    return makes > 0 ? comms_.IsJoined(at.rank, makes) : IsJoined(event, at);
  }
  int64_t ScaledCount(const reduction::Event& event, int64_t count,
                      int64_t size) const;
  void ScaleAmounts(reduction::Event* event) const;

  const reduction::Trace& like_;
  const CopiedRanks& ranks_;
  CopiedComms comms_;
  std::map<CopiedKind, double> factors_;
  // With datatypes of the program's own, whose length no count says.
  std::set<CopiedKind> fixed_;
  int64_t least_key_ = 0, most_key_ = 0, most_color_ = 0;
  uint64_t values_ = 0;   // of the run, lists as long as those of copies
  bool is_open_ = false;  // a shared grid has ends along its first side
  bool meets_neighbours_ = false;  // calls on shared ones are among neighbours
};

}  // namespace ranksight::online_model
