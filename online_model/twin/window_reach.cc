#include "online_model/twin/window_reach.h"

#include <algorithm>

#include "online_model/twin/makings.h"
#include "online_model/twin/rank_run.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;

// Traces may say anything.
int64_t Clipped(__int128 v) {
  constexpr __int128 kMost = int64_t{1} << 60;
  return int64_t(std::clamp(v, -kMost, kMost));
}

// Bytes from its first to behind its last one.
int64_t SpanOf(const Event& e) {
  const int64_t count = e.Get(Param::kTargetCount, e.Get(Param::kCount, 1));
  const int64_t size = e.Get(Param::kTargetTypeSize, e.Get(Param::kTypeSize));
  const int64_t excess = e.Get(Param::kTargetTypeExcess, 0);
  return Clipped(__int128{count} *
                 std::max(size, Clipped(__int128{size} + excess)));
}

void Set(Event* e, Param param, int64_t value) {
  const int at = reduction::ParamPlace(e->call(), param);
  if (at >= 0) e->MutableValues()[e->offsets()[size_t(at)]] = value;
}

// Elements of a datatype of the program's own get longer or shorter, of others
// there are more or fewer.
void SetBytes(Event* e, Param count, Param kind, Param size, int64_t bytes) {
  const int64_t n = e->Get(count, 1), each = e->Get(size);
  if (reduction::ParamPlace(e->call(), count) < 0 ||
      __int128{n} * each == bytes)
    return;
  if (e->Get(kind) < reduction::kTypeKindDerived) {
    if (each > 0) Set(e, count, bytes / each);
    return;
  }
  const bool divides = n > 0 && bytes % n == 0;
  if (!divides) Set(e, count, 1);
  Set(e, size, divides ? bytes / n : bytes);
}

bool IsOpenTransfer(const TwinTree::Item& item) {
  return item.like->is_event() &&
         IsTransfer(reduction::Info(item.like->call)) && item.IsOpen();
}

}  // namespace

bool IsTransfer(const reduction::CallInfo& info) {
  const auto has = [&](Param p) {
    return std::ranges::count(info.params, p) > 0;
  };
  return info.family == reduction::Family::kOneSided && has(Param::kPeer) &&
         has(Param::kOffset);
}

bool MakesWindow(Call call) {
  switch (call) {
    case Call::MPI_Win_create_:
    case Call::MPI_Win_allocate_:
    case Call::MPI_Win_allocate_shared_:
      return true;
    default:
      return false;
  }
}

bool IsWindowSize(Call call, Param p) {
  return p == Param::kSize && MakesWindow(call);
}

void MeetEnds(Event* e) {
  const int64_t own = e->Get(Param::kCount, 1);
  if (reduction::IsSpecial(own)) return;  // it gives nothing
  const int64_t bytes = Clipped(__int128{own} * e->Get(Param::kTypeSize));
  SetBytes(e, Param::kRecvCount, Param::kRecvTypeKind, Param::kRecvTypeSize,
           bytes);
  SetBytes(e, Param::kTargetCount, Param::kTargetTypeKind,
           Param::kTargetTypeSize, bytes);
}

bool HasOpenWindows(const TwinTree& tree) {
  const auto has_open_size = [](const TwinTree::Item& item) {
    return item.like->is_event() && MakesWindow(item.like->call) &&
           item.HasNoLaw(
               size_t(reduction::ParamPlace(item.like->call, Param::kSize)));
  };
  return std::ranges::any_of(tree.nodes, [&](const TwinTree::Item& item) {
    return has_open_size(item) || IsOpenTransfer(item);
  });
}

std::optional<WindowReach::OfRank::Key> WindowReach::OfRank::Make(
    const SiteKey& site) {
  if (!MakesWindow(site.first) && site.first != Call::MPI_Win_create_dynamic_) {
    return std::nullopt;
  }
  windows_.emplace_back(site, made_[site]++);
  return windows_.back();
}

const WindowReach::OfRank::Key* WindowReach::OfRank::Find(
    int64_t number) const {
  return number < 0 || size_t(number) >= windows_.size()
             ? nullptr
             : &windows_[size_t(number)];
}

void WindowReach::Put(int64_t units, int64_t bytes, Front* front) {
  const auto next = front->lower_bound(units);
  if (next != front->end() && next->second >= bytes) return;
  auto& at = (*front)[units];
  at = std::max(at, bytes);
  for (auto it = front->find(units); it != front->begin();) {
    const auto before = std::prev(it);
    if (before->second > bytes) break;
    front->erase(before);
  }
}

void WindowReach::Add(int64_t rank, const SiteKey& site, const Event& e,
                      OfRank* own) {
  own->Make(site);
  if (!IsTransfer(reduction::Info(site.first))) return;
  const OfRank::Key* window = own->Find(e.Get(Param::kWindow, -1));
  const int64_t target = e.Get(Param::kPeer, -1);
  if (window == nullptr || target < 0) return;
  Put(e.Get(Param::kOffset, 0), SpanOf(e),
      &by_origin_[size_t(rank)][{target, *window}]);
}

void WindowReach::Settle() {
  for (auto& of_origin : by_origin_) {
    for (const auto& [target, front] : of_origin) {
      Front& both = reach_[target];
      for (const auto& [units, bytes] : front) Put(units, bytes, &both);
    }
    of_origin = {};
  }
}

int64_t WindowReach::BytesOf(int64_t rank, const OfRank::Key& window,
                             int64_t unit) const {
  const auto at = reach_.find({rank, window});
  if (at == reach_.end()) return 0;
  int64_t most = 0;
  for (const auto& [units, bytes] : at->second) {
    most = std::max(most, Clipped(__int128{units} * unit + bytes));
  }
  return most;
}

}  // namespace ranksight::online_model
