// Programs as lists of calls of each rank, to be walked together.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/folder.h"
#include "reduction/api/merge.h"
#include "replay_engine/api/alignment.h"
#include "replay_engine/api/progress.h"

namespace ranksight::replay_engine::rank_calls {

using reduction::Call;
using reduction::Event;
using reduction::kPeerAny;
using reduction::Param;
using reduction::Trace;

using Values = std::map<Param, std::vector<int64_t>>;

// Ranks as lists of calls, Init and Finalize around them.
class Calls {
 public:
  explicit Calls(size_t ranks) : ranks_(ranks) {}

  void Add(int64_t rank, Call call, const Values& values = {}) {
    Event e(call);
    for (const Param p : reduction::Info(call).params) {
      const auto at = values.find(p);
      if (reduction::IsArray(p)) {
        e.AddArray(at == values.end() ? std::vector<int64_t>() : at->second);
      } else {
        e.Add(at == values.end() ? 0 : at->second[0]);
      }
    }
    EXPECT_TRUE(e.Complete()) << reduction::Info(call).name;
    ranks_[size_t(rank)].push_back(e);
  }
  void Message(int64_t rank, Call call, int64_t peer, int64_t bytes = 8,
               int64_t tag = 0) {
    Add(rank, call,
        {{Param::kPeer, {peer}},
         {Param::kTag, {tag}},
         {Param::kCount, {bytes}},
         {Param::kTypeSize, {1}}});
  }
  // Likewise, with what it matched.
  void AnyRecv(int64_t rank, int64_t matched) {
    Add(rank, Call::MPI_Recv_,
        {{Param::kPeer, {kPeerAny}},
         {Param::kMatchCount, {1}},
         {Param::kMatched, {matched}},
         {Param::kMatchedTags, {0}}});
  }
  void Waitall(int64_t rank, const std::vector<int64_t>& requests) {
    Add(rank, Call::MPI_Waitall_,
        {{Param::kRequestCount, {int64_t(requests.size())}},
         {Param::kOpenCount, {int64_t(requests.size())}},
         {Param::kRequests, requests}});
  }
  void OnRequest(int64_t rank, Call call, int64_t request) {
    Add(rank, call,
        {{Param::kRequestCount, {1}}, {Param::kRequests, {request}}});
  }
  void Rooted(int64_t rank, Call call, int64_t root) {
    Add(rank, call, {{Param::kRoot, {root}}});
  }

  // Walked by one thread, and the same by any number of them.
  Progress Check(ProgressOptions options = {}) const {
    const Trace trace = ToTrace();
    options.parts = 1;
    auto progress = CheckProgress(trace, options);
    EXPECT_TRUE(progress.ok()) << progress.status().message();
    options.tell_share = {};
    for (options.parts = 2; options.parts <= 4; ++options.parts) {
      const auto in_parts = CheckProgress(trace, options);
      EXPECT_TRUE(in_parts.ok()) << in_parts.status().message();
      if (in_parts.ok()) ExpectSame(*in_parts, *progress, options.parts);
    }
    return *progress;
  }
  reduction::Status Refused() const {
    return CheckProgress(ToTrace(), {}).status();
  }
  reduction::Result<Alignment> Aligned(bool wildcards = false) const {
    return Align(ToTrace(), wildcards, 1);
  }
  // "rank call -> why" of what stands.
  std::vector<std::string> Chain(const ProgressOptions& options = {}) const {
    std::vector<std::string> chain;
    for (const Standing& s : Check(options).chain) {
      chain.push_back(std::to_string(s.rank) + " " +
                      s.call.substr(0, s.call.find(' ')) + " -> " + s.why);
    }
    return chain;
  }

 private:
  static void ExpectSame(const Progress& a, const Progress& b, size_t parts) {
    SCOPED_TRACE(std::to_string(parts) + " parts");
    EXPECT_EQ(a.ends, b.ends);
    EXPECT_EQ(a.events, b.events);
    EXPECT_EQ(a.standing, b.standing);
    EXPECT_EQ(a.circle, b.circle);
    EXPECT_EQ(a.mismatch, b.mismatch);
    const auto text = [](const Progress& p) {
      std::string all;
      for (const Standing& s : p.chain) {
        all += std::to_string(s.rank) + " " + std::to_string(s.event) + " " +
               std::to_string(s.site) + " " + s.call + " " +
               std::to_string(s.on) + " " + s.why + "\n";
      }
      return all;
    };
    EXPECT_EQ(text(a), text(b));
  }
  Trace ToTrace() const {
    Trace trace = OfRank(0);
    for (size_t r = 1; r < ranks_.size(); ++r) {
      trace = *reduction::Merge(std::move(trace), OfRank(r));
    }
    return trace;
  }
  Trace OfRank(size_t rank) const {
    reduction::Folder folder;
    const uint32_t module = folder.AddModule({"ab", "app"});
    uint64_t offset = 0;
    const auto push = [&](Event e) {
      e.site = folder.AddSite({{{module, offset += 16}}});
      folder.Push(e, 0, 0);
    };
    Event init(Call::MPI_Init_);
    while (!init.Complete()) init.Add(0);
    push(init);
    for (const Event& e : ranks_[rank]) push(e);
    push(Event(Call::MPI_Finalize_));
    return folder.Snapshot(int64_t(rank), int64_t(ranks_.size()));
  }
  std::vector<std::vector<Event>> ranks_;
};

// Rank 2's message came first, then rank 1's; another order stands still.
inline Calls FirstFromTheLast() {
  Calls run(3);
  run.AnyRecv(0, 2);
  run.Message(0, Call::MPI_Recv_, 1);
  run.Message(1, Call::MPI_Send_, 0);
  run.Message(2, Call::MPI_Send_, 0);
  return run;
}

}  // namespace ranksight::replay_engine::rank_calls
