#include "tests/idioms/many_twins.h"

#include <set>
#include <string>
#include <vector>

#include "cli/look/deadlock.h"
#include "online_model/api/twin.h"
#include "tests/idioms/run.h"

namespace ranksight::idioms {
namespace {

using reduction::Trace;

// "" where it ends.
reduction::Result<std::string> WhyItStands(const Trace& twin) {
  const auto found = cli::FindDeadlock(twin, true, 1);
  if (!found.ok()) return found.status();
  if (!found->progress.mismatch.empty()) return found->progress.mismatch;
  if (found->kind != cli::Deadlock::Kind::kAlways) {
    return std::string();
  }
  std::string text = std::to_string(found->progress.standing) + " ranks stand";
  for (const auto& s : found->progress.chain) {
    text += "; rank " + std::to_string(s.rank) + " event " +
            std::to_string(s.event) + " " + s.call + " waits for " + s.why;
  }
  return text;
}

int64_t RanksOf(const Program& p, int which) {
  const int64_t most = p.inputs.back();
  if (which % 2 == 0) return p.targets[size_t(which / 2 % 2)];
  // Any count, each once before one comes again.
  return most + 1 + int64_t(which) * 7 % (3 * most);
}

Outcome OutcomeAt(const Program& p, int which, online_model::TwinMaker* maker) {
  online_model::ExtrapolationRequest request;
  request.ranks = RanksOf(p, which);
  request.seed = uint64_t(which) + 1;
  Outcome o;
  o.which.far = request.ranks > 2 * p.inputs.back();
  const auto twin = maker->Make(request);
  // As the command does, which refuses what cannot be checked.
  const auto why = twin.ok() ? WhyItStands(twin->trace) : twin.status();
  o.reason = why.ok() ? *why : why.status().message();
  o.verdict = !why.ok()          ? Verdict::kRefused
              : o.reason.empty() ? Verdict::kEstimated
                                 : Verdict::kWrong;
  if (!o.reason.empty()) {
    o.reason = std::to_string(request.ranks) + " ranks, twin of seed " +
               std::to_string(request.seed) + ": " + o.reason;
  }
  return o;
}

}  // namespace

void TryTwins(const Program& program, int count,
              const std::function<void(const Outcome&)>& tell) {
  std::vector<Trace> inputs;
  const std::set<int> sizes(program.inputs.begin() + 1, program.inputs.end());
  for (const int ranks : sizes) {
    const auto run = RunProgram(program, ranks, uint64_t(ranks));
    if (!run.ok()) return tell({{}, Verdict::kBroken, run.status().message()});
    inputs.push_back(*run);
  }
  auto maker = online_model::TwinMaker::Of(inputs);
  if (!maker.ok()) {
    return tell({{}, Verdict::kRefused, maker.status().message()});
  }
  for (int i = 0; i < count; ++i) tell(OutcomeAt(program, i, &*maker));
}

}  // namespace ranksight::idioms
