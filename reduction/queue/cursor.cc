#include "reduction/api/cursor.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/comm_sizes.h"
#include "reduction/api/contract.h"
#include "reduction/api/distribution.h"
#include "reduction/base/saturating.h"
#include "reduction/queue/event_values.h"
#include "reduction/section/prefix.h"

namespace ranksight::reduction {
namespace {

// One node of the tree as one rank sees it.
struct Walk {
  const Node* node = nullptr;
  size_t place = 0;
  Section trips_section;
  RunValues trips{&trips_section};
  std::vector<Section> param_sections;
  EventValues values;
  uint64_t occurrences = 0;
  std::vector<Walk> children;
};

void Bind(Walk* walk) {
  walk->trips = RunValues(&walk->trips_section);
  if (walk->node->is_event()) {
    walk->values.Begin(walk->node, walk->param_sections);
  }
  for (Walk& child : walk->children) Bind(&child);
}

// Events in the first so many runs of an event, or iterations of a loop.
uint64_t EventsIn(const Walk& walk, uint64_t runs) {
  if (walk.node->is_event()) return runs;
  uint64_t events = 0;
  for (const Walk& child : walk.children) {
    AddSaturating(EventsIn(child, SumOfFirst(child.trips_section, runs)),
                  &events);
  }
  return events;
}

uint64_t EventsBetween(const Walk& walk, uint64_t first, uint64_t last) {
  return EventsIn(walk, last) - EventsIn(walk, first);
}

// From the root to the loop, both included; false where it is not there.
bool FindPath(const Walk& from, const Node& loop,
              std::vector<const Walk*>* path) {
  path->push_back(&from);
  if (from.node == &loop) return true;
  for (const Walk& child : from.children) {
    if (FindPath(child, loop, path)) return true;
  }
  path->pop_back();
  return false;
}

// Passes over so many runs or iterations.
void Pass(uint64_t runs, Walk* walk) {
  walk->occurrences = runs;
  const auto params = Info(walk->node->call).params;
  std::vector<Section> rest;
  for (size_t i = 0; i < walk->param_sections.size(); ++i) {
    // An array has as many values as its lengths add up to.
    const uint64_t values =
        IsArray(params[i])
            ? SumOfFirst(walk->param_sections[LengthPlace(walk->node->call, i)],
                         runs)
            : runs;
    rest.push_back(DropFirst(walk->param_sections[i], values));
  }
  walk->param_sections = std::move(rest);
  for (Walk& child : walk->children) {
    // A child has run as often as its trips in these iterations say.
    Pass(SumOfFirst(child.trips_section, runs), &child);
    child.trips_section = DropFirst(child.trips_section, runs);
  }
}

// Calls that make communicators beyond these no program makes; they keep a
// damaged trace from taking memory.
constexpr int kMostMakers = 1 << 22;

using Wanted = bool(Call);

// Nodes the rank never reaches are left out, and where only some calls are
// wanted all others and what they leave empty. nodes: those before it.
Walk Build(const Node& node, int64_t rank, Wanted* wanted, size_t* nodes) {
  Walk walk;
  walk.node = &node;
  walk.place = (*nodes)++;
  walk.trips_section = node.trips.At(rank);
  for (const Parameter& p : node.params) {
    walk.param_sections.push_back(p.At(rank));
  }
  for (const Node& child : node.children) {
    const bool is_event = child.is_event();
    if (!child.trips.Has(rank) ||
        (is_event && wanted != nullptr && !wanted(child.call))) {
      continue;
    }
    walk.children.push_back(Build(child, rank, wanted, nodes));
    // A loop that none of the wanted calls is in has nothing to walk.
    const bool is_empty = walk.children.back().children.empty();
    if (!is_event && wanted != nullptr && is_empty) walk.children.pop_back();
  }
  return walk;
}

}  // namespace

struct Cursor::Impl {
  // A loop being walked: the child at hand and how often it is still to run.
  struct Level {
    Walk* loop;
    size_t child;
    uint64_t child_left;       // runs left of the child at hand
    uint64_t iterations_left;  // of the loop, this one not counted
    uint64_t iteration = 0;    // of the loop
    uint64_t child_runs = 0;   // of the child at hand, in this iteration
  };

  Impl(const Trace& t, int64_t r, Wanted* wanted) : trace(&t), rank(r) {
    size_t nodes = 0;
    root = Build(t.root, r, wanted, &nodes);
    Bind(&root);
    levels.push_back({&root, 0, 0, 0});
  }

  bool Load(Walk* walk);
  int64_t SizeOf(int64_t comm);
  Walk* NextWalk();
  void Skip(Walk* loop, uint64_t first, uint64_t iterations, uint64_t events);

  const Trace* trace;
  int64_t rank;
  Walk root;
  std::vector<Level> levels;
  EventValues::Space space;
  const Event* event = &space.wide;
  Walk* at = nullptr;
  std::optional<CommSizes> sizes;  // once any event asked for one
  Predecessor after = kNoPredecessor;
  uint64_t round = 0;
  Status status;
};

namespace {

Status CheckWalk(const Trace& trace, int64_t rank, Missing missing) {
  if (rank < 0 || rank >= trace.meta.ranks) {
    return Status::Usage("rank " + std::to_string(rank) +
                         " is not in a trace of " +
                         std::to_string(trace.meta.ranks) + " ranks");
  }
  return missing == Missing::kRefused ? RequireValues(trace) : Status::Ok();
}

bool MakesComm(Call call) { return Info(call).makes_comm; }

}  // namespace

Result<Cursor> Cursor::OpenMakers(const Trace& trace, int64_t rank) {
  const Status walks = CheckWalk(trace, rank, Missing::kRefused);
  if (!walks.ok()) return walks;
  return Cursor(std::make_unique<Impl>(trace, rank, MakesComm));
}

Result<Cursor> Cursor::Open(const Trace& trace, int64_t rank, Missing missing) {
  const Status walks = CheckWalk(trace, rank, missing);
  if (!walks.ok()) return walks;
  auto impl = std::make_unique<Impl>(trace, rank, nullptr);
  return Cursor(std::move(impl));
}

Cursor::Cursor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Cursor::~Cursor() = default;
Cursor::Cursor(Cursor&&) noexcept = default;
Cursor& Cursor::operator=(Cursor&&) noexcept = default;

// The next event node to run, or nullptr at the end. A level's child index
// counts from 1 while that child is at hand.
Walk* Cursor::Impl::NextWalk() {
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.child_left > 0) {
      Walk* walk = &level.loop->children[level.child - 1];
      if (walk->node->is_event()) {
        round = level.child_runs > 1 ? level.child_runs - level.child_left
                                     : level.iteration;
        --level.child_left;
        return walk;
      }
      // One level for all iterations of this visit.
      const uint64_t iterations = level.child_left;
      level.child_left = 0;
      if (!walk->children.empty()) {
        levels.push_back({walk, 0, 0, iterations - 1});
      }
      continue;
    }
    if (level.child < level.loop->children.size()) {
      Walk& next = level.loop->children[level.child++];
      if (next.trips.left() == 0) {
        status = Status::BadInput("trip counts end early on rank " +
                                  std::to_string(rank));
        return nullptr;
      }
      const int64_t runs = next.trips.Next();
      if (runs < 0) {
        status = Status::BadInput("a trip count is negative on rank " +
                                  std::to_string(rank));
        return nullptr;
      }
      level.child_left = level.child_runs = uint64_t(runs);
      continue;
    }
    if (level.iterations_left == 0 || level.loop->children.empty()) {
      levels.pop_back();
      continue;
    }
    // All children are done: the next iteration begins with the first.
    --level.iterations_left;
    ++level.iteration;
    level.child = 0;
  }
  return nullptr;
}

int64_t Cursor::Impl::SizeOf(int64_t comm) {
  if (comm == 0) return trace->meta.ranks;
  if (!sizes) sizes = CommSizes::Find(*trace, rank);
  return sizes->Of(comm);
}

bool Cursor::Impl::Load(Walk* walk) {
  if (at != nullptr) after = at->node->site;
  size_t parameter = 0;
  Event* const next = walk->values.Next(&space, &parameter);
  if (next == nullptr) {
    const CallInfo& info = Info(walk->node->call);
    status = Status::BadInput(std::string(info.name) + ": parameter " +
                              std::string(ParamWords(info.params[parameter])) +
                              " ends early on rank " + std::to_string(rank));
    return false;
  }
  // Bytes of such a call are known with the size of its communicator only.
  if (GivesShares(next->call())) {
    next->comm_size = SizeOf(next->Get(Param::kComm, kNone));
  }
  ++walk->occurrences;
  event = next;
  at = walk;
  return true;
}

// Into iterations first, first + 1, ... of the loop, past so many events of
// them, which have at least as many.
void Cursor::Impl::Skip(Walk* loop, uint64_t first, uint64_t iterations,
                        uint64_t events) {
  // The last iteration that does not begin behind them.
  uint64_t low = 0, high = iterations - 1;
  while (low < high) {
    const uint64_t middle = low + (high - low + 1) / 2;
    if (EventsBetween(*loop, first, first + middle) <= events) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const uint64_t at_iteration = first + low;
  events -= EventsBetween(*loop, first, at_iteration);
  levels.push_back({loop, 0, 0, iterations - 1 - low, low, 0});
  const size_t depth = levels.size() - 1;
  for (Walk& child : loop->children) {
    const uint64_t before = SumOfFirst(child.trips_section, at_iteration);
    const uint64_t after = SumOfFirst(child.trips_section, at_iteration + 1);
    const uint64_t inside = EventsBetween(child, before, after);
    const bool is_behind =
        levels[depth].child_left > 0 || levels.size() > depth + 1;
    if (is_behind || events >= inside) {
      const uint64_t passed = is_behind ? before : after;
      const uint64_t rounds = at_iteration + (is_behind ? 0 : 1);
      if (!is_behind) {
        events -= inside;
        ++levels[depth].child;
      }
      Pass(passed, &child);
      child.trips_section = DropFirst(child.trips_section, rounds);
      continue;
    }
    ++levels[depth].child;
    levels[depth].child_runs = after - before;
    if (child.node->is_event()) {
      levels[depth].child_left = after - before - events;
      Pass(before + events, &child);
    } else {
      Skip(&child, before, after - before, events);
    }
    child.trips_section = DropFirst(child.trips_section, at_iteration + 1);
  }
}

void Cursor::Skip(uint64_t events) {
  if (events == 0) return;
  impl_->levels.clear();
  if (events >= EventsIn(impl_->root, 1)) return;
  impl_->Skip(&impl_->root, 0, 1, events);
  Bind(&impl_->root);
}

std::optional<Cursor::Stretch> Cursor::FindIteration(const Node& loop,
                                                     uint64_t iteration) const {
  std::vector<const Walk*> path;
  if (!FindPath(impl_->root, loop, &path)) return std::nullopt;
  Stretch found;
  found.events = EventsBetween(*path.back(), iteration, iteration + 1);
  // Outwards: what its iteration has before it, then which iteration of the
  // loop around that is.
  for (; path.size() > 1; path.pop_back()) {
    const Walk* const inner = path.back();
    const Walk& outer = *path[path.size() - 2];
    const uint64_t around = PlaceOfSum(inner->trips_section, iteration);
    if (around == inner->trips_section.size()) return std::nullopt;
    for (const Walk& child : outer.children) {
      const uint64_t first = SumOfFirst(child.trips_section, around);
      if (&child == inner) {
        found.before += EventsBetween(child, first, iteration);
        break;
      }
      found.before += EventsBetween(
          child, first, SumOfFirst(child.trips_section, around + 1));
    }
    iteration = around;
  }
  return iteration == 0 ? std::optional(found) : std::nullopt;
}

bool Cursor::Next() {
  if (!impl_->status.ok()) return false;
  Walk* walk = impl_->NextWalk();
  return walk != nullptr && impl_->Load(walk);
}

CommSizes CommSizes::Find(const Trace& trace, int64_t rank) {
  RANKSIGHT_REQUIRE(rank >= 0);
  CommSizes sizes(trace.meta.ranks);
  Cursor::Impl makers(trace, rank, MakesComm);
  for (int made = 0; made < kMostMakers; ++made) {
    Walk* const walk = makers.NextWalk();
    if (walk == nullptr || !makers.Load(walk)) break;
    sizes.Add(makers.event->Get(Param::kCommSize));
  }
  return sizes;
}

int64_t CommSizes::Of(int64_t number) const {
  if (number == 0) return ranks_;
  if (number == 1) return 1;
  const bool is_known = number >= 2 && uint64_t(number) - 2 < obtained_.size();
  return is_known ? obtained_[size_t(number - 2)] : kNotKept;
}

const Event& Cursor::event() const { return *impl_->event; }
const Node& Cursor::node() const { return *impl_->at->node; }
uint64_t Cursor::occurrence() const { return impl_->at->occurrences - 1; }
size_t Cursor::place() const { return impl_->at->place; }
Predecessor Cursor::after() const { return impl_->after; }
uint64_t Cursor::round() const { return impl_->round; }
const Status& Cursor::status() const { return impl_->status; }

}  // namespace ranksight::reduction
