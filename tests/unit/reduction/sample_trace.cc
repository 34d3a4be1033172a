#include "tests/unit/reduction/sample_trace.h"

#include <gtest/gtest.h>

#include "reduction/api/folder.h"
#include "reduction/api/merge.h"

namespace ranksight::reduction {

void Script::Add(Call call, uint32_t line, const EventValues& values) {
  events_.push_back(MakeEvent(call, line, values));
}

void Script::Send(uint32_t line, int64_t to, int64_t count, int64_t size,
                  Call call) {
  Add(call, line,
      {{Param::kPeer, {to}},
       {Param::kCount, {count}},
       {Param::kTypeSize, {size}}});
}

void Script::Recv(uint32_t line, int64_t from, int64_t count) {
  Send(line, from, count, 8, Call::MPI_Recv_);
}

void Script::Sendrecv(uint32_t line, int64_t to, int64_t count, int64_t from,
                      int64_t recv_count) {
  Add(Call::MPI_Sendrecv_, line,
      {{Param::kPeer, {to}},
       {Param::kCount, {count}},
       {Param::kTypeSize, {8}},
       {Param::kRecvPeer, {from}},
       {Param::kRecvCount, {recv_count}},
       {Param::kRecvTypeSize, {8}}});
}

void Script::Alltoallv(uint32_t line, std::vector<int64_t> counts) {
  const auto length = static_cast<int64_t>(counts.size());
  Add(Call::MPI_Alltoallv_, line,
      {{Param::kPeerCount, {length}},
       {Param::kCounts, counts},
       {Param::kTypeSize, {4}},
       {Param::kRecvPeerCount, {length}},
       {Param::kRecvCounts, counts},
       {Param::kRecvTypeSize, {4}}});
}

void Script::SendInit(uint32_t line, int64_t to, int64_t count) {
  Send(line, to, count, 8, Call::MPI_Send_init_);
}

void Script::RecvInit(uint32_t line, int64_t from, int64_t count) {
  Send(line, from, count, 8, Call::MPI_Recv_init_);
}

void Script::Start(uint32_t line, int64_t persistent) {
  Add(Call::MPI_Start_, line,
      {{Param::kRequestCount, {1}}, {Param::kRequests, {-1 - persistent}}});
}

Sample MakeSample(int64_t ranks,
                  const std::function<void(int64_t rank, Script*)>& program) {
  Sample sample;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    Script script;
    program(rank, &script);
    Folder folder;
    const uint32_t module = folder.AddModule({"abc", "app"});
    for (Event event : script.events()) {
      event.site = folder.AddSite({{{module, event.site}}});
      folder.Push(event, 10, 100 + static_cast<uint64_t>(rank));
    }
    Trace one = folder.Snapshot(rank, ranks);
    if (rank == 0) {
      sample.trace = std::move(one);
    } else {
      auto merged = Merge(std::move(sample.trace), std::move(one));
      EXPECT_TRUE(merged.ok()) << merged.status().message();
      sample.trace = std::move(*merged);
    }
    sample.events.push_back(script.events());
  }
  return sample;
}

}  // namespace ranksight::reduction
