// Records: one rank's calls as lines of a Dimemas trace.
// Thread-safety: one writer, one thread.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "adapters/api/adapter.h"
#include "adapters/base/byte_writer.h"
#include "adapters/base/message_tags.h"
#include "reduction/api/communicators.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters::dimemas {

class Records {
 public:
  Records(const reduction::Communicators& comms, const MessageTags* tags,
          int64_t rank, ByteWriter* file, Conversion* conversion)
      : comms_(comms),
        tags_(tags),
        rank_(rank),
        file_(file),
        conversion_(conversion) {}
  void Add(const reduction::RankWalk& walk);

 private:
  // 3: of a receive.
  enum class Receive : int64_t { kBlocking = 0, kStarts = 1, kWait = 2 };

  // Where the rest of the record, so many bytes, goes.
  char* Head(int64_t kind, size_t more);
  void Record(int64_t kind, std::initializer_list<int64_t> fields);
  void Burst(double ns);
  // What goes to processes outside the trace is counted.
  bool IsNobody(int64_t peer);
  void Send(int64_t peer, int64_t tag, int64_t bytes, int64_t comm, bool waits,
            bool synchronous);
  void Receives(int64_t peer, int64_t tag, int64_t bytes, int64_t comm,
                Receive how);
  // made: the request of a call that does not block.
  void PointToPoint(const reduction::Event& e, const reduction::Request& made);
  void Start(const reduction::Request& r);
  void Complete(const reduction::RankWalk& walk);
  void Collective(const reduction::Event& e);
  // What the file knows a message by that the program sends on a communicator.
  struct Envelope {
    int64_t comm, tag;
  };
  Envelope EnvelopeOf(int64_t comm, int64_t tag);
  void NotExpressed(const char* what) { ++conversion_->not_expressed[what]; }

  const reduction::Communicators& comms_;
  const MessageTags* tags_;
  const int64_t rank_;
  ByteWriter* file_;
  Conversion* conversion_;
};

}  // namespace ranksight::adapters::dimemas
