#include "online_model/twin/copied_comms.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "reduction/api/cursor.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Communicator;
using reduction::Communicators;
using reduction::Cursor;
using reduction::Event;
using reduction::Param;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

// f(rank, event, number of what it makes) of the calls that make communicators.
template <class F>
Status ForMakers(const Trace& trace, F f) {
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto cursor = Cursor::OpenMakers(trace, rank);
    if (!cursor.ok()) return cursor.status();
    int64_t next = 2;
    while (cursor->Next()) {
      const Event& event = cursor->event();
      if (!reduction::Info(event.call()).makes_comm) continue;
      if (event.Get(Param::kCommSize) > 0) f(rank, event, next++);
    }
    if (!cursor->status().ok()) return cursor->status();
  }
  return Status::Ok();
}

// Of those that are as what they are made out of.
bool MakesLike(Call call) {
  switch (call) {
    case Call::MPI_Comm_dup_:
    case Call::MPI_Comm_dup_with_info_:
    case Call::MPI_Comm_idup_:
    case Call::MPI_Comm_idup_with_info_:
    case Call::MPI_Intercomm_create_:
    case Call::MPI_Intercomm_merge_:
    case Call::MPI_Dist_graph_create_:
    case Call::MPI_Dist_graph_create_adjacent_:
      return true;
    default:
      return false;
  }
}

// The first side is the one that copies make longer (copies.cc).
bool KeepsFirstSide(const Event& event) {
  const auto remain = event.GetArray(Param::kRemain);
  return remain.empty() || remain[0] != 0;
}

}  // namespace

int64_t CopiedRanks::In(int64_t copy, int64_t rank) const {
  if (rank < 0) return rank;
  const int64_t at = copy * like + rank;
  return at < ranks ? at : reduction::kPeerNull;
}

std::vector<int64_t> CopiedRanks::InEach(
    const Stretch& copies, std::span<const int64_t> ranks_of_run) const {
  std::vector<int64_t> all;
  for (int64_t c = copies.begin; c < copies.end; ++c) {
    for (const int64_t rank : ranks_of_run) {
      const int64_t in = In(c, rank);
      if (in >= 0) all.push_back(in);
    }
  }
  return all;
}

std::string MakerName(const Event& event, const reduction::Sites& sites) {
  return std::string(reduction::Info(event.call()).name) + " at " +
         ToString(sites, event.site);
}

std::set<std::string> GrowingMakers(std::span<const Trace> inputs) {
  struct Sizes {
    double sum = 0, calls = 0;
    double Mean() const { return sum / calls; }
  };
  std::map<std::string, std::map<int64_t, Sizes>> by_ranks;
  for (const Trace& trace : inputs) {
    // Where a run does not tell, the others do.
    (void)ForMakers(trace, [&](int64_t, const Event& event, int64_t) {
      Sizes& sizes = by_ranks[MakerName(event, trace.sites)][trace.meta.ranks];
      sizes.sum += double(event.Get(Param::kCommSize));
      sizes.calls += 1;
    });
  }
  std::set<std::string> growing;
  for (const auto& [name, sizes] : by_ranks) {
    const auto& [few, of_few] = *sizes.begin();
    const auto& [many, of_many] = *sizes.rbegin();
    // Of one size alone: most of the ranks are those of all.
    const bool grows = few == many
                           ? of_many.Mean() * 2 > double(many)
                           : std::log(of_many.Mean() / of_few.Mean()) * 2 >
                                 std::log(double(many) / double(few));
    if (grows) growing.insert(name);
  }
  return growing;
}

Result<CopiedComms> CopiedComms::Find(const Trace& trace,
                                      const std::set<std::string>& growing,
                                      const CopiedRanks& ranks) {
  auto found = Communicators::Find(trace);
  if (!found.ok()) return found.status();
  CopiedComms comms(std::move(*found), ranks);
  comms.joined_.insert(0);
  // Each is asked for once, by whichever of its members comes first; a rank
  // makes one out of those that it has before.
  std::set<int64_t> decided;
  const Status made =
      ForMakers(trace, [&](int64_t rank, const Event& event, int64_t number) {
        const Communicator* const made = comms.comms_.Of(rank, number);
        if (made == nullptr || !decided.insert(made->common_id()).second) {
          return;
        }
        const bool out_of_joined =
            comms.IsJoined(rank, event.Get(Param::kComm));
        const bool is_grid = event.call() == Call::MPI_Cart_create_ ||
                             event.call() == Call::MPI_Cart_sub_;
        const bool grows =
            is_grid ? KeepsFirstSide(event)
                    : MakesLike(event.call()) ||
                          growing.contains(MakerName(event, trace.sites));
        if (out_of_joined && grows) comms.joined_.insert(made->common_id());
      });
  if (!made.ok()) return made;
  return comms;
}

bool CopiedComms::IsJoined(int64_t rank, int64_t number) const {
  if (number <= 1) return number == 0;
  const Communicator* const comm = comms_.Of(rank, number);
  return comm != nullptr && joined_.contains(comm->common_id());
}

std::vector<int64_t> CopiedComms::Members(int64_t rank, int64_t number,
                                          bool remote) const {
  if (number == 1) return {rank};
  const Communicator* comm = number == 0 ? nullptr : comms_.Of(rank, number);
  if (comm != nullptr && remote && comm->is_inter) comm = comm->remote;
  if (comm != nullptr && !comm->members.empty()) return comm->members;
  std::vector<int64_t> all(size_t(number == 0 ? comms_.ranks() : 0));
  std::iota(all.begin(), all.end(), int64_t{0});
  return all;
}

int64_t CopiedComms::SizeIn(int64_t copy, int64_t rank, int64_t number) const {
  const auto copies = ranks_.CopiesAt(copy, IsJoined(rank, number));
  return int64_t(ranks_.InEach(copies, Members(rank, number, false)).size());
}

std::vector<int64_t> CopiedComms::ListIn(int64_t copy, int64_t rank,
                                         int64_t number, bool remote,
                                         std::span<const int64_t> list,
                                         bool own_alone) const {
  const std::vector<int64_t> members = Members(rank, number, remote);
  const auto copies = ranks_.CopiesAt(copy, IsJoined(rank, number));
  std::vector<int64_t> out;
  for (int64_t c = copies.begin; c < copies.end; ++c) {
    for (size_t i = 0; i < list.size(); ++i) {
      const bool is_there =
          i >= members.size() || ranks_.In(c, members[i]) >= 0;
      if (is_there) out.push_back(own_alone && c != copy ? 0 : list[i]);
    }
  }
  return out;
}

}  // namespace ranksight::online_model
