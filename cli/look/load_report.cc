#include "cli/look/load_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bgq_support/api/hosts.h"
#include "cli/base/format.h"
#include "cli/base/json.h"
#include "reduction/api/rank_loads.h"

namespace ranksight::cli {
namespace {

using reduction::RankLoad;
using reduction::Trace;

// Ranks on each of several hosts; empty where that is not known.
std::vector<int64_t> RanksOfHosts(const Trace& trace) {
  std::string reason;
  const auto counts =
      bgq_support::ExpandTaskCounts(trace.meta.launch.tasks_per_node, &reason);
  if (!counts || counts->size() < 2) return {};
  const int64_t sum =
      std::accumulate(counts->begin(), counts->end(), int64_t{0});
  if (sum != trace.meta.ranks) return {};
  return {counts->begin(), counts->end()};
}

bool Fill(const std::vector<int64_t>& sides, int64_t ranks) {
  int64_t places = 1;
  for (const int64_t side : sides) {
    if (side < 1 || places > ranks / side) return false;
    places *= side;
  }
  return places == ranks;
}

// Sides of the last grid of all ranks; empty where there is none.
std::vector<int64_t> GridOf(const Trace& trace) {
  std::vector<int64_t> sides;
  if (!trace.meta.made_dims) return sides;
  for (const reduction::MadeDims& made : *trace.meta.made_dims) {
    if (Fill(made.dims, trace.meta.ranks)) sides = made.dims;
  }
  return sides;
}

const char* NameOf(RankLayout::Kind kind) {
  switch (kind) {
    case RankLayout::Kind::kHosts:
      return "hosts";
    case RankLayout::Kind::kGrid:
      return "grid";
    case RankLayout::Kind::kNetwork:
      return "network";
    case RankLayout::Kind::kPlain:
      return "plain";
  }
  return "plain";
}

std::string BasisOf(const Trace& trace) {
  std::string basis =
      "what each rank calls, times what a call takes in the mean of all ranks "
      "(how fast a rank itself was is not kept); waiting is what calls take "
      "beyond the least that they took anywhere";
  if (trace.meta.own_time) {
    basis += "; ranks shared cores, so times in calls are not to be used";
  }
  return basis;
}

// The host of each rank.
std::vector<size_t> HostsOfRanks(const std::vector<int64_t>& counts) {
  std::vector<size_t> hosts;
  for (size_t host = 0; host < counts.size(); ++host) {
    hosts.insert(hosts.end(), size_t(counts[host]), host);
  }
  return hosts;
}

// "2,0,1": where a rank is in the grid, the last side the quickest, as MPI
// counts.
std::string PlaceInGrid(int64_t rank, const std::vector<int64_t>& sides) {
  std::string place;
  for (size_t i = sides.size(); i-- > 0;) {
    place =
        std::to_string(rank % sides[i]) + (place.empty() ? "" : ",") + place;
    rank /= sides[i];
  }
  return place;
}

}  // namespace

RankLayout LayoutOf(const Trace& trace) {
  if (auto hosts = RanksOfHosts(trace); !hosts.empty()) {
    return {RankLayout::Kind::kHosts, std::move(hosts), {}};
  }
  if (auto grid = GridOf(trace); !grid.empty()) {
    return {RankLayout::Kind::kGrid, std::move(grid), {}};
  }
  return {};
}

std::string LoadText(const Trace& trace) {
  const RankLayout layout = LayoutOf(trace);
  const bool has_calls = !trace.meta.own_time;
  std::vector<std::string> head = {"rank"};
  if (layout.kind == RankLayout::Kind::kHosts) head.push_back("node");
  if (layout.kind == RankLayout::Kind::kGrid) head.push_back("in the grid");
  head.push_back("computes");
  if (has_calls) head.insert(head.end(), {"in calls", "of that waiting"});
  const std::vector<size_t> hosts = layout.kind == RankLayout::Kind::kHosts
                                        ? HostsOfRanks(layout.sides)
                                        : std::vector<size_t>();
  Table table(head);
  int64_t rank = 0;
  for (const RankLoad& load : LoadsIn(trace, trace.root)) {
    std::vector<std::string> row = {std::to_string(rank)};
    if (!hosts.empty()) row.push_back(std::to_string(hosts[size_t(rank)]));
    if (layout.kind == RankLayout::Kind::kGrid) {
      row.push_back(PlaceInGrid(rank, layout.sides));
    }
    row.push_back(Duration(load.compute_ns));
    if (has_calls) {
      row.push_back(Duration(load.call_ns));
      row.push_back(Duration(load.waiting_ns));
    }
    table.Add(row);
    ++rank;
  }
  return BasisOf(trace) + "\n\n" + table.ToText();
}

std::string LoadJson(const Trace& trace, int64_t most_blocks,
                     const std::optional<RankLayout>& on) {
  const std::vector<RankLoad> loads = LoadsIn(trace, trace.root);
  const int64_t ranks = trace.meta.ranks;
  const int64_t block = (ranks + most_blocks - 1) / most_blocks;
  RankLayout layout;
  // Blocks of ranks have no places in a grid.
  if (block == 1) layout = on ? *on : LayoutOf(trace);
  JsonWriter json;
  json.BeginObject()
      .Member("ranks", ranks)
      .Member("block", block)
      .Member("layout", NameOf(layout.kind))
      .Member("has_calls", !trace.meta.own_time)
      .Member("basis", BasisOf(trace))
      .Key("sides")
      .BeginArray();
  for (const int64_t side : layout.sides) json.Value(side);
  json.EndArray().Key("places").BeginArray();
  for (const int64_t place : layout.places) json.Value(place);
  json.EndArray().Key("rows").BeginArray();
  for (int64_t first = 0; first < ranks; first += block) {
    const int64_t end = std::min(first + block, ranks);
    RankLoad sum;
    for (int64_t rank = first; rank < end; ++rank) {
      const RankLoad& load = loads[size_t(rank)];
      sum.compute_ns += load.compute_ns;
      sum.call_ns += load.call_ns;
      sum.waiting_ns += load.waiting_ns;
    }
    const auto mean = [&](double ns) {
      return std::llround(ns / double(end - first));
    };
    json.BeginArray()
        .Value(mean(sum.compute_ns))
        .Value(mean(sum.call_ns))
        .Value(mean(sum.waiting_ns))
        .EndArray();
  }
  return json.EndArray().EndObject().text();
}

}  // namespace ranksight::cli
