#include "adapters/otf2/definitions.h"

#include <numeric>
#include <string>

#include "adapters/otf2/fields.h"
#include "reduction/api/call.h"

namespace ranksight::adapters::otf2 {
namespace {

using reduction::Trace;

class Writer {
 public:
  Writer(const Trace& trace, OTF2_GlobalDefWriter* writer)
      : trace_(trace), writer_(writer) {
    String("");
  }

  bool ok() const { return ok_; }

  void Clock(uint64_t last_ns) {
    Check(OTF2_GlobalDefWriter_WriteClockProperties(
        writer_, 1000000000, 0, last_ns + 1,
        uint64_t(trace_.meta.start_unix_ns)));
  }
  void Regions() {
    for (const reduction::CallInfo& info : reduction::AllCalls()) {
      const auto name = String(std::string(info.name));
      Check(OTF2_GlobalDefWriter_WriteRegion(
          writer_, RegionOf(info.call), name, name, 0,
          info.collective ? OTF2_REGION_ROLE_COLL_OTHER
                          : OTF2_REGION_ROLE_POINT2POINT,
          OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, 0, 0));
    }
  }
  void Attributes() {
    for (size_t i = 0; i < kFields.size(); ++i) {
      Check(OTF2_GlobalDefWriter_WriteAttribute(
          writer_, OTF2_AttributeRef(i),
          String("ranksight." + std::string(kFields[i])), 0, OTF2_TYPE_INT64));
    }
  }
  void Locations(const std::vector<uint64_t>& events) {
    Check(OTF2_GlobalDefWriter_WriteSystemTreeNode(
        writer_, 0, String("machine"), String("machine"),
        OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (size_t rank = 0; rank < events.size(); ++rank) {
      const auto name = String("rank " + std::to_string(rank));
      Check(OTF2_GlobalDefWriter_WriteLocationGroup(
          writer_, OTF2_LocationGroupRef(rank), name,
          OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
      Check(OTF2_GlobalDefWriter_WriteLocation(
          writer_, rank, name, OTF2_LOCATION_TYPE_CPU_THREAD, events[rank],
          OTF2_LocationGroupRef(rank)));
    }
  }
  // Group 0 lists the locations, 1 is the world, then each communicator's;
  // the last is that of MPI_COMM_SELF.
  void Comms(const reduction::Communicators& comms) {
    std::vector<uint64_t> world(size_t(trace_.meta.ranks));
    std::iota(world.begin(), world.end(), uint64_t{0});
    Group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, world);
    for (const auto& comm : comms.all()) {
      const auto id = OTF2_CommRef(comm->id);
      Group(id + 1, OTF2_GROUP_TYPE_COMM_GROUP,
            id == 0 ? world
                    : std::vector<uint64_t>(comm->members.begin(),
                                            comm->members.end()));
      Comm(id, id + 1,
           id == 0 ? "MPI_COMM_WORLD" : "comm " + std::to_string(id));
    }
    const OTF2_CommRef self = SelfComm(comms);
    Group(self + 1, OTF2_GROUP_TYPE_COMM_SELF, {});
    Comm(self, self + 1, "MPI_COMM_SELF");
  }

 private:
  void Check(OTF2_ErrorCode code) { ok_ = ok_ && code == OTF2_SUCCESS; }
  OTF2_StringRef String(const std::string& text) {
    Check(OTF2_GlobalDefWriter_WriteString(writer_, strings_, text.c_str()));
    return strings_++;
  }
  void Group(OTF2_GroupRef id, OTF2_GroupType type,
             const std::vector<uint64_t>& members) {
    Check(OTF2_GlobalDefWriter_WriteGroup(
        writer_, id, 0, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
        uint32_t(members.size()), members.data()));
  }
  void Comm(OTF2_CommRef id, OTF2_GroupRef group, const std::string& name) {
    Check(OTF2_GlobalDefWriter_WriteComm(writer_, id, String(name), group,
                                         OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE));
  }

  const Trace& trace_;
  OTF2_GlobalDefWriter* writer_;
  OTF2_StringRef strings_ = 0;
  bool ok_ = true;
};

}  // namespace

OTF2_RegionRef RegionOf(reduction::Call call) {
  const auto calls = reduction::AllCalls();
  return OTF2_RegionRef(&reduction::Info(call) - calls.data());
}

bool WriteDefinitions(const Trace& trace, const reduction::Communicators& comms,
                      const std::vector<uint64_t>& events, uint64_t last_ns,
                      OTF2_GlobalDefWriter* writer) {
  Writer definitions(trace, writer);
  definitions.Clock(last_ns);
  definitions.Regions();
  definitions.Attributes();
  definitions.Locations(events);
  definitions.Comms(comms);
  return definitions.ok();
}

}  // namespace ranksight::adapters::otf2
