#include "reduction/api/call.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "reduction/api/contract.h"
#include "reduction/api/event.h"

namespace ranksight::reduction {
namespace {

struct Entry {
  uint16_t id;  // 0: the family of those that follow
  std::string_view name;
  std::string_view roles;
  Family family = Family::kEnvironment;
};

constexpr Entry kLines[] = {
#define RANKSIGHT_FAMILY(family) {0, {}, {}, Family::family},
#define RANKSIGHT_CALL(id, name, roles) {id, #name, roles},
#define RANKSIGHT_LOOK(name)
#include "reduction/api/calls.def"
#undef RANKSIGHT_FAMILY
#undef RANKSIGHT_CALL
#undef RANKSIGHT_LOOK
};

constexpr size_t kCallCount = [] {
  size_t count = 0;
  for (const Entry& line : kLines) count += line.id == 0 ? 0 : 1;
  return count;
}();

constexpr auto kEntries = [] {
  std::array<Entry, kCallCount> entries{};
  Family family = kLines[0].family;
  size_t filled = 0;
  for (const Entry& line : kLines) {
    if (line.id == 0) {
      family = line.family;
      continue;
    }
    entries[filled] = line;
    entries[filled++].family = family;
  }
  return entries;
}();

constexpr std::string_view kLookCalls[] = {
#define RANKSIGHT_FAMILY(family)
#define RANKSIGHT_CALL(id, name, roles)
#define RANKSIGHT_LOOK(name) #name,
#include "reduction/api/calls.def"
#undef RANKSIGHT_FAMILY
#undef RANKSIGHT_CALL
#undef RANKSIGHT_LOOK
};

// What one role stores. Roles that store nothing have count 0.
struct RoleParams {
  std::string_view role;
  std::array<Param, 4> params{};
  size_t count = 0;
};

constexpr RoleParams kRoles[] = {
    {"-", {}, 0},
    {"status", {Param::kMatchCount, Param::kMatched, Param::kMatchedTags}, 3},
    {"statuses", {Param::kMatchCount, Param::kMatched, Param::kMatchedTags}, 3},
    {"flag", {}, 0},
    {"message", {}, 0},
    {"newmessage", {}, 0},
    {"newreq", {}, 0},
    {"newpreq", {}, 0},
    {"comm", {Param::kComm}, 1},
    {"peer", {Param::kPeer}, 1},
    {"tag", {Param::kTag}, 1},
    {"rpeer", {Param::kRecvPeer}, 1},
    {"rtag", {Param::kRecvTag}, 1},
    {"root", {Param::kRoot}, 1},
    {"op", {Param::kReduceOp}, 1},
    {"color", {Param::kColor}, 1},
    {"key", {Param::kKey}, 1},
    {"reorder", {Param::kReorder}, 1},
    {"firstmember", {Param::kFirstMember}, 1},
    {"level", {Param::kThreadLevel}, 1},
    {"inplace", {Param::kInPlace}, 1},
    {"sendinplace", {Param::kInPlace}, 1},
    {"recvinplace", {Param::kInPlace}, 1},
    {"newcomm", {Param::kCommSize}, 1},
    {"count", {Param::kCount}, 1},
    {"type", {Param::kTypeKind, Param::kTypeSize, Param::kTypeExcess}, 3},
    {"rcount", {Param::kRecvCount}, 1},
    {"rtype",
     {Param::kRecvTypeKind, Param::kRecvTypeSize, Param::kRecvTypeExcess},
     3},
    {"counts", {Param::kPeerCount, Param::kCounts}, 2},
    {"types", {Param::kTypeKinds, Param::kTypeSizes, Param::kTypeExcesses}, 3},
    {"rcounts", {Param::kRecvPeerCount, Param::kRecvCounts}, 2},
    {"rtypes",
     {Param::kRecvTypeKinds, Param::kRecvTypeSizes, Param::kRecvTypeExcesses},
     3},
    {"req", {Param::kRequestCount, Param::kRequests}, 2},
    {"nreq", {Param::kRequestCount}, 1},
    {"reqs", {Param::kRequests}, 1},
    {"openreqs", {Param::kOpenCount, Param::kRequests}, 2},
    {"someof", {}, 0},
    {"index",
     {Param::kOpenCount, Param::kRequests, Param::kDoneCount, Param::kDone},
     4},
    {"outcount", {}, 0},
    {"indices",
     {Param::kOpenCount, Param::kRequests, Param::kDoneCount, Param::kDone},
     4},
    {"ndims", {Param::kDimCount}, 1},
    {"dims", {Param::kDims}, 1},
    {"periods", {Param::kPeriods}, 1},
    {"remain", {Param::kDimCount, Param::kRemain}, 2},
    {"group", {Param::kMemberCount, Param::kMembers}, 2},
    {"newgroup", {Param::kMemberCount, Param::kMembers}, 2},
    {"reqvalue", {Param::kRequestCount, Param::kRequests}, 2},
    {"commref", {Param::kComm}, 1},
    {"leader", {Param::kLeader}, 1},
    {"peercomm", {Param::kPeerComm}, 1},
    {"rleader", {Param::kPeer}, 1},
    {"nsources", {Param::kSourceCount}, 1},
    {"sources", {Param::kSources}, 1},
    {"degrees", {Param::kDegrees}, 1},
    {"ndestinations", {Param::kDestinationCount}, 1},
    {"destinations", {Param::kDestinations}, 1},
    {"alldestinations", {Param::kDestinationCount, Param::kDestinations}, 2},
    {"edges", {Param::kEdgeCount, Param::kEdges}, 2},
    {"ncounts", {Param::kPeerCount, Param::kCounts}, 2},
    {"ntypes", {Param::kTypeKinds, Param::kTypeSizes, Param::kTypeExcesses}, 3},
    {"nrcounts", {Param::kRecvPeerCount, Param::kRecvCounts}, 2},
    {"nrtypes",
     {Param::kRecvTypeKinds, Param::kRecvTypeSizes, Param::kRecvTypeExcesses},
     3},
    {"partitions", {Param::kPartitions}, 1},
    {"partition", {Param::kPartition}, 1},
    {"lastpartition", {Param::kLastPartition}, 1},
    {"newwin", {}, 0},
    {"win", {Param::kWindow}, 1},
    {"winref", {Param::kWindow}, 1},
    {"wpeer", {Param::kPeer}, 1},
    {"newfile", {}, 0},
    {"file", {Param::kFile}, 1},
    {"fileref", {Param::kFile}, 1},
    {"newsession", {}, 0},
    {"session", {Param::kSession}, 1},
    {"sessionref", {Param::kSession}, 1},
    {"element",
     {Param::kCount, Param::kTypeKind, Param::kTypeSize, Param::kTypeExcess},
     4},
    {"tcount", {Param::kTargetCount}, 1},
    {"ttype",
     {Param::kTargetTypeKind, Param::kTargetTypeSize, Param::kTargetTypeExcess},
     3},
    {"offset", {Param::kOffset}, 1},
    {"size", {Param::kSize}, 1},
    {"dispunit", {Param::kDispUnit}, 1},
    {"locktype", {Param::kLockType}, 1},
    {"mode", {Param::kMode}, 1},
    {"assertion", {Param::kMode}, 1},
    {"access", {Param::kMode}, 1},
    {"whence", {Param::kMode}, 1},
    {"order", {Param::kMode}, 1},
    {"processes", {Param::kProcesses}, 1},
    {"nprograms", {Param::kItemCount}, 1},
    {"nitems", {Param::kItemCount}, 1},
    {"items", {Param::kItems}, 1},
    {"offsets", {Param::kOffsets}, 1},
    {"itemtypes", {Param::kItemTypeKinds, Param::kItemTypeSizes}, 2},
    {"block", {Param::kBlock}, 1},
    {"stride", {Param::kStride}, 1},
    {"newtype", {Param::kMadeSize, Param::kMadeExcess}, 2},
    {"typeref", {Param::kTypeKind, Param::kTypeSize, Param::kTypeExcess}, 3},
    {"subsizes", {Param::kSubsizes}, 1},
    {"starts", {Param::kStarts}, 1},
    {"distribs", {Param::kDistributions}, 1},
    {"distargs", {Param::kDistArguments}, 1},
    {"grid", {Param::kGrid}, 1},
};

constexpr const RoleParams* FindRole(std::string_view role) {
  for (const RoleParams& r : kRoles) {
    if (r.role == role) return &r;
  }
  return nullptr;  // a role missing above fails the build
}

// Calls f(role) for each role, without what follows '@'.
template <class F>
constexpr void ForEachRole(std::string_view roles, F f) {
  while (!roles.empty()) {
    const size_t end = std::min(roles.find(' '), roles.size());
    const std::string_view word = roles.substr(0, end);
    f(word.substr(0, std::min(word.find('@'), word.size())));
    roles.remove_prefix(std::min(end + 1, roles.size()));
  }
}

constexpr bool HasRole(std::string_view roles, std::string_view wanted) {
  bool found = false;
  ForEachRole(roles, [&](std::string_view r) { found |= r == wanted; });
  return found;
}

struct ParamList {
  std::array<Param, Event::kMaxParams> params{};
  size_t count = 0;
};

constexpr ParamList ParamsOf(std::string_view roles) {
  ParamList list;
  ForEachRole(roles, [&](std::string_view role) {
    const RoleParams* r = FindRole(role);
    for (size_t i = 0; i < r->count; ++i) {
      list.params[list.count++] = r->params[i];
    }
  });
  return list;
}

constexpr auto kParamLists = [] {
  std::array<ParamList, kCallCount> lists;
  for (size_t i = 0; i < kCallCount; ++i) {
    lists[i] = ParamsOf(kEntries[i].roles);
  }
  return lists;
}();

constexpr CallInfo MakeInfo(size_t i) {
  const Entry& e = kEntries[i];
  CallInfo info;
  info.call = static_cast<Call>(e.id);
  info.family = e.family;
  info.name = e.name;
  info.roles = e.roles;
  info.params = {kParamLists[i].params.data(), kParamLists[i].count};
  info.makes_request = HasRole(e.roles, "newreq");
  info.makes_persistent = HasRole(e.roles, "newpreq");
  info.completes =
      e.name.starts_with("MPI_Wait") || e.name.starts_with("MPI_Test");
  info.makes_comm = HasRole(e.roles, "newcomm");
  info.rooted = HasRole(e.roles, "root");
  info.collective = info.family == Family::kCollective || info.makes_comm;
  return info;
}

constexpr auto kInfos = [] {
  std::array<CallInfo, kCallCount> infos{};
  for (size_t i = 0; i < kCallCount; ++i) infos[i] = MakeInfo(i);
  return infos;
}();

constexpr size_t kIdLimit = [] {
  size_t limit = 0;
  for (const Entry& e : kEntries) limit = std::max<size_t>(limit, e.id + 1);
  return limit;
}();

constexpr auto kById = [] {
  std::array<const CallInfo*, kIdLimit> by_id{};
  for (const CallInfo& info : kInfos) {
    by_id[static_cast<size_t>(info.call)] = &info;
  }
  return by_id;
}();

constexpr auto kByName = [] {
  std::array<const CallInfo*, kCallCount> by_name{};
  for (size_t i = 0; i < kCallCount; ++i) by_name[i] = &kInfos[i];
  std::sort(
      by_name.begin(), by_name.end(),
      [](const CallInfo* a, const CallInfo* b) { return a->name < b->name; });
  return by_name;
}();

struct ParamInfo {
  std::string_view name;
  Param length = Param{};  // of arrays
  bool rank = false;
};

// Index is the number of the parameter.
constexpr ParamInfo kParams[] = {
    {},
    {"comm"},
    {"peer", {}, true},
    {"tag"},
    {"count"},
    {"type_kind"},
    {"type_size"},
    {"type_excess"},
    {"recv_peer", {}, true},
    {"recv_tag"},
    {"recv_count"},
    {"recv_type_kind"},
    {"recv_type_size"},
    {"recv_type_excess"},
    {"root", {}, true},
    {"op"},
    {"in_place"},
    {"comm_size"},
    {"color"},
    {"key"},
    {"reorder"},
    {"request_count"},
    {"requests", Param::kRequestCount},
    {"done_count"},
    {"done", Param::kDoneCount},
    {"peer_count"},
    {"counts", Param::kPeerCount},
    {"recv_peer_count"},
    {"recv_counts", Param::kRecvPeerCount},
    {"type_kinds", Param::kPeerCount},
    {"type_sizes", Param::kPeerCount},
    {"type_excesses", Param::kPeerCount},
    {"recv_type_kinds", Param::kRecvPeerCount},
    {"recv_type_sizes", Param::kRecvPeerCount},
    {"recv_type_excesses", Param::kRecvPeerCount},
    {"dim_count"},
    {"dims", Param::kDimCount},
    {"periods", Param::kDimCount},
    {"remain", Param::kDimCount},
    {"member_count"},
    {"members", Param::kMemberCount, true},
    {"first_member"},
    {"matched", Param::kMatchCount, true},
    {"thread_level"},
    {"window"},
    {"file"},
    {"size"},
    {"disp_unit"},
    {"offset"},
    {"mode"},
    {"lock_type"},
    {"target_count"},
    {"target_type_kind"},
    {"target_type_size"},
    {"target_type_excess"},
    {"partitions"},
    {"partition"},
    {"last_partition"},
    {"item_count"},
    {"items", Param::kItemCount},
    {"offsets", Param::kItemCount},
    {"block"},
    {"stride"},
    {"item_type_kinds", Param::kItemCount},
    {"item_type_sizes", Param::kItemCount},
    {"made_size"},
    {"made_excess"},
    {"edge_count"},
    {"edges", Param::kEdgeCount},
    {"source_count"},
    {"sources", Param::kSourceCount, true},
    {"degrees", Param::kSourceCount},
    {"destination_count"},
    {"destinations", Param::kDestinationCount, true},
    {"leader", {}, true},
    {"peer_comm"},
    {"processes"},
    {"subsizes", Param::kDimCount},
    {"starts", Param::kDimCount},
    {"distributions", Param::kDimCount},
    {"dist_arguments", Param::kDimCount},
    {"grid", Param::kDimCount},
    {"session"},
    {"match_count"},
    {"matched_tags", Param::kMatchCount},
    {"open_count"},
};
static_assert(std::size(kParams) == size_t(Param::kOpenCount) + 1);

constexpr const ParamInfo& InfoOf(Param p) {
  const auto n = static_cast<size_t>(p);
  return kParams[n < std::size(kParams) ? n : 0];
}

}  // namespace

const CallInfo* FindCall(uint16_t id) {
  return id < kIdLimit ? kById[id] : nullptr;
}

const CallInfo& Info(Call call) { return *kById[static_cast<size_t>(call)]; }

const CallInfo* FindCallByName(std::string_view name) {
  const auto it = std::lower_bound(
      kByName.begin(), kByName.end(), name,
      [](const CallInfo* a, std::string_view n) { return a->name < n; });
  return it != kByName.end() && (*it)->name == name ? *it : nullptr;
}

std::span<const CallInfo> AllCalls() { return kInfos; }

std::span<const std::string_view> LookCalls() { return kLookCalls; }

Call BlockingForm(Call call) {
  static const auto forms = [] {
    std::array<Call, kIdLimit> all{};
    for (const CallInfo& info : kInfos) {
      all[size_t(info.call)] = info.call;
      if (!info.name.starts_with("MPI_I")) continue;
      // MPI_Ibcast and MPI_Bcast: of the same letters, the first one large.
      std::string name = "MPI_" + std::string(info.name.substr(5));
      name[4] = char(name[4] - 'a' + 'A');
      const CallInfo* blocking = FindCallByName(name);
      if (blocking != nullptr) all[size_t(info.call)] = blocking->call;
    }
    return all;
  }();
  return forms[size_t(call)];
}

bool CompletesSome(Call call) {
  switch (call) {
    case Call::MPI_Waitany_:
    case Call::MPI_Waitsome_:
    case Call::MPI_Test_:
    case Call::MPI_Testany_:
    case Call::MPI_Testsome_:
      return true;
    default:
      return false;
  }
}

bool IsProbe(Call call) {
  switch (call) {
    case Call::MPI_Probe_:
    case Call::MPI_Iprobe_:
    case Call::MPI_Mprobe_:
    case Call::MPI_Improbe_:
      return true;
    default:
      return false;
  }
}

std::string_view ParamName(Param p) { return InfoOf(p).name; }

std::string_view ParamWords(Param p) {
  switch (p) {
    case Param::kTypeKind:
      return "datatype";
    case Param::kTypeSize:
      return "size of the datatype";
    case Param::kTypeExcess:
      return "extent of the datatype beyond its size";
    case Param::kRecvTypeKind:
      return "received datatype";
    case Param::kRecvTypeSize:
      return "size of the received datatype";
    case Param::kRecvTypeExcess:
      return "extent of the received datatype beyond its size";
    case Param::kTypeKinds:
      return "datatypes";
    case Param::kTypeSizes:
      return "sizes of the datatypes";
    case Param::kTypeExcesses:
      return "extents of the datatypes beyond their sizes";
    case Param::kRecvTypeKinds:
      return "received datatypes";
    case Param::kRecvTypeSizes:
      return "sizes of the received datatypes";
    case Param::kRecvTypeExcesses:
      return "extents of the received datatypes beyond their sizes";
    case Param::kTargetTypeKind:
      return "datatype at the target";
    case Param::kTargetTypeSize:
      return "size of the datatype at the target";
    case Param::kTargetTypeExcess:
      return "extent of the datatype at the target beyond its size";
    case Param::kItemTypeKinds:
      return "datatypes of the items";
    case Param::kItemTypeSizes:
      return "sizes of the datatypes of the items";
    case Param::kMadeSize:
      return "size of the datatype made";
    case Param::kMadeExcess:
      return "extent of the datatype made beyond its size";
    default:
      return ParamName(p);
  }
}

bool IsKnownParam(uint8_t number) {
  return number >= 1 && number < std::size(kParams);
}

bool IsArray(Param p) { return InfoOf(p).length != Param{}; }

int ParamPlace(Call call, Param wanted) {
  const auto params = Info(call).params;
  const auto at = std::ranges::find(params, wanted);
  return at == params.end() ? -1 : int(at - params.begin());
}

Param LengthOf(Call call, Param array) {
  RANKSIGHT_REQUIRE(IsArray(array));
  if (array != Param::kRequests) return InfoOf(array).length;
  const auto params = Info(call).params;
  const bool counted =
      std::ranges::find(params, Param::kOpenCount) != params.end();
  return counted ? Param::kOpenCount : Param::kRequestCount;
}

bool IsRank(Param p) { return InfoOf(p).rank; }

}  // namespace ranksight::reduction
