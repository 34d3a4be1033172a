#include "tests/idioms/world/record.h"

#include <algorithm>

extern "C" const char __executable_start;

namespace ranksight::idioms {
namespace {

using reduction::Call;
using reduction::Param;

// Far above the offsets of any code here: the program's own lines.
constexpr uint64_t kFirstPhase = uint64_t{1} << 40;

// Return addresses from the call outwards, up to where the phase was entered.
std::vector<uint64_t> PathTo(void* frame, void* outermost) {
  std::vector<uint64_t> path;
  for (auto** at = static_cast<void**>(frame); at < outermost;
       at = static_cast<void**>(at[0])) {
    const auto address = reinterpret_cast<uintptr_t>(at[1]);
    path.push_back(address - reinterpret_cast<uintptr_t>(&__executable_start));
  }
  return path;
}

uint32_t AddSite(const std::vector<uint64_t>& path, Rank* me) {
  reduction::CallSite site;
  site.frames.push_back({me->module, kFirstPhase + me->phase});
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    site.frames.push_back({me->module, *it});
  }
  return me->folder.AddSite(site);
}

uint32_t SiteOf(void* frame) {
  Rank& me = World::Now();
  const std::vector<uint64_t> path = PathTo(frame, me.outermost);
  uint64_t key = me.phase;
  for (const uint64_t p : path) key = (key ^ p) * 0x100000001B3u;
  const auto it = me.sites.find(key);
  if (it != me.sites.end()) return it->second;
  return me.sites[key] = AddSite(path, &me);
}

}  // namespace

Record::Record(Call call, void* frame) : call_(call), site_(SiteOf(frame)) {}

Record& Record::Set(Param param, int64_t value) {
  values_.emplace_back(param, value);
  return *this;
}

Record& Record::SetList(Param list, std::vector<int64_t> values) {
  Set(reduction::LengthOf(call_, list), int64_t(values.size()));
  lists_.emplace_back(list, std::move(values));
  return *this;
}

Record& Record::SetComm(MPI_Comm comm) {
  return Set(Param::kComm, CommOf(comm).number);
}

// Kind, size and excess have consecutive numbers.
void Record::Put(Param param, const TypeInfo& info) {
  Set(param, info.kind);
  Set(Param(int(param) + 1), info.size);
  Set(Param(int(param) + 2), info.excess);
}

Record& Record::SetType(MPI_Datatype type) {
  Put(Param::kTypeKind, InfoOf(type));
  return *this;
}

Record& Record::SetReceivedType(MPI_Datatype type) {
  Put(Param::kRecvTypeKind, InfoOf(type));
  return *this;
}

Record& Record::SetTargetType(MPI_Datatype type) {
  Put(Param::kTargetTypeKind, InfoOf(type));
  return *this;
}

Record& Record::SetMadeType(const TypeInfo& made) {
  Set(Param::kMadeSize, made.size);
  return Set(Param::kMadeExcess, made.excess);
}

Record& Record::SetOp(MPI_Op op) {
  const std::pair<MPI_Op, const char*> named[] = {{MPI_SUM, "MPI_SUM"},
                                                  {MPI_MAXLOC, "MPI_MAXLOC"},
                                                  {MPI_MAX, "MPI_MAX"},
                                                  {MPI_MIN, "MPI_MIN"},
                                                  {MPI_LOR, "MPI_LOR"}};
  for (const auto& [known, name] : named) {
    if (known == op)
      return Set(Param::kReduceOp, reduction::OpCodeByName(name));
  }
  return Set(Param::kReduceOp, reduction::kOpUser);
}

namespace {

int64_t ReferenceTo(const Operation& o) {
  return o.is_persistent ? -1 - o.number : World::Now().made - o.number;
}

}  // namespace

Record& Record::SetRequests(int n, const MPI_Request* requests) {
  has_requests_ = true;
  for (int i = 0; i < n; ++i) {
    const Operation* o = OperationOf(requests[i]);
    passed_.push_back(o == nullptr ? reduction::kRequestNull : ReferenceTo(*o));
  }
  return Set(Param::kRequestCount, n);
}

Record& Record::SetCompleted(const std::vector<int>& places) {
  std::vector<int64_t> completed;
  for (const int place : places) completed.push_back(passed_[size_t(place)]);
  passed_ = std::move(completed);
  return *this;
}

Record& Record::AddMatch(const Operation& o) {
  if (!o.has_choice) return *this;
  const bool none = o.source == MPI_ANY_SOURCE;
  matches_.push_back({ReferenceTo(o),
                      none ? reduction::kNone : WorldRank(o.source, *o.comm),
                      none ? reduction::kNone : o.matched_tag});
  return *this;
}

void Record::Push() {
  // In the order of the requests, of which the event has the oldest first.
  std::stable_sort(
      matches_.begin(), matches_.end(),
      [](const Match& a, const Match& b) { return a.reference > b.reference; });
  std::vector<int64_t> sources, tags;
  for (const Match& m : matches_) sources.push_back(m.source);
  for (const Match& m : matches_) tags.push_back(m.tag);
  SetList(Param::kMatched, std::move(sources));
  lists_.emplace_back(Param::kMatchedTags, std::move(tags));
  reduction::Event event(call_);
  event.site = site_;
  for (const Param param : reduction::Info(call_).params) {
    const auto is_it = [&](const auto& pair) { return pair.first == param; };
    if (reduction::IsArray(param)) {
      const auto it = std::find_if(lists_.begin(), lists_.end(), is_it);
      event.AddArray(it == lists_.end() ? std::span<const int64_t>()
                                        : std::span<const int64_t>(it->second));
    } else {
      const auto it = std::find_if(values_.begin(), values_.end(), is_it);
      event.Add(it == values_.end() ? 0 : it->second);
    }
  }
  if (has_requests_) reduction::SetRequests(passed_, &event);
  Rank& me = World::Now();
  ++me.events;
  me.folder.Push(event, 1000, 100);
}

}  // namespace ranksight::idioms
