// Actions: one rank's calls as lines of SimGrid's time-independent trace.
// Thread-safety: one writer, one thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "adapters/api/adapter.h"
#include "adapters/base/message_tags.h"
#include "adapters/base/output_file.h"
#include "reduction/api/communicators.h"
#include "reduction/api/messages.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters::simgrid {

// Whether the trace has collectives that are written as messages.
bool MakesMessages(const reduction::Trace& trace,
                   const reduction::Communicators& comms);

class Actions {
 public:
  Actions(const reduction::Communicators& comms, const MessageTags* tags,
          bool any_tag, int64_t rank, OutputFile* file, Conversion* conversion)
      : comms_(comms),
        tags_(tags),
        any_tag_(any_tag),
        rank_(rank),
        file_(file),
        conversion_(conversion) {}
  void Add(const reduction::RankWalk& walk);

 private:
  void Line(std::string_view action, std::initializer_list<int64_t> arguments);
  // A line in parts; a line break ends it.
  void Begin(std::string_view action);
  void Argument(int64_t value);
  void Message(std::string_view action, int64_t peer, int64_t tag,
               int64_t bytes);
  void Send(std::string_view action, int64_t comm, int64_t peer, int64_t tag,
            int64_t bytes);
  void Receive(std::string_view action, int64_t comm, int64_t peer, int64_t tag,
               int64_t bytes);
  void WaitForSend(int64_t comm, int64_t peer, int64_t tag);
  void WaitForReceive(int64_t comm, int64_t peer, int64_t tag);
  // Whether the receive can be written.
  bool IsTold(int64_t peer, int64_t tag) const;
  void Wait(const reduction::Request& request);
  void Start(const reduction::Request& request);
  // made: the request of a call that does not block.
  void PointToPoint(const reduction::Event& e, const reduction::Request& made);
  void SendAndReceive(const reduction::Event& e,
                      const reduction::Request& made);
  void Collective(const reduction::Event& e);
  void Alltoallv(const reduction::Event& e);
  // REQUIRES: the format has it.
  void WorldCollective(const reduction::Event& e);
  void ByMessages(const reduction::Event& e,
                  const reduction::Communicator& comm);
  void NotExpressed(const char* what) { ++conversion_->not_expressed[what]; }

  const reduction::Communicators& comms_;
  const MessageTags* tags_;
  const bool any_tag_;  // a receive with any tag matches what is meant
  const int64_t rank_;
  OutputFile* file_;
  Conversion* conversion_;
  std::vector<reduction::Message> messages_;
};

}  // namespace ranksight::adapters::simgrid
