#include "online_model/twin/exchange_parts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "online_model/twin/draw.h"
#include "online_model/twin/makings.h"

namespace ranksight::online_model {
namespace {

// The one number by which all of its calls name their communicator.
std::optional<int64_t> NumberOfComm(const TwinTree& tree,
                                    const Exchange& exchange) {
  std::optional<int64_t> number;
  for (const TwinTree::Item& item : tree.nodes) {
    if (!item.like->is_event() ||
        std::ranges::count(exchange.sites, SiteOf(*item.like)) == 0) {
      continue;
    }
    const int comm = reduction::ParamPlace(item.like->call, Param::kComm);
    if (comm < 0 || item.law->absent[size_t(comm)]) continue;
    const SequenceLaw& law = item.law->params[size_t(comm)];
    if (item.law->missing[size_t(comm)] || !law.IsOneNumber())
      return std::nullopt;
    if (number.value_or(law.values[0].constant) != law.values[0].constant) {
      return std::nullopt;
    }
    number = law.values[0].constant;
  }
  return number;
}

// Whom each rank is with, by any name; nothing where that is not known.
using Names = std::vector<const void*>;

Names NamesInDrawn(const InputRun& last, const DrawnGroups& groups,
                   int64_t number, int64_t ranks) {
  Names names;
  for (int64_t r = 0; r < ranks; ++r) {
    names.push_back(groups.GroupOf(r, DonorOf(r, ranks, last.ranks), number));
  }
  return names;
}

Names NamesByLaw(const Makings& made, int64_t number, int64_t ranks) {
  Names names;
  for (int64_t r = 0; r < ranks; ++r) {
    const auto which = made.Which(r, number);
    names.push_back(which ? &made.MembersOf(*which) : nullptr);
  }
  return names;
}

void SetParts(const Names& names, ExchangeParts* parts) {
  std::map<const void*, int> numbers;
  for (size_t r = 0; r < names.size(); ++r) {
    parts->part_of.push_back(-1);
    if (names[r] == nullptr) continue;
    const auto [at, is_new] =
        numbers.try_emplace(names[r], int(parts->members.size()));
    if (is_new) parts->members.emplace_back();
    parts->part_of[r] = at->second;
    parts->members[size_t(at->second)].push_back(int64_t(r));
  }
}

// At the like place of the part of its like rank.
void SetLike(const TwinTree& tree, const InputRun& last, int64_t number,
             int64_t ranks, ExchangeParts* parts) {
  const Makings known(tree, last.runs);
  for (int64_t r = 0; r < last.ranks; ++r) {
    const auto which = known.Which(r, number);
    const auto there = which ? std::span<const int64_t>(known.MembersOf(*which))
                             : std::span<const int64_t>();
    parts->place_there.push_back(std::ranges::lower_bound(there, r) -
                                 there.begin());
    parts->size_there.push_back(int64_t(there.size()));
  }
  for (int64_t r = 0; r < ranks; ++r) {
    int64_t like = DonorOf(r, ranks, last.ranks);
    const auto which = known.Which(like, number);
    const int part = parts->part_of[size_t(r)];
    if (which && part >= 0) {
      const auto& there = known.MembersOf(*which);
      const auto& here = parts->members[size_t(part)];
      const auto place =
          size_t(std::ranges::lower_bound(here, r) - here.begin());
      like = there[place * there.size() / here.size()];
    }
    parts->like.push_back(like);
  }
}

// Of more than this many ranks and calls what laws say is not kept: some 2 GB.
constexpr int64_t kMostKept = 16'000'000;

}  // namespace

std::vector<RankRun> AllByLaw(const TwinTree& tree, const Grid& grid) {
  std::vector<RankRun> runs;
  if (grid.ranks() * int64_t(tree.nodes.size()) > kMostKept) return runs;
  for (int64_t rank = 0; rank < grid.ranks(); ++rank) {
    BadLaw bad;
    auto run = RunByLaw(tree, grid, rank, &bad);
    if (!run.ok()) return {};
    for (size_t n = 1; n < tree.nodes.size(); ++n) {
      const TwinTree::Item& item = tree.nodes[n];
      const auto& around = run->nodes[size_t(item.parent)].starts;
      if (!item.copied || around.empty()) continue;
      run->nodes[n].starts.assign(around.back() + 1, 0);
    }
    runs.push_back(std::move(*run));
  }
  return runs;
}

ExchangeParts PartsOfExchange(const TwinTree& tree, const Exchange& exchange,
                              const InputRun& last, const Grid& grid,
                              const DrawnGroups& groups) {
  ExchangeParts parts;
  const auto number = NumberOfComm(tree, exchange);
  constexpr int64_t kFirstMade = 2;  // behind the world and the rank itself
  if (!number || *number < kFirstMade) return parts;
  const int64_t ranks = grid.ranks();
  if (!groups.empty()) {
    SetParts(NamesInDrawn(last, groups, *number, ranks), &parts);
  } else {
    const std::vector<RankRun> runs = AllByLaw(tree, grid);
    if (runs.empty()) return parts;
    const Makings made(tree, runs);
    SetParts(NamesByLaw(made, *number, ranks), &parts);
  }
  const bool all_are_one =
      parts.members.size() == 1 && int64_t(parts.members[0].size()) == ranks;
  if (parts.members.empty() || all_are_one) return {};
  SetLike(tree, last, *number, ranks, &parts);
  return parts;
}

}  // namespace ranksight::online_model
