// Traces for tests, made from what each rank calls, and the same calls as a
// plain list.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "reduction/api/event.h"
#include "reduction/api/trace.h"
#include "tests/unit/reduction/make_event.h"

namespace ranksight::reduction {

// Collects one rank's calls.
class Script {
 public:
  void Init() { Add(Call::MPI_Init_, 1, {}); }
  void Finalize() { Add(Call::MPI_Finalize_, 2, {}); }
  void Send(uint32_t line, int64_t to, int64_t count, int64_t size = 8,
            Call call = Call::MPI_Send_);
  void Recv(uint32_t line, int64_t from, int64_t count);
  void Sendrecv(uint32_t line, int64_t to, int64_t count, int64_t from,
                int64_t recv_count);
  void Alltoallv(uint32_t line, std::vector<int64_t> counts);
  void SendInit(uint32_t line, int64_t to, int64_t count);
  void RecvInit(uint32_t line, int64_t from, int64_t count);
  void Start(uint32_t line, int64_t persistent);

  // Parameters not among values are 0.
  void Add(Call call, uint32_t line, const EventValues& values);
  const std::vector<Event>& events() const { return events_; }

 private:
  std::vector<Event> events_;
};

struct Sample {
  Trace trace;
  std::vector<std::vector<Event>> events;  // by rank
};

// One trace of all ranks; `line` numbers are call sites. Each call takes
// 100 + rank ns after 10 ns of computation.
Sample MakeSample(int64_t ranks,
                  const std::function<void(int64_t rank, Script*)>& program);

}  // namespace ranksight::reduction
