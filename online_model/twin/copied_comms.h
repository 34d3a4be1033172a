// Which communicators of a run the copies of it share (api/copies.h).
// Thread-safety: immutable once made.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "reduction/api/communicators.h"
#include "reduction/api/event.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Copies of a run of so many ranks; of the last one the first ranks alone where
// the ranks are no multiple. Rank c * like + i is the copy c of rank i.
struct CopiedRanks {
  int64_t like = 1, ranks = 1;

  int64_t Copies() const { return (ranks + like - 1) / like; }
  bool AreWhole() const { return ranks % like == 0; }
  // kPeerNull where the copy has none; special values stay.
  int64_t In(int64_t copy, int64_t rank) const;
  // Those that a communicator of a copy has ranks of: of all copies where these
  // share it.
  struct Stretch {
    int64_t begin, end;
  };
  Stretch CopiesAt(int64_t copy, bool is_joined) const {
    return is_joined ? Stretch{0, Copies()} : Stretch{copy, copy + 1};
  }
  // These ranks in each of the copies, as far as they are there.
  std::vector<int64_t> InEach(const Stretch& copies,
                              std::span<const int64_t> ranks_of_run) const;
};

// Makers of communicators of all runs, as MPI_Comm_split at its call site,
// whose communicators have as many ranks more as the runs have, or nearly so.
std::set<std::string> GrowingMakers(std::span<const reduction::Trace> inputs);
// As GrowingMakers names it.
std::string MakerName(const reduction::Event& event,
                      const reduction::Sites& sites);

class CopiedComms {
 public:
  // kNo where the trace does not tell who is together. growing: as above. The
  // ranks outlive it.
  static reduction::Result<CopiedComms> Find(
      const reduction::Trace& trace, const std::set<std::string>& growing,
      const CopiedRanks& ranks);

  // Of a communicator by its number on a rank of the run.
  bool IsJoined(int64_t rank, int64_t number) const;
  // Ranks of the run in it, or in the other group of an intercommunicator,
  // where lists are over that.
  std::vector<int64_t> Members(int64_t rank, int64_t number, bool remote) const;
  // How many ranks the copy's communicator has.
  int64_t SizeIn(int64_t copy, int64_t rank, int64_t number) const;
  // Of a list over the members, that over the copy's; what is of other copies
  // is nothing where each of these is only given to by its own.
  std::vector<int64_t> ListIn(int64_t copy, int64_t rank, int64_t number,
                              bool remote, std::span<const int64_t> list,
                              bool own_alone) const;

 private:
  explicit CopiedComms(reduction::Communicators comms, const CopiedRanks& ranks)
      : comms_(std::move(comms)), ranks_(ranks) {}

  reduction::Communicators comms_;
  const CopiedRanks& ranks_;
  std::set<int64_t> joined_;  // Communicator::common_id
};

}  // namespace ranksight::online_model
