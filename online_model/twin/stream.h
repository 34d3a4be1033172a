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
#include <set>
#include <vector>

#include "online_model/twin/completion_style.h"
#include "online_model/twin/draw.h"
#include "online_model/twin/exchange.h"
#include "reduction/api/event.h"

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
  double amount_scale = 1;
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
  int16_t exchange = -1;
  // A completion of what is open: as style->kind says.
  const CompletionStyle* style = nullptr;
  bool expands = false;    // stands for all calls that the style needs
  int32_t completes = -1;  // which list of references, once that is known
  int64_t passed = 0;
};

struct TwinPlan {
  const TwinTree* tree = nullptr;
  const InputRun* last = nullptr;  // the largest input
  int64_t ranks = 0;
  std::vector<DrawnExchange> exchanges;
  CompletionStyles styles;
  std::map<SiteKey, int16_t> exchange_of;
  // By how much amounts without a law get longer at other calls.
  std::map<SiteKey, double> amount_scales;
  // How much oftener nodes run whose trips have no law and are the same on all
  // ranks.
  std::map<int, double> trip_scales;
};

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
  void Visit(int at, int64_t by_law, int64_t copied);
  void Body(int at, int64_t by_law, int64_t copied);
  void Rewrite(int16_t which, uint64_t iteration, size_t begin);
  void ResolveRequests();
  int64_t ShiftValue(const TwinEvent& e, size_t param) const;
  std::vector<int64_t> Array(const TwinEvent& e, size_t param,
                             int64_t length) const;
  int64_t ArrayStart(const RankRun& run, uint32_t node, size_t length,
                     int64_t occurrence) const;
  int64_t Kept(int64_t value, reduction::Param param) const;
  double AmountScaleOf(const TwinEvent& e, size_t param) const;

  const TwinPlan& plan_;
  int64_t rank_;
  int64_t donor_;
  const RankRun& law_;
  std::vector<TwinEvent> events_;
  std::vector<std::vector<int64_t>> references_;
  mutable std::map<std::pair<const RankRun*, std::pair<uint32_t, size_t>>,
                   std::vector<int64_t>>
      starts_;
};

}  // namespace ranksight::online_model
