// A rank's replay by a backend that notes what it is asked to perform, on a
// clock that moves as it is told.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reduction/api/canonical.h"
#include "reduction/api/folder.h"
#include "replay_engine/api/replay.h"
#include "tests/unit/replay_engine/fake_clock.h"

namespace ranksight::replay_engine {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Status;
using reduction::Trace;

struct Performed {
  std::string text;
  int64_t at_ns;
  int64_t new_comm;
  int64_t new_request;
  std::vector<int64_t> requests;
  int64_t source, tag;
};

class FakeBackend : public Backend {
 public:
  explicit FakeBackend(FakeClock& clock) : clock_(clock) {}
  Status Perform(const Operation& o) override {
    performed.push_back({reduction::CanonicalText(*o.event), clock_.now_ns,
                         o.new_comm, o.new_request, o.requests, o.source,
                         o.tag});
    clock_.now_ns += call_ns;
    if (performed.size() == fail_at) return Status::BadInput("refused");
    return Status::Ok();
  }
  bool LeaderPassesOver(const Operation&, bool mine) override {
    asked.push_back(mine);
    return leader_passes_over.value_or(mine);
  }
  Status Finish() override { return Status::Ok(); }

  std::vector<Performed> performed;
  int64_t call_ns = 0;
  size_t fail_at = 0;
  std::optional<bool> leader_passes_over;
  std::vector<bool> asked;  // what this rank said

 private:
  FakeClock& clock_;
};

// Pushes events with a call site each into a folder.
class Recording {
 public:
  Recording() : module_(folder_.AddModule({"ab", "app"})) {}

  void Push(uint64_t site, Call call, const std::vector<int64_t>& scalars,
            uint64_t compute_ns = 0) {
    Event e(call);
    for (const int64_t v : scalars) e.Add(v);
    PushEvent(site, &e, compute_ns);
  }
  // Each scalar 1 and each array empty, but for those named.
  void PushNamed(Call call, const std::map<Param, int64_t>& scalars = {}) {
    Event e(call);
    for (const Param p : reduction::Info(call).params) {
      const auto at = scalars.find(p);
      if (reduction::IsArray(p)) {
        e.AddArray({});
      } else {
        e.Add(at == scalars.end() ? 1 : at->second);
      }
    }
    PushEvent(uint64_t(call), &e, 0);
  }
  // A call on requests, with the indices that completed where it has them, and
  // the sources that were matched, with tags 100 higher.
  void PushOnRequests(uint64_t site, Call call,
                      const std::vector<int64_t>& refs,
                      const std::vector<int64_t>* done = nullptr,
                      const std::vector<int64_t>& matched = {}) {
    Event e(call);
    e.Add(int64_t(refs.size()));
    const bool counted =
        reduction::LengthOf(call, Param::kRequests) == Param::kOpenCount;
    if (counted) e.Add(int64_t(refs.size()));
    e.AddArray(refs);
    if (done != nullptr) {
      e.Add(int64_t(done->size()));
      e.AddArray(*done);
    }
    if (reduction::Info(call).completes) AddMatched(matched, &e);
    PushEvent(site, &e, 0);
  }
  // A receive or probe with its match.
  void PushMatched(uint64_t site, Call call,
                   const std::vector<int64_t>& scalars, int64_t matched) {
    Event e(call);
    for (const int64_t v : scalars) e.Add(v);
    AddMatched({matched}, &e);
    PushEvent(site, &e, 0);
  }
  // A receive from anywhere, of any tag.
  void IrecvAny(uint64_t site) {
    Push(site, Call::MPI_Irecv_,
         {4, 1, 1, 0, reduction::kPeerAny, reduction::kTagAny, 0});
  }
  void Isend(uint64_t site) {
    Push(site, Call::MPI_Isend_, {4, 1, 1, 0, 0, 7, 0});
  }
  Trace Finish() const { return folder_.Snapshot(0, 1); }

 private:
  static void AddMatched(const std::vector<int64_t>& sources, Event* e) {
    std::vector<int64_t> tags;
    for (const int64_t s : sources) {
      tags.push_back(s == reduction::kNone ? s : s + 100);
    }
    e->Add(int64_t(sources.size()));
    e->AddArray(sources);
    e->AddArray(tags);
  }
  void PushEvent(uint64_t site, Event* e, uint64_t compute_ns) {
    EXPECT_TRUE(e->Complete());
    e->site = folder_.AddSite({{{module_, 0x10 * site}}});
    folder_.Push(*e, compute_ns, 0);
  }
  reduction::Folder folder_;
  uint32_t module_;
};

struct Outcome {
  Status status;
  RankReport report;
  std::vector<Performed> performed;
  int64_t elapsed_ns;
};

inline std::string CallsOf(const Outcome& outcome) {
  std::string calls;
  for (const Performed& p : outcome.performed) {
    calls += p.text.substr(0, p.text.find(' ')) + " ";
  }
  return calls;
}

inline Outcome ReplayAll(const Trace& trace, const ReplayOptions& options = {},
                         int64_t call_ns = 0, size_t fail_at = 0) {
  FakeClock clock;
  FakeBackend backend(clock);
  backend.call_ns = call_ns;
  backend.fail_at = fail_at;
  const int64_t start = clock.now_ns;
  Outcome outcome;
  outcome.status = Replay(trace, 0, options, backend, clock, &outcome.report);
  outcome.performed = backend.performed;
  outcome.elapsed_ns = clock.now_ns - start;
  return outcome;
}

}  // namespace ranksight::replay_engine
