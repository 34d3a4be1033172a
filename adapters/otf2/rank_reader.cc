#include "adapters/otf2/rank_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "adapters/otf2/collective_sizes.h"
#include "adapters/text/read_line.h"
#include "reduction/api/canonical.h"
#include "reduction/api/folder.h"
#include "reduction/api/message_kind.h"

namespace ranksight::adapters::otf2 {
namespace {

using reduction::Call;
using reduction::CallInfo;
using reduction::MessageKind;
using reduction::Param;

bool HasParam(const CallInfo& info, std::initializer_list<Param> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](Param p) {
    return std::find(info.params.begin(), info.params.end(), p) !=
           info.params.end();
  });
}

// Behind the world and self.
constexpr int64_t kFirstMade = 2;

}  // namespace

RankReader::RankReader(const ArchiveNames& names, int64_t rank,
                       const CommNumbers& own, bool use_attributes)
    : names_(names),
      rank_(rank),
      use_attributes_(use_attributes && !names.fields.empty()) {
  const auto ranks = int64_t(names.Ranks().size());
  bool world = false;
  for (const OTF2_CommRef comm : CommsOf(names, rank, own)) {
    if (comm == names.self_comm) {
      comm_numbers_[comm] = 1;
    } else if (!world && names.SizeOf(comm) == ranks) {
      world = true;
      comm_numbers_[comm] = 0;
    } else {
      comm_numbers_[comm] = kFirstMade + int64_t(made_.size());
      made_.push_back(comm);
    }
  }
}

int64_t RankReader::CommNumber(OTF2_CommRef comm) const {
  const auto it = comm_numbers_.find(comm);
  return it == comm_numbers_.end() ? reduction::kNone : it->second;
}

int64_t RankReader::CommUsed(OTF2_CommRef comm) {
  const int64_t number = CommNumber(comm);
  if (number == reduction::kNone) ++unknown_comms_;
  return number;
}

int64_t RankReader::WorldRank(OTF2_CommRef comm, uint32_t place) const {
  const auto group = names_.comms.find(comm);
  if (group == names_.comms.end()) return reduction::kNone;
  if (names_.IsAlone(group->second)) return rank_;
  const auto members = names_.groups.find(group->second.group);
  if (members == names_.groups.end() || place >= members->second.size()) {
    return reduction::kPeerNull;
  }
  return int64_t(members->second[place]);
}

std::string_view RankReader::NameOf(OTF2_RegionRef region) const {
  const auto found = names_.regions.find(region);
  if (found == names_.regions.end()) return {};
  const auto text = names_.strings.find(found->second);
  return text == names_.strings.end() ? std::string_view()
                                      : NameOfCall(text->second);
}

void RankReader::Enter(OTF2_TimeStamp time, OTF2_AttributeList* attributes,
                       OTF2_RegionRef region) {
  std::string_view name = NameOf(region);
  // Calls that MPI itself makes inside one are not the program's.
  if (inside_ || !name.starts_with("MPI_")) return;
  if (name == "MPI_Init_thread") name = "MPI_Init";
  const CallInfo* info = reduction::FindCallByName(name);
  if (info == nullptr) {
    const auto looks = reduction::LookCalls();
    if (std::find(looks.begin(), looks.end(), name) == looks.end()) {
      ++not_recorded_[std::string(name)];
    }
    return;
  }
  region_ = region;
  inside_ = true;
  entered_ = time;
  calls_.push_back({.info = info, .fields = {}});
  if (any_time_ && time > left_) {
    calls_.back().compute_ns = double(time - left_) * names_.ns_per_tick;
  }
  if (!use_attributes_) return NotePosted();
  for (const auto& [attribute, field] : names_.fields) {
    int64_t value;
    if (OTF2_AttributeList_TestAttributeByID(attributes, attribute) &&
        OTF2_AttributeList_GetInt64(attributes, attribute, &value) ==
            OTF2_SUCCESS) {
      calls_.back().fields[field] = value;
    }
  }
}

void RankReader::Leave(OTF2_TimeStamp time, OTF2_RegionRef region) {
  if (!inside_ || region != region_) return;
  inside_ = false;
  any_time_ = true;
  left_ = time;
  calls_.back().call_ns =
      time > entered_ ? double(time - entered_) * names_.ns_per_tick : 0;
}

void RankReader::NotePosted() {
  const MessageKind kind = reduction::MessageKindOf(calls_.back().info->call);
  const size_t call = calls_.size() - 1;
  if (kind == MessageKind::kSend || kind == MessageKind::kBoth) {
    sends_.calls.push_back(call);
  }
  if (kind == MessageKind::kReceive || kind == MessageKind::kBoth) {
    receives_.calls.push_back(call);
  }
}

size_t RankReader::CallOf(Unfilled* unfilled) {
  const std::vector<size_t>& calls = unfilled->calls;
  const bool has_any = !calls.empty();
  const CallInfo* const now = Calling() ? calls_.back().info : nullptr;
  if (now != nullptr && has_any && calls.back() == calls_.size() - 1 &&
      !now->makes_persistent) {
    return calls.back();
  }
  // Inside other calls it may be a message of the library's own.
  const bool elsewhere = now == nullptr || now->completes ||
                         now->call == Call::MPI_Start_ ||
                         now->call == Call::MPI_Startall_;
  if (calls.size() == 1 && elsewhere) return calls[0];
  ++unfilled->records_lost;
  return kNoCall;
}

void RankReader::Forget(size_t call, Unfilled* unfilled) {
  if (calls_[call].info->makes_persistent) return;
  std::vector<size_t>& calls = unfilled->calls;  // ascending
  const auto at = std::lower_bound(calls.begin(), calls.end(), call);
  if (at != calls.end() && *at == call) calls.erase(at);
}

void RankReader::Fill(size_t call, bool sends, uint32_t peer, OTF2_CommRef comm,
                      uint32_t tag, uint64_t bytes) {
  auto& fields = calls_[call].fields;
  const bool second =
      !sends && HasParam(*calls_[call].info, {Param::kRecvPeer});
  fields[kComm] = CommUsed(comm);
  fields[second ? kRpeer : kPeer] = WorldRank(comm, peer);
  fields[second ? kRtag : kTag] = tag;
  fields[second ? kRbytes : kBytes] = int64_t(bytes);
  Forget(call, sends ? &sends_ : &receives_);
}

void RankReader::Send(uint32_t to, OTF2_CommRef comm, uint32_t tag,
                      uint64_t bytes) {
  if (use_attributes_) return;
  const size_t call = CallOf(&sends_);
  if (call != kNoCall) Fill(call, true, to, comm, tag, bytes);
}

void RankReader::Receive(uint32_t from, OTF2_CommRef comm, uint32_t tag,
                         uint64_t bytes) {
  if (use_attributes_) return;
  if (Calling() && calls_.back().info->completes) AddCompleted();
  const size_t call = CallOf(&receives_);
  if (call != kNoCall) Fill(call, false, from, comm, tag, bytes);
}

// Its records name it, so it is none that a record without a number is of.
void RankReader::ReceiveStarted(uint64_t request) {
  if (use_attributes_) return;
  const size_t call = CallOf(&receives_);
  if (call == kNoCall) {
    --receives_.records_lost;  // what it receives will be
    return;
  }
  open_[request] = call;
  Forget(call, &receives_);
}

void RankReader::AddCompleted() {
  if (!Calling() || use_attributes_) return;
  auto& n = calls_.back().fields[kN];
  n = n.value_or(0) + 1;
}

void RankReader::ReceiveCompleted(uint32_t from, OTF2_CommRef comm,
                                  uint32_t tag, uint64_t bytes,
                                  uint64_t request) {
  AddCompleted();
  if (use_attributes_) return;
  const auto it = open_.find(request);
  const size_t call = it == open_.end() ? CallOf(&receives_) : it->second;
  if (it != open_.end()) open_.erase(it);
  if (call != kNoCall) Fill(call, false, from, comm, tag, bytes);
}

void RankReader::Collective(OTF2_CommRef comm, uint32_t root, uint64_t sent,
                            uint64_t received) {
  if (!Calling()) return;
  SetCollective(&calls_.back(), comm, root, sent, received);
}

void RankReader::CollectiveCompleted(OTF2_CommRef comm, uint32_t root,
                                     uint64_t sent, uint64_t received,
                                     uint64_t request) {
  AddCompleted();
  const auto it = open_collectives_.find(request);
  if (it == open_collectives_.end()) return;
  SetCollective(&calls_[it->second], comm, root, sent, received);
  open_collectives_.erase(it);
}

void RankReader::SetCollective(MpiCall* call, OTF2_CommRef comm, uint32_t root,
                               uint64_t sent, uint64_t received) {
  // What makes a communicator may be recorded on it or on its parent.
  if (use_attributes_ || call->info->makes_comm) return;
  call->fields[kComm] = CommUsed(comm);
  if (root != OTF2_COLLECTIVE_ROOT_NONE) {
    call->fields[kRoot] = WorldRank(comm, root);
  }
  // As many members as nobody knows have no shares.
  if (call->fields[kComm] == reduction::kNone) return;
  const CollectiveSizes sizes =
      SizesOfCall(call->info->call, {int64_t(sent), int64_t(received)},
                  names_.SizeOf(comm));
  const bool shares = reduction::GivesShares(call->info->call);
  call->fields[kBytes] = sizes.sent * (shares ? names_.SizeOf(comm) : 1);
  call->fields[kRbytes] = sizes.received;
}

void RankReader::CommCreated(OTF2_CommRef comm) {
  if (Calling()) calls_.back().made = comm;
}

OTF2_CommRef RankReader::NextMade(const MpiCall& call) {
  // Without records of it, the k-th made is the k-th of those there are.
  if (names_.creations_recorded) return call.made;
  const size_t k = next_made_++;
  return k < made_.size() ? made_[k] : OTF2_UNDEFINED_COMM;
}

// The world where nothing tells.
int64_t RankReader::ParentOf(OTF2_CommRef comm) {
  const auto definition = names_.comms.find(comm);
  const int64_t number = definition == names_.comms.end()
                             ? reduction::kNone
                             : CommNumber(definition->second.parent);
  if (number != reduction::kNone) return number;
  ++unknown_parents_;
  return 0;
}

// Definitions may name communicators in any order, and such as no call makes
// (made inside a library, or before the recording began): those have no number.
void RankReader::NumberAsMade() {
  std::vector<OTF2_CommRef> made;
  for (const MpiCall& call : calls_) {
    if (!call.info->makes_comm) continue;
    const OTF2_CommRef comm = NextMade(call);
    if (names_.SizeOf(comm) > 0) made.push_back(comm);
  }
  next_made_ = 0;
  std::map<int64_t, int64_t> numbers;  // by those of definition
  for (size_t i = 0; i < made_.size(); ++i) {
    const auto at = std::find(made.begin(), made.end(), made_[i]);
    const int64_t number =
        at == made.end() ? reduction::kNone : kFirstMade + (at - made.begin());
    numbers[kFirstMade + int64_t(i)] = number;
    comm_numbers_[made_[i]] = number;
  }
  for (MpiCall& call : calls_) {
    auto& comm = call.fields[kComm];
    if (!comm || !numbers.contains(*comm)) continue;
    comm = numbers[*comm];
    if (*comm == reduction::kNone) ++unmade_comms_;
  }
  made_ = std::move(made);
}

// The fields that the call prints, those without a record as nothing.
std::string RankReader::Line(const MpiCall& call) {
  const CallInfo& info = *call.info;
  std::string line(info.name);
  const auto add = [&](Field field, int64_t otherwise) {
    line += ' ';
    line += kFields[field];
    line += '=';
    const int64_t value = call.fields[field].value_or(otherwise);
    // As many shares as nobody knows are no number of bytes.
    const bool unknown = field == kBytes && reduction::IsSpecial(value);
    line += unknown ? "?" : reduction::ValueText(value);
  };
  const int64_t none = reduction::kPeerNull;
  if (info.makes_comm) {
    const OTF2_CommRef made = NextMade(call);
    if (HasParam(info, {Param::kComm})) {
      add(kComm, call.fields[kComm] ? 0 : ParentOf(made));
    }
    add(kN, names_.SizeOf(made));
    return line;
  }
  if (HasParam(info, {Param::kComm})) add(kComm, 0);
  const bool sized = HasParam(info, {Param::kCount, Param::kCounts});
  if (sized && info.collective && !use_attributes_ && !call.fields[kComm]) {
    ++unknown_sizes_;
  }
  if (HasParam(info, {Param::kPeer})) add(kPeer, none);
  if (HasParam(info, {Param::kTag})) add(kTag, 0);
  if (sized) add(kBytes, 0);
  if (HasParam(info, {Param::kRecvPeer})) {
    add(kRpeer, none);
    add(kRtag, 0);
  }
  if (HasParam(info,
               {Param::kRecvCount, Param::kRecvCounts, Param::kRecvPeer})) {
    add(kRbytes, 0);
  }
  if (HasParam(info, {Param::kRoot})) add(kRoot, 0);
  if (info.completes) add(kN, 0);
  return line;
}

reduction::Result<reduction::Trace> RankReader::Fold(int64_t ranks) {
  reduction::Folder folder;
  const uint32_t module = folder.AddModule({"", "otf2"});
  if (!use_attributes_) NumberAsMade();
  reduction::CommSizes sizes(ranks);
  // An archive of ours names communicators in the order of its own lines.
  for (const OTF2_CommRef comm : made_) {
    if (!use_attributes_) sizes.Add(names_.SizeOf(comm));
  }
  LineReader reader(std::move(sizes));
  for (const MpiCall& call : calls_) {
    reduction::Event event;
    const std::string line = Line(call);
    if (auto s = reader.Read(line, &event); !s.ok()) {
      return reduction::Status::BadInput(line + ": " + s.message());
    }
    event.site = folder.AddSite({{{module, reader.site()}}});
    folder.Push(event, uint64_t(call.compute_ns), uint64_t(call.call_ns));
  }
  reduction::Trace trace = folder.Snapshot(rank_, ranks);
  trace.meta.not_recorded = not_recorded_;
  if (unknown_sizes_ != 0) {
    trace.meta.losses["sizes of collectives without a record"] = unknown_sizes_;
  }
  if (unknown_comms_ != 0) {
    trace.meta.losses["records on communicators that are not defined"] =
        unknown_comms_;
  }
  if (unmade_comms_ != 0) {
    trace.meta.losses["calls on communicators that no call made"] =
        unmade_comms_;
  }
  if (unknown_parents_ != 0) {
    trace.meta.losses["parents of communicators without a record"] =
        unknown_parents_;
  }
  if (receives_.records_lost != 0) {
    trace.meta.losses["records of receives whose call is not certain"] =
        receives_.records_lost;
  }
  if (sends_.records_lost != 0) {
    trace.meta.losses["records of sends whose call is not certain"] =
        sends_.records_lost;
  }
  if (!open_.empty()) {
    trace.meta.losses["receives that never completed"] = open_.size();
  }
  return trace;
}

}  // namespace ranksight::adapters::otf2
