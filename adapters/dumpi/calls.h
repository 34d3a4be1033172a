// Calls: one rank's calls as records of its file.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "adapters/api/adapter.h"
#include "adapters/base/message_tags.h"
#include "adapters/dumpi/record_file.h"
#include "reduction/api/communicators.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters::dumpi {

// Whether the call makes communicators that the format has.
bool MakesHeld(reduction::Call call);

class Calls {
 public:
  // all_comms: that the files have all communicators.
  Calls(const reduction::Communicators& comms, const MessageTags* tags,
        bool all_comms, int64_t rank, RecordFile* file, Conversion* conversion);
  void Add(const reduction::RankWalk& walk);
  // Bytes of each type, by its number.
  const std::vector<int64_t>& sizes() const { return sizes_; }
  int64_t end_ns() const { return stop_ns_; }

 private:
  enum class Side { kSend, kReceive };

  void Begin(int number) {
    ++begun_;
    file_->BeginCall(number, start_ns_, stop_ns_);
  }
  bool Again(const reduction::RankWalk& walk);
  void AddCommunication(const reduction::RankWalk& walk);
  bool PointToPoint(const reduction::RankWalk& walk);
  void Message(int number, const reduction::Event& e, Side side, int64_t peer,
               int64_t tag);
  void Probe(const reduction::RankWalk& walk);
  void SendAndReceive(const reduction::RankWalk& walk);
  void Complete(const reduction::RankWalk& walk);
  void Free(const reduction::RankWalk& walk);
  void Start(const reduction::RankWalk& walk);
  void MakeComm(const reduction::RankWalk& walk);
  bool Collective(const reduction::Event& e);
  void Rooted(int number, const reduction::Event& e);
  void Reduction(int number, const reduction::Event& e);
  void AllToAll(int number, const reduction::Event& e);
  void Counts(std::span<const int64_t> counts);

  void CountAndType(const reduction::Event& e, Side side);
  void Type(const reduction::Event& e, Side side);
  void Types(const reduction::Event& e, Side side);
  int64_t TypeOf(int64_t kind, int64_t size);
  // As much of it as the format's numbers hold.
  int64_t Fit(int64_t amount);
  void Comm(int64_t number) { file_->Short(number + 2); }
  // A rank of the world as a rank of the communicator.
  int64_t Place(int64_t comm, int64_t world_rank) const;
  // What the file knows a message by. One on a communicator that the file does
  // not have is of the world, with a tag of its own.
  struct Envelope {
    int64_t comm, peer, tag;
  };
  Envelope EnvelopeOf(int64_t comm, int64_t peer, int64_t tag);
  // The tag of what the call receives: what it matched, where messages of
  // communicators that the file does not have are of the world, too.
  int64_t ReceiveTag(const reduction::RankWalk& walk);
  // Whether a receive with it would match others.
  bool IsVague(int64_t tag) const;
  bool HasComm(int64_t number) const { return !absent_.contains(number); }
  // Whether the files have the request: a message to somebody.
  bool HasRequest(const reduction::Request& request) const;
  void NotExpressed(const char* what) {
    is_plain_ = false;
    ++conversion_->not_expressed[what];
  }

  const reduction::Communicators& comms_;
  const MessageTags* tags_;
  const bool all_comms_;
  const int64_t rank_;
  RecordFile* file_;
  Conversion* conversion_;
  int64_t start_ns_ = 0, stop_ns_ = 0;
  double clock_ns_ = 0;
  int begun_ = 0;         // records of the event at hand
  bool is_plain_ = true;  // it is all in them
  // Records of messages and collectives by the form of the event, but for
  // their times and the request at their end; empty: none is kept.
  std::vector<std::string> records_;
  std::vector<int64_t> requests_;
  std::set<int64_t> absent_;  // communicators without a record
  std::vector<int64_t> sizes_;
  std::map<int64_t, int64_t> type_of_size_;  // of types of our own
};

}  // namespace ranksight::adapters::dumpi
