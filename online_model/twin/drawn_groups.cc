#include "online_model/twin/drawn_groups.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "online_model/twin/draw.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Param;

// What those that are together have in common: a colour or a list of members,
// and how many they are by the trace. Nothing of who gets no communicator.
struct Together {
  std::vector<int64_t> by;
  int64_t size = 0;
  auto operator<=>(const Together&) const = default;
};

// A call of one rank that makes a communicator out of the world.
struct Making {
  int node = -1;
  int64_t run = 0;
  std::vector<int64_t> named;  // also by who gets none
  std::optional<Together> with;
};

int ParamIndexOf(Call call, Param wanted) {
  const auto params = reduction::Info(call).params;
  const auto at = std::ranges::find(params, wanted);
  return at == params.end() ? -1 : int(at - params.begin());
}

bool MayBeGrouped(Call call) {
  switch (call) {
    case Call::MPI_Comm_dup_:
    case Call::MPI_Comm_split_:
    case Call::MPI_Comm_create_:
    case Call::MPI_Cart_create_:
    case Call::MPI_Comm_dup_with_info_:
    case Call::MPI_Comm_split_type_:
      return true;
    default:
      return false;
  }
}

class MakingReader {
 public:
  MakingReader(const TwinTree& tree, const RankRun& run,
               std::vector<Making>* found)
      : tree_(tree), run_(run), found_(found) {}
  void Enter(int) {}
  void Leave(int) {}
  void Event(int node, uint64_t run) {
    const Call call = tree_.nodes[size_t(node)].like->call;
    if (!reduction::Info(call).makes_comm ||
        Value(node, call, Param::kComm, run) != 0) {
      return;
    }
    Making making{node, int64_t(run), {}, {}};
    making.named = Named(node, call, run);
    const int64_t size = Value(node, call, Param::kCommSize, run);
    if (size > 0) making.with = Together{making.named, size};
    found_->push_back(std::move(making));
  }

 private:
  int64_t Value(int node, Call call, Param param, uint64_t run) const {
    const int at = ParamIndexOf(call, param);
    const auto& params = run_.nodes[size_t(node)].params;
    if (at < 0 || size_t(at) >= params.size()) return 0;
    const ValueList& values = params[size_t(at)];
    return run < values.size() ? values.At(run) : 0;
  }

  std::vector<int64_t> Named(int node, Call call, uint64_t run) const {
    if (call == Call::MPI_Comm_split_) {
      return {Value(node, call, Param::kColor, run)};
    }
    if (call == Call::MPI_Comm_split_type_) {
      return {Value(node, call, Param::kFirstMember, run)};
    }
    const int list = ParamIndexOf(call, Param::kMembers);
    std::vector<int64_t> members;
    if (list < 0) return members;
    const auto& params = run_.nodes[size_t(node)].params;
    const ValueList& lengths = params[LengthIndexOf(call, size_t(list))];
    uint64_t at = 0;
    for (uint64_t k = 0; k < run; ++k) at += uint64_t(lengths.At(k));
    for (int64_t k = 0; k < lengths.At(run); ++k) {
      members.push_back(params[size_t(list)].At(at + uint64_t(k)));
    }
    return members;
  }

  const TwinTree& tree_;
  const RankRun& run_;
  std::vector<Making>* found_;
};

// Of each rank, its calls in order.
std::vector<std::vector<Making>> MakingsOf(const TwinTree& tree,
                                           const InputRun& input) {
  std::vector<std::vector<Making>> all(size_t(input.ranks));
  for (size_t r = 0; r < all.size(); ++r) {
    MakingReader reader(tree, input.runs[r], &all[r]);
    WalkRun(tree, input.runs[r], 0, 0, 1, reader);
  }
  return all;
}

using Classes = std::map<Together, std::vector<int64_t>>;

// Who is together after the k-th call; empty where that is not told: ranks
// have no such call, or are not as many as they got.
Classes ClassesOf(const TwinTree& tree,
                  const std::vector<std::vector<Making>>& makings, size_t k) {
  Classes classes;
  for (size_t r = 0; r < makings.size(); ++r) {
    if (k >= makings[r].size()) return {};
    const Making& making = makings[r][k];
    if (!MayBeGrouped(tree.nodes[size_t(making.node)].like->call)) return {};
    if (making.with) classes[*making.with].push_back(int64_t(r));
  }
  const bool fits = std::ranges::all_of(classes, [](const auto& c) {
    return int64_t(c.second.size()) == c.first.size;
  });
  return fits ? classes : Classes();
}

// How many groups the calls of a node make, on average.
std::optional<double> GroupsAt(const TwinTree& tree, const InputRun& input,
                               int node) {
  const auto makings = MakingsOf(tree, input);
  double calls = 0, groups = 0;
  for (size_t k = 0; k < makings[0].size(); ++k) {
    if (makings[0][k].node != node) continue;
    groups += double(ClassesOf(tree, makings, k).size());
    ++calls;
  }
  if (calls == 0 || groups == 0) return std::nullopt;
  return groups / calls;
}

// Into how many groups one of the largest input is cut.
int64_t PartsOf(const TwinTree& tree, std::span<const InputRun> inputs,
                const WantedSize& wanted, int node) {
  std::vector<SizedValue> groups;
  for (const InputRun& input : inputs) {
    const auto of = GroupsAt(tree, input, node);
    if (of) groups.push_back({input.ranks, *of, input.sides});
  }
  if (groups.size() < 2) return 1;
  const double told = FitTotal(groups, wanted).value;
  return std::max<int64_t>(1, std::llround(told / groups.back().value));
}

bool IsBlock(const std::vector<int64_t>& ranks) {
  return ranks.back() - ranks.front() + 1 == int64_t(ranks.size());
}

// Adjoining ranks together where they were so, else in turn.
int64_t PartOf(int64_t i, int64_t members, int64_t parts, bool block) {
  return block ? i * parts / members : i % parts;
}

}  // namespace

DrawnGroups DrawnGroups::Of(const TwinTree& tree,
                            std::span<const InputRun> inputs,
                            const WantedSize& wanted,
                            const std::set<int>& drawn) {
  DrawnGroups all;
  if (drawn.empty()) return all;
  const InputRun& last = inputs.back();
  const auto makings = MakingsOf(tree, last);
  std::map<int, int64_t> parts;  // by node
  all.order_.resize(makings.size());
  all.told_ = drawn;
  for (size_t k = 0; k < makings[0].size(); ++k) {
    all.calls_.emplace_back();
    const bool is_drawn = std::ranges::any_of(makings, [&](const auto& of) {
      return k < of.size() && drawn.contains(of[k].node);
    });
    if (!is_drawn) continue;
    const Classes classes = ClassesOf(tree, makings, k);
    if (classes.empty()) {
      for (const auto& of : makings) {
        if (k < of.size()) all.told_.erase(of[k].node);
      }
      continue;
    }
    const int node = makings[0][k].node;
    if (!parts.contains(node)) {
      parts[node] = PartsOf(tree, inputs, wanted, node);
    }
    DrawnGroups::Call& call = all.calls_.back().emplace();
    call.group_of.assign(size_t(wanted.ranks), -1);
    call.named_by.assign(size_t(wanted.ranks), -1);
    std::map<std::vector<int64_t>, int> first_named;
    std::vector<int> first_of(makings.size(), -1);  // by like rank
    std::vector<const std::vector<int64_t>*> like_of(makings.size(), nullptr);
    for (const auto& [with, ranks] : classes) {
      const int first = int(call.groups.size());
      first_named[with.by] = first;
      for (const int64_t r : ranks) {
        first_of[size_t(r)] = first;
        like_of[size_t(r)] = &ranks;
      }
      for (int64_t p = 0; p < parts[node]; ++p) {
        call.groups.push_back({int64_t(call.groups.size()), {}, ranks});
      }
    }
    std::vector<std::vector<int64_t>> here(call.groups.size());
    for (int64_t r = 0; r < wanted.ranks; ++r) {
      const auto like = size_t(DonorOf(r, wanted.ranks, last.ranks));
      if (first_of[like] >= 0) here[size_t(first_of[like])].push_back(r);
      const auto named = first_named.find(makings[like][k].named);
      if (named != first_named.end()) call.named_by[size_t(r)] = named->second;
    }
    for (size_t first = 0; first < here.size(); first += size_t(parts[node])) {
      const auto& members = here[first];
      const bool block = IsBlock(call.groups[first].like);
      for (size_t i = 0; i < members.size(); ++i) {
        const size_t group =
            first + size_t(PartOf(int64_t(i), int64_t(members.size()),
                                  parts[node], block));
        call.groups[group].members.push_back(members[i]);
        call.group_of[size_t(members[i])] = int(group);
        call.named_by[size_t(members[i])] = int(group);
      }
    }
    for (size_t r = 0; r < makings.size(); ++r) {
      all.order_[r][{makings[r][k].node, makings[r][k].run}] = k;
    }
  }
  return all;
}

std::optional<DrawnGroups::Place> DrawnGroups::At(int64_t rank, int64_t like,
                                                  int node, int64_t run) const {
  if (calls_.empty()) return std::nullopt;
  const auto& order = order_[size_t(like)];
  const auto at = order.find({node, run});
  if (at == order.end() || !calls_[at->second]) return std::nullopt;
  const Call& call = *calls_[at->second];
  const auto group = [&](int which) {
    return which < 0 ? nullptr : &call.groups[size_t(which)];
  };
  return Place{group(call.group_of[size_t(rank)]),
               group(call.named_by[size_t(rank)])};
}

int64_t DrawnGroups::RootIn(const Group& group, int64_t like_root) {
  const auto at = std::ranges::lower_bound(group.like, like_root);
  const auto place = at - group.like.begin();
  return group.members[size_t(place) * group.members.size() /
                       group.like.size() % group.members.size()];
}

}  // namespace ranksight::online_model
