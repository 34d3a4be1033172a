#include "online_model/synthesize/see_lines.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "reduction/api/communicators.h"

namespace ranksight::online_model {
namespace {

using reduction::Communicator;

// Communicators that share out the world: how many members each has, and how
// far they are apart. apart is 0 where each is a single rank.
struct Lines {
  int64_t members = 1, apart = 0;
  int64_t end() const { return members * apart; }
};

// The steps between the members, where these are all alike and a line begins
// there on a grid that has such ones; 0 for others.
int64_t StepsOf(std::vector<int64_t> members) {
  std::sort(members.begin(), members.end());
  const int64_t apart = members[1] - members[0];
  const int64_t count = int64_t(members.size());
  for (int64_t i = 1; i < count; ++i) {
    if (members[size_t(i)] - members[size_t(i) - 1] != apart) return 0;
  }
  return members[0] % (apart * count) < apart ? apart : 0;
}

// Nothing where they are no lines, or do not have each rank of the world once.
std::optional<Lines> LinesOf(const std::vector<const Communicator*>& made,
                             int64_t ranks) {
  Lines lines;
  lines.members = int64_t(made[0]->members.size());
  std::set<int64_t> seen;
  for (const Communicator* c : made) {
    if (c->is_inter || int64_t(c->members.size()) != lines.members) {
      return std::nullopt;
    }
    seen.insert(c->members.begin(), c->members.end());
    if (lines.members == 1) continue;
    const int64_t apart = StepsOf(c->members);
    if (apart == 0 || (lines.apart != 0 && lines.apart != apart)) {
      return std::nullopt;
    }
    lines.apart = apart;
  }
  const bool is_shared_out = int64_t(made.size()) * lines.members == ranks &&
                             int64_t(seen.size()) == ranks;
  return is_shared_out ? std::optional(lines) : std::nullopt;
}

// By generation.
using LinesOfRun = std::map<int64_t, Lines>;

LinesOfRun LinesIn(const reduction::Trace& trace) {
  LinesOfRun made;
  const auto communicators = reduction::Communicators::Find(trace);
  if (!communicators.ok()) return made;
  std::map<int64_t, std::vector<const Communicator*>> by_generation;
  for (const auto& c : communicators->all()) {
    if (!c->members.empty()) by_generation[c->generation].push_back(c.get());
  }
  for (const auto& [generation, of] : by_generation) {
    const auto lines = LinesOf(of, trace.meta.ranks);
    if (lines) made.emplace(generation, *lines);
  }
  return made;
}

// How far ranks are apart along each side of a grid, the last one first, and
// all of them: each divides the next.
using Steps = std::vector<int64_t>;

bool IsGrid(const Steps& steps) {
  for (size_t i = 1; i < steps.size(); ++i) {
    if (steps[i - 1] <= 0 || steps[i] % steps[i - 1] != 0) return false;
  }
  return true;
}

Steps StepsBetween(const LinesOfRun& made, int64_t ranks) {
  std::set<int64_t> steps{1, ranks};
  for (const auto& [generation, lines] : made) {
    if (lines.apart > 0) steps.insert({lines.apart, lines.end()});
  }
  return {steps.begin(), steps.end()};
}

// Along which sides lines are: those from one place of the steps to another.
using Along = std::map<int64_t, std::pair<size_t, size_t>>;

Along AlongOf(const LinesOfRun& made, const Steps& steps) {
  Along along;
  for (const auto& [generation, lines] : made) {
    const auto place = [&steps](int64_t apart) {
      const auto at = std::lower_bound(steps.begin(), steps.end(), apart);
      return size_t(at - steps.begin());
    };
    if (lines.apart == 0) continue;
    along[generation] = {place(lines.apart), place(lines.end())};
  }
  return along;
}

// The steps of a run whose lines are along these sides; empty where they are
// not, or leave some open.
Steps StepsOf(const LinesOfRun& made, const Along& along, size_t count,
              int64_t ranks) {
  Steps steps(count, 0);
  bool contradicts = false;
  const auto set = [&](size_t place, int64_t to) {
    contradicts = contradicts || (steps[place] != 0 && steps[place] != to);
    steps[place] = to;
  };
  set(0, 1);
  set(count - 1, ranks);
  for (const auto& [generation, places] : along) {
    const Lines& lines = made.at(generation);
    if (lines.apart == 0) continue;
    set(places.first, lines.apart);
    set(places.second, lines.end());
  }
  // A side of one rank ends where it begins.
  for (const auto& [generation, places] : along) {
    if (made.at(generation).apart != 0) continue;
    const int64_t begin = steps[places.first], end = steps[places.second];
    if (begin == 0 && end == 0) return {};
    set(begin == 0 ? places.first : places.second, begin == 0 ? end : begin);
    contradicts = contradicts || steps[places.first] != steps[places.second];
  }
  return contradicts || !IsGrid(steps) ? Steps() : steps;
}

}  // namespace

Shapes SeeLines(std::span<const reduction::Trace> traces) {
  std::vector<LinesOfRun> runs;
  for (const reduction::Trace& t : traces) runs.push_back(LinesIn(t));
  // Those that all runs have.
  for (LinesOfRun& made : runs) {
    std::erase_if(made, [&runs](const auto& lines) {
      return std::any_of(runs.begin(), runs.end(),
                         [&lines](const LinesOfRun& other) {
                           return !other.contains(lines.first);
                         });
    });
  }
  size_t most = 0;
  Along along;
  for (size_t i = 0; i < runs.size(); ++i) {
    const Steps steps = StepsBetween(runs[i], traces[i].meta.ranks);
    if (!IsGrid(steps)) return {};
    if (steps.size() <= most) continue;
    most = steps.size();
    along = AlongOf(runs[i], steps);
  }
  if (most < 3 || most > size_t(kMaxDims) + 1) return {};
  Shapes shapes;
  for (size_t i = 0; i < runs.size(); ++i) {
    const int64_t ranks = traces[i].meta.ranks;
    const Steps steps = StepsOf(runs[i], along, most, ranks);
    if (steps.empty()) return {};
    std::vector<int64_t>& dims = shapes[ranks];
    for (size_t k = most - 1; k > 0; --k) {
      dims.push_back(steps[k] / steps[k - 1]);
    }
  }
  return shapes;
}

}  // namespace ranksight::online_model
