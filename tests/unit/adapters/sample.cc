#include "tests/unit/adapters/sample.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <list>
#include <sstream>

#include "reduction/api/folder.h"
#include "reduction/api/merge.h"
#include "tests/support/scratch_folder.h"

namespace ranksight::adapters {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Trace;

std::vector<Event> RingEvents(int64_t rank, int64_t ranks, int steps) {
  const int64_t real = reduction::TypeCodeByName("MPI_DOUBLE");
  const int64_t integer = reduction::TypeCodeByName("MPI_INT");
  const Values reals = {{Param::kTypeKind, {real}}, {Param::kTypeSize, {8}}};
  const auto with = [](Values values, const Values& more) {
    values.insert(values.end(), more.begin(), more.end());
    return values;
  };
  std::vector<Event> events = {MakeEvent(Call::MPI_Init_, 1, {}),
                               MakeEvent(Call::MPI_Comm_split_, 2,
                                         {{Param::kColor, {rank % 2}},
                                          {Param::kKey, {rank}},
                                          {Param::kCommSize, {ranks / 2}}})};
  for (int step = 0; step < steps; ++step) {
    events.push_back(
        MakeEvent(Call::MPI_Irecv_, 3,
                  with(reals, {{Param::kCount, {100}},
                               {Param::kPeer, {(rank + ranks - 1) % ranks}},
                               {Param::kTag, {step % 2}}})));
    events.push_back(
        MakeEvent(Call::MPI_Isend_, 4,
                  with(reals, {{Param::kCount, {100}},
                               {Param::kPeer, {(rank + 1) % ranks}},
                               {Param::kTag, {step % 2}}})));
    events.push_back(MakeEvent(Call::MPI_Waitall_, 5,
                               {{Param::kRequestCount, {2}},
                                {Param::kOpenCount, {2}},
                                {Param::kRequests, {2, 1}}}));
    events.push_back(MakeEvent(
        Call::MPI_Allreduce_, 6,
        with(reals,
             {{Param::kCount, {1}},
              {Param::kReduceOp, {reduction::OpCodeByName("MPI_SUM")}}})));
    events.push_back(MakeEvent(Call::MPI_Bcast_, 7,
                               {{Param::kTypeKind, {integer}},
                                {Param::kTypeSize, {4}},
                                {Param::kCount, {16}},
                                {Param::kComm, {2}},
                                {Param::kRoot, {rank % 2}}}));
  }
  events.push_back(MakeEvent(Call::MPI_Finalize_, 8, {}));
  return events;
}

Trace MakeTrace(const std::vector<std::vector<Event>>& events) {
  const auto ranks = int64_t(events.size());
  Trace trace;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    reduction::Folder folder;
    const uint32_t module = folder.AddModule({"abc", "ring"});
    for (Event event : events[size_t(rank)]) {
      event.site = folder.AddSite({{{module, 16 * event.site}}});
      const bool first = event.call() == Call::MPI_Init_;
      folder.Push(event, first ? 0 : 1000, 500);
    }
    Trace one = folder.Snapshot(rank, ranks);
    if (rank == 0) {
      trace = std::move(one);
      continue;
    }
    auto merged = Merge(std::move(trace), std::move(one));
    EXPECT_TRUE(merged.ok()) << merged.status().message();
    trace = std::move(*merged);
  }
  trace.meta.program = "ring";
  for (int64_t rank = 0; rank < ranks; ++rank) trace.meta.elapsed.Add(50000);
  return trace;
}

Trace RingTrace(int64_t ranks, int steps) {
  std::vector<std::vector<Event>> events;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    events.push_back(RingEvents(rank, ranks, steps));
  }
  return MakeTrace(events);
}

std::vector<double> ScaleAtCall(const Trace& trace, size_t call,
                                double factor) {
  std::vector<double> scales(trace.sites.sites.size(), 1);
  size_t at = 0;
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& node) {
    if (at++ == call) scales[node.site] = factor;
  });
  return scales;
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void ExpectGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(RANKSIGHT_GOLDEN) + "/" + name;
  if (std::getenv("RANKSIGHT_WRITE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
  }
  EXPECT_EQ(text, ReadText(path)) << path;
}

std::string TestFolder() {
  static std::list<support::ScratchFolder> folders;
  return folders.emplace_back().path();
}

}  // namespace ranksight::adapters
