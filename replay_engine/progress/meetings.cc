#include "replay_engine/progress/meetings.h"

#include "reduction/api/contract.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;

// Whose data a member needs to go on.
enum class Need { kAll, kFromRoot, kToRoot, kEarlier, kNeighbours };

Need NeedOf(Call call) {
  switch (call) {
    case Call::MPI_Bcast_:
    case Call::MPI_Scatter_:
    case Call::MPI_Scatterv_:
      return Need::kFromRoot;
    case Call::MPI_Reduce_:
    case Call::MPI_Gather_:
    case Call::MPI_Gatherv_:
      return Need::kToRoot;
    case Call::MPI_Scan_:
    case Call::MPI_Exscan_:
      return Need::kEarlier;
    default:
      return reduction::Info(call).family == reduction::Family::kNeighbourhood
                 ? Need::kNeighbours
                 : Need::kAll;
  }
}

std::string Named(Call call, int64_t root) {
  std::string text(reduction::Info(call).name);
  if (root != reduction::kNone) text += " from root " + std::to_string(root);
  return text;
}

bool IsNoMember(int64_t root) {
  return root == reduction::kPeerRoot || root == reduction::kPeerNull;
}

}  // namespace

bool Meetings::IsFree(const Meeting& meeting, int64_t size,
                      bool is_root) const {
  const bool all = meeting.arrived == size;
  if (strict_) return all;
  switch (NeedOf(meeting.call)) {
    case Need::kFromRoot:
      return is_root || meeting.root_came;
    case Need::kToRoot:
      return !is_root || all;
    case Need::kEarlier:  // at its best: none of those is late
    case Need::kNeighbours:
      return true;
    case Need::kAll:
      return all;
  }
  return all;
}

void Meetings::Compare(const Meeting& meeting, const Arrival& arrival,
                       Call call, int64_t root) {
  // Between two groups those of the root name it otherwise.
  const bool same_root =
      meeting.root == root || IsNoMember(meeting.root) || IsNoMember(root);
  if (!mismatch_.empty() || (meeting.call == call && same_root)) return;
  mismatch_ = "rank " + std::to_string(meeting.first) + " calls " +
              Named(meeting.call, meeting.root) + " where rank " +
              std::to_string(arrival.rank) + " calls " + Named(call, root);
}

void Meetings::CompareBuffers(const Arrival& arrival, const Event& event,
                              int64_t root) {
  const bool may_be_in_place = root == reduction::kNone || root == arrival.rank;
  if (!mismatch_.empty() || may_be_in_place ||
      event.Get(Param::kInPlace, 0) == 0) {
    return;
  }
  mismatch_ = "rank " + std::to_string(arrival.rank) + " calls " +
              Named(reduction::BlockingForm(event.call()), root) +
              " in place, which only the root may";
}

void Meetings::CompareAmounts(const Arrival& arrival, Meeting* meeting) {
  const Amounts& of = arrival.amounts;
  const auto take = [&](int64_t bytes, Meeting::Extreme* extreme,
                        bool is_further) {
    if (bytes == Amounts::kNone) return;
    if (extreme->bytes == Amounts::kNone || is_further) {
      *extreme = {bytes, arrival.rank};
    }
  };
  meeting->lists += of.lists;
  // The most that anybody gives to each, and the least that anybody takes from
  // each: these two decide for all.
  take(of.given, &meeting->given, of.given > meeting->given.bytes);
  take(of.taken, &meeting->taken, of.taken < meeting->taken.bytes);
  take(of.alike, &meeting->alike, false);
  if (!mismatch_.empty()) return;
  const auto text = [&](const Meeting::Extreme& more, const char* where,
                        const Meeting::Extreme& less) {
    return "rank " + std::to_string(more.rank) + " calls " +
           Named(meeting->call, meeting->root) + " with " +
           std::to_string(more.bytes) + " bytes" + where + " where rank " +
           std::to_string(less.rank) + " calls it with " +
           std::to_string(less.bytes);
  };
  if (of.alike != Amounts::kNone && of.alike != meeting->alike.bytes) {
    mismatch_ = text(meeting->alike, "", {of.alike, arrival.rank});
  } else if (meeting->taken.bytes != Amounts::kNone &&
             meeting->given.bytes > meeting->taken.bytes) {
    mismatch_ = text(meeting->given, " for each", meeting->taken);
  }
}

void Meetings::CompareLists(const Meeting& meeting) {
  if (!mismatch_.empty() || meeting.lists == 0) return;
  mismatch_ = "what ranks give in " + Named(meeting.call, meeting.root) +
              " of rank " + std::to_string(meeting.first) +
              " and others is not what is taken there";
}

void Meetings::Arrive(const Arrival& arrival, const Event& event,
                      std::vector<Id>* done) {
  RANKSIGHT_REQUIRE(done != nullptr);
  Comm& comm = comms_[arrival.comm];
  const uint64_t number = made_[{arrival.comm, arrival.rank}]++;
  const size_t place = number - comm.begin;
  if (place >= comm.meetings.size()) comm.meetings.resize(place + 1);
  Meeting& meeting = comm.meetings[place];
  const Call call = reduction::BlockingForm(event.call());
  const int64_t root = event.Get(Param::kRoot, reduction::kNone);
  if (meeting.arrived == 0) {
    meeting.call = call;
    meeting.root = root;
    meeting.first = arrival.rank;
  }
  Compare(meeting, arrival, call, root);
  CompareBuffers(arrival, event, root);
  CompareAmounts(arrival, &meeting);
  const bool is_root = root == arrival.rank || root == reduction::kPeerRoot;
  ++meeting.arrived;
  meeting.root_came |= is_root;
  meeting.waiting.push_back({arrival.id, is_root});
  const bool all = meeting.arrived == arrival.size;
  if (all) CompareLists(meeting);
  // Others are looked at again only where that may set them free.
  if (!all && !is_root) {
    if (!IsFree(meeting, arrival.size, is_root)) return;
    meeting.waiting.pop_back();
    done->push_back(arrival.id);
    return;
  }
  std::erase_if(meeting.waiting, [&](const Meeting::Waiting& w) {
    const bool free = IsFree(meeting, arrival.size, w.is_root);
    if (free) done->push_back(w.id);
    return free;
  });
  while (!comm.meetings.empty() &&
         comm.meetings.front().arrived == arrival.size) {
    comm.meetings.pop_front();
    ++comm.begin;
  }
}

uint64_t Meetings::MadeBy(int64_t rank, int64_t comm) const {
  const auto at = made_.find({comm, rank});
  return at == made_.end() ? 0 : at->second;
}

}  // namespace ranksight::replay_engine
