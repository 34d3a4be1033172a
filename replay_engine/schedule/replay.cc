#include "replay_engine/api/replay.h"

#include <utility>

#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"
#include "replay_engine/compute/pacer.h"
#include "replay_engine/compute/sampler.h"
#include "replay_engine/schedule/gaps.h"
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
        pacer_(clock),
        sampler_(options.seed, rank, trace.meta.ranks),
        path_(static_cast<uint32_t>(trace.sites.sites.size())),
        matches_(trace, rank),
        report_(report) {}

  Status Run() {
    reduction::Result<reduction::Cursor> cursor =
        reduction::Cursor::Open(trace_, rank_);
    if (!cursor.ok()) return cursor.status();
    bool finalized = false;
    while (!finalized && cursor->Next()) {
      ++report_->events;
      const Event& event = cursor->event();
      report_->current = &event;
      if (event.call() == Call::MPI_Init_) continue;
      if (options_.compute) Compute(*cursor);
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
  void Compute(const reduction::Cursor& cursor) {
    const uint32_t site = cursor.event().site;
    double ns = options_.compute_scale *
                sampler_.Draw(cursor.node().times, cursor.occurrence());
    if (site < options_.site_scale.size()) ns *= options_.site_scale[site];
    report_->compute_ns += static_cast<int64_t>(ns);
    pacer_.Compute(ns);
  }

  Status Perform(const Event& event) {
    if (event.call() == Call::MPI_Abort_) {
      ++report_->aborts;
      return Status::Ok();
    }
    if (Status s = resolver_.Resolve(event, &operation_); !s.ok()) {
      return Explain(s, &event);
    }
    if (!options_.wildcards) matches_.Resolve(&operation_);
    if (gaps_.PassesOver(operation_)) return Status::Ok();
    path_.Call(event.site, &RankReplay::PerformHere, this);
    return result_.ok() ? Status::Ok() : Explain(result_, &event);
  }

  static void PerformHere(void* self) {
    auto* replay = static_cast<RankReplay*>(self);
    replay->result_ = replay->backend_.Perform(replay->operation_);
  }

  Status Explain(const Status& status, const Event* event = nullptr) const {
    std::string text = "rank " + std::to_string(rank_) + ", event " +
                       std::to_string(report_->events);
    if (event != nullptr) {
      text += " (" + reduction::CanonicalText(*event) + ")";
    }
    return Status(status.code(), text + ": " + status.message());
  }

  const reduction::Trace& trace_;
  const int64_t rank_;
  const ReplayOptions& options_;
  Backend& backend_;
  Pacer pacer_;
  ComputeSampler sampler_;
  SitePath path_;
  Resolver resolver_;
  Matches matches_;
  Gaps gaps_;
  Operation operation_;
  Status result_;
  RankReport* report_;
};

}  // namespace

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
