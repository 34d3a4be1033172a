#include "tests/idioms/judge.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/look/checked_twin.h"
#include "cli/look/compare.h"
#include "online_model/api/extrapolate.h"
#include "online_model/api/setting.h"
#include "online_model/api/twin.h"
#include "tests/idioms/likeness.h"
#include "tests/idioms/run.h"

namespace ranksight::idioms {
namespace {

using reduction::Result;
using reduction::Trace;

std::vector<int> InputsOf(const Program& p, int count) {
  std::vector<int> sizes(p.inputs.end() - count, p.inputs.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

Outcome Compared(const Trace& found, const Trace& real) {
  Outcome o;
  auto same = cli::Compare(found, real, "found", "real");
  // As `diff` says it: which calls a rank completes its requests with is no
  // difference.
  if (same.ok() && !same->identical) {
    (void)cli::CompareMeaning(found, real, &*same);
  }
  if (!same.ok()) {
    o.verdict = Verdict::kWrong;
    o.reason = same.status().message();
  } else if (same->identical || same->in_meaning) {
    o.verdict = Verdict::kExact;
  } else {
    o.verdict = Verdict::kWrong;
    o.reason = "rank " + std::to_string(same->rank) + " call " +
               std::to_string(same->position) + ": " + same->line_a +
               " instead of " + same->line_b;
  }
  return o;
}

// How far off stands first, for the table.
Outcome Estimated(const Trace& twin, const Trace& real) {
  Outcome o;
  o.verdict = Verdict::kEstimated;
  const Likeness off = LikenessOf(twin, real);
  char text[100];
  const Inside inside = InsideOf(twin, real);
  std::snprintf(text, sizeof text, kOffForm, off.messages, off.bytes,
                off.partners, inside.messages, inside.bytes, inside.partners,
                inside.sites);
  o.reason = text;
  return o;
}

// "48 ranks would be 12x4 or 8x6: --dims says which": those of the request.
std::vector<std::vector<int64_t>> GridsAsked(const std::string& refusal,
                                             int64_t ranks) {
  std::vector<std::vector<int64_t>> grids;
  const std::string before = std::to_string(ranks) + " ranks would be ";
  const size_t from = refusal.find(before);
  if (from == std::string::npos ||
      refusal.find("--dims says which") == std::string::npos) {
    return grids;
  }
  std::istringstream rest(refusal.substr(from + before.size()));
  for (std::string word; rest >> word;) {
    if (word == "or") continue;
    std::vector<int64_t>& dims = grids.emplace_back();
    std::istringstream sides(word);
    for (std::string side; std::getline(sides, side, 'x');) {
      dims.push_back(std::strtoll(side.c_str(), nullptr, 10));
    }
    if (word.back() == ':') break;
  }
  return grids;
}

// "a run of 24 ranks may tell": 0 where no size is named.
int RunAsked(const std::string& refusal) {
  int ranks = 0;
  for (size_t at = 0; (at = refusal.find("a run of ", at)) != std::string::npos;
       ++at) {
    int n = 0;
    const bool names =
        std::sscanf(refusal.c_str() + at, "a run of %d ranks may tell", &n);
    if (names && n > 0) ranks = n;
  }
  return ranks;
}

// One trace on so many ranks.
using Recorder = std::function<const Result<Trace>&(int ranks)>;

// What comes of it where the user tells what a refusal asks for: which of the
// grids it is, or what happens at another size. Nothing where it asks nothing.
std::string OnceTold(const std::vector<Trace>& inputs, const Trace& real,
                     const std::string& refusal, const Recorder& record) {
  online_model::ExtrapolationRequest request;
  request.ranks = real.meta.ranks;
  const auto grids = GridsAsked(refusal, request.ranks);
  for (const auto& dims : grids) {
    request.dims = dims;
    const auto made = online_model::Extrapolate(inputs, request);
    const bool exact =
        made.ok() && Compared(made->trace, real).verdict == Verdict::kExact;
    if (exact) return std::string(kToldDims) + "exact; ";
  }
  if (!grids.empty()) return std::string(kToldDims) + "not; ";
  const int ranks = RunAsked(refusal);
  if (ranks == 0) return "";
  std::vector<Trace> more = inputs;
  const auto& run = record(ranks);
  if (!run.ok()) return "";
  more.push_back(*run);
  request.dims.clear();
  const auto made = online_model::Extrapolate(more, request);
  if (!made.ok()) return std::string(kToldRun) + "not; ";
  return std::string(kToldRun) + NameOf(Compared(made->trace, real).verdict) +
         "; ";
}

Outcome Extrapolated(const std::vector<Trace>& inputs, const Trace& real,
                     bool makes_twin) {
  online_model::ExtrapolationRequest request;
  request.ranks = real.meta.ranks;
  std::string hint;
  std::shared_ptr<online_model::TwinMaker> maker;
  const auto made =
      makes_twin ? cli::ExtrapolateOrTwin(inputs, request, 0, &hint, &maker)
                 : online_model::Extrapolate(inputs, request);
  if (!made.ok()) {
    Outcome refused;
    refused.verdict = Verdict::kRefused;
    refused.reason = made.status().message() + hint;
    return refused;
  }
  const bool is_twin =
      made->report.held_out_events == 0 && !made->report.by_held_out;
  if (is_twin) return Estimated(made->trace, real);
  if (made->report.estimates.empty()) return Compared(made->trace, real);
  // Intervals as wide as what they are of would hold anything.
  Outcome o = Estimated(made->trace, real);
  o.reason = "on the likelier grid, " + o.reason;
  return o;
}

// Of a setting: the values that are recorded, and the one asked for.
constexpr char kSetting[] = "size";
constexpr std::array kValues = {2, 3, 5};
constexpr int kWanted = 8;

// A run: the value of the setting, and the ranks.
using RunKey = std::pair<int, int>;

std::vector<RunKey> InputRunsOf(const Program& p, const Case& which) {
  std::vector<RunKey> keys;
  for (const int ranks : InputsOf(p, which.inputs)) {
    if (!which.setting) keys.emplace_back(1, ranks);
    for (const int value : kValues) {
      if (which.setting) keys.emplace_back(value, ranks);
    }
  }
  return keys;
}

RunKey TargetOf(const Program& p, const Case& which) {
  return {which.setting ? kWanted : 1, p.targets[which.far ? 1 : 0]};
}

// The traces of one program, made when they are asked for first.
class Runs {
 public:
  explicit Runs(const Program& program) : program_(program) {}
  const Result<Trace>& On(const RunKey& key) {
    const auto at = made_.find(key);
    if (at != made_.end()) return at->second;
    const auto& [value, ranks] = key;
    auto trace = RunProgram(AtSetting(program_, value), ranks, uint64_t(ranks));
    if (trace.ok()) trace->meta.params[kSetting] = std::to_string(value);
    return made_.emplace(key, std::move(trace)).first->second;
  }
  void Prepare(const Case& which) {
    for (const RunKey& key : InputRunsOf(program_, which)) (void)On(key);
    (void)On(TargetOf(program_, which));
  }

 private:
  const Program& program_;
  std::map<RunKey, Result<Trace>> made_;
};

Outcome OutcomeOf(const Program& p, const Case& which, Runs* runs) {
  std::vector<Trace> inputs;
  Outcome broken;
  for (const RunKey& key : InputRunsOf(p, which)) {
    const auto& run = runs->On(key);
    if (!run.ok()) broken.reason = run.status().message();
    if (run.ok()) inputs.push_back(*run);
  }
  const auto& real = runs->On(TargetOf(p, which));
  if (!real.ok()) broken.reason = real.status().message();
  if (!broken.reason.empty()) return broken;
  if (!which.setting) {
    Outcome o = Extrapolated(inputs, *real, which.twin);
    if (which.told && o.verdict == Verdict::kRefused) {
      o.reason = OnceTold(inputs, *real, o.reason,
                          [runs](int ranks) -> const Result<Trace>& {
                            return runs->On({1, ranks});
                          }) +
                 o.reason;
    }
    return o;
  }
  auto there = online_model::RunsAtSetting(inputs, {kSetting, kWanted});
  if (there.ok()) {
    online_model::ExtrapolationRequest request;
    request.ranks = real->meta.ranks;
    const auto exact = online_model::ExtrapolateFrom(*there, request);
    if (exact.ok()) return Compared(exact->trace, *real);
    return Extrapolated(there->runs, *real, which.twin);
  }
  Outcome refused;
  refused.verdict = Verdict::kRefused;
  refused.reason = there.status().message();
  return refused;
}

std::string ReadAll(int from) {
  std::string all;
  char part[4096];
  for (ssize_t n; (n = read(from, part, sizeof part)) > 0;) {
    all.append(part, size_t(n));
  }
  close(from);
  return all;
}

void WriteAll(int to, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(to, text.data() + done, text.size() - done);
    if (n <= 0) return;
    done += size_t(n);
  }
}

Outcome OutcomeOfEnd(int status, const std::string& said) {
  Outcome o;
  if (WIFEXITED(status) && !said.empty()) {
    o.verdict = Verdict(said[0] - '0');
    o.reason = said.substr(1);
  } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    o.verdict = Verdict::kTooLong;
    o.reason = "no answer within the limit";
  } else {
    o.reason = "ended by signal " + std::to_string(WTERMSIG(status));
  }
  return o;
}

// Of processor time, so that a busy machine changes no verdict.
void LimitTime(int limit_s) {
  const rlimit limit{rlim_t(limit_s), rlim_t(limit_s) + 1};
  setrlimit(RLIMIT_CPU, &limit);
}

Outcome InProcessOfItsOwn(int limit_s, const std::function<Outcome()>& find) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    LimitTime(limit_s);
    const Outcome o = find();
    WriteAll(ends[1], std::to_string(int(o.verdict)) + o.reason);
    _exit(0);
  }
  close(ends[1]);
  const std::string said = ReadAll(ends[0]);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  Outcome o = OutcomeOfEnd(status, said);
  o.took_ms = int(used.ru_utime.tv_sec * 1000 + used.ru_utime.tv_usec / 1000);
  return o;
}

}  // namespace

const char* NameOf(Verdict verdict) {
  constexpr const char* kNames[kVerdicts] = {"exact", "estimated", "refused",
                                             "wrong", "too long",  "broken"};
  return kNames[size_t(verdict)];
}

std::vector<Case> AllCases(int only_inputs) {
  std::vector<Case> cases;
  for (int inputs = 3; inputs <= 5; ++inputs) {
    if (only_inputs != 0 && only_inputs != inputs) continue;
    for (const bool far : {false, true}) cases.push_back({inputs, far});
  }
  return cases;
}

void Judge(const Program& program, const std::vector<Case>& cases, int limit_s,
           const std::function<void(const Outcome&)>& tell) {
  Runs runs(program);
  for (const Case& which : cases) {
    // Here, so that the next case has them, too.
    runs.Prepare(which);
    Outcome o = InProcessOfItsOwn(
        limit_s, [&] { return OutcomeOf(program, which, &runs); });
    o.which = which;
    tell(o);
  }
}

}  // namespace ranksight::idioms
