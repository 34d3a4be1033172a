#include "replay_engine/api/replay.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"
#include "reduction/api/graph_edges.h"
#include "replay_engine/compute/pacer.h"
#include "replay_engine/compute/sampler.h"
#include "replay_engine/schedule/gaps.h"
#include "replay_engine/schedule/held_posts.h"
#include "replay_engine/schedule/matches.h"
#include "replay_engine/schedule/resolver.h"
#include "replay_engine/schedule/site_path.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Status;

class RankReplay {
 public:
  RankReplay(const reduction::Trace& trace, int64_t rank,
             const ReplayOptions& options, Backend& backend, Clock& clock,
             RankReport* report)
      : trace_(trace),
        rank_(rank),
        options_(options),
        backend_(backend),
        clock_(clock),
        pacer_(clock),
        sampler_(options.seed, rank, trace.meta.ranks),
        path_(static_cast<uint32_t>(trace.sites.sites.size())),
        matches_(trace, rank),
        edges_(trace, rank),
        gaps_(LacksCommunicators(trace) ? AskLeader(backend) : nullptr),
        report_(report) {
    if (options.placement != nullptr && options.tuning.Any()) {
      tuning_.emplace(*options.placement, options.tuning, rank);
      held_.emplace(&*tuning_);
    }
  }

  Status Run() {
    reduction::Result<reduction::Cursor> cursor =
        reduction::Cursor::Open(trace_, rank_);
    if (!cursor.ok()) return cursor.status();
    bool finalized = false;
    while (!finalized && cursor->Next()) {
      ++report_->events;
      if (options_.each_event) options_.each_event();
      const Event& event = cursor->event();
      report_->current = &event;
      if (event.call() == Call::MPI_Init_) continue;
      const double compute_ns = options_.compute ? Draw(*cursor) : 0;
      if (held_ && HeldPosts::Holds(event.call())) {
        if (Status s = Hold(event, compute_ns); !s.ok()) return s;
        continue;
      }
      if (Status s = PostHeld(event.call()); !s.ok()) return s;
      if (options_.compute) pacer_.Compute(compute_ns);
      finalized = event.call() == Call::MPI_Finalize_;
      if (finalized) continue;
      if (Status s = Perform(event); !s.ok()) return s;
      pacer_.CallReturned();
    }
    report_->current = nullptr;
    if (!cursor->status().ok()) return Explain(cursor->status());
    report_->late_ns = pacer_.debt_ns();
    return Status::Ok();
  }

 private:
  static Gaps::AskLeader AskLeader(Backend& backend) {
    return [&backend](const Operation& operation, bool mine) {
      return backend.LeaderPassesOver(operation, mine);
    };
  }

  double Draw(const reduction::Cursor& cursor) {
    const uint32_t site = cursor.event().site;
    const reduction::EventTimes& times = cursor.node().times;
    const uint64_t occurrence = cursor.occurrence();
    double ns = options_.compute_scale *
                (options_.mean_compute
                     ? times.MeanCompute(occurrence == 0, cursor.after())
                     : sampler_.Draw(times, occurrence, cursor.after()));
    if (site < options_.site_scale.size()) ns *= options_.site_scale[site];
    report_->compute_ns += static_cast<int64_t>(ns);
    return ns;
  }

  // *passed: the event is not one to perform.
  Status Prepare(const Event& event, bool* passed) {
    *passed = event.call() == Call::MPI_Abort_;
    if (*passed) {
      ++report_->aborts;
      return Status::Ok();
    }
    if (Status s = resolver_.Resolve(event, &operation_); !s.ok()) {
      return Explain(s, &event);
    }
    operation_.edges = edges_.Of(operation_.new_comm);
    if (!options_.wildcards) matches_.Resolve(&operation_);
    *passed = gaps_.PassesOver(operation_);
    if (!*passed) return TakeAlignment(event);
    return Status::Ok();
  }

  Status TakeAlignment(const Event& event) {
    if (options_.alignment == nullptr || !IsOpen(operation_)) {
      return Status::Ok();
    }
    if (aligned_ == options_.alignment->size()) {
      return Explain(Status::BadInput("not aligned"), &event);
    }
    const Match& match = (*options_.alignment)[aligned_++];
    operation_.source = match.source;
    operation_.tag = match.tag;
    return Status::Ok();
  }

  Status Perform(const Event& event) {
    bool passed = false;
    if (Status s = Prepare(event, &passed); !s.ok() || passed) return s;
    path_.Call(event.site, &RankReplay::PerformHere, this);
    return result_.ok() ? Status::Ok() : Explain(result_, &event);
  }

  static void PerformHere(void* self) {
    auto* replay = static_cast<RankReplay*>(self);
    replay->result_ = replay->backend_.Perform(replay->operation_);
  }

  Status Hold(const Event& event, double compute_ns) {
    bool passed = false;
    if (Status s = Prepare(event, &passed); !s.ok() || passed) return s;
    held_->Add(operation_, compute_ns, report_->events);
    return held_->full() ? PostHeld(event.call()) : Status::Ok();
  }

  // Posts what is held, before a call of kind `next`.
  Status PostHeld(Call next) {
    if (!held_ || held_->empty()) return Status::Ok();
    const reduction::Event* const current = report_->current;
    const bool waits = reduction::Info(next).completes;
    int64_t begin_ns = -1;  // of the first send
    for (const HeldPosts::Turn& turn : held_->TakeAll()) {
      const Event& event = turn.post->event;
      report_->current = &event;
      report_->moved += turn.moved;
      if (options_.compute) pacer_.Compute(turn.post->compute_ns);
      if (waits && turn.start_ns > 0) {
        clock_.WaitUntil(begin_ns + turn.start_ns);
      } else if (begin_ns < 0 && event.call() != Call::MPI_Irecv_) {
        begin_ns = clock_.NowNs();
      }
      std::swap(operation_, turn.post->operation);
      path_.Call(event.site, &RankReplay::PerformHere, this);
      if (!result_.ok()) return Explain(result_, &event, turn.post->position);
      pacer_.CallReturned();
    }
    report_->current = current;
    return Status::Ok();
  }

  Status Explain(const Status& status, const Event* event = nullptr,
                 uint64_t position = 0) const {
    std::string text =
        "rank " + std::to_string(rank_) + ", event " +
        std::to_string(position > 0 ? position : report_->events);
    if (event != nullptr) {
      text += " (" + reduction::CanonicalText(*event) + ")";
    }
    return Status(status.code(), text + ": " + status.message());
  }

  const reduction::Trace& trace_;
  const int64_t rank_;
  const ReplayOptions& options_;
  Backend& backend_;
  Clock& clock_;
  Pacer pacer_;
  ComputeSampler sampler_;
  SitePath path_;
  Resolver resolver_;
  Matches matches_;
  const reduction::GraphEdges edges_;
  size_t aligned_ = 0;  // taken of the alignment
  Gaps gaps_;
  std::optional<TorusTuning> tuning_;
  std::optional<HeldPosts> held_;
  Operation operation_;
  Status result_;
  RankReport* report_;
};

}  // namespace

unsigned StallLimit_s(const reduction::Trace& trace,
                      const ReplayOptions& options) {
  constexpr double kShortest_s = 600, kLongest_s = 1e6, kTimesElapsed = 20;
  double slower = 1;
  if (options.compute) {
    for (const double factor : options.site_scale) {
      slower = std::max(slower, factor);
    }
    slower = std::max(1.0, slower * options.compute_scale);
  }
  const double elapsed_s = trace.meta.elapsed.max / 1e9;
  return static_cast<unsigned>(
      std::clamp(kTimesElapsed * elapsed_s * slower, kShortest_s, kLongest_s));
}

Status Replay(const reduction::Trace& trace, int64_t rank,
              const ReplayOptions& options, Backend& backend, Clock& clock,
              RankReport* report) {
  *report = RankReport{};
  const int64_t start_ns = clock.NowNs();
  Status status =
      RankReplay(trace, rank, options, backend, clock, report).Run();
  report->elapsed_ns = clock.NowNs() - start_ns;
  return status;
}

}  // namespace ranksight::replay_engine
