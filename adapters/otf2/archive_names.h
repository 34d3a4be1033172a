// What an archive's definitions say, as far as events need it.
// Thread-safety: value types.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ranksight::adapters::otf2 {

struct ArchiveComm {
  OTF2_GroupRef group = OTF2_UNDEFINED_GROUP;
  OTF2_CommRef parent = OTF2_UNDEFINED_COMM;
};

struct ArchiveNames {
  std::map<OTF2_StringRef, std::string> strings;
  std::map<OTF2_RegionRef, OTF2_StringRef> regions;
  std::map<OTF2_AttributeRef, size_t> fields;  // index into kFields
  std::map<OTF2_GroupRef, std::vector<uint64_t>> groups;
  std::map<OTF2_CommRef, ArchiveComm> comms;
  OTF2_CommRef self_comm = OTF2_UNDEFINED_COMM;  // MPI_COMM_SELF
  // Events say which call made which communicator.
  bool creations_recorded = false;
  OTF2_GroupRef locations_group = OTF2_UNDEFINED_GROUP;
  std::set<OTF2_GroupRef> self_groups;      // of each location alone
  std::vector<OTF2_LocationRef> locations;  // in the order defined
  double ns_per_tick = 1;

  // Locations by rank in the world.
  std::vector<OTF2_LocationRef> Ranks() const;
  bool IsAlone(const ArchiveComm& comm) const {
    return self_groups.contains(comm.group);
  }
  // Members of a communicator, 0 for one without a group of MPI processes.
  int64_t SizeOf(OTF2_CommRef comm) const;
};

// One location's own numbers of communicators, in the order in which it made
// them, to those of the archive. Empty where both are the same.
using CommNumbers = std::map<uint64_t, OTF2_CommRef>;

// The communicators that `rank` of the world takes part in, the first made
// first. `own` are the numbers of its location.
std::vector<OTF2_CommRef> CommsOf(const ArchiveNames& names, int64_t rank,
                                  const CommNumbers& own);

// Reads the location's own definitions, without which its events would name
// things by numbers of its own.
CommNumbers ReadOwnNumbers(OTF2_Reader* reader, OTF2_LocationRef location);

// "MPI_Send" of a region "MPI_Send()", as some tools write it.
std::string_view NameOfCall(std::string_view region);

// False when the definitions cannot be read.
bool ReadNames(OTF2_Reader* reader, ArchiveNames* names);

}  // namespace ranksight::adapters::otf2
