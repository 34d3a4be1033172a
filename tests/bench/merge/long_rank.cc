// long_rank [EVENTS]: one rank's loop of EVENTS (100,000,000) calls in one
// process, as of a run of days. At each power of ten from 100,000 on: the
// folder's memory, the process's peak, and bytes of the trace so far. None may
// grow, but for the digits of what is counted.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/folder.h"
#include "tests/bench/cpu_time.h"

namespace ranksight::bench {
namespace {

using namespace reduction;

// A step: sends to four neighbours, a loop of one to five more, and in
// every tenth a sum.
class LongRank {
 public:
  LongRank() {
    const uint32_t module = folder_.AddModule({"ab12", "long"});
    for (int i = 0; i < 4; ++i) {
      sends_.push_back(Of(Call::MPI_Send_, i * 3 + 1, module, 0x100));
    }
    more_ = Of(Call::MPI_Ssend_, 5, module, 0x200);
    sum_ = Of(Call::MPI_Allreduce_, 0, module, 0x300);
  }

  void Step() {
    for (const Event& e : sends_) Push(e);
    for (uint64_t i = 0; i <= step_ % 5; ++i) Push(more_);
    if (step_ % 10 == 9) Push(sum_);
    ++step_;
  }
  uint64_t events() const { return events_; }
  Folder& folder() { return folder_; }

 private:
  Event Of(Call call, int64_t peer, uint32_t module, uint64_t address) {
    Event event(call);
    for (const Param p : Info(call).params) {
      event.Add(p == Param::kPeer ? peer : 1);
    }
    event.site = folder_.AddSite({{{module, address}}});
    return event;
  }
  void Push(const Event& event) {
    ++events_;
    folder_.Push(event, 500 + events_ % 4093, 200 + events_ % 1021);
  }

  Folder folder_;
  std::vector<Event> sends_;
  Event more_, sum_;
  uint64_t step_ = 0, events_ = 0;
};

void Measure(uint64_t most) {
  LongRank rank;
  const double start = CpuSeconds();
  for (uint64_t mark = 100000; mark <= most; mark *= 10) {
    while (rank.events() < mark) rank.Step();
    const double seconds = CpuSeconds() - start;
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const Trace trace = rank.folder().Snapshot(0, 1);
    std::printf(
        "%12llu events  %6.1f s  folder %llu bytes  peak %ld KiB  trace %zu "
        "bytes\n",
        static_cast<unsigned long long>(rank.events()), seconds,
        static_cast<unsigned long long>(rank.folder().memory_bytes()),
        usage.ru_maxrss, Encode(trace, SketchForm::kQuantiles).size());
  }
}

}  // namespace
}  // namespace ranksight::bench

int main(int argc, char** argv) {
  ranksight::bench::Measure(argc > 1 ? std::strtoull(argv[1], nullptr, 10)
                                     : 100000000);
  return 0;
}
