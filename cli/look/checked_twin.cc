#include "cli/look/checked_twin.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "cli/base/processor_time.h"
#include "cli/look/deadlock.h"
#include "online_model/api/copies.h"
#include "online_model/api/estimate_by_shape.h"

namespace ranksight::cli {
namespace {

using online_model::Extrapolation;
using online_model::ExtrapolationRequest;
using online_model::TwinMaker;
using online_model::TwinStep;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

const char* NameOf(TwinStep step) {
  switch (step) {
    case TwinStep::kEvaluating:
      return "evaluating laws on {} ranks";
    case TwinStep::kDrawing:
      return "drawing a twin of {} ranks";
    case TwinStep::kJoining:
      return "making one trace of {} ranks";
    case TwinStep::kComparing:
      return "comparing the messages of {} ranks";
  }
  return "";
}

// What stands against a trace.
struct Ends {
  Status status = Status::Ok();
  bool differs = false;  // its collectives do not go together
  bool strays = false;   // ranks call on communicators that they have not
};

// A trace whose ranks would wait for one another for ever is none, nor is one
// whose collectives do not go together. Sends that have to return early are as
// the program's own where it has them, too.
Ends CheckEnds(const Trace& twin, const Trace& like, Progress* progress) {
  const auto find = [&](const Trace& trace) {
    return FindDeadlock(
        trace, true, 1,
        TellTo(progress, fmt::format("checking that {} ranks get to their end",
                                     trace.meta.ranks)));
  };
  const auto found = find(twin);
  if (!found.ok()) return {.status = found.status(), .strays = true};
  if (!found->progress.mismatch.empty()) {
    return {Status::No("collectives would not go together: " +
                       found->progress.mismatch),
            true};
  }
  if (found->kind == Deadlock::Kind::kNone) return {};
  if (found->kind == Deadlock::Kind::kAlways) {
    return {Status::No("its ranks would wait for one another for ever")};
  }
  const auto own = find(like);
  if (own.ok() && own->kind != Deadlock::Kind::kNone) return {};
  return {Status::No(
      "its ranks would wait for one another for ever where MPI holds no sends "
      "back, which the program does not ask of it")};
}

// The run that was recorded on as many ranks as were copied.
const Trace& CopiedRun(std::span<const Trace> inputs, int64_t ranks) {
  return *std::ranges::find(inputs, ranks,
                            [](const Trace& t) { return t.meta.ranks; });
}

Result<Extrapolation> MakeCheckedCopies(std::span<const Trace> inputs,
                                        const ExtrapolationRequest& request,
                                        Progress* progress) {
  ExtrapolationRequest told = request;
  told.tell_share = TellTo(
      progress, fmt::format("copying a run for {} ranks", request.ranks));
  auto copies = online_model::MakeOfCopies(inputs, told);
  if (!copies.ok()) return copies;
  const Trace& like = CopiedRun(inputs, copies->report.copied_ranks);
  const Ends ends = CheckEnds(copies->trace, like, progress);
  return ends.status.ok() ? std::move(copies) : ends.status;
}

}  // namespace

Result<Extrapolation> MakeCheckedTwin(std::span<const Trace> inputs,
                                      const ExtrapolationRequest& asked,
                                      std::shared_ptr<TwinMaker>* maker,
                                      Progress* progress) {
  ExtrapolationRequest request = asked;
  if (progress != nullptr) {
    request.tell_share = TellTo(
        progress,
        fmt::format("finding laws for a twin of {} ranks", request.ranks));
    request.tell_twin = [progress, ranks = request.ranks](TwinStep step,
                                                          double share) {
      progress->Tell(fmt::format(fmt::runtime(NameOf(step)), ranks), share);
    };
  }
  auto found = TwinMaker::Of(inputs, request);
  if (!found.ok()) return found.status();
  *maker = std::make_shared<TwinMaker>(std::move(*found));
  auto twin = (*maker)->Make(request);
  if (!twin.ok()) return twin;
  const Trace& like = *std::ranges::max_element(
      inputs, {}, [](const Trace& t) { return t.meta.ranks; });
  Ends ends = CheckEnds(twin->trace, like, progress);
  if (ends.status.ok()) return twin;
  const Status first = ends.status;
  const auto is_one = [&] {
    if (!twin.ok()) return false;
    ends = CheckEnds(twin->trace, like, progress);
    return ends.status.ok();
  };
  if (ends.strays) {
    // Who calls on it by law need not be who is in it where that is drawn.
    (*maker)->LikenCallers();
    twin = (*maker)->Make(request);
    if (is_one()) return twin;
  }
  if (ends.differs) {
    // Laws of what is given and of what is taken need not go together.
    (*maker)->DrawCollectives();
    twin = (*maker)->Make(request);
    if (is_one()) return twin;
  }
  // A call that sends and receives may wait beside others that block.
  (*maker)->DrawTogether(true);
  twin = (*maker)->Make(request);
  if (is_one()) return twin;
  (*maker)->DrawTogether(false);
  // What blocks may wait for calls of parts of the ranks around it.
  (*maker)->SetApart(true);
  twin = (*maker)->Make(request);
  if (is_one()) return twin;
  (*maker)->SetApart(false);
  // What is drawn of the messages may wait for what has a law.
  (*maker)->DrawAllMessages();
  twin = (*maker)->Make(request);
  if (is_one()) return twin;
  (*maker)->SetApart(true);
  twin = (*maker)->Make(request);
  if (!is_one()) return first;
  return twin;
}

online_model::Stop StopAfter(double seconds) {
  return StopWhenTaken(
      seconds, fmt::format("the search for laws ended after {} s (--limit; 0 "
                           "for none)",
                           seconds));
}

Result<Extrapolation> ExtrapolateOrTwin(std::span<const Trace> inputs,
                                        ExtrapolationRequest request,
                                        double limit_seconds, std::string* hint,
                                        std::shared_ptr<TwinMaker>* maker,
                                        Progress* progress) {
  request.stop = StopAfter(limit_seconds);
  std::vector<std::vector<int64_t>> shapes;
  request.tell_shapes = [&shapes](const auto& told) {
    if (shapes.empty()) shapes = told;
  };
  // The laws that are found here hold on other grids, and for a twin, too.
  if (!request.searches) {
    request.searches = std::make_shared<online_model::LawSearches>();
  }
  auto made = online_model::Extrapolate(inputs, request);
  request.tell_shapes = {};
  if (made.status().code() != reduction::StatusCode::kNo) return made;
  if (!shapes.empty()) {
    auto estimate = online_model::EstimateByShape(inputs, request, shapes);
    if (estimate.ok()) return estimate;
  }
  request.stop = StopAfter(limit_seconds);
  auto twin = MakeCheckedTwin(inputs, request, maker, progress);
  // Laws for everything that are refused leave something open all the same.
  if (twin.ok() && twin->report.estimates.empty()) {
    const Status marked = online_model::MarkAllAsEstimated(&*twin);
    if (!marked.ok()) twin = marked;
  }
  if (twin.ok()) return twin;
  *hint = std::string(kNotEstimatedEither) + twin.status().message();
  if (*maker != nullptr && (*maker)->HasGridFor(request)) {
    auto copies = MakeCheckedCopies(inputs, request, progress);
    if (copies.ok()) {
      hint->clear();
      return copies;
    }
    *hint += "; nor copied: " + copies.status().message();
  }
  return made;
}

}  // namespace ranksight::cli
