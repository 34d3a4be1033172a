#include "online_model/twin/stream.h"

// Which calls a rank of a twin makes, on which communicators, and who is root.
// What they have: stream_values.cc.
#include <algorithm>
#include <cmath>
#include <utility>

#include "online_model/twin/draw.h"
#include "online_model/twin/replace_exchange.h"
#include "online_model/twin/requests.h"

namespace ranksight::online_model {

using reduction::Call;
using reduction::Event;
using reduction::Info;
using reduction::Param;

TwinStream::TwinStream(const TwinPlan& plan, int64_t rank, const RankRun& law)
    : plan_(plan),
      rank_(rank),
      donor_(DonorOf(rank, plan.ranks, plan.last->ranks)),
      law_(law) {
  Body(0, 0, 0);
  events_ = ResolveRequests(plan, events_, &references_);
  if (!plan.groups.empty() || !plan.graphs.empty()) NumberCommunicators();
}

// Numbers are given in the order in which a rank obtains communicators, from 2
// on: 0 is the world, 1 the rank itself.
void TwinStream::NumberCommunicators() {
  int64_t next = 2;
  std::map<int64_t, int64_t> mine;  // by the number at the like rank
  for (TwinEvent& e : events_) {
    const Call call = SiteOf(plan_, e).first;
    const int comm = reduction::ParamPlace(call, Param::kComm);
    if (comm >= 0 && plan_.tree->nodes[e.node].HasNoLaw(size_t(comm))) {
      const auto at = mine.find(Scalar(e, size_t(comm)));
      if (at != mine.end()) e.comm = int32_t(at->second);
    }
    if (!Info(call).makes_comm) continue;
    const auto made = Made(e);
    if (made) {
      if (made->group == nullptr) continue;
      group_of_[next] = made->around();
      if (made->leader >= 0) own_group_of_[next] = made->group;
    } else {
      const int size = reduction::ParamPlace(call, Param::kCommSize);
      if (Scalar(e, size_t(size)) <= 0) continue;
    }
    const int64_t like =
        plan_.groups.NumberOf(int64_t(e.donor), int(e.node), e.copied);
    if (like >= 0) mine[like] = next;
    if (const auto* graph = GraphMade(e)) graph_of_[next] = graph;
    ++next;
  }
}

std::optional<DrawnGroups::Membership> TwinStream::Made(
    const TwinEvent& e) const {
  return plan_.groups.At(rank_, int64_t(e.donor), int(e.node), e.copied);
}

int64_t TwinStream::CommOf(const TwinEvent& e) const {
  const int comm = reduction::ParamPlace(SiteOf(plan_, e).first, Param::kComm);
  if (comm < 0) return -1;
  if (IsOnWorld(e, size_t(comm))) return 0;
  return e.comm >= 0 ? e.comm : Scalar(e, size_t(comm));
}

bool TwinStream::IsOnWorld(const TwinEvent& e, size_t comm) const {
  const TwinTree::Item& item = plan_.tree->nodes[e.node];
  if (Info(item.like->call).family != reduction::Family::kPointToPoint) {
    return false;
  }
  if (e.exchange >= 0) {
    const DrawnExchange& exchange = plan_.exchanges[size_t(e.exchange)];
    if (exchange.is_drawn || exchange.on_world) return exchange.on_world;
  } else if (item.HasNoLaw(comm)) {
    return true;  // who only looks for a message
  }
  return plan_.LeavesDrawnComm(item);
}

const DrawnGroups::Group* TwinStream::GroupAround(const TwinEvent& e) const {
  if (group_of_.empty()) return nullptr;
  const auto it = group_of_.find(CommOf(e));
  return it == group_of_.end() ? nullptr : it->second;
}

std::optional<int64_t> TwinStream::SharedAmount(const TwinEvent& e,
                                                size_t param) const {
  if (plan_.shared_amounts.empty()) return std::nullopt;
  const auto shared = plan_.shared_amounts.find({SiteOf(plan_, e), param});
  if (shared == plan_.shared_amounts.end()) return std::nullopt;
  const auto* group = GroupAround(e);
  if (group == nullptr) return std::nullopt;
  return std::llround(shared->second / double(group->members.size()));
}

std::optional<int64_t> TwinStream::MeanAmount(const TwinEvent& e,
                                              size_t param) const {
  if (plan_.mean_amounts.empty()) return std::nullopt;
  const auto mean = plan_.mean_amounts.find({SiteOf(plan_, e), param});
  return mean == plan_.mean_amounts.end() ? std::nullopt
                                          : std::optional(mean->second);
}

const DrawnGraphs::Neighbours* TwinStream::GraphMade(const TwinEvent& e) const {
  return plan_.graphs.At(rank_, int(e.node), e.copied);
}

const DrawnGraphs::Neighbours* TwinStream::GraphAround(
    const TwinEvent& e) const {
  if (graph_of_.empty()) return nullptr;
  const auto it = graph_of_.find(CommOf(e));
  return it == graph_of_.end() ? nullptr : it->second;
}

int64_t TwinStream::OfGroup(const TwinEvent& e,
                            const DrawnGroups::Membership& made, Param role,
                            int64_t value) const {
  const auto* group = made.group;
  switch (role) {
    case Param::kCommSize:
      return group == nullptr ? 0 : int64_t(group->members.size());
    case Param::kColor:
      return group == nullptr ? reduction::kColorUndefined : group->color;
    case Param::kFirstMember:
      return group == nullptr ? reduction::kColorUndefined
                              : group->members.front();
    case Param::kLeader:
      return made.leader;
    case Param::kPeer:
      return made.remote_leader;
    case Param::kMemberCount:
      return made.named == nullptr ? 0 : int64_t(made.named->members.size());
    default:
      return e.copied >= 0 ? value : Kept(e, value, role);
  }
}

// In the root's group of an intercommunicator one says that it is the root, the
// others that they are not: of several that are like the root the first.
int64_t TwinStream::SpecialRootOf(const TwinEvent& e, int64_t by_law) const {
  if (by_law != reduction::kPeerRoot) return by_law;
  const auto own = own_group_of_.find(CommOf(e));
  if (own == own_group_of_.end()) return by_law;
  const auto first = std::ranges::find_if(own->second->members, [&](int64_t r) {
    return DonorOf(r, plan_.ranks, plan_.last->ranks) == int64_t(e.donor);
  });
  const bool is_copy = first != own->second->members.end() && *first != rank_;
  return is_copy ? reduction::kPeerNull : by_law;
}

// The law's, or a root at the like place of a group that is drawn: ranks of the
// largest input, or of laws that hold for other groups, may be none of it.
int64_t TwinStream::RootOf(const TwinEvent& e, int64_t by_law) const {
  if (reduction::IsSpecial(by_law)) return SpecialRootOf(e, by_law);
  const TwinTree::Item& item = plan_.tree->nodes[e.node];
  const auto root =
      size_t(reduction::ParamPlace(item.like->call, Param::kRoot));
  const auto& like = plan_.last->runs[e.donor].nodes[e.node].params;
  const bool is_known = e.copied >= 0 && root < like.size() &&
                        uint64_t(e.copied) < like[root].size();
  if (const auto* group = GroupAround(e)) {
    return DrawnGroups::RootIn(*group, is_known
                                           ? like[root].At(uint64_t(e.copied))
                                           : group->like.front());
  }
  if (!item.law->missing[root] || !is_known) return by_law;
  const auto member = plan_.by_law.RootFor(rank_, int64_t(e.donor), CommOf(e),
                                           like[root].At(uint64_t(e.copied)));
  if (member) return *member;
  // The last of all stays the last.
  const int64_t was = like[root].At(uint64_t(e.copied));
  const int64_t known = plan_.last->ranks;
  return was == known - 1 ? plan_.ranks - 1 : was * plan_.ranks / known;
}

std::optional<TwinEvent> TwinStream::InRole(const TwinEvent& e) const {
  const Call call = SiteOf(plan_, e).first;
  const int root = reduction::ParamPlace(call, Param::kRoot);
  const auto* group = root < 0 ? nullptr : GroupAround(e);
  if (group == nullptr || e.copied < 0) return std::nullopt;
  const auto root_of = [&](int64_t like) {
    const auto& params = plan_.last->runs[size_t(like)].nodes[e.node].params;
    return size_t(root) < params.size() &&
                   uint64_t(e.copied) < params[size_t(root)].size()
               ? params[size_t(root)].At(uint64_t(e.copied))
               : reduction::kNone;
  };
  const int64_t was = root_of(int64_t(e.donor));
  const bool is_root = RootOf(e, Scalar(e, size_t(root))) == rank_;
  if (reduction::IsSpecial(was) || (was == int64_t(e.donor)) == is_root) {
    return std::nullopt;
  }
  const auto like = std::ranges::find_if(group->like, [&](int64_t r) {
    return (r == was) == is_root && root_of(r) == was;
  });
  if (like == group->like.end()) return std::nullopt;
  TwinEvent as = e;
  as.donor = uint32_t(*like);
  as.by_law = TwinEvent::kNone;
  as.in_role = true;
  return as;
}

bool TwinStream::HasSingle(const TwinEvent& e, size_t param) const {
  const auto& single = law_.nodes[e.node].single;
  if (param >= single.size() || !single[param]) return false;
  const NodeLaw& law = *plan_.tree->nodes[e.node].law;
  return !e.in_role || law.params[param].IsOneNumber();
}

void TwinStream::VisitChildren(int at, int64_t by_law, int64_t copied) {
  const auto& children = plan_.tree->nodes[size_t(at)].children;
  for (size_t i = 0; i < children.size();) {
    const auto repeats = plan_.repeats.find(children[i]);
    size_t end = i + 1;
    while (repeats != plan_.repeats.end() && end < children.size() &&
           plan_.repeats.contains(children[end])) {
      ++end;
    }
    const int64_t times = repeats == plan_.repeats.end() ? 1 : repeats->second;
    for (int64_t k = 0; k < times; ++k) {
      for (size_t c = i; c < end; ++c) Visit(children[c], by_law, copied);
    }
    i = end;
  }
}

void TwinStream::Visit(int at, int64_t by_law, int64_t copied) {
  const bool copies = plan_.tree->nodes[size_t(at)].copied;
  const auto& like = plan_.last->runs[size_t(donor_)].nodes[size_t(at)].starts;
  uint64_t from = 0, known = 0;
  if (copied >= 0 && size_t(copied) + 1 < like.size()) {
    from = like[size_t(copied)];
    known = like[size_t(copied) + 1] - from;
  }
  if (copies) {
    const auto scale = plan_.trip_scales.find(at);
    const uint64_t count =
        scale == plan_.trip_scales.end()
            ? known
            : uint64_t(std::llround(double(known) * scale->second));
    for (uint64_t k = 0; k < count; ++k) {
      Body(at, TwinEvent::kNone,
           int64_t(from + IterationOfLike(k, count, known)));
    }
    return;
  }
  const auto& starts = law_.nodes[size_t(at)].starts;
  const uint64_t begin = starts[size_t(by_law)];
  const uint64_t count = starts[size_t(by_law) + 1] - begin;
  for (uint64_t k = 0; k < count; ++k) {
    const int64_t as = known == 0
                           ? TwinEvent::kNone
                           : int64_t(from + IterationOfLike(k, count, known));
    Body(at, int64_t(begin + k), as);
  }
}

void TwinStream::Body(int at, int64_t by_law, int64_t copied) {
  const TwinTree::Item& item = plan_.tree->nodes[size_t(at)];
  if (item.like->is_event()) {
    TwinEvent e;
    e.node = uint32_t(at);
    e.donor = uint32_t(donor_);
    e.by_law = by_law;
    e.copied = copied;
    const auto it = plan_.exchange_of.find(SiteOf(*item.like));
    if (it != plan_.exchange_of.end()) e.exchange = it->second;
    events_.push_back(e);
    return;
  }
  const size_t begin = events_.size();
  VisitChildren(at, by_law, copied);
  for (size_t i = 0; i < plan_.exchanges.size(); ++i) {
    const DrawnExchange& drawn = plan_.exchanges[i];
    if (drawn.is_drawn && drawn.exchange.loop == at) {
      Rewrite(int16_t(i), uint64_t(by_law), begin);
    }
  }
  if (!item.copied) PutStyles(plan_, at, begin, &events_);
}

void TwinStream::Rewrite(int16_t which, uint64_t iteration, size_t begin) {
  const int loop = plan_.exchanges[size_t(which)].exchange.loop;
  const std::vector<TwinEvent> old(events_.begin() + ptrdiff_t(begin),
                                   events_.end());
  const std::vector<TwinEvent> now = ReplaceExchange(
      plan_, which, rank_, old, iteration, IterationsOf(law_, loop));
  events_.resize(begin);
  events_.insert(events_.end(), now.begin(), now.end());
}

}  // namespace ranksight::online_model
