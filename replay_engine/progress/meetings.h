// Meetings: the collectives of communicators. The k-th collective that a
// member makes meets the k-th of all others.
//
// Complexity: O(1) amortised for each member and call.
// Thread-safety: one object, one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reduction/api/event.h"
#include "replay_engine/progress/amounts.h"

namespace ranksight::replay_engine {

class Meetings {
 public:
  using Id = uint64_t;

  // strict: all wait for all; else members wait for those alone whose data
  // they need.
  explicit Meetings(bool strict) : strict_(strict) {}

  struct Arrival {
    int64_t comm = 0;  // one number for all members
    int64_t size = 0;  // members
    int64_t rank = 0;
    Id id = 0;  // of whoever waits
    Amounts amounts = {};
  };
  // Adds to *done all whom this sets free, *arrival's own included.
  void Arrive(const Arrival& arrival, const reduction::Event& event,
              std::vector<Id>* done);
  // How many collectives of the communicator a rank has made.
  uint64_t MadeBy(int64_t rank, int64_t comm) const;
  // The first two calls that met and do not go together, or the first one that
  // no MPI takes there, in words, or "".
  const std::string& mismatch() const { return mismatch_; }

 private:
  struct Meeting {
    reduction::Call call = reduction::Call::MPI_Init_;
    int64_t root = reduction::kNone;
    int64_t first = 0;  // who came first
    int64_t arrived = 0;
    bool root_came = false;
    // What all have to say, who gives most to each and who takes least, each
    // the first of several; and whether lists go together.
    struct Extreme {
      int64_t bytes = Amounts::kNone, rank = 0;
    };
    Extreme alike, given, taken;
    uint64_t lists = 0;
    struct Waiting {
      Id id;
      bool is_root;
    };
    std::vector<Waiting> waiting;
  };
  struct Comm {
    uint64_t begin = 0;  // number of meetings[0]
    std::deque<Meeting> meetings;
  };
  bool IsFree(const Meeting& meeting, int64_t size, bool is_root) const;
  void Compare(const Meeting& meeting, const Arrival& arrival,
               reduction::Call call, int64_t root);
  void CompareAmounts(const Arrival& arrival, Meeting* meeting);
  void CompareLists(const Meeting& meeting);
  // Of a collective with a root none but that one works in place.
  void CompareBuffers(const Arrival& arrival, const reduction::Event& event,
                      int64_t root);

  const bool strict_;
  std::unordered_map<int64_t, Comm> comms_;
  std::map<std::pair<int64_t, int64_t>, uint64_t> made_;  // by comm and rank
  std::string mismatch_;
};

}  // namespace ranksight::replay_engine
