#include "tests/unit/online_model_structure/stencil_run.h"

#include <map>
#include <utility>

#include "reduction/api/folder.h"
#include "reduction/api/merge.h"

namespace ranksight::online_model::testing {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using Values = std::map<Param, std::vector<int64_t>>;

Event Make(Call call, uint32_t site, const Values& values) {
  Event e(call);
  e.site = site;
  for (const Param p : reduction::Info(call).params) {
    const auto it = values.find(p);
    if (reduction::IsArray(p)) {
      e.AddArray(it == values.end() ? std::vector<int64_t>{} : it->second);
    } else {
      e.Add(it == values.end() ? 0 : it->second[0]);
    }
  }
  return e;
}

// Side 2 d is the lower one of dimension d, 2 d + 1 the upper one.
struct Side {
  int number;
  int64_t peer;
  int64_t cells;
};

std::vector<Side> SidesOf(const Stencil& s, const std::vector<int64_t>& dims,
                          int64_t rank) {
  std::vector<int64_t> at(dims.size());
  int64_t rest = rank;
  for (size_t d = dims.size(); d-- > 0; rest /= dims[d]) at[d] = rest % dims[d];
  std::vector<Side> sides;
  for (size_t d = 0; d < dims.size(); ++d) {
    for (const int64_t step : {-1, 1}) {
      std::vector<int64_t> to = at;
      to[d] += step;
      if (s.periodic[d]) to[d] = (to[d] + dims[d]) % dims[d];
      const bool exists = to[d] >= 0 && to[d] < dims[d];
      if (!exists && s.style != Style::kNull) continue;
      int64_t peer = 0;
      for (size_t i = 0; i < dims.size(); ++i) peer = peer * dims[i] + to[i];
      int64_t cells = 16;
      if (s.cells > 0 && d != 0) {
        cells = s.cells / dims[0] + (at[0] < s.cells % dims[0] ? 1 : 0);
      }
      sides.push_back({int(2 * d) + (step > 0 ? 1 : 0),
                       exists ? peer : reduction::kPeerNull, cells});
    }
  }
  return sides;
}

Event Message(Call call, uint32_t site, const Side& side, int64_t peer,
              int64_t tag) {
  return Make(call, site,
              {{Param::kPeer, {peer}},
               {Param::kTag, {tag}},
               {Param::kCount, {side.cells}},
               {Param::kTypeKind, {reduction::TypeCodeByName("MPI_DOUBLE")}},
               {Param::kTypeSize, {8}}});
}

void Step(const Stencil& s, const std::vector<Side>& sides, int64_t rank,
          int64_t ranks, std::vector<Event>* events) {
  const bool guards = s.style == Style::kGuards;
  for (const Side& side : sides) {
    const uint32_t site = 1 + (guards ? uint32_t(side.number) : 0);
    events->push_back(
        Message(Call::MPI_Irecv_, site, side, side.peer, side.number ^ 1));
  }
  for (const Side& side : sides) {
    const uint32_t site = 11 + (guards ? uint32_t(side.number) : 0);
    const int64_t peer = s.peer ? s.peer(rank, ranks, side.peer) : side.peer;
    events->push_back(Message(Call::MPI_Isend_, site, side, peer, side.number));
  }
  const int64_t n = 2 * int64_t(sides.size());
  std::vector<int64_t> requests;
  for (int64_t k = n; k > 0; --k) requests.push_back(k);
  events->push_back(Make(Call::MPI_Waitall_, 21,
                         {{Param::kRequestCount, {n}},
                          {Param::kOpenCount, {n}},
                          {Param::kRequests, requests}}));
  events->push_back(Make(Call::MPI_Allreduce_, 22,
                         {{Param::kCount, {1}}, {Param::kTypeSize, {8}}}));
}

}  // namespace

std::vector<Event> EventsOf(const Stencil& s, const std::vector<int64_t>& dims,
                            int64_t rank) {
  int64_t ranks = 1;
  for (const int64_t d : dims) ranks *= d;
  const std::vector<Side> sides = SidesOf(s, dims, rank);
  std::vector<Event> events{Make(Call::MPI_Init_, 0, {})};
  for (int i = 0; i < s.steps; ++i) Step(s, sides, rank, ranks, &events);
  events.push_back(Make(Call::MPI_Gather_, 23,
                        {{Param::kCount, {1}},
                         {Param::kTypeSize, {8}},
                         {Param::kRecvCount, {rank == 0 ? 1 : 0}},
                         {Param::kRecvTypeSize, {rank == 0 ? 8 : 0}},
                         {Param::kRoot, {0}}}));
  events.push_back(Make(Call::MPI_Finalize_, 24, {}));
  return events;
}

reduction::Trace RunOf(const Stencil& s, const std::vector<int64_t>& dims) {
  int64_t ranks = 1;
  for (const int64_t d : dims) ranks *= d;
  reduction::Trace all;
  for (int64_t r = 0; r < ranks; ++r) {
    reduction::Folder folder;
    const uint32_t module = folder.AddModule({"ab12", "stencil"});
    std::vector<uint32_t> sites;
    for (uint64_t i = 0; i < 25; ++i) {
      reduction::CallSite site;
      site.frames = {{module, 0x100}, {module, 0x200 + 16 * i}};
      sites.push_back(folder.AddSite(site));
    }
    for (Event e : EventsOf(s, dims, r)) {
      e.site = sites[e.site];
      folder.Push(e, 1000, 100);
    }
    reduction::Trace one = folder.Snapshot(r, ranks);
    one.meta.program = "stencil";
    one.meta.build_id = "ab12";
    if (r == 0) {
      all = std::move(one);
    } else {
      auto merged = reduction::Merge(std::move(all), std::move(one));
      if (!merged.ok()) return {};
      all = std::move(*merged);
    }
  }
  return all;
}

}  // namespace ranksight::online_model::testing
