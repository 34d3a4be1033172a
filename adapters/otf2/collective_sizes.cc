#include "adapters/otf2/collective_sizes.h"

#include "reduction/api/call.h"
#include "reduction/api/parameter.h"

namespace ranksight::adapters::otf2 {
namespace {

using reduction::Call;
using reduction::Event;

// How a record sums up what the call was given.
enum class Pattern {
  kAsGiven,     // each member its own amount
  kFromRoot,    // one amount, from the root to all
  kToRoot,      // one amount, from all to the root
  kGather,      // two amounts
  kScatter,     // two amounts
  kOneForAll,   // one amount, from all to all
  kAllToAll,    // two amounts, from all to all
  kAllgatherv,  // one amount to all, each member's own back
  kScan,
  kExscan,
};

Pattern PatternOf(Call call) {
  switch (reduction::BlockingForm(call)) {
    case Call::MPI_Bcast_:
      return Pattern::kFromRoot;
    case Call::MPI_Reduce_:
      return Pattern::kToRoot;
    case Call::MPI_Gather_:
      return Pattern::kGather;
    case Call::MPI_Scatter_:
      return Pattern::kScatter;
    case Call::MPI_Allreduce_:
    case Call::MPI_Reduce_scatter_block_:
      return Pattern::kOneForAll;
    case Call::MPI_Allgather_:
    case Call::MPI_Alltoall_:
      return Pattern::kAllToAll;
    case Call::MPI_Allgatherv_:
      return Pattern::kAllgatherv;
    case Call::MPI_Scan_:
      return Pattern::kScan;
    case Call::MPI_Exscan_:
      return Pattern::kExscan;
    default:
      return Pattern::kAsGiven;
  }
}

int64_t Divided(int64_t sum, int64_t by) { return by > 0 ? sum / by : 0; }

// One member's share of a sum over all members, or over all but oneself.
int64_t Share(int64_t sum, int64_t members) {
  return Divided(sum,
                 members > 0 && sum % members == 0 ? members : members - 1);
}

}  // namespace

CollectiveSizes RecordedSizes(const Event& e, int64_t members, int64_t place,
                              bool is_root) {
  const bool in_place = e.Get(reduction::Param::kInPlace) == 1;
  const int64_t all = in_place ? members - 1 : members;
  const int64_t own = ShareBytes(e), theirs = RecvBytes(e);
  switch (PatternOf(e.call())) {
    case Pattern::kFromRoot:
      return {is_root ? all * own : 0, own};
    case Pattern::kToRoot:
      return {in_place ? 0 : own, is_root ? all * own : 0};
    case Pattern::kGather:
      return {own, all * theirs};
    case Pattern::kScatter:
      return {all * own, theirs};
    case Pattern::kOneForAll:
      return {all * own, all * own};
    case Pattern::kAllToAll:
      return {all * (in_place ? theirs : own), all * theirs};
    case Pattern::kAllgatherv:
      return {all * own, theirs};
    case Pattern::kScan:
      // To members from the own place on, from those up to it; in place, not to
      // and from oneself.
      return {(all - place) * own, (all - members + place + 1) * own};
    case Pattern::kExscan:
      return {(members - 1 - place) * own, place * own};
    case Pattern::kAsGiven:
      return {own, theirs};
  }
  return {own, theirs};
}

CollectiveSizes SizesOfCall(Call call, const CollectiveSizes& record,
                            int64_t members) {
  const auto [sent, received] = record;
  switch (PatternOf(call)) {
    case Pattern::kFromRoot:
      return {received, received};
    case Pattern::kToRoot:
      return {sent != 0 ? sent : Divided(received, members - 1), 0};
    case Pattern::kGather:
      return {sent, Divided(received, sent != 0 ? members : members - 1)};
    case Pattern::kScatter:
      return {Divided(sent, received != 0 ? members : members - 1), received};
    case Pattern::kOneForAll:
      return {Share(sent, members), 0};
    case Pattern::kAllToAll:
      return {Share(sent, members), Share(received, members)};
    case Pattern::kAllgatherv:
      return {Share(sent, members), received};
    // Both sums together are one share more than there are members, or, in
    // place, one less.
    case Pattern::kScan: {
      const int64_t sum = sent + received;
      const bool whole = sum % (members + 1) == 0;
      return {Divided(sum, whole ? members + 1 : members - 1), 0};
    }
    case Pattern::kExscan:
      return {Divided(sent + received, members - 1), 0};
    case Pattern::kAsGiven:
      return record;
  }
  return record;
}

}  // namespace ranksight::adapters::otf2
