#include "reduction/api/communicators.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <tuple>

#include "reduction/api/rank_walk.h"

namespace ranksight::reduction {

namespace {

// One call that makes communicators, as one rank made it.
struct Making {
  int64_t rank;
  Call call;
  int64_t parent;  // this rank's number
  int64_t made;    // this rank's number, or -1
  int64_t size;    // of what was obtained
  int64_t color, key;
  std::vector<int64_t> list;  // members, dims or remain
};

Making FromEvent(int64_t rank, const Event& e, int64_t made) {
  Making m{rank,
           e.call(),
           e.Get(Param::kComm),
           made,
           e.Get(Param::kCommSize),
           e.Get(Param::kColor),
           e.Get(Param::kKey),
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
         call == Call::MPI_Comm_create_from_group_;
}

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
      const auto number = [&](int64_t rank) {
        const auto& of = found_.of_rank_[size_t(rank)];
        return 2 + (std::find(of.begin(), of.end(), parent) - of.begin());
      };
      if (Status s = Children(*parent, number); !s.ok()) return s;
    }
    return std::move(found_);
  }

 private:
  Status ReadAll() {
    makings_.resize(size_t(trace_.meta.ranks));
    for (int64_t rank = 0; rank < trace_.meta.ranks; ++rank) {
      auto walk = RankWalk::Open(trace_, rank);
      if (!walk.ok()) return walk.status();
      int64_t made = 0;
      while (walk->Next()) {
        if (!Info(walk->event().call()).makes_comm) continue;
        if (walk->new_comm() >= 0) ++made;
        makings_[size_t(rank)].push_back(
            FromEvent(rank, walk->event(), walk->new_comm()));
      }
      if (!walk->status().ok()) return walk->status();
      found_.of_rank_[size_t(rank)].resize(size_t(made));
    }
    return Status::Ok();
  }

  void OfSelf(int64_t rank) {
    for (const Making& m : makings_[size_t(rank)]) {
      if (m.parent == 1 && m.made >= 0) Add({rank}, {&m}, {});
    }
  }

  // What all members made of `parent`, call by call.
  template <class NumberOf>
  Status Children(const Communicator& parent, NumberOf number) {
    std::vector<std::vector<const Making*>> by_call;
    // Those over a group need not be made by all, nor in one order.
    std::map<std::vector<int64_t>, std::vector<std::vector<const Making*>>>
        by_group;
    for (const int64_t rank : parent.members) {
      const int64_t own = number(rank);
      size_t k = 0;
      std::map<std::vector<int64_t>, size_t> times;
      for (const Making& m : makings_[size_t(rank)]) {
        if (m.parent != own) continue;
        auto& lists = IsByGroup(m.call) ? by_group[m.list] : by_call;
        size_t& at = IsByGroup(m.call) ? times[m.list] : k;
        if (lists.size() <= at) lists.resize(at + 1);
        lists[at++].push_back(&m);
      }
    }
    for (const auto& makings : by_call) {
      if (makings.size() != parent.members.size()) {
        return Status::No(
            "members of a communicator disagree on what they "
            "made of it");
      }
      if (Status s = Split(parent, makings); !s.ok()) return s;
    }
    for (const auto& [members, lists] : by_group) {
      for (const auto& makings : lists) Add(members, makings, {});
    }
    return Status::Ok();
  }

  // Groups the members of one collective call by what they obtained.
  Status Split(const Communicator& parent,
               const std::vector<const Making*>& makings) {
    using Place = std::tuple<int64_t, size_t>;  // key, place in the parent
    std::map<std::vector<int64_t>, std::vector<Place>> groups;
    for (size_t i = 0; i < makings.size(); ++i) {
      if (makings[i]->made < 0) continue;
      const Making& m = *makings[i];
      const bool by_key = m.call == Call::MPI_Comm_split_ ||
                          m.call == Call::MPI_Comm_split_type_;
      groups[ClassOf(parent, m, i)].emplace_back(by_key ? m.key : 0, i);
    }
    for (auto& [group, places] : groups) {
      std::sort(places.begin(), places.end());
      std::vector<int64_t> members;
      std::vector<const Making*> makers;
      for (const auto& [key, i] : places) {
        members.push_back(parent.members[i]);
        makers.push_back(makings[i]);
      }
      if (int64_t(members.size()) != makers[0]->size) {
        return Status::No("members of a communicator cannot be told");
      }
      std::vector<int64_t> dims;
      if (makers[0]->call == Call::MPI_Cart_create_) dims = makers[0]->list;
      if (makers[0]->call == Call::MPI_Cart_sub_) {
        for (size_t d = 0; d < parent.dims.size(); ++d) {
          if (d < makers[0]->list.size() && makers[0]->list[d] != 0)
            dims.push_back(parent.dims[d]);
        }
      }
      if (makers[0]->call == Call::MPI_Comm_create_) members = makers[0]->list;
      Add(std::move(members), makers, std::move(dims));
    }
    return Status::Ok();
  }

  // Members with the same class end up together.
  static std::vector<int64_t> ClassOf(const Communicator& parent,
                                      const Making& m, size_t place) {
    switch (m.call) {
      case Call::MPI_Comm_split_:
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

  void Add(std::vector<int64_t> members,
           const std::vector<const Making*>& makers,
           std::vector<int64_t> dims) {
    auto comm = std::make_unique<Communicator>();
    comm->id = int64_t(found_.all_.size());
    comm->members = std::move(members);
    comm->dims = std::move(dims);
    for (size_t i = 0; i < comm->members.size() && i < makers.size(); ++i) {
      auto& of = found_.of_rank_[size_t(makers[i]->rank)];
      of[size_t(makers[i]->made - 2)] = comm.get();
    }
    open_.push_back(comm.get());
    found_.all_.push_back(std::move(comm));
  }

  const Trace& trace_;
  Communicators found_;
  std::vector<std::vector<Making>> makings_;
  std::deque<const Communicator*> open_;
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
