#include "reduction/api/communicators.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <string>
#include <tuple>

#include "reduction/api/cursor.h"

namespace ranksight::reduction {

namespace {

// One call that makes communicators, as one rank made it.
struct Making {
  int64_t rank;
  Call call;
  uint32_t site;
  int64_t parent;      // this rank's number
  int64_t made;        // this rank's number, or -1
  int64_t size;        // of what was obtained
  int64_t color, key;  // color: or what else those together have in common
  int64_t leader, remote_leader;
  bool high;                  // the group's ranks come behind the other's
  std::vector<int64_t> list;  // members, dims or remain
};

// MPI_Comm_join is a rank's own.
int64_t ParentOf(const Event& e) {
  return e.call() == Call::MPI_Comm_join_ ? 1 : e.Get(Param::kComm);
}

int64_t ColorOf(const Event& e) {
  return e.Get(e.call() == Call::MPI_Comm_split_type_ ? Param::kFirstMember
                                                      : Param::kColor);
}

Making FromEvent(int64_t rank, const Event& e, int64_t made) {
  Making m{rank,
           e.call(),
           e.site,
           ParentOf(e),
           made,
           e.Get(Param::kCommSize),
           ColorOf(e),
           e.Get(Param::kKey),
           e.Get(Param::kLeader),
           e.Get(Param::kPeer),
           e.Get(Param::kMode) != 0,
           {}};
  for (const Param p : {Param::kMembers, Param::kDims, Param::kRemain}) {
    const auto values = e.GetArray(p);
    if (!values.empty()) m.list.assign(values.begin(), values.end());
  }
  return m;
}

bool MakesAny(const Trace& trace) {
  bool any = false;
  ForEachEvent(trace.root,
               [&](const Node& node) { any |= Info(node.call).makes_comm; });
  return any;
}

// Made by those of a group alone, of the first communicator or of none.
bool IsByGroup(Call call) {
  return call == Call::MPI_Comm_create_group_ ||
         call == Call::MPI_Comm_create_from_group_ ||
         call == Call::MPI_Intercomm_create_from_groups_;
}

// With processes that no rank of the trace is.
bool IsWithOthers(Call call) {
  return reduction::Info(call).family == Family::kProcess ||
         call == Call::MPI_Intercomm_create_from_groups_;
}

using Makings = std::vector<const Making*>;
// By what they have in common: members of one communicator, in its order.
using Classes = std::map<std::vector<int64_t>, Makings>;

// What makes a generation; see communicators.h.
enum class Maker : int64_t { kAll, kSelf, kGroup, kPair };

// Behind MPI_COMM_WORLD and MPI_COMM_SELF.
constexpr int64_t kFirstMade = 2;

}  // namespace

class CommunicatorSearch {
 public:
  explicit CommunicatorSearch(const Trace& trace) : trace_(trace) {}

  Result<Communicators> Run() {
    found_.ranks_ = trace_.meta.ranks;
    found_.of_rank_.resize(size_t(trace_.meta.ranks));
    found_.all_.push_back(std::make_unique<Communicator>());
    if (!MakesAny(trace_)) return std::move(found_);
    if (Status s = ReadAll(); !s.ok()) return s;
    Communicator world;
    world.members.resize(size_t(trace_.meta.ranks));
    std::iota(world.members.begin(), world.members.end(), 0);
    if (Status s = Children(world, [](int64_t) { return int64_t{0}; });
        !s.ok()) {
      return s;
    }
    for (int64_t rank = 0; rank < trace_.meta.ranks; ++rank) OfSelf(rank);
    while (!open_.empty()) {
      const Communicator* parent = open_.front();
      open_.pop_front();
      const auto number = [&](int64_t rank) { return NumberOf(*parent, rank); };
      if (Status s = Children(*parent, number); !s.ok()) return s;
    }
    if (Status s = CheckPairs(); !s.ok()) return s;
    return std::move(found_);
  }

 private:
  Status ReadAll() {
    makings_.resize(size_t(trace_.meta.ranks));
    for (int64_t rank = 0; rank < trace_.meta.ranks; ++rank) {
      auto makers = Cursor::OpenMakers(trace_, rank);
      if (!makers.ok()) return makers.status();
      int64_t number = kFirstMade;
      while (makers->Next()) {
        const Event& e = makers->event();
        const bool is_in = e.Get(Param::kCommSize) > 0;
        makings_[size_t(rank)].push_back(
            FromEvent(rank, e, is_in ? number++ : -1));
      }
      if (!makers->status().ok()) return makers->status();
      found_.of_rank_[size_t(rank)].resize(size_t(number - kFirstMade));
    }
    return Status::Ok();
  }

  // The rank's number of a communicator that it is in, in either group.
  int64_t NumberOf(const Communicator& comm, int64_t rank) const {
    const auto& of = found_.of_rank_[size_t(rank)];
    const auto at = std::find_if(of.begin(), of.end(), [&](const auto* c) {
      return c == &comm || (c != nullptr && c == comm.remote);
    });
    return 2 + (at - of.begin());
  }

  Status Refuse(const Making& m, const char* why) const {
    return Status::No(std::string(why) + ": " + std::string(Info(m.call).name) +
                      " at " + ToString(trace_.sites, m.site));
  }

  int64_t Generation(Maker maker, int64_t parent, int64_t k) {
    const auto next = int64_t(generations_.size()) + lone_generations_ + 1;
    return generations_.try_emplace({maker, parent, k}, next).first->second;
  }

  // Of a communicator that is like no other.
  int64_t LoneGeneration() {
    return int64_t(generations_.size()) + ++lone_generations_;
  }

  void OfSelf(int64_t rank) {
    int64_t k = 0;
    for (const Making& m : makings_[size_t(rank)]) {
      if (m.parent != 1 || m.made < 0 || IsByGroup(m.call)) continue;
      Communicator made;
      made.members = {rank};
      made.generation = Generation(Maker::kSelf, 0, k++);
      made.is_inter = IsWithOthers(m.call);
      Add(std::move(made), {&m});
    }
  }

  // What all members made of `parent`, call by call.
  template <class NumberOf>
  Status Children(const Communicator& parent, NumberOf number) {
    std::vector<Makings> by_call;
    // Those over a group need not be made by all, nor in one order.
    std::map<std::vector<int64_t>, std::vector<Makings>> by_group;
    std::map<const Making*, int64_t> place_of;
    std::vector<int64_t> members = parent.members;
    if (parent.remote != nullptr) {
      const auto& others = parent.remote->members;
      members.insert(members.end(), others.begin(), others.end());
    }
    for (const int64_t rank : members) {
      const int64_t own = number(rank);
      size_t k = 0;
      int64_t by_groups = 0;
      std::map<std::vector<int64_t>, size_t> times;
      for (const Making& m : makings_[size_t(rank)]) {
        if (m.parent != own) continue;
        auto& lists = IsByGroup(m.call) ? by_group[m.list] : by_call;
        size_t& at = IsByGroup(m.call) ? times[m.list] : k;
        if (IsByGroup(m.call)) place_of[&m] = by_groups++;
        if (lists.size() <= at) lists.resize(at + 1);
        lists[at++].push_back(&m);
      }
    }
    for (size_t k = 0; k < by_call.size(); ++k) {
      if (by_call[k].size() != members.size() || !AreAlike(by_call[k])) {
        return Refuse(*by_call[k][0],
                      "members of a communicator disagree on what they made "
                      "of it");
      }
      if (Status s = Make(parent, by_call[k], int64_t(k)); !s.ok()) return s;
    }
    for (const auto& [list, all] : by_group) {
      for (const Makings& makings : all) {
        AddByGroup(parent, list, makings, place_of);
      }
    }
    return Status::Ok();
  }

  static bool AreAlike(const Makings& makings) {
    return std::all_of(makings.begin(), makings.end(), [&](const Making* m) {
      return m->call == makings[0]->call;
    });
  }

  void AddByGroup(const Communicator& parent, const std::vector<int64_t>& list,
                  const Makings& makings,
                  const std::map<const Making*, int64_t>& place_of) {
    const int64_t place = place_of.at(makings[0]);
    const bool all =
        std::all_of(makings.begin(), makings.end(),
                    [&](const Making* m) { return place_of.at(m) == place; });
    Communicator made;
    made.members = list;
    made.is_inter = IsWithOthers(makings[0]->call);
    made.generation = all ? Generation(Maker::kGroup, parent.generation, place)
                          : LoneGeneration();
    Add(std::move(made), makings);
  }

  // What one call of all members of `parent` made, the k-th.
  Status Make(const Communicator& parent, const Makings& makings, int64_t k) {
    if (parent.remote != nullptr) return MakeBetween(parent, makings, k);
    const Call call = makings[0]->call;
    if (call == Call::MPI_Intercomm_merge_) {
      return Refuse(*makings[0],
                    "the other group of an intercommunicator is not in the "
                    "trace");
    }
    for (auto& [group, members] : ClassesOf(parent, makings)) {
      Communicator made;
      made.is_inter = parent.is_inter || IsWithOthers(call) ||
                      call == Call::MPI_Intercomm_create_;
      made.generation = Generation(Maker::kAll, parent.generation, k);
      made.dims = DimsOf(parent, *members[0]);
      if (Status s = SetMembers(members, &made); !s.ok()) return s;
      const bool is_half = call == Call::MPI_Intercomm_create_;
      Communicator* added = Add(std::move(made), members, !is_half);
      if (!is_half) continue;
      if (Status s = Pair(added, members); !s.ok()) return s;
    }
    return Status::Ok();
  }

  // Of an intercommunicator, whose two groups called it.
  Status MakeBetween(const Communicator& parent, const Makings& makings,
                     int64_t k) {
    const auto middle =
        makings.begin() + static_cast<std::ptrdiff_t>(parent.members.size());
    const Makings own(makings.begin(), middle), other(middle, makings.end());
    if (makings[0]->call == Call::MPI_Intercomm_merge_) {
      return Merge(parent, own, other, k);
    }
    Classes here = ClassesOf(parent, own);
    Classes there = ClassesOf(*parent.remote, other);
    // Each group names its own members.
    const bool by_list = makings[0]->call == Call::MPI_Comm_create_;
    if (here.size() != there.size() || (by_list && here.size() > 1)) {
      return Refuse(*makings[0], kUnknown);
    }
    auto counterpart = there.begin();
    for (auto& [group, members] : here) {
      if (!by_list && counterpart->first != group) {
        return Refuse(*members[0], kUnknown);
      }
      const Status s = AddBoth(members, counterpart->second,
                               Generation(Maker::kAll, parent.generation, k));
      if (!s.ok()) return s;
      ++counterpart;
    }
    return Status::Ok();
  }

  Status AddBoth(const Makings& here, const Makings& there,
                 int64_t generation) {
    Communicator* sides[2];
    for (const bool first : {true, false}) {
      const Makings& makers = first ? here : there;
      Communicator made;
      made.is_inter = true;
      made.generation = generation;
      if (Status s = SetMembers(makers, &made); !s.ok()) return s;
      // Both groups together make what is made of it.
      sides[first ? 0 : 1] = Add(std::move(made), makers, first);
    }
    Join(sides[0], sides[1]);
    return Status::Ok();
  }

  // The standard leaves the order open where both groups say the same; MPICH
  // and Open MPI then compare the first ranks of both.
  Status Merge(const Communicator& parent, const Makings& own,
               const Makings& other, int64_t k) {
    const auto says_one_thing = [](const Makings& group) {
      return std::all_of(group.begin(), group.end(), [&](const Making* m) {
        return m->high == group[0]->high;
      });
    };
    if (own.empty() || other.empty() || !says_one_thing(own) ||
        !says_one_thing(other)) {
      return Refuse(own.empty() ? *other[0] : *own[0], kUnknown);
    }
    const bool own_first = own[0]->high != other[0]->high
                               ? other[0]->high
                               : own[0]->rank < other[0]->rank;
    Makings makers = own_first ? own : other;
    const Makings& rest = own_first ? other : own;
    makers.insert(makers.end(), rest.begin(), rest.end());
    Communicator made;
    made.generation = Generation(Maker::kAll, parent.generation, k);
    if (Status s = SetMembers(makers, &made); !s.ok()) return s;
    Add(std::move(made), makers);
    return Status::Ok();
  }

  // The leaders' k-th calls with one another meet.
  struct Meeting {
    int64_t leader, remote_leader, k;
    auto operator<=>(const Meeting&) const = default;
  };
  struct Side {
    Communicator* comm;
    const Making* making;
  };

  // In which a rank led a group towards the same other leader.
  int64_t CallsBefore(const Making& leader) const {
    const auto& all = makings_[size_t(leader.rank)];
    return std::count_if(all.data(), &leader, [&](const Making& m) {
      return m.call == leader.call && m.leader == leader.rank &&
             m.remote_leader == leader.remote_leader;
    });
  }

  // Leaves one group of MPI_Intercomm_create to be joined with the other.
  Status Pair(Communicator* side, const Makings& makers) {
    const auto leads = [](const Making* m) { return m->rank == m->leader; };
    const auto at = std::find_if(makers.begin(), makers.end(), leads);
    if (at == makers.end()) return Refuse(*makers[0], kUnknown);
    const Making& leader = **at;
    const int64_t k = CallsBefore(leader);
    const Meeting meeting = {leader.rank, leader.remote_leader, k};
    const Meeting other = {leader.remote_leader, leader.rank, k};
    const auto waiting = waiting_.find(other);
    if (waiting == waiting_.end()) {
      waiting_[meeting] = {side, &leader};
      return Status::Ok();
    }
    Communicator* const remote = waiting->second.comm;
    waiting_.erase(waiting);
    const int64_t generation =
        side->generation == remote->generation
            ? Generation(Maker::kPair, side->generation, 0)
            : LoneGeneration();
    side->generation = remote->generation = generation;
    Join(remote, side);
    open_.push_back(remote);
    return Status::Ok();
  }

  static void Join(Communicator* a, Communicator* b) {
    a->remote = b;
    b->remote = a;
  }

  Status CheckPairs() const {
    if (waiting_.empty()) return Status::Ok();
    return Refuse(*waiting_.begin()->second.making,
                  "the other group of an intercommunicator is not in the "
                  "trace");
  }

  // The members of what they obtained, group by group, in the order of it.
  static Classes ClassesOf(const Communicator& parent, const Makings& makings) {
    using OrderKey = std::tuple<int64_t, size_t>;  // key, place in the parent
    std::map<std::vector<int64_t>, std::vector<OrderKey>> groups;
    for (size_t i = 0; i < makings.size(); ++i) {
      if (makings[i]->made < 0) continue;
      const Making& m = *makings[i];
      const bool by_key = m.call == Call::MPI_Comm_split_ ||
                          m.call == Call::MPI_Comm_split_type_;
      groups[ClassOf(parent, m, i)].emplace_back(by_key ? m.key : 0, i);
    }
    Classes classes;
    for (auto& [group, places] : groups) {
      std::sort(places.begin(), places.end());
      for (const auto& [key, i] : places) {
        classes[group].push_back(makings[i]);
      }
    }
    return classes;
  }

  // Sorts the makers of a listed group as its list says. REQUIRES: as many.
  static Makings InOrderOf(const std::vector<int64_t>& list,
                           const Makings& makers) {
    std::map<int64_t, const Making*> by_rank;
    for (const Making* m : makers) by_rank[m->rank] = m;
    Makings sorted;
    for (const int64_t rank : list) {
      const auto at = by_rank.find(rank);
      if (at != by_rank.end()) sorted.push_back(at->second);
    }
    return sorted;
  }

  Status SetMembers(const Makings& makers, Communicator* made) const {
    const Making& first = *makers[0];
    const bool listed = first.call == Call::MPI_Comm_create_;
    for (const Making* m : listed ? InOrderOf(first.list, makers) : makers) {
      made->members.push_back(m->rank);
    }
    if (int64_t(made->members.size()) == first.size) return Status::Ok();
    return Refuse(first, kUnknown);
  }

  static std::vector<int64_t> DimsOf(const Communicator& parent,
                                     const Making& m) {
    if (m.call == Call::MPI_Cart_create_) return m.list;
    std::vector<int64_t> dims;
    if (m.call != Call::MPI_Cart_sub_) return dims;
    for (size_t d = 0; d < parent.dims.size(); ++d) {
      if (d < m.list.size() && m.list[d] != 0) dims.push_back(parent.dims[d]);
    }
    return dims;
  }

  // Members with the same class end up together.
  static std::vector<int64_t> ClassOf(const Communicator& parent,
                                      const Making& m, size_t place) {
    switch (m.call) {
      case Call::MPI_Comm_split_:
      case Call::MPI_Comm_split_type_:
        return {m.color};
      case Call::MPI_Comm_create_:
        return m.list;
      case Call::MPI_Cart_sub_: {
        std::vector<int64_t> fixed;
        int64_t rest = int64_t(place);
        for (size_t d = parent.dims.size(); d-- > 0;) {
          const int64_t extent = std::max<int64_t>(1, parent.dims[d]);
          const bool kept = d < m.list.size() && m.list[d] != 0;
          fixed.push_back(kept ? -1 : rest % extent);
          rest /= extent;
        }
        return fixed;
      }
      default:
        return {};
    }
  }

  // opens: what was made of it is to be found, too.
  Communicator* Add(Communicator made, const Makings& makers,
                    bool opens = true) {
    auto comm = std::make_unique<Communicator>(std::move(made));
    comm->id = int64_t(found_.all_.size());
    for (const Making* m : makers) {
      if (m->made < 2) continue;
      found_.of_rank_[size_t(m->rank)][size_t(m->made - 2)] = comm.get();
    }
    Communicator* const added = comm.get();
    if (opens) open_.push_back(added);
    found_.all_.push_back(std::move(comm));
    return added;
  }

  static constexpr const char* kUnknown =
      "members of a communicator cannot be told";

  const Trace& trace_;
  Communicators found_;
  std::vector<std::vector<Making>> makings_;
  std::deque<const Communicator*> open_;
  std::map<std::tuple<Maker, int64_t, int64_t>, int64_t> generations_;
  int64_t lone_generations_ = 0;
  // Groups of MPI_Intercomm_create whose other one has not come.
  std::map<Meeting, Side> waiting_;
};

Result<Communicators> Communicators::Find(const Trace& trace) {
  return CommunicatorSearch(trace).Run();
}

const Communicator* Communicators::Of(int64_t rank, int64_t number) const {
  if (number == 0) return all_[0].get();
  const auto& of = of_rank_[size_t(rank)];
  if (number < 2 || number - 2 >= int64_t(of.size())) return nullptr;
  return of[size_t(number - 2)];
}

int64_t Communicators::Size(int64_t rank, int64_t number) const {
  if (number == 0) return ranks_;
  const Communicator* c = Of(rank, number);
  return c == nullptr ? 1 : int64_t(c->members.size());
}

int64_t Communicators::PlaceIn(const Communicator& c, int64_t world_rank) {
  if (c.id == 0) return world_rank;
  const auto it = std::find(c.members.begin(), c.members.end(), world_rank);
  return it == c.members.end() ? -1 : it - c.members.begin();
}

}  // namespace ranksight::reduction
