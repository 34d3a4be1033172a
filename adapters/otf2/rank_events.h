// RankEvents: one rank's calls as OTF2 events: Enter with the canonical
// fields as attributes, the MPI records that other tools know, Leave.
// Thread-safety: one writer, one thread.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "adapters/api/adapter.h"
#include "reduction/api/communicators.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters::otf2 {

class RankEvents {
 public:
  RankEvents(const reduction::Communicators& comms, int64_t rank,
             OTF2_EvtWriter* writer, Conversion* conversion);
  void Add(const reduction::RankWalk& walk);
  bool ok() const { return ok_; }
  uint64_t now_ns() const { return uint64_t(now_ns_); }

 private:
  struct Free {
    void operator()(OTF2_AttributeList* list) const {
      OTF2_AttributeList_Delete(list);
    }
  };
  void Check(OTF2_ErrorCode code) { ok_ = ok_ && code == OTF2_SUCCESS; }
  // A field of the canonical text, by its place in kFields.
  struct Attribute {
    OTF2_AttributeRef field;
    int64_t value;
  };
  const std::vector<Attribute>& AttributesOf(const reduction::RankWalk& walk);
  void ReadAttributes(const reduction::Event& e,
                      std::vector<Attribute>* attributes);
  void SetAttributes(const reduction::RankWalk& walk);
  void Begin(const reduction::RankWalk& walk);
  void End(const reduction::RankWalk& walk);
  void Completed(const reduction::Request& request);
  void Started(const reduction::Request& request);
  void Send(int64_t comm, int64_t to, int64_t tag, int64_t bytes);
  void Receive(int64_t comm, int64_t from, int64_t tag, int64_t bytes);
  void Collective(const reduction::Event& e);
  OTF2_CommRef CommOf(int64_t number) const;
  // Of a rank of the world in a communicator, or -1.
  int64_t FindPlace(int64_t comm, int64_t rank) const;
  // False (and counted) when the peer has none.
  bool PlaceOf(int64_t comm, int64_t peer, uint32_t* place);
  // Counts a record that is left out.
  void Omit(int64_t comm, const char* otherwise);
  // Of a collective: OTF2_COLLECTIVE_ROOT_NONE where it has none; false when
  // one group of an intercommunicator has the root for the other, or nobody saw
  // the communicator being made.
  bool RootOf(const reduction::Event& e, uint32_t* root) const;

  const reduction::Communicators& comms_;
  const int64_t rank_;
  OTF2_EvtWriter* writer_;
  Conversion* conversion_;
  std::unique_ptr<OTF2_AttributeList, Free> attributes_;
  std::string text_;
  std::vector<Attribute> attributes_now_;
  std::vector<std::vector<Attribute>> attributes_of_form_;
  double now_ns_ = 0;
  bool ok_ = true;
};

}  // namespace ranksight::adapters::otf2
