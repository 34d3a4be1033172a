#include "adapters/otf2/archive_names.h"

#include <algorithm>

#include "adapters/otf2/fields.h"
#include "reduction/api/call.h"

namespace ranksight::adapters::otf2 {
namespace {

ArchiveNames& Names(void* data) { return *static_cast<ArchiveNames*>(data); }

OTF2_CallbackCode OnString(void* data, OTF2_StringRef self, const char* text) {
  Names(data).strings[self] = text;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnClock(void* data, uint64_t resolution, uint64_t, uint64_t,
                          uint64_t) {
  if (resolution > 0) Names(data).ns_per_tick = 1e9 / double(resolution);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnRegion(void* data, OTF2_RegionRef self, OTF2_StringRef name,
                           OTF2_StringRef, OTF2_StringRef, OTF2_RegionRole,
                           OTF2_Paradigm, OTF2_RegionFlag, OTF2_StringRef,
                           uint32_t, uint32_t) {
  Names(data).regions[self] = name;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnAttribute(void* data, OTF2_AttributeRef self,
                              OTF2_StringRef name, OTF2_StringRef,
                              OTF2_Type type) {
  const std::string& text = Names(data).strings[name];
  for (size_t i = 0; i < kFields.size(); ++i) {
    if (type == OTF2_TYPE_INT64 &&
        text == "ranksight." + std::string(kFields[i])) {
      Names(data).fields[self] = i;
    }
  }
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnGroup(void* data, OTF2_GroupRef self, OTF2_StringRef,
                          OTF2_GroupType type, OTF2_Paradigm paradigm,
                          OTF2_GroupFlag, uint32_t count,
                          const uint64_t* members) {
  if (paradigm != OTF2_PARADIGM_MPI) return OTF2_CALLBACK_SUCCESS;
  Names(data).groups[self].assign(members, members + count);
  if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
    Names(data).locations_group = self;
  }
  if (type == OTF2_GROUP_TYPE_COMM_SELF) Names(data).self_groups.insert(self);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnComm(void* data, OTF2_CommRef self, OTF2_StringRef name,
                         OTF2_GroupRef group, OTF2_CommRef parent,
                         OTF2_CommFlag flags) {
  ArchiveNames& names = Names(data);
  names.comms[self] = {group, parent};
  if (names.strings[name] == "MPI_COMM_SELF") names.self_comm = self;
  if (flags & OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS) {
    names.creations_recorded = true;
  }
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnLocation(void* data, OTF2_LocationRef self, OTF2_StringRef,
                             OTF2_LocationType type, uint64_t,
                             OTF2_LocationGroupRef) {
  if (type == OTF2_LOCATION_TYPE_CPU_THREAD) {
    Names(data).locations.push_back(self);
  }
  return OTF2_CALLBACK_SUCCESS;
}

void AddOwnNumber(uint64_t own, uint64_t global, void* data) {
  (*static_cast<CommNumbers*>(data))[own] = OTF2_CommRef(global);
}

OTF2_CallbackCode OnMapping(void* data, OTF2_MappingType type,
                            const OTF2_IdMap* map) {
  if (type == OTF2_MAPPING_COMM) OTF2_IdMap_Traverse(map, &AddOwnNumber, data);
  return OTF2_CALLBACK_SUCCESS;
}

bool MakesComms(std::string_view region) {
  const reduction::CallInfo* info =
      reduction::FindCallByName(NameOfCall(region));
  return info != nullptr && info->makes_comm;
}

// Where no call makes communicators, the only one that each location has alone
// is MPI_COMM_SELF, however it is called.
void FindUnnamedSelf(ArchiveNames* names) {
  if (names->self_comm != OTF2_UNDEFINED_COMM) return;
  for (const auto& [region, name] : names->regions) {
    if (MakesComms(names->strings[name])) return;
  }
  OTF2_CommRef only = OTF2_UNDEFINED_COMM;
  for (const auto& [comm, definition] : names->comms) {
    if (!names->IsAlone(definition)) continue;
    if (only != OTF2_UNDEFINED_COMM) return;
    only = comm;
  }
  names->self_comm = only;
}

// A table may leave out the numbers that are the same. Which communicators
// of one member a location has is known from its table alone.
bool HasOwn(const CommNumbers& own, OTF2_CommRef comm) {
  return own.empty() || (!own.contains(comm) && comm < own.rbegin()->first);
}

}  // namespace

std::string_view NameOfCall(std::string_view region) {
  return region.substr(0, region.find_first_of("( "));
}

std::vector<OTF2_LocationRef> ArchiveNames::Ranks() const {
  const auto group = groups.find(locations_group);
  return group == groups.end() ? locations : group->second;
}

int64_t ArchiveNames::SizeOf(OTF2_CommRef comm) const {
  const auto found = comms.find(comm);
  if (found == comms.end()) return 0;
  if (IsAlone(found->second)) return 1;
  const auto members = groups.find(found->second.group);
  return members == groups.end() ? 0 : int64_t(members->second.size());
}

std::vector<OTF2_CommRef> CommsOf(const ArchiveNames& names, int64_t rank,
                                  const CommNumbers& own) {
  std::map<OTF2_CommRef, uint64_t> own_of;
  for (const auto& [number, comm] : own) own_of[comm] = number;
  std::vector<std::pair<uint64_t, OTF2_CommRef>> made;
  for (const auto& [comm, definition] : names.comms) {
    const auto mapped = own_of.find(comm);
    const uint64_t number = mapped == own_of.end() ? comm : mapped->second;
    const auto members = names.groups.find(definition.group);
    const bool in = names.IsAlone(definition)
                        ? mapped != own_of.end() || HasOwn(own, comm)
                        : members != names.groups.end() &&
                              std::count(members->second.begin(),
                                         members->second.end(), rank) > 0;
    if (in) made.emplace_back(number, comm);
  }
  std::sort(made.begin(), made.end());
  std::vector<OTF2_CommRef> comms;
  for (const auto& [number, comm] : made) comms.push_back(comm);
  return comms;
}

CommNumbers ReadOwnNumbers(OTF2_Reader* reader, OTF2_LocationRef location) {
  CommNumbers own;
  OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader, location);
  if (definitions == nullptr) return own;
  OTF2_DefReaderCallbacks* on = OTF2_DefReaderCallbacks_New();
  OTF2_DefReaderCallbacks_SetMappingTableCallback(on, &OnMapping);
  OTF2_Reader_RegisterDefCallbacks(reader, definitions, on, &own);
  OTF2_DefReaderCallbacks_Delete(on);
  uint64_t read = 0;
  OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &read);
  OTF2_Reader_CloseDefReader(reader, definitions);
  return own;
}

bool ReadNames(OTF2_Reader* reader, ArchiveNames* names) {
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (definitions == nullptr) return false;
  OTF2_GlobalDefReaderCallbacks* on = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(on, &OnString);
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(on, &OnClock);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(on, &OnRegion);
  OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(on, &OnAttribute);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(on, &OnGroup);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(on, &OnComm);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(on, &OnLocation);
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, on, names);
  OTF2_GlobalDefReaderCallbacks_Delete(on);
  uint64_t read = 0;
  if (OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read) !=
      OTF2_SUCCESS) {
    return false;
  }
  FindUnnamedSelf(names);
  return true;
}

}  // namespace ranksight::adapters::otf2
