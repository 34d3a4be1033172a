#include "online_model/api/copies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "online_model/structure/grid.h"
#include "online_model/synthesize/inputs.h"
#include "online_model/synthesize/site_sums.h"
#include "online_model/synthesize/symbolic.h"
#include "online_model/synthesize/time_ladder.h"
#include "online_model/twin/copied_comms.h"
#include "online_model/twin/size_fit.h"
#include "reduction/api/amounts.h"
#include "reduction/api/condense.h"
#include "reduction/api/cursor.h"
#include "reduction/api/folder.h"
#include "reduction/api/losses.h"
#include "reduction/api/merge.h"

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

// What is scaled alike, as ends of one message are, and all calls of one
// collective.
using Kind = std::pair<Family, Call>;
Kind KindOf(Call call) {
  const Family family = reduction::Info(call).family;
  const bool is_collective =
      family == Family::kCollective || family == Family::kPersistentCollective;
  return {family, is_collective ? reduction::BlockingForm(call) : Call{}};
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
bool IsSendList(Param p) {
  return p == Param::kCounts || p == Param::kTypeKinds ||
         p == Param::kTypeSizes || p == Param::kTypeExcesses;
}
bool IsRecvList(Param p) {
  return p == Param::kRecvCounts || p == Param::kRecvTypeKinds ||
         p == Param::kRecvTypeSizes || p == Param::kRecvTypeExcesses;
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

using TellShare = std::function<void(double share)>;

// A run as copies of another.
class Copier {
 public:
  Copier(const Trace& like, const CopiedRanks& ranks, CopiedComms comms)
      : like_(like), ranks_(ranks), comms_(std::move(comms)) {}

  // Reads the run. kNo where it cannot be copied.
  Status See();
  // Of the run, by what is scaled alike.
  const std::map<Kind, double>& bytes() const { return bytes_; }
  // What each rank's bytes of a kind become.
  void Scale(Kind kind, double factor) { factors_[kind] = factor; }
  // Sums what it does there.
  Result<Trace> Make(const TellShare& tell, SumsBySite* sums);

 private:
  struct Place {
    int64_t copy, rank;  // of the run
  };
  Status CheckEvent(int64_t rank, const Event& event);
  Result<Trace> OneRank(int64_t rank, SumsBySite* sums) const;
  Event CopyOf(const Event& event, const Place& at, int64_t makes) const;
  // Of the root's call where another copy's is the root.
  Event AsNonRoot(const Event& event, const Place& at) const;
  int64_t ScalarOf(const Event& event, const Place& at, Param p,
                   int64_t makes) const;
  std::vector<int64_t> ArrayOf(const Event& event, const Place& at,
                               Param p) const;
  bool IsJoined(const Event& event, const Place& at) const {
    return comms_.IsJoined(at.rank, event.Get(Param::kComm));
  }
  // Whether what it makes is, which has this number; 0: it makes nothing.
  bool MakesJoined(const Event& event, const Place& at, int64_t makes) const {
    return makes > 0 ? comms_.IsJoined(at.rank, makes) : IsJoined(event, at);
  }
  int64_t ScaledCount(const Event& event, int64_t count, int64_t size) const;
  void ScaleAmounts(Event* event) const;

  const Trace& like_;
  const CopiedRanks& ranks_;
  CopiedComms comms_;
  std::map<Kind, double> bytes_, factors_;
  // With datatypes of the program's own, whose length no count says.
  std::map<Kind, bool> is_fixed_;
  int64_t least_key_ = 0, most_key_ = 0, most_color_ = 0;
  uint64_t values_ = 0;   // of the run, lists as long as those of copies
  bool is_open_ = false;  // a shared grid has ends along its first side
  bool meets_neighbours_ = false;  // calls on shared ones are among neighbours
};

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
  meets_neighbours_ = meets_neighbours_ ||
                      (KindOf(event.call()).first == Family::kNeighbourhood &&
                       IsJoined(event, {0, rank}));
  if (reduction::Info(event.call()).makes_comm) {
    const int64_t key = event.Get(Param::kKey);
    most_color_ = std::max(most_color_, event.Get(Param::kColor));
    least_key_ = std::min(least_key_, key);
    most_key_ = std::max(most_key_, key);
  }
  values_ += event.values().size() *
             (IsJoined(event, {0, rank}) ? size_t(ranks_.Copies()) : 1);
  const Kind kind = KindOf(event.call());
  bytes_[kind] += double(std::max<int64_t>(0, reduction::SendBytes(event)));
  // Codes below 1000 are those of predefined types. Partitions are as many as
  // each end says, and all of them together one message.
  const bool has_made = kind.first == Family::kPartitioned ||
                        event.Get(Param::kTypeKind) >= 1000 ||
                        event.Get(Param::kRecvTypeKind) >= 1000 ||
                        event.Get(Param::kTargetTypeKind) >= 1000 ||
                        event.Has(Param::kTypeKinds);
  is_fixed_[kind] = is_fixed_[kind] || has_made;
  return Status::Ok();
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
  const Kind kind = KindOf(event.call());
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

int64_t Copier::ScalarOf(const Event& event, const Place& at, Param p,
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

std::vector<int64_t> Copier::ArrayOf(const Event& event, const Place& at,
                                     Param p) const {
  const auto list = event.GetArray(p);
  std::vector<int64_t> out(list.begin(), list.end());
  const int64_t comm = event.Get(Param::kComm);
  const Family family = KindOf(event.call()).first;
  const bool over_members =
      family == Family::kCollective || family == Family::kPersistentCollective;
  if (over_members && (IsSendList(p) || IsRecvList(p))) {
    const bool is_count = p == Param::kCounts || p == Param::kRecvCounts;
    // Shares of a reduction are over the own group.
    const bool remote =
        !reduction::Info(event.call()).name.starts_with("MPI_Reduce_scatter");
    return comms_.ListIn(at.copy, at.rank, comm, remote, out,
                         is_count && GivesToEach(event.call()));
  }
  switch (p) {
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

Event Copier::AsNonRoot(const Event& event, const Place& at) const {
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

Event Copier::CopyOf(const Event& event, const Place& at, int64_t makes) const {
  const Event from = AsNonRoot(event, at);
  Event out(event.call());
  // Lists come behind what says how long they are, which is known from them.
  std::map<Param, std::vector<int64_t>> lists;
  std::map<Param, int64_t> lengths;
  for (const Param p : reduction::Info(event.call()).params) {
    if (!reduction::IsArray(p)) continue;
    auto list = ArrayOf(from, at, p);
    if (p == Param::kMembers) {
      const bool is_joined = makes > 0 && comms_.IsJoined(at.rank, makes);
      list.clear();
      for (int64_t c = is_joined ? 0 : at.copy;
           c < (is_joined ? ranks_.Copies() : at.copy + 1); ++c) {
        for (const int64_t rank : from.GetArray(p)) {
          const int64_t in = ranks_.In(c, rank);
          if (in >= 0) list.push_back(in);
        }
      }
    }
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
  const Place at{rank / ranks_.like, rank % ranks_.like};
  reduction::Folder folder(reduction::Folder::Prediction::kOff);
  for (const auto& module : like_.sites.modules) folder.AddModule(module);
  std::vector<uint32_t> sites;
  for (const auto& site : like_.sites.sites) {
    sites.push_back(folder.AddSite(site));
  }
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

Result<Trace> Copier::Make(const TellShare& tell, SumsBySite* sums) {
  for (const auto& [kind, is_fixed] : is_fixed_) {
    if (is_fixed) factors_.erase(kind);
  }
  std::vector<Trace> parts;
  const auto join_last = [&parts] {
    Trace right = std::move(parts.back());
    parts.pop_back();
    auto both = reduction::Merge(std::move(parts.back()), std::move(right));
    if (both.ok()) parts.back() = std::move(*both);
    return both.status();
  };
  for (int64_t rank = 0; rank < ranks_.ranks; ++rank) {
    if (tell) tell(double(rank + 1) / double(ranks_.ranks));
    auto part = OneRank(rank, sums);
    if (!part.ok()) return part.status();
    parts.push_back(std::move(*part));
    // Those that are as many become one, as bits carry.
    for (int64_t n = rank + 1; n % 2 == 0; n /= 2) {
      if (Status s = join_last(); !s.ok()) return s;
    }
  }
  while (parts.size() > 1) {
    if (Status s = join_last(); !s.ok()) return s;
  }
  reduction::Canonicalize(&parts[0]);
  reduction::Condense(&parts[0]);
  return std::move(parts[0]);
}

// Of one run by what is scaled alike.
Result<std::map<Kind, double>> BytesByKind(const Trace& trace) {
  std::map<Kind, double> bytes;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto cursor = Cursor::Open(trace, rank);
    if (!cursor.ok()) return cursor.status();
    while (cursor->Next()) {
      const Event& event = cursor->event();
      bytes[KindOf(event.call())] +=
          double(std::max<int64_t>(0, reduction::SendBytes(event)));
    }
  }
  return bytes;
}

// Of all runs, and what copies of the smaller ones would have been off.
class ByRuns {
 public:
  ByRuns(std::span<const Trace> runs, int64_t like, int64_t ranks)
      : runs_(runs), times_(double(ranks) / double(like)), ranks_(ranks) {}

  // What the runs do together, at the wanted size.
  Fitted FitOf(const std::function<double(size_t)>& value_of) const {
    std::vector<SizedValue> points;
    for (size_t i = 0; i < runs_.size(); ++i) {
      points.push_back({runs_[i].meta.ranks, value_of(i)});
    }
    return FitTotal(points, {ranks_});
  }
  // As many ranks as the largest run has, so many times.
  double TimesLargest() const {
    return double(ranks_) / double(runs_.back().meta.ranks);
  }
  // As wide as from what was made to the far end of what the runs say, and as
  // the largest run was from copies of those up to as many times smaller.
  double WidthOf(double made,
                 const std::function<double(size_t)>& value_of) const {
    const Fitted fit = FitOf(value_of);
    double width = std::max(std::abs(made - (fit.value - fit.half_width)),
                            std::abs(made - (fit.value + fit.half_width)));
    const double last = value_of(runs_.size() - 1);
    const auto many = double(runs_.back().meta.ranks);
    for (size_t i = 0; i + 1 < runs_.size(); ++i) {
      const double times = many / double(runs_[i].meta.ranks);
      if (times > times_ * kAbout) continue;
      const double copied = value_of(i) * times;
      if (copied > 0) {
        width = std::max(width, made * std::abs(1 - last / copied));
      } else if (last > 0) {
        // What smaller runs have none of may be nothing again.
        width = std::max(width, made);
      }
    }
    return width;
  }

 private:
  // 12 ranks are 1.5 times 8, 36 are 1.5 times 24; 16 are not much less.
  static constexpr double kAbout = 1.2;

  std::span<const Trace> runs_;
  const double times_;
  const int64_t ranks_;
};

std::vector<reduction::SiteEstimate> EstimatesOf(
    const SumsBySite& made, const ByRuns& by_runs,
    const std::vector<SumsBySite>& of_runs) {
  std::vector<reduction::SiteEstimate> all;
  for (const auto& [name, sums] : made) {
    if (sums.family == Family::kEnvironment) continue;
    const auto width = [&](double value, const auto& value_of) {
      return by_runs.WidthOf(value, [&](size_t i) {
        const auto at = of_runs[i].find(name);
        return at == of_runs[i].end() ? 0.0 : value_of(at->second);
      });
    };
    const auto pairs = double(sums.pairs.size());
    reduction::SiteEstimate e{name.first, name.second};
    e.messages = sums.messages;
    e.messages_width =
        width(e.messages, [](const SiteSums& s) { return s.messages; });
    e.bytes = sums.bytes;
    e.bytes_width = width(e.bytes, [](const SiteSums& s) { return s.bytes; });
    e.partners = pairs;
    e.partners_width =
        width(pairs, [](const SiteSums& s) { return double(s.pairs.size()); });
    all.push_back(std::move(e));
  }
  // What the largest run alone does, of which the copied one has nothing.
  for (const auto& [name, sums] : of_runs.back()) {
    if (made.contains(name) || sums.family == Family::kEnvironment) continue;
    const double times = by_runs.TimesLargest();
    all.push_back({name.first, name.second, 0, sums.messages * times, 0,
                   sums.bytes * times, 0, double(sums.pairs.size()) * times});
  }
  return all;
}

uint64_t CountParameters(const Trace& trace) {
  uint64_t count = 0;
  ForEachEvent(trace.root,
               [&](const reduction::Node& n) { count += n.params.size(); });
  return count;
}

bool IsSquare(int64_t n) {
  const auto root = int64_t(std::llround(std::sqrt(double(n))));
  return root * root == n;
}

// Whether the program may have so many ranks, as far as its runs tell: where
// all are on squares, or on powers of two, it may take no other number.
Status CheckRanks(std::span<const Trace> runs, int64_t ranks) {
  const auto all_runs = [&](const auto& is_one) {
    return std::ranges::all_of(
        runs, [&](const Trace& t) { return is_one(t.meta.ranks); });
  };
  if (all_runs(IsSquare) && !IsSquare(ranks)) {
    return Status::No("all runs are on squares, which " +
                      std::to_string(ranks) + " is not");
  }
  if (all_runs(IsPowerOfTwo) && !IsPowerOfTwo(ranks)) {
    return Status::No("all runs are on powers of two, of which " +
                      std::to_string(ranks) + " is none");
  }
  return Status::Ok();
}

// The runs that may be copied, the likeliest first: the largest that goes into
// the ranks, unless it is less than half of the largest, and then that.
std::vector<size_t> RunsToCopy(std::span<const Trace> runs, int64_t ranks) {
  std::vector<size_t> order;
  for (size_t i = runs.size(); i-- > 0;) {
    if (runs[i].meta.ranks <= ranks) order.push_back(i);
  }
  if (order.empty()) return order;
  const int64_t largest = runs[order.front()].meta.ranks;
  std::ranges::stable_sort(order, {}, [&](size_t i) {
    const int64_t n = runs[i].meta.ranks;
    return ranks % n == 0 ? (2 * n >= largest ? 0 : 2) : (n == largest ? 1 : 3);
  });
  return order;
}

Result<Extrapolation> CopiesOf(size_t which, std::span<const Trace> runs,
                               const std::vector<SumsBySite>& of_runs,
                               const std::vector<std::map<Kind, double>>& bytes,
                               const std::set<std::string>& growing,
                               const ExtrapolationRequest& request) {
  const int64_t ranks = request.ranks;
  const Trace& like = runs[which];
  const CopiedRanks copied{like.meta.ranks, ranks};
  auto comms = CopiedComms::Find(like, growing, copied);
  if (!comms.ok()) return comms.status();
  Copier copier(like, copied, std::move(*comms));
  if (Status s = copier.See(); !s.ok()) return s;
  const ByRuns by_runs(runs, like.meta.ranks, ranks);
  const double share = double(ranks) / double(like.meta.ranks);
  for (const auto& [kind, sent] : copier.bytes()) {
    if (sent <= 0) continue;
    const Fitted fit = by_runs.FitOf([&](size_t i) {
      const auto at = bytes[i].find(kind);
      return at == bytes[i].end() ? 0.0 : at->second;
    });
    const double factor = fit.value / (sent * share);
    // What is put goes into windows that are as large as they were.
    const bool may_grow = kind.first != Family::kOneSided;
    copier.Scale(kind, may_grow ? factor : std::min(factor, 1.0));
  }
  SumsBySite sums;
  auto made = copier.Make(request.tell_share, &sums);
  if (!made.ok()) return made.status();
  Extrapolation out;
  out.trace = std::move(*made);
  out.trace.meta = like.meta;
  out.trace.meta.job += "-to-" + std::to_string(ranks);
  MarkAsMadeAt(ranks, &out.trace.meta);
  ScaleTimes({}, like, &out.trace);
  out.report.estimates = EstimatesOf(sums, by_runs, of_runs);
  out.report.copied_ranks = like.meta.ranks;
  out.report.dims = {ranks};
  out.report.estimated = CountParameters(out.trace);
  out.report.laws = {"each rank does what one of the run on " +
                     std::to_string(like.meta.ranks) + " ranks did"};
  out.trace.meta.laws = out.report.laws;
  out.trace.meta.estimates = out.report.estimates;
  out.trace.meta.losses[reduction::kLossByEstimates] =
      out.report.estimates.size();
  return out;
}

}  // namespace

Result<Extrapolation> MakeOfCopies(std::span<const Trace> inputs,
                                   const ExtrapolationRequest& request) {
  std::map<int64_t, const Trace*> by_size;
  for (const Trace& t : inputs) by_size.try_emplace(t.meta.ranks, &t);
  std::vector<Trace> runs;
  std::vector<SumsBySite> sums;
  std::vector<std::map<Kind, double>> bytes;
  for (const auto& [size, trace] : by_size) {
    auto of_run = SumSites(*trace);
    if (!of_run.ok()) return of_run.status();
    auto kinds = BytesByKind(*trace);
    if (!kinds.ok()) return kinds.status();
    runs.push_back(*trace);
    sums.push_back(std::move(*of_run));
    bytes.push_back(std::move(*kinds));
  }
  if (Status s = CheckRanks(runs, request.ranks); !s.ok()) return s;
  const auto growing = GrowingMakers(runs);
  Status why = Status::Ok();  // of the likeliest
  for (const size_t which : RunsToCopy(runs, request.ranks)) {
    const Trace& like = runs[which];
    const double events = double(reduction::CountEvents(like)) *
                          double(request.ranks) / double(like.meta.ranks);
    Status of_run = Status::No("copies of it would have more than " +
                               std::to_string(kMostWalked) + " events");
    if (events <= double(kMostWalked)) {
      auto made = CopiesOf(which, runs, sums, bytes, growing, request);
      if (made.ok()) return made;
      of_run = made.status();
    }
    if (why.ok()) why = of_run;
  }
  return why.ok() ? Status::No("no run has as few ranks") : why;
}

}  // namespace ranksight::online_model
