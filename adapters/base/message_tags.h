// MessageTags: tags for formats that have no communicators, or not all of
// them: what two ranks send each other with one tag on two communicators has
// two tags, so that messages which the program kept apart stay apart.
//
// Messages of the world keep their tags, others where nobody else has them.
// What is left, and messages that stand for collectives, have free tags from
// kOthers on.
// Memory: the pairs that occur. A trace whose messages all are of the world is
// not walked.
// Thread-safety: immutable once found.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "reduction/api/communicators.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters {

class MessageTags {
 public:
  static constexpr int64_t kOthers = 10000000;

  // kNo when there are more than an int can number.
  static reduction::Result<MessageTags> Find(
      const reduction::Trace& trace, const reduction::Communicators& comms);

  // Of a message of `rank` on its communicator `comm`. kTagAny stays such.
  int64_t Of(int64_t rank, int64_t comm, int64_t tag) const;
  // Whether all messages of the program are of the world: one with any tag
  // matches no other's, unless messages stand for collectives.
  bool only_world() const { return only_world_; }
  // Of messages that stand for a collective.
  int64_t OfCollective(const reduction::Communicator& comm) const;

 private:
  // What messages meet each other on: a generation of communicators.
  using Channel = int64_t;
  explicit MessageTags(const reduction::Communicators& comms);
  Channel ChannelOf(int64_t rank, int64_t comm) const;
  reduction::Status ReadRank(const reduction::Trace& trace, int64_t rank);
  void Keep();
  reduction::Status Number();
  int64_t TakeFree();

  const reduction::Communicators* comms_;
  Channel selves_ = 0;
  bool only_world_ = true;
  int64_t next_ = kOthers;
  int64_t of_nobody_ = kOthers;  // of receives that nothing was sent to
  std::set<int64_t> taken_;
  std::vector<int64_t> of_collectives_;  // by number of the communicator
  std::map<std::pair<Channel, int64_t>, int64_t> of_others_;
};

}  // namespace ranksight::adapters
