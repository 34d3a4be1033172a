// What a replay allocates depends on the trace's structure, not on how many
// events there are.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "reduction/api/folder.h"
#include "replay_engine/api/replay.h"
#include "tests/unit/replay_engine/fake_clock.h"

namespace {
std::atomic<uint64_t> allocations{0};
}  // namespace

void* operator new(size_t size) {
  ++allocations;
  if (void* block = std::malloc(size)) return block;
  throw std::bad_alloc();
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;

class NoBackend : public Backend {
 public:
  reduction::Status Perform(const Operation&) override { return {}; }
  reduction::Status Finish() override { return {}; }
};

// Steps of two receives, one of them from any source, two sends, a call that
// waits for them, and a barrier now and then; computation before each.
class Steps {
 public:
  Steps() : module_(folder_.AddModule({"ab", "app"})) {}

  reduction::Trace Make(int steps) {
    for (int i = 0; i < steps; ++i) Step(i);
    return folder_.Snapshot(0, 4);
  }

 private:
  void Step(int i) {
    for (const int64_t peer : {int64_t{1}, reduction::kPeerAny}) {
      Push(1, Call::MPI_Irecv_, {100, 1, 8, 0, peer, 7, 0});
    }
    Push(2, Call::MPI_Isend_, {100, 1, 8, 0, 1, 7, 0});
    Push(3, Call::MPI_Isend_, {100 + i % 3, 1, 8, 0, 2, 7, 0});
    Event wait(Call::MPI_Waitall_);
    wait.Add(4);
    wait.Add(4);
    wait.AddArray(std::vector<int64_t>{4, 3, 2, 1});
    wait.Add(1);
    wait.AddArray(std::vector<int64_t>{2});
    wait.AddArray(std::vector<int64_t>{7});
    Push(4, &wait);
    if (i % 2 == 0) Push(5, Call::MPI_Barrier_, {0});
  }
  void Push(uint64_t site, Call call, const std::vector<int64_t>& values) {
    Event e(call);
    for (const int64_t v : values) e.Add(v);
    Push(site, &e);
  }
  void Push(uint64_t site, Event* e) {
    ASSERT_TRUE(e->Complete());
    e->site = folder_.AddSite({{{module_, 0x10 * site}}});
    folder_.Push(*e, 1000, 100);
  }

  reduction::Folder folder_;
  uint32_t module_;
};

uint64_t AllocationsOf(const reduction::Trace& trace, uint64_t* events) {
  FakeClock clock;
  NoBackend backend;
  RankReport report;
  const uint64_t before = allocations;
  const auto status = Replay(trace, 0, {}, backend, clock, &report);
  const uint64_t made = allocations - before;
  EXPECT_TRUE(status.ok()) << status.message();
  *events = report.events;
  return made;
}

TEST(Replay, AllocatesForTheStructureNotForTheEvents) {
  uint64_t few = 0, many = 0;
  const uint64_t for_few = AllocationsOf(Steps().Make(60), &few);
  const uint64_t for_many = AllocationsOf(Steps().Make(6000), &many);
  EXPECT_GT(many, 90 * few);
  EXPECT_GT(for_few, 0u);
  EXPECT_LE(for_many, for_few + 10);
}

}  // namespace
}  // namespace ranksight::replay_engine
