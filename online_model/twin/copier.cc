#include "online_model/twin/copier.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "online_model/twin/join_ranks.h"
#include "reduction/api/amounts.h"
#include "reduction/api/cursor.h"
#include "reduction/api/folder.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Cursor;
using reduction::Event;
using reduction::Family;
using reduction::Param;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

// Messages as short as this are as long at any rank count: a number, a flag.
constexpr int64_t kShort = 64;
// Both ends of a message are rounded to it, whatever they count in.
constexpr int64_t kRound = 16;

// Amounts that change by less than this stay as they are.
constexpr double kAsBefore = 0.02;
// More bytes are no message's.
constexpr double kMostRounds = 1e15;
// Numbers of all ranks' calls that are written, some ten seconds' worth.
constexpr double kMostValues = 5e7;

bool IsCollective(Call call) {
  const Family family = reduction::Info(call).family;
  return family == Family::kCollective ||
         family == Family::kPersistentCollective;
}

bool GivesToEach(Call call) {
  switch (reduction::BlockingForm(call)) {
    case Call::MPI_Alltoallv_:
    case Call::MPI_Alltoallw_:
      return true;
    default:
      return call == Call::MPI_Alltoallv_init_ ||
             call == Call::MPI_Alltoallw_init_;
  }
}

// Of calls with a root whether it takes what all give.
bool Gathers(Call call) {
  return reduction::Info(call).name.starts_with("MPI_Gather") ||
         reduction::Info(call).name.starts_with("MPI_Igather");
}

// How much and of what type, as a root has it on one side.
using Side = std::array<Param, 4>;
constexpr Side kSendSide = {Param::kCount, Param::kTypeKind, Param::kTypeSize,
                            Param::kTypeExcess};
constexpr Side kRecvSide = {Param::kRecvCount, Param::kRecvTypeKind,
                            Param::kRecvTypeSize, Param::kRecvTypeExcess};

// Lists over the members.
bool IsMemberList(Param p) {
  switch (p) {
    case Param::kCounts:
    case Param::kTypeKinds:
    case Param::kTypeSizes:
    case Param::kTypeExcesses:
    case Param::kRecvCounts:
    case Param::kRecvTypeKinds:
    case Param::kRecvTypeSizes:
    case Param::kRecvTypeExcesses:
      return true;
    default:
      return false;
  }
}

// Why copies of a run with such a call would not go together; "": they do.
// are_whole: each copy has all ranks.
std::string ObstacleOf(const Event& event, bool are_whole) {
  const auto& info = reduction::Info(event.call());
  const bool is_apart = info.family == Family::kProcess ||
                        event.call() == Call::MPI_Intercomm_merge_ ||
                        event.call() == Call::MPI_Graph_create_ ||
                        event.call() == Call::MPI_Comm_create_from_group_ ||
                        event.call() == Call::MPI_Intercomm_create_from_groups_;
  // Where some ranks are missing, grids lack places, and whoever asks for any
  // sender waits for one that is none.
  const bool needs_all =
      event.call() == Call::MPI_Cart_create_ || event.Has(Param::kSources) ||
      event.Has(Param::kWindow) || event.Has(Param::kLeader) ||
      event.Get(Param::kPeer) == reduction::kPeerAny ||
      event.Get(Param::kRecvPeer) == reduction::kPeerAny;
  if (!is_apart && (are_whole || !needs_all)) return "";
  return std::string(info.name) + " says who there is";
}

}  // namespace

CopiedKind CopiedKindOf(Call call) {
  return {reduction::Info(call).family,
          IsCollective(call) ? reduction::BlockingForm(call) : Call{}};
}

Status Copier::CheckEvent(int64_t rank, const Event& event) {
  const std::string why = ObstacleOf(event, ranks_.AreWhole());
  if (!why.empty()) return Status::No(why);
  const bool cuts_all =
      event.call() == Call::MPI_Cart_create_ && IsJoined(event, {0, rank});
  const bool has_own_root =
      reduction::Info(event.call()).rooted && !IsJoined(event, {0, rank});
  if (has_own_root && !ranks_.AreWhole()) {
    return Status::No("a root is missing in the last copy");
  }
  if (cuts_all) {
    const auto dims = event.GetArray(Param::kDims);
    const auto members = comms_.Members(rank, event.Get(Param::kComm), false);
    uint64_t places = 1;
    for (const int64_t side : dims) {
      places = reduction::Times(places, reduction::AmountOf(side));
    }
    if (dims.empty() || places != members.size()) {
      return Status::No("a grid leaves ranks out");
    }
    // Past its ends a grid that goes round has the next copy for itself.
    const auto around = event.GetArray(Param::kPeriods);
    is_open_ = is_open_ || around.empty() || around[0] == 0;
  }
  meets_neighbours_ =
      meets_neighbours_ ||
      (reduction::Info(event.call()).family == Family::kNeighbourhood &&
       IsJoined(event, {0, rank}));
  if (reduction::Info(event.call()).makes_comm) {
    const int64_t key = event.Get(Param::kKey);
    most_color_ = std::max(most_color_, event.Get(Param::kColor));
    least_key_ = std::min(least_key_, key);
    most_key_ = std::max(most_key_, key);
  }
  values_ += event.values().size() *
             (IsJoined(event, {0, rank}) ? size_t(ranks_.Copies()) : 1);
  // Codes below 1000 are those of predefined types. Partitions are as many as
  // each end says, and all of them together one message.
  const CopiedKind kind = CopiedKindOf(event.call());
  const bool has_made = kind.first == Family::kPartitioned ||
                        event.Get(Param::kTypeKind) >= 1000 ||
                        event.Get(Param::kRecvTypeKind) >= 1000 ||
                        event.Get(Param::kTargetTypeKind) >= 1000 ||
                        event.Has(Param::kTypeKinds);
  if (has_made) fixed_.insert(kind);
  return Status::Ok();
}

void Copier::Scale(const CopiedKind& kind, double factor) {
  if (fixed_.contains(kind)) return;
  // What is put goes into windows that are as large as they were.
  const bool may_grow = kind.first != Family::kOneSided;
  factors_[kind] = may_grow ? factor : std::min(factor, 1.0);
}

Status Copier::See() {
  for (int64_t rank = 0; rank < like_.meta.ranks; ++rank) {
    auto cursor = Cursor::Open(like_, rank);
    if (!cursor.ok()) return cursor.status();
    while (cursor->Next()) {
      if (Status s = CheckEvent(rank, cursor->event()); !s.ok()) return s;
    }
    if (!cursor->status().ok()) return cursor->status();
  }
  if (is_open_ && meets_neighbours_) {
    return Status::No("neighbours on a grid would be those of other copies");
  }
  const int64_t copies = ranks_.Copies();
  if (double(values_) * double(copies) > kMostValues) {
    return Status::No("lists over all ranks would be too long");
  }
  const double room = double(INT32_MAX) / double(copies);
  const bool fits = double(most_color_) + 1 < room &&
                    double(most_key_) - double(least_key_) + 1 < room;
  return fits ? Status::Ok()
              : Status::No("colours or keys leave no room for other copies'");
}

// Ends of one message come to the same, as it depends on their bytes alone.
int64_t Copier::ScaledCount(const Event& event, int64_t count,
                            int64_t size) const {
  const CopiedKind kind = CopiedKindOf(event.call());
  const auto factor = factors_.find(kind);
  int64_t bytes = 0;
  if (factor == factors_.end() || size <= 0 || count <= 0 ||
      __builtin_mul_overflow(count, size, &bytes) || bytes <= kShort) {
    return count;
  }
  const double wanted = double(bytes) * factor->second / double(kRound);
  if (std::abs(factor->second - 1) < kAsBefore || wanted > kMostRounds) {
    return count;
  }
  const int64_t scaled =
      std::max(kShort, kRound * int64_t(std::llround(wanted))) / size;
  // Into windows that are as large as before.
  return kind.first == Family::kOneSided ? std::min(scaled, count) : scaled;
}

void Copier::ScaleAmounts(Event* event) const {
  const auto scale = [&](Param count, Param size) {
    const int64_t each = event->Get(size);
    for (int64_t& value : event->MutableArray(count)) {
      value = ScaledCount(*event, value, each);
    }
  };
  scale(Param::kCount, Param::kTypeSize);
  scale(Param::kCounts, Param::kTypeSize);
  scale(Param::kRecvCount, Param::kRecvTypeSize);
  scale(Param::kRecvCounts, Param::kRecvTypeSize);
  scale(Param::kTargetCount, Param::kTargetTypeSize);
}

int64_t Copier::ScalarOf(const Event& event, const CopyRank& at, Param p,
                         int64_t makes) const {
  const int64_t value = event.Get(p);
  const bool is_joined = IsJoined(event, at);
  switch (p) {
    case Param::kPeer:
    case Param::kRecvPeer:
    case Param::kLeader: {
      // Leaders are those of the first copy where all have one communicator.
      const bool leads = event.call() == Call::MPI_Intercomm_create_ &&
                         MakesJoined(event, at, makes);
      return leads ? value : ranks_.In(at.copy, value);
    }
    case Param::kRoot:
      if (value == reduction::kPeerRoot && is_joined && at.copy > 0) {
        return reduction::kPeerNull;
      }
      return is_joined ? value : ranks_.In(at.copy, value);
    case Param::kFirstMember:
      return MakesJoined(event, at, makes) ? value : ranks_.In(at.copy, value);
    case Param::kColor:
      return reduction::IsSpecial(value) || MakesJoined(event, at, makes)
                 ? value
                 : value + at.copy * (most_color_ + 1);
    case Param::kKey:
      return reduction::Info(event.call()).makes_comm
                 ? value + at.copy * (most_key_ - least_key_ + 1)
                 : value;
    case Param::kCommSize:
      return makes > 0 ? comms_.SizeIn(at.copy, at.rank, makes) : value;
    default:
      return value;
  }
}

std::vector<int64_t> Copier::ArrayOf(const Event& event, const CopyRank& at,
                                     Param p, int64_t makes) const {
  const auto list = event.GetArray(p);
  std::vector<int64_t> out(list.begin(), list.end());
  const int64_t comm = event.Get(Param::kComm);
  if (IsCollective(event.call()) && IsMemberList(p)) {
    const bool is_count = p == Param::kCounts || p == Param::kRecvCounts;
    // Shares of a reduction are over the own group.
    const bool remote =
        !reduction::Info(event.call()).name.starts_with("MPI_Reduce_scatter");
    return comms_.ListIn(at.copy, at.rank, comm, remote, out,
                         is_count && GivesToEach(event.call()));
  }
  switch (p) {
    case Param::kMembers:
      return ranks_.InEach(
          ranks_.CopiesAt(at.copy, makes > 0 && MakesJoined(event, at, makes)),
          list);
    case Param::kMatched:
    case Param::kSources:
    case Param::kDestinations:
      for (int64_t& rank : out) rank = ranks_.In(at.copy, rank);
      break;
    case Param::kDims:
      if (event.call() == Call::MPI_Cart_create_ && IsJoined(event, at)) {
        out[0] *= ranks_.Copies();
      }
      break;
    default:
      break;
  }
  return out;
}

Event Copier::AsNonRoot(const Event& event, const CopyRank& at) const {
  const bool is_root = event.Get(Param::kRoot) == at.rank ||
                       event.Get(Param::kRoot) == reduction::kPeerRoot;
  const bool is_other = reduction::Info(event.call()).rooted && at.copy > 0 &&
                        is_root && IsJoined(event, at);
  if (!is_other) return event;
  // Of its two sides the root's own is what all others have, too; where it is
  // in place the other says how much that is.
  const bool has_sides = event.Has(Param::kRecvTypeSize);
  const bool gathers = Gathers(event.call());
  const Side& taken = gathers ? kRecvSide : kSendSide;
  const Side& own = gathers ? kSendSide : kRecvSide;
  const Param list = gathers ? Param::kRecvCounts : Param::kCounts;
  const auto own_count = [&]() -> int64_t {
    if (!event.Has(list)) return event.Get(taken[0]);
    const auto members =
        comms_.Members(at.rank, event.Get(Param::kComm), false);
    const auto place =
        size_t(std::ranges::find(members, at.rank) - members.begin());
    const auto counts = event.GetArray(list);
    return place < counts.size() ? counts[place] : 0;
  };
  const bool in_place = event.Get(Param::kInPlace) != 0;
  const auto value_of = [&](Param p) -> int64_t {
    if (p == Param::kInPlace) return 0;
    if (p == Param::kPeerCount || p == Param::kRecvPeerCount) return 0;
    for (size_t i = 0; has_sides && i < own.size(); ++i) {
      if (p == taken[i]) return 0;
      if (p == own[i] && in_place) {
        return i == 0 ? own_count() : event.Get(taken[i]);
      }
    }
    return event.Get(p);
  };
  Event out(event.call());
  out.site = event.site;
  for (const Param p : reduction::Info(event.call()).params) {
    if (reduction::IsArray(p)) {
      out.AddArray({});
    } else {
      out.Add(value_of(p));
    }
  }
  return out;
}

Event Copier::CopyOf(const Event& event, const CopyRank& at,
                     int64_t makes) const {
  const Event from = AsNonRoot(event, at);
  Event out(event.call());
  // Lists come behind what says how long they are, which is known from them.
  std::map<Param, std::vector<int64_t>> lists;
  std::map<Param, int64_t> lengths;
  for (const Param p : reduction::Info(event.call()).params) {
    if (!reduction::IsArray(p)) continue;
    auto list = ArrayOf(from, at, p, makes);
    lengths[reduction::LengthOf(event.call(), p)] = int64_t(list.size());
    lists[p] = std::move(list);
  }
  for (const Param p : reduction::Info(event.call()).params) {
    if (reduction::IsArray(p)) {
      out.AddArray(lists[p]);
    } else {
      const auto length = lengths.find(p);
      out.Add(length != lengths.end() ? length->second
                                      : ScalarOf(from, at, p, makes));
    }
  }
  ScaleAmounts(&out);
  return out;
}

Result<Trace> Copier::OneRank(int64_t rank, SumsBySite* sums) const {
  const CopyRank at{rank / ranks_.like, rank % ranks_.like};
  reduction::Folder folder(reduction::Folder::Prediction::kOff);
  const std::vector<uint32_t> sites = AddSites(like_.sites, &folder);
  auto cursor = Cursor::Open(like_, at.rank);
  if (!cursor.ok()) return cursor.status();
  int64_t next = 2;  // number of what is made next
  while (cursor->Next()) {
    const Event& event = cursor->event();
    const bool makes = reduction::Info(event.call()).makes_comm &&
                       event.Get(Param::kCommSize) > 0;
    Event copy = CopyOf(event, at, makes ? next++ : 0);
    if (!copy.Complete()) return Status::Internal("a copy lacks a parameter");
    if (reduction::GivesShares(copy.call())) {
      copy.comm_size = comms_.SizeIn(at.copy, at.rank, copy.Get(Param::kComm));
    }
    AddEvent(rank, copy,
             &(*sums)[{std::string(reduction::Info(event.call()).name),
                       ToString(like_.sites, event.site)}]);
    copy.site = sites[event.site];
    folder.Push(copy, 0, 0);
  }
  if (!cursor->status().ok()) return cursor->status();
  return folder.Snapshot(rank, ranks_.ranks);
}

Result<Trace> Copier::Make(const std::function<void(double share)>& tell,
                           SumsBySite* sums) const {
  std::vector<Trace> parts;
  for (int64_t rank = 0; rank < ranks_.ranks; ++rank) {
    if (tell) tell(double(rank + 1) / double(ranks_.ranks));
    auto part = OneRank(rank, sums);
    if (!part.ok()) return part.status();
    parts.push_back(std::move(*part));
    if (Status s = JoinAsCounted(rank + 1, &parts); !s.ok()) return s;
  }
  return JoinAll(std::move(parts));
}

}  // namespace ranksight::online_model
