#include "cli/look/spread_calls.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/api/cursor.h"
#include "reduction/api/event.h"
#include "reduction/api/occurrences.h"
#include "reduction/api/rank_table.h"

namespace ranksight::cli {
namespace {

using reduction::Cursor;
using reduction::Event;
using reduction::Node;
using reduction::Occurrences;
using reduction::Param;
using reduction::RankTable;
using reduction::Result;
using reduction::Section;
using reduction::Status;
using reduction::Trace;

constexpr size_t kNowhere = SIZE_MAX;

class Putting {
 public:
  Putting(const Trace& trace, const std::vector<const Node*>& places,
          const GroupOf& group_of)
      : trace_(trace),
        ranks_(trace.meta.ranks),
        places_(places),
        group_of_(group_of) {
    for (const Node* place : places_) {
      comms_.emplace_back(*FindParameter(*place, Param::kComm), ranks_);
    }
  }

  Result<SpreadCalls> Run() {
    for (int64_t rank = 0; rank < ranks_; ++rank) CountCalls(rank);
    for (Group& group : groups_) Assign(&group);
    for (int64_t rank = 0; rank < ranks_; ++rank) {
      if (const Status s = Take(rank); !s.ok()) return s;
    }
    return std::move(found_);
  }

 private:
  struct Group {
    const CommGroup* group = nullptr;
    size_t members = 0;  // that call it
    uint64_t times = 0;  // each of them
    uint64_t all = 0;    // calls
    bool even = true;    // all as often
    size_t place = kNowhere;
    size_t whole = kNowhere;  // among those found
  };
  // A rank's values of each parameter, by what they are put together to.
  using Values = std::map<size_t, std::vector<Section>>;

  void CountCalls(int64_t rank) {
    std::map<size_t, uint64_t> times;  // by group
    for (size_t place = 0; place < places_.size(); ++place) {
      if (comms_[place].Count(rank) == 0) continue;
      for (const auto& [number, n] : Histogram(comms_[place].Sequence(rank))) {
        const size_t at = GroupAt(rank, number);
        if (at == kNowhere) {
          found_.unmatched += n;
          continue;
        }
        times[at] += n;
        groups_[at].place = std::min(groups_[at].place, place);
      }
    }
    for (const auto& [at, n] : times) {
      Group& group = groups_[at];
      group.even = group.even && (group.members == 0 || group.times == n);
      group.times = n;
      group.all += n;
      ++group.members;
    }
  }

  size_t GroupAt(int64_t rank, int64_t number) {
    const CommGroup* const group = group_of_(rank, number);
    if (group == nullptr) return kNowhere;
    const auto [at, is_new] = index_.try_emplace(group, groups_.size());
    if (is_new) groups_.push_back({.group = group});
    return at->second;
  }

  // To a node where none of its members has another communicator.
  void Assign(Group* group) {
    const auto& members = group->group->members;
    if (!group->even || group->members != members.size()) {
      found_.unmatched += group->all;
      return;
    }
    if (members.size() == 1) return;  // to itself
    size_t at = 0;
    while (at < found_.whole.size() &&
           (found_.whole[at].place != group->place ||
            std::ranges::any_of(members, [&](int64_t rank) {
              return taken_[at][static_cast<size_t>(rank)];
            }))) {
      ++at;
    }
    if (at == found_.whole.size()) Begin(group->place);
    for (const int64_t rank : members) {
      taken_[at][static_cast<size_t>(rank)] = true;
    }
    group->whole = at;
  }

  void Begin(size_t place) {
    SpreadCalls::Whole whole{{}, place};
    whole.node.kind = places_[place]->kind;
    whole.node.call = places_[place]->call;
    whole.node.site = places_[place]->site;
    whole.node.params.resize(places_[place]->params.size());
    found_.whole.push_back(std::move(whole));
    taken_.emplace_back(static_cast<size_t>(ranks_), false);
  }

  size_t WholeAt(int64_t rank, int64_t number) {
    const size_t at = GroupAt(rank, number);
    return at == kNowhere ? kNowhere : groups_[at].whole;
  }

  Status Take(int64_t rank) {
    Values values;
    const std::vector<size_t> here = PlacesOf(rank);
    if (here.size() == 1 && !comms_[here[0]].Constant(rank)) {
      Occurrences at(*places_[here[0]], rank);
      while (at.Next()) Append(rank, at.event(), &values);
    } else if (!TakeAsTheyAre(rank, here, &values)) {
      values.clear();
      if (const Status s = Walk(rank, &values); !s.ok()) return s;
    }
    for (const auto& [whole, sections] : values) {
      Node& node = found_.whole[whole].node;
      for (size_t i = 0; i < sections.size(); ++i) {
        node.params[i].Add(rank, sections[i],
                           IsRank(Info(node.call).params[i]));
      }
    }
    return Status::Ok();
  }

  std::vector<size_t> PlacesOf(int64_t rank) const {
    std::vector<size_t> here;
    for (size_t place = 0; place < places_.size(); ++place) {
      if (comms_[place].Count(rank) > 0) here.push_back(place);
    }
    return here;
  }

  // False where the order of calls from several places matters.
  bool TakeAsTheyAre(int64_t rank, const std::vector<size_t>& here,
                     Values* values) {
    for (const size_t place : here) {
      const auto number = comms_[place].Constant(rank);
      if (!number) return false;
      const size_t whole = WholeAt(rank, *number);
      if (whole == kNowhere) continue;
      const auto [at, is_new] = values->try_emplace(whole);
      if (!is_new) return false;
      for (const reduction::Parameter& p : places_[place]->params) {
        at->second.push_back(p.At(rank));
      }
    }
    return true;
  }

  Status Walk(int64_t rank, Values* values) {
    auto cursor = Cursor::Open(trace_, rank);
    if (!cursor.ok()) return cursor.status();
    while (cursor->Next()) {
      if (std::ranges::find(places_, &cursor->node()) != places_.end()) {
        Append(rank, cursor->event(), values);
      }
    }
    return cursor->status();
  }

  void Append(int64_t rank, const Event& event, Values* values) {
    const size_t whole = WholeAt(rank, event.Get(Param::kComm));
    if (whole == kNowhere) return;
    std::vector<Section>& sections = (*values)[whole];
    sections.resize(static_cast<size_t>(event.param_count()));
    for (int i = 0; i < event.param_count(); ++i) {
      for (const int64_t value : event.ValuesAt(i)) {
        sections[static_cast<size_t>(i)].Append(value);
      }
    }
  }

  const Trace& trace_;
  const int64_t ranks_;
  const std::vector<const Node*>& places_;
  const GroupOf& group_of_;
  std::vector<RankTable> comms_;  // by place
  std::vector<Group> groups_;     // in the order of their first ranks
  std::unordered_map<const CommGroup*, size_t> index_;
  std::vector<std::vector<bool>> taken_;  // by whole node and rank
  SpreadCalls found_;
};

}  // namespace

Result<SpreadCalls> PutTogether(const Trace& trace,
                                const std::vector<const Node*>& places,
                                const GroupOf& group_of) {
  RANKSIGHT_REQUIRE(!places.empty());
  return Putting(trace, places, group_of).Run();
}

}  // namespace ranksight::cli
