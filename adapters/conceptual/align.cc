#include "adapters/conceptual/align.h"

#include <algorithm>
#include <utility>

#include "adapters/conceptual/collectives.h"

namespace ranksight::adapters::conceptual {
namespace {

using reduction::Communicators;
using reduction::Status;
using reduction::Trace;
using Members = std::map<int64_t, std::vector<int64_t>>;

bool IsCollective(const Item& item) {
  return item.node->is_event() && !item.comm.empty();
}

bool IsWhole(const Members& members, const Communicators& comms) {
  return std::all_of(members.begin(), members.end(), [&](const auto& m) {
    return m.first < 0 || m.second.size() == MemberCount(comms, m.first);
  });
}

std::vector<bool> RanksOf(const Item& item, int64_t ranks) {
  std::vector<bool> set(static_cast<size_t>(ranks));
  const reduction::RankSet all = item.trips.Ranks();
  reduction::SectionCursor next(&all);
  while (!next.done()) set[size_t(next.Next())] = true;
  return set;
}

bool Meet(const std::vector<bool>& a, const std::vector<bool>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] && b[i]) return true;
  }
  return false;
}

void Join(Item* item, Item other) {
  item->trips.Merge(std::move(other.trips), false);
  item->comm.Merge(std::move(other.comm), false);
  item->root.Merge(std::move(other.root), true);
  item->amount.Merge(std::move(other.amount), false);
  item->compute.Merge(std::move(other.compute), false);
}

// The siblings of one parent.
class Siblings {
 public:
  Siblings(const Trace& trace, const Communicators& comms, Item* loop)
      : trace_(trace), comms_(comms), loop_(loop) {
    for (const Item& item : loop->children) {
      ranks_.push_back(RanksOf(item, trace.meta.ranks));
    }
    into_.resize(loop->children.size());
    for (size_t i = 0; i < into_.size(); ++i) into_[i] = i;
  }

  Status Run() {
    bool joined = false;
    for (size_t i = 0; i < into_.size(); ++i) {
      Item& item = loop_->children[i];
      if (into_[i] != i || !IsCollective(item)) continue;
      Members members = MembersOf(item);
      for (size_t j = i + 1; j < into_.size() && !IsWhole(members, comms_);
           ++j) {
        if (!Fits(i, j)) continue;
        Join(&item, std::move(loop_->children[j]));
        into_[j] = i;
        joined = true;
        members = MembersOf(item);
      }
      if (!IsWhole(members, comms_)) return Partial(item);
    }
    return joined ? Order() : Status::Ok();
  }

 private:
  Status Partial(const Item& item) const {
    return Status::No(
        std::string(reduction::Info(item.node->call).name) + " at " +
        reduction::ToString(trace_.sites, item.node->site, 1) +
        " is called by others of its communicator at places that do not "
        "become one statement");
  }

  bool Fits(size_t i, size_t j) const {
    const Item& a = loop_->children[i];
    const Item& b = loop_->children[j];
    if (into_[j] != j || !IsCollective(b)) return false;
    if (a.node->call != b.node->call) return false;
    for (size_t k = 0; k < into_.size(); ++k) {
      if (into_[k] == i && Meet(ranks_[k], ranks_[j])) return false;
    }
    return true;
  }

  // Whether one of a's items comes before one of b's on some rank.
  bool Before(size_t a, size_t b) const {
    for (size_t i = 0; i < into_.size(); ++i) {
      if (into_[i] != a) continue;
      for (size_t j = i + 1; j < into_.size(); ++j) {
        if (into_[j] == b && Meet(ranks_[i], ranks_[j])) return true;
      }
    }
    return false;
  }

  Status Order() {
    std::vector<size_t> left;
    for (size_t i = 0; i < into_.size(); ++i) {
      if (into_[i] == i) left.push_back(i);
    }
    std::vector<Item> ordered;
    while (!left.empty()) {
      const auto next = std::find_if(left.begin(), left.end(), [&](size_t b) {
        return std::none_of(left.begin(), left.end(),
                            [&](size_t a) { return a != b && Before(a, b); });
      });
      if (next == left.end()) return Partial(loop_->children[left[0]]);
      ordered.push_back(std::move(loop_->children[*next]));
      left.erase(next);
    }
    loop_->children = std::move(ordered);
    return Status::Ok();
  }

  const Trace& trace_;
  const Communicators& comms_;
  Item* loop_;
  std::vector<std::vector<bool>> ranks_;
  std::vector<size_t> into_;  // the item that each has become part of
};

}  // namespace

uint64_t MemberCount(const Communicators& comms, int64_t number) {
  if (number == 0) return uint64_t(comms.ranks());
  for (const auto& comm : comms.all()) {
    if (comm->id == number) return comm->members.size();
  }
  return 0;
}

Members MembersOf(const Item& collective) {
  Members members;
  for (const auto& [rank, comms] : collective.comm.ByRank()) {
    reduction::SectionCursor next(&comms);
    uint64_t times = 0;
    while (!next.done()) {
      auto& ranks = members[next.NextRun(&times)];
      if (ranks.empty() || ranks.back() != rank) ranks.push_back(rank);
    }
  }
  return members;
}

Status Align(const Trace& trace, const Communicators& comms, Item* loop) {
  if (Status s = Siblings(trace, comms, loop).Run(); !s.ok()) return s;
  for (Item& child : loop->children) {
    if (child.node->is_event()) continue;
    if (Status s = Align(trace, comms, &child); !s.ok()) return s;
  }
  return Status::Ok();
}

}  // namespace ranksight::adapters::conceptual
