#include "online_model/twin/drawn_groups.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "online_model/twin/draw.h"
#include "online_model/twin/makings.h"

namespace ranksight::online_model {
namespace {

// How many more groups calls of a node make than at the largest input.
double MoreGroups(const std::vector<Makings>& all,
                  std::span<const InputRun> inputs, const WantedSize& wanted,
                  int node) {
  std::vector<SizedValue> groups;
  for (size_t i = 0; i < all.size(); ++i) {
    const auto of = all[i].GroupsAt(node);
    if (of) groups.push_back({inputs[i].ranks, *of, inputs[i].sides});
  }
  if (groups.size() < 2) return 1;
  return FitTotal(groups, wanted).value / groups.back().value;
}

// Whether each part of one has one rank in common with each of the other, as
// rows and columns have.
bool Cross(const JointCall& a, const JointCall& b) {
  std::map<int64_t, size_t> part_of;
  size_t part = 0, ranks = 0;
  for (const auto& [with, members] : a.classes) {
    for (const int64_t r : members) part_of[r] = part;
    ++part;
    ranks += members.size();
  }
  if (part < 2 || b.classes.size() < 2 || part * b.classes.size() != ranks) {
    return false;
  }
  return std::ranges::all_of(b.classes, [&](const auto& of_b) {
    std::set<size_t> met;
    for (const int64_t r : of_b.second) {
      const auto at = part_of.find(r);
      if (at == part_of.end() || !met.insert(at->second).second) return false;
    }
    return met.size() == part;
  });
}

// The two numbers nearest to these whose product is all ranks; the nearest that
// are no whole numbers where all others are far off.
std::pair<double, double> NearestProduct(double a, double b, int64_t ranks) {
  constexpr double kFar = 1.5;
  const double ratio = std::sqrt(double(ranks) / (a * b));
  std::pair<double, double> best{a * ratio, b * ratio};
  double least = std::log(kFar);
  for (int64_t d = 1; d <= ranks; ++d) {
    if (ranks % d != 0) continue;
    const double off = std::abs(std::log(double(d) / (a * ratio)));
    if (off >= least) continue;
    least = off;
    best = {double(d), double(ranks / d)};
  }
  return best;
}

bool IsBlock(const std::vector<int64_t>& ranks) {
  return ranks.back() - ranks.front() + 1 == int64_t(ranks.size());
}

// Adjoining ranks together where they were so, else in turn.
int64_t PartOf(int64_t i, int64_t members, int64_t parts, bool block) {
  return block ? i * parts / members : i % parts;
}

}  // namespace

// Goes through the calls of the largest input, from the world on.
class GroupDrawer {
 public:
  GroupDrawer(const TwinTree& tree, std::span<const InputRun> inputs,
              const WantedSize& wanted, const std::set<int>& drawn,
              DrawnGroups* all)
      : inputs_(inputs), wanted_(wanted), drawn_(drawn), all_(all) {
    for (const InputRun& input : inputs)
      makings_.emplace_back(tree, input.runs);
  }

  void Draw() {
    const Makings& last = makings_.back();
    all_->told_ = drawn_;
    all_->steps_.resize(last.of_rank().size());
    all_->made_by_.resize(last.of_rank().size());
    for (size_t r = 0; r < last.of_rank().size(); ++r) {
      for (const Making& m : last.of_rank()[r]) {
        all_->steps_[r][{m.node, m.run}] = {-1, m.number};
      }
    }
    std::vector<int64_t> everyone;
    for (int64_t r = 0; r < wanted_.ranks; ++r) everyone.push_back(r);
    like_[0] = {everyone};
    MatchCrossing();
    for (const JointCall& call : last.calls()) Draw(call);
    PairGroups();
    ForgetUndrawn();
  }

 private:
  double More(int node) {
    const auto [at, is_new] = more_.try_emplace(node, 1.0);
    if (is_new) at->second = MoreGroups(makings_, inputs_, wanted_, node);
    return at->second;
  }

  // Rows and columns of all ranks are as many as these have.
  void MatchCrossing() {
    const Makings& last = makings_.back();
    std::map<int, const JointCall*> first;  // by node, of all ranks
    for (const JointCall& call : last.calls()) {
      if (call.out_of == 0) first.emplace(last.First(call).node, &call);
    }
    for (auto a = first.begin(); a != first.end(); ++a) {
      for (auto b = std::next(a); b != first.end(); ++b) {
        if (!Cross(*a->second, *b->second)) continue;
        const auto rows = double(a->second->classes.size());
        const auto columns = double(b->second->classes.size());
        const auto [r, c] = NearestProduct(
            rows * More(a->first), columns * More(b->first), wanted_.ranks);
        more_[a->first] = r / rows;
        more_[b->first] = c / columns;
      }
    }
  }

  void Draw(const JointCall& call) {
    const Makings& last = makings_.back();
    const bool is_drawn = std::ranges::any_of(call.makings, [&](const auto& m) {
      return drawn_.contains(MakingOf(m).node);
    });
    const auto parents = like_.find(call.out_of);
    if (!is_drawn || call.classes.empty() || parents == like_.end()) return;
    const int node = last.First(call).node;
    // The sides of the grid say who is together.
    if (last.CallAt(node) == reduction::Call::MPI_Cart_sub_) return;
    DrawnGroups::Call made;
    made.callers = CallersOf(call.out_of);
    made.group_of.assign(made.callers->size(), -1);
    made.named_by.assign(made.callers->size(), -1);
    // By how much a group gets larger where there are no more groups.
    const double larger = double(made.callers->size()) /
                          double(parents->second.size()) /
                          double(call.makings.size()) / More(node);
    for (const std::vector<int64_t>& members : parents->second) {
      DrawWithin(call, members, larger, &made);
    }
    const bool is_between = last.First(call).is_between();
    if (is_between) between_.emplace_back(&call, int(all_->calls_.size()));
    for (const auto& m : call.makings) {
      const Making& making = MakingOf(m);
      all_->steps_[size_t(m.first)][{making.node, making.run}].call =
          int(all_->calls_.size());
      if (making.number >= 0 && !is_between) {
        all_->made_by_[size_t(m.first)][making.number] =
            int(all_->calls_.size());
      }
    }
    all_->calls_.push_back(std::move(made));
  }

  // The groups of one communicator.
  void DrawWithin(const JointCall& call, const std::vector<int64_t>& members,
                  double larger, DrawnGroups::Call* made) {
    std::map<int64_t, size_t> class_of;  // by like rank
    std::map<std::vector<int64_t>, size_t> named;
    std::map<int64_t, const std::vector<int64_t>*> names;
    for (const auto& [with, ranks] : call.classes) {
      for (const int64_t r : ranks) class_of[r] = named.size();
      named.emplace(with.by, named.size());
    }
    for (const auto& m : call.makings) names[m.first] = &MakingOf(m).named;
    std::vector<std::vector<int64_t>> together(call.classes.size());
    std::vector<std::vector<int64_t>> naming(call.classes.size());
    for (const int64_t r : members) {
      const int64_t like = DonorOf(r, wanted_.ranks, inputs_.back().ranks);
      const auto in = class_of.find(like);
      if (in != class_of.end()) together[in->second].push_back(r);
      const auto of = named.find(*names.at(like));
      if (of != named.end()) naming[of->second].push_back(r);
    }
    size_t c = 0;
    for (const auto& [with, like] : call.classes) {
      const int first = int(made->groups.size());
      for (const int64_t r : naming[c])
        made->named_by[PlaceOf(*made, r)] = first;
      Cut(together[c], like, larger, made);
      for (size_t g = size_t(first); g < made->groups.size(); ++g) {
        like_[call.made[c]].push_back(made->groups[g].members);
      }
      ++c;
    }
  }

  // Those that are like one group, into as many as there are more.
  static void Cut(const std::vector<int64_t>& members,
                  const std::vector<int64_t>& like, double larger,
                  DrawnGroups::Call* made) {
    const double times = double(members.size()) / double(like.size());
    const auto parts = std::max<int64_t>(1, std::llround(times / larger));
    const size_t first = made->groups.size();
    for (int64_t p = 0; p < parts; ++p) {
      made->groups.push_back({int64_t(made->groups.size()), {}, like});
    }
    const bool block = IsBlock(like);
    for (size_t i = 0; i < members.size(); ++i) {
      const size_t at =
          first +
          size_t(PartOf(int64_t(i), int64_t(members.size()), parts, block));
      made->groups[at].members.push_back(members[i]);
      const size_t place = PlaceOf(*made, members[i]);
      made->group_of[place] = made->named_by[place] = int(at);
    }
  }

  // Who leads the group of a call that makes an intercommunicator, and whom it
  // names as the other leader.
  std::pair<int64_t, int64_t> LeadersOf(const JointCall& call) const {
    const int64_t leader = makings_.back().First(call).leader;
    for (const auto& m : call.makings) {
      if (m.first == leader) return {leader, MakingOf(m).remote_leader};
    }
    return {-1, -1};
  }

  static bool HasEmptyGroup(const DrawnGroups::Call& call) {
    return std::ranges::any_of(
        call.groups, [](const auto& group) { return group.members.empty(); });
  }

  // The k-th call of two leaders is one at both. Groups without another, or of
  // which there would be more than of the other, are not drawn; nor are those
  // of which nobody is like one.
  void PairGroups() {
    for (size_t a = 0; a < between_.size(); ++a) {
      DrawnGroups::Call* here = &all_->calls_[size_t(between_[a].second)];
      if (here->other >= 0) continue;
      const auto leaders = LeadersOf(*between_[a].first);
      for (size_t b = a + 1; b < between_.size() && here->other < 0; ++b) {
        DrawnGroups::Call* there = &all_->calls_[size_t(between_[b].second)];
        const auto others = LeadersOf(*between_[b].first);
        if (there->other >= 0 || others.first != leaders.second ||
            others.second != leaders.first ||
            there->groups.size() != here->groups.size() ||
            HasEmptyGroup(*here) || HasEmptyGroup(*there)) {
          continue;
        }
        here->other = between_[b].second;
        there->other = between_[a].second;
        here->leader = leaders.first;
        there->leader = others.first;
      }
      if (here->other < 0) ForgetStepsOf(*between_[a].first);
    }
  }

  void ForgetStepsOf(const JointCall& call) {
    for (const auto& m : call.makings) {
      const Making& making = MakingOf(m);
      all_->steps_[size_t(m.first)][{making.node, making.run}].call = -1;
    }
  }

  // A node is drawn as a whole, or not at all.
  void ForgetUndrawn() {
    for (const auto& of_rank : all_->steps_) {
      for (const auto& [at, step] : of_rank) {
        if (step.call < 0) all_->told_.erase(at.first);
      }
    }
  }

  const Making& MakingOf(const std::pair<int64_t, size_t>& m) const {
    return makings_.back().of_rank()[size_t(m.first)][m.second];
  }

  std::shared_ptr<const std::vector<int64_t>> CallersOf(size_t out_of) {
    auto& callers = callers_[out_of];
    if (callers == nullptr) {
      std::vector<int64_t> all;
      for (const auto& members : like_[out_of]) {
        all.insert(all.end(), members.begin(), members.end());
      }
      std::ranges::sort(all);
      callers = std::make_shared<const std::vector<int64_t>>(std::move(all));
    }
    return callers;
  }

  static size_t PlaceOf(const DrawnGroups::Call& call, int64_t rank) {
    return size_t(std::ranges::lower_bound(*call.callers, rank) -
                  call.callers->begin());
  }

  std::span<const InputRun> inputs_;
  const WantedSize& wanted_;
  const std::set<int>& drawn_;
  DrawnGroups* all_;
  std::vector<Makings> makings_;  // by input
  std::map<int, double> more_;    // by node
  // Calls that make intercommunicators, and as which they were drawn.
  std::vector<std::pair<const JointCall*, int>> between_;
  // By communicator of the largest input, the members of all that are like it.
  std::map<size_t, std::vector<std::vector<int64_t>>> like_;
  std::map<size_t, std::shared_ptr<const std::vector<int64_t>>> callers_;
};

DrawnGroups DrawnGroups::Of(const TwinTree& tree,
                            std::span<const InputRun> inputs,
                            const WantedSize& wanted,
                            const std::set<int>& drawn) {
  DrawnGroups all;
  if (!drawn.empty()) GroupDrawer(tree, inputs, wanted, drawn, &all).Draw();
  return all;
}

std::optional<DrawnGroups::Membership> DrawnGroups::At(int64_t rank,
                                                       int64_t like, int node,
                                                       int64_t run) const {
  if (calls_.empty()) return std::nullopt;
  const auto& steps = steps_[size_t(like)];
  const auto step = steps.find({node, run});
  if (step == steps.end() || step->second.call < 0) return std::nullopt;
  const Call& call = calls_[size_t(step->second.call)];
  // Its like may be a member where no rank that is like it is one.
  const auto at = CallerOf(call, rank);
  if (!at) return std::nullopt;
  const auto group = [](const Call& of, int which) {
    return which < 0 ? nullptr : &of.groups[size_t(which)];
  };
  const int which = call.group_of[*at];
  if (call.other < 0) {
    return Membership{group(call, which), group(call, call.named_by[*at])};
  }
  const Call& other = calls_[size_t(call.other)];
  Membership place{group(call, which), group(other, which)};
  if (which >= 0) {
    place.leader = RootIn(*place.group, call.leader);
    place.remote_leader = RootIn(*place.named, other.leader);
  }
  return place;
}

int64_t DrawnGroups::NumberOf(int64_t like, int node, int64_t run) const {
  if (size_t(like) >= steps_.size()) return -1;
  const auto step = steps_[size_t(like)].find({node, run});
  return step == steps_[size_t(like)].end() ? -1 : step->second.number;
}

std::optional<size_t> DrawnGroups::CallerOf(const Call& call, int64_t rank) {
  const auto caller = std::ranges::lower_bound(*call.callers, rank);
  if (caller == call.callers->end() || *caller != rank) return std::nullopt;
  return size_t(caller - call.callers->begin());
}

const DrawnGroups::Group* DrawnGroups::GroupOf(int64_t rank, int64_t like,
                                               int64_t number) const {
  if (size_t(like) >= made_by_.size()) return nullptr;
  const auto made = made_by_[size_t(like)].find(number);
  if (made == made_by_[size_t(like)].end()) return nullptr;
  const Call& call = calls_[size_t(made->second)];
  const auto at = CallerOf(call, rank);
  if (!at || call.group_of[*at] < 0) return nullptr;
  return &call.groups[size_t(call.group_of[*at])];
}

int64_t DrawnGroups::RootIn(const Group& group, int64_t like_root) {
  const auto at = std::ranges::lower_bound(group.like, like_root);
  const auto place = at - group.like.begin();
  return group.members[size_t(place) * group.members.size() /
                       group.like.size() % group.members.size()];
}

}  // namespace ranksight::online_model
