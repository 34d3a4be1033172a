#include "replay_engine/progress/together.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/api/cursor.h"
#include "reduction/api/in_parallel.h"

namespace ranksight::replay_engine {

using reduction::Result;
using reduction::Status;

namespace {
// Often enough for a line that is drawn twice a second, seldom enough to cost
// nothing.
constexpr double kTellings = 256;
// So few that it is soon told how far it is.
constexpr int64_t kOpenedAtOnce = 256;
}  // namespace

Together::Together(const reduction::Trace& trace,
                   const reduction::Communicators& comms,
                   const ProgressOptions& options, size_t parts)
    : trace_(trace), comms_(comms), options_(options), parts_(parts) {}

Result<Progress> Together::Run() {
  if (parts_ > 1) {
    Result<Progress> found = RunIn(parts_);
    if (found.ok() && found->mismatch.empty() && !shared_->is_in_order) {
      return found;
    }
  }
  return RunIn(1);
}

Result<Progress> Together::RunIn(size_t parts) {
  RANKSIGHT_REQUIRE(parts >= 1);
  walkers_.clear();
  shared_ = std::make_unique<Walker::Shared>(trace_, comms_, options_, parts);
  for (size_t p = 0; p < parts; ++p) {
    walkers_.push_back(std::make_unique<Walker>(shared_.get(), p));
  }
  // Opening the ranks took from a twentieth to nine tenths of what was
  // measured, by how much ranks differ from one another: it counts as a third.
  uint64_t events = 0;
  if (options_.tell_share) events = reduction::CountEvents(trace_);
  const uint64_t opening = events / 2 + 1;
  all_ = events + opening;
  if (Status s = OpenRanks(opening); !s.ok()) return s;
  std::vector<Status> status(parts);
  if (!WalkAll(opening, &status)) shared_->is_in_order = true;
  for (const Status& s : status) {
    if (!s.ok()) return s;
  }
  return Report();
}

// Cursors need to know nothing of one another.
Status Together::OpenRanks(uint64_t opening) {
  const int64_t ranks = trace_.meta.ranks;
  // So many in parallel, and then how far it is.
  for (int64_t begin = 0; begin < ranks; begin += kOpenedAtOnce) {
    const int64_t end = std::min(begin + kOpenedAtOnce, ranks);
    std::vector<std::optional<Result<reduction::Cursor>>> cursors;
    cursors.resize(size_t(end - begin));
    reduction::InParallel(cursors.size(), [&](size_t i) {
      cursors[i] = reduction::Cursor::Open(trace_, begin + int64_t(i));
    });
    for (int64_t r = begin; r < end; ++r) {
      Result<reduction::Cursor>& cursor = *cursors[size_t(r - begin)];
      if (!cursor.ok()) return cursor.status();
      walkers_[shared_->PartOf(r)]->AddRank(std::move(*cursor));
    }
    Tell(double(opening) * double(end) / double(ranks));
  }
  return Status::Ok();
}

bool Together::WalkAll(uint64_t opening, std::vector<Status>* status) {
  std::vector<std::thread> others;
  bool all_started = true;
  try {
    for (size_t p = 1; p < walkers_.size(); ++p) {
      others.emplace_back(
          [this, status, p] { (*status)[p] = walkers_[p]->Run({}); });
    }
  } catch (const std::system_error&) {
    // A part without a thread would be waited for: all stop, and fewer parts
    // are tried.
    all_started = false;
    shared_->notes.Stop();
  }
  (*status)[0] = walkers_[0]->Run(
      [&] { Tell(double(opening) + double(shared_->walked)); });
  for (std::thread& other : others) other.join();
  return all_started;
}

void Together::Tell(double done) {
  const double all = double(all_);
  if (!options_.tell_share || (done < all && done - told_ <= all / kTellings)) {
    return;
  }
  told_ = done;
  options_.tell_share(std::min(1.0, done / all));
}

}  // namespace ranksight::replay_engine
