#include "tests/idioms/world/world.h"

#include <cstring>
#include <utility>

#include "reduction/api/condense.h"
#include "reduction/api/merge.h"

namespace ranksight::idioms {
namespace {

// Bodies are plain loops over small arrays.
constexpr size_t kStackBytes = 128 << 10;

Communicator Whole(const std::shared_ptr<Group>& group, int rank) {
  Communicator comm;
  comm.group = group;
  comm.rank = rank;
  return comm;
}

}  // namespace

Rank::Rank(World* w, int n, uint64_t seed)
    : world(w), number(n), random(seed * 0x9E3779B97F4A7C15u + uint64_t(n)) {
  module = folder.AddModule({"1d105", "idioms"});
}

World::World(int ranks, uint64_t seed) : random_(seed) {
  std::vector<int> all;
  for (int r = 0; r < ranks; ++r) all.push_back(r);
  const auto world = NewGroup(all);
  for (int r = 0; r < ranks; ++r) {
    ranks_.push_back(std::make_unique<Rank>(this, r, seed));
    Rank& rank = *ranks_.back();
    rank.comms[int(MPI_COMM_WORLD)] = Whole(world, r);
    Communicator& self = rank.comms[int(MPI_COMM_SELF)];
    self = Whole(NewGroup({r}), 0);
    self.number = 1;
  }
}

std::shared_ptr<Group> World::NewGroup(std::vector<int> members) {
  auto group = std::make_shared<Group>();
  group->context = contexts_++;
  group->members = std::move(members);
  return group;
}

void World::Enter(unsigned high, unsigned low) {
  auto* world =
      reinterpret_cast<World*>((uintptr_t(high) << 32) | uintptr_t(low));
  Rank* me = now_;
  world->body_(me);
  me->is_over = true;
  swapcontext(&me->context, &world->scheduler_);
}

void World::Resume(Rank* rank) {
  now_ = rank;
  swapcontext(&scheduler_, &rank->context);
  now_ = nullptr;
}

bool World::Run(const std::function<void(Rank*)>& body) {
  body_ = body;
  const auto self = reinterpret_cast<uintptr_t>(this);
  for (auto& rank : ranks_) {
    rank->stack.resize(kStackBytes);
    getcontext(&rank->context);
    rank->context.uc_stack.ss_sp = rank->stack.data();
    rank->context.uc_stack.ss_size = rank->stack.size();
    rank->context.uc_link = nullptr;
    makecontext(&rank->context, reinterpret_cast<void (*)()>(Enter), 2,
                unsigned(self >> 32), unsigned(self));
    ready_.push_back(rank->number);
  }
  while (!ready_.empty()) {
    const size_t at = size_t(random_() % ready_.size());
    std::swap(ready_[at], ready_.back());
    const int next = ready_.back();
    ready_.pop_back();
    Resume(&rank(next));
  }
  for (const auto& rank : ranks_) {
    if (!rank->is_over || !rank->unexpected.empty()) return false;
  }
  return true;
}

void World::Wait() {
  Rank* me = now_;
  me->is_waiting = true;
  swapcontext(&me->context, &scheduler_);
}

void World::Yield() {
  Rank* me = now_;
  ready_.push_back(me->number);
  swapcontext(&me->context, &scheduler_);
}

void World::Wake(int r) {
  Rank& other = rank(r);
  if (!std::exchange(other.is_waiting, false)) return;
  ready_.push_back(r);
}

namespace {

// Ranks [begin, end), halves first, as the merging tree joins them.
reduction::Result<reduction::Trace> MergeRange(
    const std::vector<std::unique_ptr<Rank>>& ranks, size_t begin, size_t end) {
  if (end - begin == 1) {
    auto one =
        ranks[begin]->folder.Snapshot(int64_t(begin), int64_t(ranks.size()));
    one.meta.program = "idioms";
    one.meta.build_id = "1d105";
    if (begin == 0) one.meta.made_dims = ranks[0]->made_dims;
    return one;
  }
  const size_t middle = begin + (end - begin) / 2;
  auto low = MergeRange(ranks, begin, middle);
  auto high = MergeRange(ranks, middle, end);
  if (!low.ok()) return low;
  if (!high.ok()) return high;
  return reduction::Merge(std::move(*low), std::move(*high));
}

}  // namespace

reduction::Trace World::MergedTrace() const {
  auto merged = MergeRange(ranks_, 0, ranks_.size());
  if (!merged.ok()) return {};
  reduction::Canonicalize(&*merged);
  reduction::Condense(&*merged);
  return std::move(*merged);
}

}  // namespace ranksight::idioms
