// What an archive's definitions say, as far as events need it.
// Thread-safety: value types.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ranksight::adapters::otf2 {

struct ArchiveNames {
  std::map<OTF2_StringRef, std::string> strings;
  std::map<OTF2_RegionRef, OTF2_StringRef> regions;
  std::map<OTF2_AttributeRef, size_t> fields;  // index into kFields
  std::map<OTF2_GroupRef, std::vector<uint64_t>> groups;
  std::map<OTF2_CommRef, OTF2_GroupRef> comms;
  OTF2_GroupRef locations_group = OTF2_UNDEFINED_GROUP;
  OTF2_GroupRef self_group = OTF2_UNDEFINED_GROUP;
  std::vector<OTF2_LocationRef> locations;  // in the order defined
  double ns_per_tick = 1;

  // Locations by rank in the world.
  std::vector<OTF2_LocationRef> Ranks() const;
};

// False when the definitions cannot be read.
bool ReadNames(OTF2_Reader* reader, ArchiveNames* names);

}  // namespace ranksight::adapters::otf2
