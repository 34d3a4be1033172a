#include "tests/unit/adapters/score_p_archive.h"

#include <otf2/otf2.h>

#include <array>
#include <map>
#include <vector>

#include "tests/unit/adapters/otf2_callbacks.h"

namespace ranksight::adapters {
namespace {

constexpr uint64_t kRanks = 3;
// Numbers of the archive. Rank 2 is alone after the first split.
constexpr OTF2_CommRef kThreads = 0, kWorld = 1, kSelf = 2, kPair = 3,
                       kAlone = 4, kAloneAgain = 5;
constexpr OTF2_GroupRef kLocationsGroup = 0, kThreadsGroup = 1, kWorldGroup = 2,
                        kSelfGroup = 3, kPairGroup = 4;
// A location of the rank, as Score-P numbers the first thread of each process.
OTF2_LocationRef LocationOf(uint64_t rank) { return rank; }
constexpr OTF2_LocationRef kThread = kRanks;  // a second one of rank 0

const std::vector<std::string> kRegions = {
    "main",      "MPI_Init",       "MPI_Comm_split", "MPI_Isend",
    "MPI_Irecv", "MPI_Waitall",    "MPI_Bcast",      "MPI_Allreduce",
    "MPI_Scan",  "MPI_Iallreduce", "MPI_Wait",       "MPI_Comm_rank",
    "MPI_Gather"};

// The events of one rank.
class Rank {
 public:
  Rank(OTF2_EvtWriter* writer, uint64_t rank, const ScorePArchive& archive)
      : writer_(writer), rank_(rank), archive_(archive) {}

  void WriteAll() {
    Enter("main");
    if (archive_.any_calls) {
      Make("MPI_Init", 0);
      Call("MPI_Comm_rank");
      Ring();
      Collectives();
      // Own numbers: 0 is the world, 1 self, then in the order made.
      Make("MPI_Comm_split", 2);
      Pair();
      Make("MPI_Comm_split", 3);
      NonBlocking();
    }
    Leave("main");
  }

 private:
  OTF2_RegionRef Region(const std::string& name) const {
    for (size_t i = 0; i < kRegions.size(); ++i) {
      if (kRegions[i] == name) return OTF2_RegionRef(i);
    }
    return OTF2_UNDEFINED_REGION;
  }
  void Enter(const std::string& name) {
    OTF2_EvtWriter_Enter(writer_, nullptr, ++time_, Region(name));
  }
  void Leave(const std::string& name) {
    OTF2_EvtWriter_Leave(writer_, nullptr, ++time_, Region(name));
  }
  void Call(const std::string& name) {
    Enter(name);
    Leave(name);
  }
  void Make(const std::string& name, OTF2_CommRef own) {
    Enter(name);
    if (archive_.new_records) {
      OTF2_EvtWriter_CommCreate(writer_, nullptr, ++time_, own);
    }
    Leave(name);
  }
  void Collective(const std::string& name, OTF2_CollectiveOp op,
                  OTF2_CommRef comm, uint32_t root, uint64_t sent,
                  uint64_t received) {
    Enter(name);
    OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, ++time_);
    OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, ++time_, op, comm, root,
                                    sent, received);
    Leave(name);
  }

  // To the next rank 8 bytes, with tag 5.
  void Ring() {
    const auto next = uint32_t((rank_ + 1) % kRanks);
    const auto last = uint32_t((rank_ + kRanks - 1) % kRanks);
    Enter("MPI_Irecv");
    OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, ++time_, 1);
    Leave("MPI_Irecv");
    Enter("MPI_Isend");
    OTF2_EvtWriter_MpiIsend(writer_, nullptr, ++time_, next, 0, 5, 8, 2);
    Leave("MPI_Isend");
    Enter("MPI_Waitall");
    OTF2_EvtWriter_MpiIrecv(writer_, nullptr, ++time_, last, 0, 5, 8, 1);
    OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, ++time_, 2);
    Leave("MPI_Waitall");
  }

  // 16 bytes from rank 1, 24 over all, 8 in the order of ranks, 4 to rank 0,
  // which gives its own in place.
  void Collectives() {
    Collective("MPI_Bcast", OTF2_COLLECTIVE_OP_BCAST, 0, 1,
               rank_ == 1 ? 3 * 16 : 0, 16);
    Collective("MPI_Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
               OTF2_COLLECTIVE_ROOT_NONE, 3 * 24, 3 * 24);
    Collective("MPI_Scan", OTF2_COLLECTIVE_OP_SCAN, 0,
               OTF2_COLLECTIVE_ROOT_NONE, (3 - rank_) * 8, (rank_ + 1) * 8);
    Collective("MPI_Gather", OTF2_COLLECTIVE_OP_GATHER, 0, 0,
               rank_ == 0 ? 0 : 4, rank_ == 0 ? 2 * 4 : 0);
  }

  // 40 bytes in what the first split made.
  void Pair() {
    const uint64_t members = rank_ == 2 ? 1 : 2;
    Collective("MPI_Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE, 2,
               OTF2_COLLECTIVE_ROOT_NONE, members * 40, members * 40);
  }

  // 12 bytes over all.
  void NonBlocking() {
    Enter("MPI_Iallreduce");
    if (archive_.new_records) {
      OTF2_EvtWriter_NonBlockingCollectiveRequest(writer_, nullptr, ++time_, 3);
    }
    Leave("MPI_Iallreduce");
    Enter("MPI_Wait");
    if (archive_.new_records) {
      OTF2_EvtWriter_NonBlockingCollectiveComplete(
          writer_, nullptr, ++time_, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
          OTF2_COLLECTIVE_ROOT_NONE, 3 * 12, 3 * 12, 3);
    }
    Leave("MPI_Wait");
  }

  OTF2_EvtWriter* writer_;
  uint64_t rank_;
  const ScorePArchive& archive_;
  OTF2_TimeStamp time_ = 0;
};

class Definitions {
 public:
  Definitions(OTF2_GlobalDefWriter* writer, const ScorePArchive& archive)
      : writer_(writer), archive_(archive) {}

  void WriteAll() {
    OTF2_GlobalDefWriter_WriteClockProperties(writer_, 1000000000, 0, 1000, 0);
    Locations();
    for (size_t i = 0; i < kRegions.size(); ++i) {
      OTF2_GlobalDefWriter_WriteRegion(
          writer_, OTF2_RegionRef(i), String(kRegions[i]), 0, 0,
          OTF2_REGION_ROLE_FUNCTION,
          i == 0 ? OTF2_PARADIGM_COMPILER : OTF2_PARADIGM_MPI,
          OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    Group(kLocationsGroup, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
          {0, 1, 2});
    Group(kThreadsGroup, OTF2_GROUP_TYPE_COMM_GROUP,
          OTF2_PARADIGM_MEASUREMENT_SYSTEM, {0, 1, 2, 3});
    Group(kWorldGroup, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
          {0, 1, 2});
    Group(kSelfGroup, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, {});
    Group(kPairGroup, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, {0, 1});
    Comm(kThreads, "Process x Threads", kThreadsGroup, OTF2_UNDEFINED_COMM);
    Comm(kWorld, "MPI_COMM_WORLD", kWorldGroup, OTF2_UNDEFINED_COMM);
    Comm(kSelf, "MPI_COMM_SELF", kSelfGroup, OTF2_UNDEFINED_COMM);
    Comm(kPair, "", kPairGroup, kWorld);
    Comm(kAlone, "", kSelfGroup, OTF2_UNDEFINED_COMM);
    Comm(kAloneAgain, "", kSelfGroup, OTF2_UNDEFINED_COMM);
  }

 private:
  void Locations() {
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, 0, String("node"),
                                             String("node"),
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint64_t i = 0; i <= kRanks; ++i) {
      const uint64_t rank = i == kThread ? 0 : i;
      if (i != kThread) {
        OTF2_GlobalDefWriter_WriteLocationGroup(
            writer_, OTF2_LocationGroupRef(i),
            String("MPI Rank " + std::to_string(rank)),
            OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
      }
      OTF2_GlobalDefWriter_WriteLocation(
          writer_, i, String(i == kThread ? "OMP thread 1" : "Master thread"),
          OTF2_LOCATION_TYPE_CPU_THREAD, 0, OTF2_LocationGroupRef(rank));
    }
  }
  OTF2_StringRef String(const std::string& text) {
    const auto [it, added] =
        strings_.emplace(text, OTF2_StringRef(strings_.size()));
    if (added) {
      OTF2_GlobalDefWriter_WriteString(writer_, it->second, text.c_str());
    }
    return it->second;
  }
  void Group(OTF2_GroupRef self, OTF2_GroupType type, OTF2_Paradigm paradigm,
             const std::vector<uint64_t>& members) {
    OTF2_GlobalDefWriter_WriteGroup(writer_, self, String(""), type, paradigm,
                                    OTF2_GROUP_FLAG_NONE,
                                    uint32_t(members.size()), members.data());
  }
  void Comm(OTF2_CommRef self, const std::string& name, OTF2_GroupRef group,
            OTF2_CommRef parent) {
    OTF2_GlobalDefWriter_WriteComm(writer_, self, String(name), group, parent,
                                   archive_.new_records && self != kThreads
                                       ? OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS
                                       : OTF2_COMM_FLAG_NONE);
  }

  OTF2_GlobalDefWriter* writer_;
  const ScorePArchive& archive_;
  std::map<std::string, OTF2_StringRef> strings_;
};

bool WriteOwnNumbers(OTF2_DefWriter* writer, uint64_t rank) {
  const std::array<uint64_t, 4> comms = {kWorld, kSelf,
                                         rank == 2 ? kAlone : kPair,
                                         rank == 2 ? kAloneAgain : kAlone};
  OTF2_IdMap* map =
      OTF2_IdMap_CreateFromUint64Array(comms.size(), comms.data(), false);
  const bool ok = OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_COMM,
                                                   map) == OTF2_SUCCESS;
  OTF2_IdMap_Free(map);
  return ok;
}

}  // namespace

bool WriteScorePArchive(const std::string& folder,
                        const ScorePArchive& archive) {
  OTF2_Archive* out = OTF2_Archive_Open(
      folder.c_str(), "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
      OTF2_CHUNK_SIZE_MIN, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (out == nullptr) return false;
  const OTF2_FlushCallbacks flush = {&Flush, &NoTime};
  OTF2_Archive_SetFlushCallbacks(out, &flush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(out);
  bool ok = OTF2_Archive_OpenEvtFiles(out) == OTF2_SUCCESS;
  for (uint64_t rank = 0; ok && rank < kRanks; ++rank) {
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(out, LocationOf(rank));
    Rank(writer, rank, archive).WriteAll();
    ok = OTF2_Archive_CloseEvtWriter(out, writer) == OTF2_SUCCESS;
  }
  OTF2_Archive_CloseEvtFiles(out);
  ok = ok && OTF2_Archive_OpenDefFiles(out) == OTF2_SUCCESS;
  for (uint64_t rank = 0; ok && rank < kRanks; ++rank) {
    OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(out, LocationOf(rank));
    ok = WriteOwnNumbers(writer, rank);
    OTF2_Archive_CloseDefWriter(out, writer);
  }
  OTF2_Archive_CloseDefFiles(out);
  OTF2_GlobalDefWriter* global = OTF2_Archive_GetGlobalDefWriter(out);
  Definitions(global, archive).WriteAll();
  OTF2_Archive_CloseGlobalDefWriter(out, global);
  return OTF2_Archive_Close(out) == OTF2_SUCCESS && ok;
}

}  // namespace ranksight::adapters
