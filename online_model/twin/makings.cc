#include "online_model/twin/makings.h"

#include <algorithm>

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Param;

bool MayBeGrouped(Call call) {
  switch (call) {
    case Call::MPI_Comm_dup_:
    case Call::MPI_Comm_split_:
    case Call::MPI_Comm_create_:
    case Call::MPI_Comm_create_group_:
    case Call::MPI_Cart_create_:
    case Call::MPI_Comm_dup_with_info_:
    case Call::MPI_Comm_split_type_:
    case Call::MPI_Cart_sub_:
      return true;
    default:
      return false;
  }
}

class MakingReader {
 public:
  MakingReader(const TwinTree& tree, const RankRun& run, int64_t rank,
               std::vector<Making>* found)
      : tree_(tree), run_(run), rank_(rank), found_(found) {}
  void Enter(int) {}
  void Leave(int) {}
  void Event(int node, uint64_t run) {
    const Call call = tree_.nodes[size_t(node)].like->call;
    if (!reduction::Info(call).makes_comm) return;
    Making making;
    making.node = node;
    making.run = int64_t(run);
    making.out_of = Value(node, call, Param::kComm, run);
    making.named = Named(node, call, run);
    // One whose leaders meet elsewhere than among all ranks is not told.
    if (call == Call::MPI_Intercomm_create_ &&
        Value(node, call, Param::kPeerComm, run) == 0) {
      making.leader = Value(node, call, Param::kLeader, run);
      making.remote_leader = Value(node, call, Param::kPeer, run);
    }
    const int64_t size = SizeAfter(node, call, run);
    if (size != 0) {
      making.with = Together{making.named, size};
      making.number = next_number_++;
      if (call == Call::MPI_Cart_create_ && making.out_of == 0) {
        sides_[making.number] = List(node, call, Param::kDims, run);
      }
    }
    found_->push_back(std::move(making));
  }

 private:
  // Of what it makes; of a split that all of a color get, unknown without a
  // law.
  int64_t SizeAfter(int node, Call call, uint64_t run) const {
    const int at = reduction::ParamPlace(call, Param::kCommSize);
    const auto& params = run_.nodes[size_t(node)].params;
    const bool has_size =
        size_t(at) < params.size() && run < params[size_t(at)].size();
    if (has_size || call != Call::MPI_Comm_split_) {
      return std::max<int64_t>(0, Value(node, call, Param::kCommSize, run));
    }
    const int64_t color = Value(node, call, Param::kColor, run);
    return color == reduction::kColorUndefined ? 0 : Together::kUnknown;
  }

  int64_t Value(int node, Call call, Param param, uint64_t run) const {
    const int at = reduction::ParamPlace(call, param);
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
    if (call == Call::MPI_Cart_sub_) return Dropped(node, call, run);
    return List(node, call, Param::kMembers, run);
  }

  std::vector<int64_t> List(int node, Call call, Param param,
                            uint64_t run) const {
    const int list = reduction::ParamPlace(call, param);
    const NodeRun& of = run_.nodes[size_t(node)];
    if (list < 0 || of.params[LengthIndexOf(call, size_t(list))].size() <= run)
      return {};
    return of.ListAt(call, size_t(list), run);
  }

  // Where the rank is along the sides that are not kept, of a grid of all.
  std::vector<int64_t> Dropped(int node, Call call, uint64_t run) const {
    const auto grid = sides_.find(Value(node, call, Param::kComm, run));
    const auto keeps = List(node, call, Param::kRemain, run);
    if (grid == sides_.end() || grid->second.size() != keeps.size()) return {};
    std::vector<int64_t> at;
    int64_t left = rank_;
    for (size_t d = keeps.size(); d-- > 0;) {
      const int64_t side = std::max<int64_t>(grid->second[d], 1);
      if (keeps[d] == 0) at.push_back(left % side);
      left /= side;
    }
    return at;
  }

  const TwinTree& tree_;
  const RankRun& run_;
  const int64_t rank_;
  std::vector<Making>* found_;
  std::map<int64_t, std::vector<int64_t>> sides_;  // by number
  int64_t next_number_ = 2;  // behind the world and the rank itself
};

// Of each rank, its calls in order.
std::vector<std::vector<Making>> MakingsOf(const TwinTree& tree,
                                           const std::vector<RankRun>& runs) {
  std::vector<std::vector<Making>> all(runs.size());
  for (size_t r = 0; r < all.size(); ++r) {
    MakingReader reader(tree, runs[r], int64_t(r), &all[r]);
    WalkRun(tree, runs[r], 0, 0, 1, reader);
  }
  return all;
}

}  // namespace

Makings::Makings(const TwinTree& tree, const std::vector<RankRun>& runs)
    : tree_(tree), of_rank_(MakingsOf(tree, runs)) {
  made_.resize(1);
  for (size_t r = 0; r < runs.size(); ++r) made_[0].push_back(int64_t(r));
  which_.resize(of_rank_.size());
  for (auto& numbers : which_) numbers[0] = 0;
  for (size_t out_of = 0; out_of < made_.size(); ++out_of) Follow(out_of);
}

const Making& Makings::First(const JointCall& call) const {
  const auto& [rank, k] = call.makings.front();
  return of_rank_[size_t(rank)][k];
}

std::optional<double> Makings::GroupsAt(int node) const {
  double calls = 0, groups = 0;
  for (const JointCall& call : calls_) {
    if (First(call).node != node) continue;
    groups += double(call.classes.size());
    ++calls;
  }
  if (calls == 0 || groups == 0) return std::nullopt;
  return groups / calls;
}

std::optional<size_t> Makings::Which(int64_t rank, int64_t number) const {
  const auto at = which_[size_t(rank)].find(number);
  return at == which_[size_t(rank)].end() ? std::nullopt
                                          : std::optional(at->second);
}

void Makings::Follow(size_t out_of) {
  const std::vector<int64_t> members = made_[out_of];
  std::vector<std::vector<size_t>> theirs;
  size_t most = 0;
  for (const int64_t r : members) {
    theirs.push_back(CallsOn(r, out_of));
    most = std::max(most, theirs.back().size());
  }
  for (size_t k = 0; k < most; ++k) {
    JointCall call;
    call.out_of = out_of;
    for (size_t m = 0; m < members.size(); ++m) {
      if (k < theirs[m].size()) {
        call.makings.emplace_back(members[m], theirs[m][k]);
      }
    }
    if (call.makings.size() == members.size()) Classify(&call);
    calls_.push_back(std::move(call));
  }
}

std::vector<size_t> Makings::CallsOn(int64_t rank, size_t out_of) const {
  std::vector<size_t> found;
  const auto& mine = of_rank_[size_t(rank)];
  const auto& numbers = which_[size_t(rank)];
  for (size_t k = 0; k < mine.size(); ++k) {
    const auto at = numbers.find(mine[k].out_of);
    if (at != numbers.end() && at->second == out_of) found.push_back(k);
  }
  return found;
}

void Makings::Classify(JointCall* call) {
  std::map<Together, std::vector<int64_t>> classes;
  const bool is_unknown =
      std::ranges::any_of(call->makings, [&](const auto& m) {
        const auto& with = of_rank_[size_t(m.first)][m.second].with;
        return with && with->size == Together::kUnknown;
      });
  const Call first = CallAt(First(*call).node);
  for (const auto& [rank, k] : call->makings) {
    const Making& making = of_rank_[size_t(rank)][k];
    const Call made_by = CallAt(making.node);
    // Where only those who are in a group make it, others make something else.
    if (made_by != first) return;
    if (!making.is_between() && !MayBeGrouped(made_by)) return;
    if (!making.with) continue;
    Together with = *making.with;
    if (is_unknown) with.size = Together::kUnknown;
    classes[std::move(with)].push_back(rank);
  }
  const bool fits = std::ranges::all_of(classes, [](const auto& c) {
    return c.first.size == Together::kUnknown ||
           int64_t(c.second.size()) == c.first.size;
  });
  if (!fits) return;
  std::map<int64_t, size_t> making_of;
  for (const auto& [rank, k] : call->makings) making_of[rank] = k;
  for (const auto& [with, ranks] : classes) {
    for (const int64_t r : ranks) {
      const Making& making = of_rank_[size_t(r)][making_of[r]];
      if (making.is_between()) continue;
      which_[size_t(r)][making.number] = made_.size();
    }
    call->made.push_back(made_.size());
    made_.push_back(ranks);
  }
  call->classes = std::move(classes);
}

}  // namespace ranksight::online_model
