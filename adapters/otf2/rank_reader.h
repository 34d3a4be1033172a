// RankReader: the OTF2 events of one location as events of a trace.
//
// Memory: the events of the location, because a receive is only known when
// it completes.
// Thread-safety: one reader, one thread.
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "adapters/otf2/archive_names.h"
#include "adapters/otf2/fields.h"
#include "reduction/api/call.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters::otf2 {

class RankReader {
 public:
  RankReader(const ArchiveNames& names, int64_t rank, const CommNumbers& own,
             bool use_attributes);

  // For the callbacks of OTF2.
  void Enter(OTF2_TimeStamp time, OTF2_AttributeList* attributes,
             OTF2_RegionRef region);
  void Leave(OTF2_TimeStamp time, OTF2_RegionRef region);
  void Send(uint32_t to, OTF2_CommRef comm, uint32_t tag, uint64_t bytes);
  void Receive(uint32_t from, OTF2_CommRef comm, uint32_t tag, uint64_t bytes);
  void ReceiveStarted(uint64_t request);
  void ReceiveCompleted(uint32_t from, OTF2_CommRef comm, uint32_t tag,
                        uint64_t bytes, uint64_t request);
  void SendCompleted() { AddCompleted(); }
  void Collective(OTF2_CommRef comm, uint32_t root, uint64_t sent,
                  uint64_t received);
  void CollectiveStarted(uint64_t request) {
    if (Calling()) open_collectives_[request] = calls_.size() - 1;
  }
  void CollectiveCompleted(OTF2_CommRef comm, uint32_t root, uint64_t sent,
                           uint64_t received, uint64_t request);
  void CommCreated(OTF2_CommRef comm);

  // The rank's queue. kBadInput when something is no MPI call's.
  reduction::Result<reduction::Trace> Fold(int64_t ranks);

 private:
  enum Field { kComm, kPeer, kTag, kBytes, kRpeer, kRtag, kRbytes, kRoot, kN };
  struct MpiCall {
    const reduction::CallInfo* info;
    std::array<std::optional<int64_t>, kFields.size()> fields;
    double compute_ns = 0, call_ns = 0;
    OTF2_CommRef made = OTF2_UNDEFINED_COMM;
  };
  // Calls of one direction that have no record yet. Those that make persistent
  // requests stay among them: each start has a record.
  struct Unfilled {
    std::vector<size_t> calls;
    uint64_t records_lost = 0;  // that may be of several, or of none
  };
  static constexpr size_t kNoCall = SIZE_MAX;

  bool Calling() const { return inside_; }
  void AddCompleted();
  // Without its arguments; empty where there is none.
  std::string_view NameOf(OTF2_RegionRef region) const;
  void NotePosted();
  // The call that a record is of which lies where it does; kNoCall, and
  // counted, where that is not certain.
  size_t CallOf(Unfilled* unfilled);
  void Fill(size_t call, bool sends, uint32_t peer, OTF2_CommRef comm,
            uint32_t tag, uint64_t bytes);
  void Forget(size_t call, Unfilled* unfilled);
  void Set(Field field, int64_t value) { calls_.back().fields[field] = value; }
  void SetCollective(MpiCall* call, OTF2_CommRef comm, uint32_t root,
                     uint64_t sent, uint64_t received);
  // The communicator that the next call to make one made.
  OTF2_CommRef NextMade(const MpiCall& call);
  void NumberAsMade();
  int64_t ParentOf(OTF2_CommRef comm);  // its number; counted where unknown
  // reduction::kNone for one that is not defined.
  int64_t CommNumber(OTF2_CommRef comm) const;
  // The same of a record, counted where it is none.
  int64_t CommUsed(OTF2_CommRef comm);
  int64_t WorldRank(OTF2_CommRef comm, uint32_t place) const;
  std::string Line(const MpiCall& call);

  const ArchiveNames& names_;
  const int64_t rank_;
  const bool use_attributes_;
  std::map<OTF2_CommRef, int64_t> comm_numbers_;
  std::vector<OTF2_CommRef> made_;  // communicators from number 2 on
  size_t next_made_ = 0;
  std::vector<MpiCall> calls_;
  std::unordered_map<uint64_t, size_t> open_, open_collectives_;
  Unfilled sends_, receives_;
  uint64_t unknown_sizes_ = 0, unknown_comms_ = 0, unknown_parents_ = 0,
           unmade_comms_ = 0;
  std::map<std::string, uint64_t> not_recorded_;
  bool inside_ = false;
  OTF2_RegionRef region_ = OTF2_UNDEFINED_REGION;  // of the call it is inside
  OTF2_TimeStamp entered_ = 0, left_ = 0;
  bool any_time_ = false;
};

}  // namespace ranksight::adapters::otf2
