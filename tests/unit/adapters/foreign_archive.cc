#include "tests/unit/adapters/foreign_archive.h"

#include <otf2/otf2.h>

#include <map>
#include <sstream>

#include "tests/unit/adapters/otf2_callbacks.h"

namespace ranksight::adapters {
namespace {

constexpr OTF2_CommRef kWorld = 0;

// Strings and regions have the same numbers.
using Regions = std::map<std::string, uint32_t>;

void WriteLine(const std::string& line, OTF2_TimeStamp time, Regions* regions,
               OTF2_EvtWriter* out) {
  std::istringstream words(line);
  std::string what;
  words >> what;
  if (what == "enter" || what == "leave") {
    std::string name;
    words >> name;
    const auto number = uint32_t(regions->size());
    const uint32_t region = regions->try_emplace(name, number).first->second;
    what == "enter" ? OTF2_EvtWriter_Enter(out, nullptr, time, region)
                    : OTF2_EvtWriter_Leave(out, nullptr, time, region);
    return;
  }
  uint64_t n[4] = {};
  for (uint64_t& number : n) words >> number;
  const size_t on = line.find(" on ");
  const auto comm = on == std::string::npos
                        ? kWorld
                        : OTF2_CommRef(std::stoul(line.substr(on + 4)));
  if (what == "request") {
    OTF2_EvtWriter_MpiIrecvRequest(out, nullptr, time, n[0]);
  } else if (what == "send") {
    OTF2_EvtWriter_MpiSend(out, nullptr, time, uint32_t(n[0]), comm,
                           uint32_t(n[1]), n[2]);
  } else if (what == "receive") {
    OTF2_EvtWriter_MpiRecv(out, nullptr, time, uint32_t(n[0]), comm,
                           uint32_t(n[1]), n[2]);
  } else if (what == "received") {
    OTF2_EvtWriter_MpiIrecv(out, nullptr, time, uint32_t(n[0]), comm,
                            uint32_t(n[1]), n[2], n[3]);
  } else if (what == "sum") {
    OTF2_EvtWriter_MpiCollectiveEnd(
        out, nullptr, time, OTF2_COLLECTIVE_OP_ALLREDUCE, comm,
        OTF2_COLLECTIVE_ROOT_NONE, 2 * n[0], 2 * n[0]);
  }
}

void WriteDefinitions(const Regions& regions, OTF2_GlobalDefWriter* out) {
  OTF2_GlobalDefWriter_WriteClockProperties(out, 1000000000, 0, 1000, 0);
  for (const auto& [name, number] : regions) {
    OTF2_GlobalDefWriter_WriteString(out, number, name.c_str());
    OTF2_GlobalDefWriter_WriteRegion(
        out, number, number, number, number, OTF2_REGION_ROLE_FUNCTION,
        OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, number, 0, 0);
  }
  const auto text = uint32_t(regions.size());
  OTF2_GlobalDefWriter_WriteString(out, text, "MPI_COMM_WORLD");
  OTF2_GlobalDefWriter_WriteSystemTreeNode(out, 0, text, text,
                                           OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  const uint64_t ranks[] = {0, 1};
  for (const uint64_t rank : ranks) {
    OTF2_GlobalDefWriter_WriteLocationGroup(out, uint32_t(rank), text,
                                            OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(
        out, rank, text, OTF2_LOCATION_TYPE_CPU_THREAD, 0, uint32_t(rank));
  }
  OTF2_GlobalDefWriter_WriteGroup(out, 0, text, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                  OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2,
                                  ranks);
  OTF2_GlobalDefWriter_WriteGroup(out, 1, text, OTF2_GROUP_TYPE_COMM_GROUP,
                                  OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2,
                                  ranks);
  OTF2_GlobalDefWriter_WriteComm(out, kWorld, text, 1, OTF2_UNDEFINED_COMM,
                                 OTF2_COMM_FLAG_NONE);
}

// first_string: a number that no string has, nor any behind it.
void WriteAlone(const std::vector<std::string>& names, uint32_t first_string,
                OTF2_GlobalDefWriter* out) {
  for (uint32_t i = 0; i < names.size(); ++i) {
    const uint32_t text = first_string + i, group = 2 + i;
    OTF2_GlobalDefWriter_WriteString(out, text, names[i].c_str());
    OTF2_GlobalDefWriter_WriteGroup(out, group, text, OTF2_GROUP_TYPE_COMM_SELF,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0,
                                    nullptr);
    OTF2_GlobalDefWriter_WriteComm(out, kWorld + 1 + i, text, group,
                                   OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  }
}

}  // namespace

bool WriteForeignArchive(const std::string& folder, const std::string& name,
                         const ForeignLines& lines,
                         const std::vector<std::string>& alone) {
  OTF2_Archive* out = OTF2_Archive_Open(
      folder.c_str(), name.c_str(), OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
      OTF2_CHUNK_SIZE_MIN, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (out == nullptr) return false;
  const OTF2_FlushCallbacks flush = {&Flush, &NoTime};
  OTF2_Archive_SetFlushCallbacks(out, &flush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(out);
  Regions regions;
  OTF2_Archive_OpenEvtFiles(out);
  for (uint64_t rank = 0; rank < lines.size(); ++rank) {
    OTF2_EvtWriter* events = OTF2_Archive_GetEvtWriter(out, rank);
    OTF2_TimeStamp time = 0;
    for (const std::string& line : lines[rank]) {
      WriteLine(line, ++time, &regions, events);
    }
    OTF2_Archive_CloseEvtWriter(out, events);
  }
  OTF2_Archive_CloseEvtFiles(out);
  OTF2_Archive_OpenDefFiles(out);
  for (uint64_t rank = 0; rank < lines.size(); ++rank) {
    OTF2_Archive_CloseDefWriter(out, OTF2_Archive_GetDefWriter(out, rank));
  }
  OTF2_Archive_CloseDefFiles(out);
  OTF2_GlobalDefWriter* global = OTF2_Archive_GetGlobalDefWriter(out);
  WriteDefinitions(regions, global);
  WriteAlone(alone, uint32_t(regions.size()) + 1, global);
  OTF2_Archive_CloseGlobalDefWriter(out, global);
  return OTF2_Archive_Close(out) == OTF2_SUCCESS;
}

}  // namespace ranksight::adapters
