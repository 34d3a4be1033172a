#include "cli/look/groups.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "reduction/api/communicators.h"
#include "reduction/api/cursor.h"
#include "reduction/api/event.h"

namespace ranksight::cli {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Result;
using reduction::Trace;

using GroupPtr = std::shared_ptr<const CommGroup>;

// A rank's calls that make communicators, and how far they are understood.
struct RankCalls {
  std::vector<Event> calls;
  size_t next = 0;
  // How often it has made one from each, to match calls of different ranks.
  std::map<const CommGroup*, int64_t> made_from;
  // The same for those made by the members of a list alone.
  std::map<std::vector<int64_t>, size_t> made_by;
};

// One collective call: who has come to it.
using Instance = std::map<int64_t, const Event*>;

class Resolver {
 public:
  explicit Resolver(int64_t ranks)
      : ranks_(static_cast<size_t>(ranks)), found_(ranks_.size()) {
    auto world = std::make_shared<CommGroup>();
    for (int64_t r = 0; r < ranks; ++r) world->members.push_back(r);
    for (int64_t r = 0; r < ranks; ++r) {
      auto self = std::make_shared<CommGroup>();
      self->members = {r};
      found_[static_cast<size_t>(r)] = {world, self};
    }
  }

  void Add(int64_t rank, const Event& call) {
    ranks_[static_cast<size_t>(rank)].calls.push_back(call);
  }

  CommGroups Run() {
    for (bool progress = true; progress;) {
      progress = false;
      for (size_t rank = 0; rank < ranks_.size(); ++rank) {
        while (Come(static_cast<int64_t>(rank))) progress = true;
      }
    }
    return std::move(found_);
  }

 private:
  // The rank comes to its next call; true when it has got past it.
  bool Come(int64_t rank) {
    RankCalls& mine = ranks_[static_cast<size_t>(rank)];
    if (mine.next == mine.calls.size()) return false;
    const Event& call = mine.calls[mine.next];
    if (call.call() == Call::MPI_Comm_create_group_ ||
        call.call() == Call::MPI_Comm_create_from_group_) {
      return Obtain(rank, Listed(call, &mine));
    }
    const auto parent = static_cast<size_t>(call.Get(Param::kComm));
    const auto& comms = found_[static_cast<size_t>(rank)];
    if (parent >= comms.size() || comms[parent] == nullptr) {
      return Obtain(rank, nullptr);
    }
    const GroupPtr group = comms[parent];
    const auto key = std::pair(group.get(), mine.made_from[group.get()]);
    Instance& instance = waiting_[key];
    instance[rank] = &call;
    if (instance.size() < group->members.size()) return false;
    const Instance complete = std::move(instance);
    waiting_.erase(key);
    Finish(*group, complete);
    return true;
  }

  // All are there: everybody gets its communicator.
  void Finish(const CommGroup& parent, const Instance& instance) {
    const std::map<int64_t, GroupPtr> made = Make(parent, instance);
    for (const int64_t rank : parent.members) {
      ++ranks_[static_cast<size_t>(rank)].made_from[&parent];
      const auto at = made.find(rank);
      Obtain(rank, at == made.end() ? nullptr : at->second);
    }
  }

  // Numbers are taken by communicators only, not by MPI_COMM_NULL.
  bool Obtain(int64_t rank, GroupPtr group) {
    RankCalls& mine = ranks_[static_cast<size_t>(rank)];
    const int64_t size = mine.calls[mine.next++].Get(Param::kCommSize);
    if (size == 0) return true;
    if (group != nullptr &&
        static_cast<int64_t>(group->members.size()) != size) {
      group = nullptr;
    }
    found_[static_cast<size_t>(rank)].push_back(std::move(group));
    return true;
  }

  static std::map<int64_t, GroupPtr> Make(const CommGroup& parent,
                                          const Instance& instance) {
    switch (instance.begin()->second->call()) {
      case Call::MPI_Comm_dup_:
      case Call::MPI_Comm_dup_with_info_:
      case Call::MPI_Comm_idup_:
      case Call::MPI_Comm_idup_with_info_:
        return All(parent, std::make_shared<CommGroup>(parent));
      case Call::MPI_Comm_split_:
        return Split(parent, instance, [](int64_t, const Event& e) {
          return std::pair(e.Get(Param::kColor), e.Get(Param::kKey));
        });
      case Call::MPI_Comm_create_:
        return Split(parent, instance, [](int64_t rank, const Event& e) {
          const auto members = e.GetArray(Param::kMembers);
          const auto at = std::find(members.begin(), members.end(), rank);
          return at == members.end()
                     ? std::pair(reduction::kColorUndefined, int64_t{0})
                     : std::pair(members[0], at - members.begin());
        });
      case Call::MPI_Cart_create_:
        return Cartesian(parent, *instance.begin()->second);
      case Call::MPI_Cart_sub_:
        return SubGrids(parent, instance);
      // Older traces do not know hosts: right where all are on one, which its
      // size says.
      case Call::MPI_Comm_split_type_:
        return Split(parent, instance, [](int64_t, const Event& e) {
          const int64_t none = ObtainsAny(e);
          return std::pair(none != 0 ? none : e.Get(Param::kFirstMember),
                           e.Get(Param::kKey));
        });
      case Call::MPI_Graph_create_:
      case Call::MPI_Dist_graph_create_:
      case Call::MPI_Dist_graph_create_adjacent_:
        return Split(parent, instance, [](int64_t, const Event& e) {
          return std::pair(ObtainsAny(e), int64_t{0});
        });
      default:
        return {};  // with another group: left out
    }
  }

  // A colour.
  static int64_t ObtainsAny(const Event& e) {
    return e.Get(Param::kCommSize) > 0 ? 0 : reduction::kColorUndefined;
  }

  static std::map<int64_t, GroupPtr> All(const CommGroup& parent,
                                         const GroupPtr& group) {
    std::map<int64_t, GroupPtr> made;
    for (const int64_t rank : parent.members) made[rank] = group;
    return made;
  }

  // colour_and_key(rank, event): who belongs together, in which order.
  template <class F>
  static std::map<int64_t, GroupPtr> Split(const CommGroup& parent,
                                           const Instance& instance,
                                           const F& colour_and_key) {
    // By colour: (key, rank in the parent, rank in the world).
    std::map<int64_t, std::vector<std::tuple<int64_t, size_t, int64_t>>> parts;
    for (size_t i = 0; i < parent.members.size(); ++i) {
      const int64_t rank = parent.members[i];
      const auto [colour, key] = colour_and_key(rank, *instance.at(rank));
      if (colour == reduction::kColorUndefined) continue;
      parts[colour].emplace_back(key, i, rank);
    }
    std::map<int64_t, GroupPtr> made;
    for (auto& [colour, part] : parts) {
      std::sort(part.begin(), part.end());
      auto group = std::make_shared<CommGroup>();
      for (const auto& member : part) {
        group->members.push_back(std::get<2>(member));
      }
      for (const int64_t rank : group->members) made[rank] = group;
    }
    return made;
  }

  // MPI libraries that reorder are not known to us.
  static std::map<int64_t, GroupPtr> Cartesian(const CommGroup& parent,
                                               const Event& call) {
    auto group = std::make_shared<CommGroup>();
    size_t size = 1;
    for (const int64_t n : call.GetArray(Param::kDims)) {
      group->dims.push_back(n);
      size *= static_cast<size_t>(std::max<int64_t>(0, n));
    }
    if (size > parent.members.size()) return {};
    group->members.assign(
        parent.members.begin(),
        parent.members.begin() + static_cast<std::ptrdiff_t>(size));
    std::map<int64_t, GroupPtr> made;
    for (const int64_t rank : group->members) made[rank] = group;
    return made;
  }

  static std::map<int64_t, GroupPtr> SubGrids(const CommGroup& parent,
                                              const Instance& instance) {
    const auto remain = instance.begin()->second->GetArray(Param::kRemain);
    std::vector<int64_t> dims;
    std::map<int64_t, int64_t> colour_of;
    if (remain.size() != parent.dims.size()) return {};
    for (size_t d = 0; d < remain.size(); ++d) {
      if (remain[d] != 0) dims.push_back(parent.dims[d]);
    }
    for (size_t i = 0; i < parent.members.size(); ++i) {
      auto rest = static_cast<int64_t>(i);
      int64_t colour = 0, scale = 1;
      for (size_t d = parent.dims.size(); d-- > 0;) {
        if (remain[d] == 0) {
          colour += rest % parent.dims[d] * scale;
          scale *= parent.dims[d];
        }
        rest /= parent.dims[d];
      }
      colour_of[parent.members[i]] = colour;
    }
    auto made = Split(parent, instance, [&](int64_t rank, const Event&) {
      return std::pair(colour_of.at(rank), int64_t{0});
    });
    std::map<const CommGroup*, GroupPtr> with_dims;
    for (auto& [rank, group] : made) {
      GroupPtr& better = with_dims[group.get()];
      if (better == nullptr) {
        better = std::make_shared<CommGroup>(CommGroup{group->members, dims});
      }
    }
    for (auto& [rank, group] : made) group = with_dims.at(group.get());
    return made;
  }

  // Made by members alone, the k-th time with a list for all that make one with
  // it for the k-th time.
  GroupPtr Listed(const Event& call, RankCalls* mine) {
    const auto span = call.GetArray(Param::kMembers);
    const std::vector<int64_t> members(span.begin(), span.end());
    const size_t k = mine->made_by[members]++;
    std::vector<GroupPtr>& groups = listed_[members];
    if (k == groups.size()) {
      groups.push_back(std::make_shared<CommGroup>(CommGroup{members, {}}));
    }
    return groups[k];
  }

  std::vector<RankCalls> ranks_;
  CommGroups found_;
  std::map<std::pair<const CommGroup*, int64_t>, Instance> waiting_;
  std::map<std::vector<int64_t>, std::vector<GroupPtr>> listed_;
};

// One group for all members; none for those between two.
GroupPtr GroupOf(const reduction::Communicator* comm,
                 std::map<const reduction::Communicator*, GroupPtr>* known) {
  GroupPtr& group = (*known)[comm];
  if (group == nullptr && !comm->is_inter) {
    group = std::make_shared<CommGroup>(CommGroup{comm->members, comm->dims});
  }
  return group;
}

CommGroups GroupsOf(const reduction::Communicators& comms) {
  CommGroups found(static_cast<size_t>(comms.ranks()));
  auto world = std::make_shared<CommGroup>();
  for (int64_t r = 0; r < comms.ranks(); ++r) world->members.push_back(r);
  std::map<const reduction::Communicator*, GroupPtr> known;
  for (int64_t r = 0; r < comms.ranks(); ++r) {
    auto& of = found[static_cast<size_t>(r)];
    of = {world, std::make_shared<CommGroup>(CommGroup{{r}, {}})};
    for (int64_t k = 2; const auto* comm = comms.Of(r, k); ++k) {
      of.push_back(GroupOf(comm, &known));
    }
  }
  return found;
}

}  // namespace

Result<CommGroups> GroupsOf(const Trace& trace) {
  const auto comms = reduction::Communicators::Find(trace);
  if (comms.ok()) return GroupsOf(*comms);
  if (comms.status().code() != reduction::StatusCode::kNo) {
    return comms.status();
  }
  // What can be told where not all can.
  Resolver resolver(trace.meta.ranks);
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto cursor = reduction::Cursor::Open(trace, rank);
    if (!cursor.ok()) return cursor.status();
    while (cursor->Next()) {
      if (Info(cursor->event().call()).makes_comm) {
        resolver.Add(rank, cursor->event());
      }
    }
    if (!cursor->status().ok()) return cursor->status();
  }
  return resolver.Run();
}

}  // namespace ranksight::cli
