#include "online_model/daemon/walks.h"

#include <sys/resource.h>
#include <time.h>

#include <chrono>
#include <utility>

#include "online_model/forecast/point.h"

namespace ranksight::online_model {
namespace {

// Of the thread's own time. Walks of small programs take milliseconds; those
// that would take longer are `ranksight forecast`'s to make.
constexpr double kMostSeconds = 20;
// Rank counts kept of a group.
constexpr size_t kMostKept = 512;
// Half of the second within which what is new is to be seen.
constexpr std::chrono::milliseconds kTellEvery{500};
constexpr char kAddedUp[] = "laws added up: ";
constexpr char kOutOfTime[] =
    "the walk takes too long here; `ranksight forecast` makes it";
// Of a core that somebody else wants, a tenth: with the least there is (19)
// walks of a second took minutes on a machine that was busy for long.
constexpr int kLowPriority = 10;

double ThreadSeconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

bool IsOutOfTime(double spent_seconds, size_t answers) {
  return spent_seconds > kMostSeconds || answers >= kMostKept;
}

// Not what is refused already: too far, or a run that cannot be walked, or
// where there are no laws yet.
bool MayBeWalked(const Forecast& laws, const ForecastPoint& point) {
  return !IsTooFar(point.ranks, laws.measured) && point.basis.empty();
}

}  // namespace

Walks::Walks(Load load, std::function<void()> changed, WalkOptions options,
             bool yields)
    : load_(std::move(load)),
      changed_(std::move(changed)),
      options_(std::move(options)),
      yields_(yields),
      thread_([this] { Run(); }) {}

Walks::~Walks() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

const ForecastPoint* Walks::FindKnown(const Group& group, int64_t ranks) {
  const auto at = group.answers.find(ranks);
  return at != group.answers.end() ? &at->second : nullptr;
}

const ForecastPoint* Walks::Find(Group* group, int64_t ranks) {
  const ForecastPoint* known = FindKnown(*group, ranks);
  if (known != nullptr) return known;
  if (!IsOutOfTime(group->spent_seconds, group->answers.size())) {
    group->wanted.insert(ranks);
  }
  return nullptr;
}

void Walks::Put(Group* group, const std::vector<RunUnderWay>& under_way,
                ForecastPoint* point) {
  if (!MayBeWalked(group->laws, *point)) return;
  const ForecastPoint* answer = Find(group, point->ranks);
  if (answer == nullptr) {
    point->basis = group->wanted.contains(point->ranks)
                       ? kBeingWalked
                       : std::string(kAddedUp) + kOutOfTime;
    return;
  }
  point->basis = answer->basis;
  if (!answer->walked) return;
  *point = *answer;
  const auto seconds_at = [group](int64_t ranks) {
    const ForecastPoint* a = Find(group, ranks);
    return a != nullptr && a->walked ? a->seconds : 0;
  };
  MoveByRunsUnderWay(under_way, seconds_at, point);
}

void Walks::Join(const RunGroup& about, Forecast* f) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    Group& group = groups_[about.id];
    if (!group.about.HasRunsOf(about)) {
      group = Group();
      group.about = about;
      group.laws = *f;
    }
    for (ForecastPoint& p : f->points) Put(&group, f->under_way, &p);
    SetMeasured(group.measured, f);
    StateGain(f);
    f->walking = !group.wanted.empty();
    if (f->walking) f->walks = ProgressOf(group);
  }
  wake_.notify_one();
}

WalkProgress Walks::ProgressOf(const Group& group) const {
  WalkProgress p;
  p.waits_for_core = waits_for_core_;
  for (const auto& [ranks, answer] : group.answers) p.walked += answer.walked;
  p.all = p.walked + int64_t(group.wanted.size());
  // A walk takes about as long as it has ranks.
  for (const int64_t ranks : group.wanted) {
    p.left_seconds += group.seconds_a_rank * double(ranks);
  }
  return p;
}

const Walks::Group* Walks::Having(const RunGroup& about) const {
  const auto at = groups_.find(about.id);
  const bool is_here = at != groups_.end() && at->second.about.HasRunsOf(about);
  return is_here ? &at->second : nullptr;
}

Walks::Group* Walks::Having(const RunGroup& about) {
  return const_cast<Group*>(std::as_const(*this).Having(about));
}

size_t Walks::Known(const RunGroup& about) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Group* group = Having(about);
  return group == nullptr ? 0 : group->answers.size() + group->measured.size();
}

void Walks::KeepOnly(const std::set<std::string>& groups) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::erase_if(groups_, [&](const auto& group) {
      return !groups.contains(group.first);
    });
  }
  done_.notify_all();  // nothing may be left to walk
}

void Walks::JoinKnown(const RunGroup& about, Forecast* f) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Group* group = Having(about);
  if (group == nullptr) return;
  for (ForecastPoint& point : f->points) {
    const ForecastPoint* answer = FindKnown(*group, point.ranks);
    if (answer == nullptr || !answer->walked ||
        !MayBeWalked(group->laws, point)) {
      continue;
    }
    point = *answer;
    const auto seconds_at = [group](int64_t ranks) {
      const ForecastPoint* a = FindKnown(*group, ranks);
      return a != nullptr && a->walked ? a->seconds : 0;
    };
    MoveByRunsUnderWay(f->under_way, seconds_at, &point);
  }
  SetMeasured(group->measured, f);
  StateGain(f);
}

bool Walks::Wait(int timeout_ms) {
  std::unique_lock<std::mutex> lock(mutex_);
  return done_.wait_for(lock, std::chrono::milliseconds(timeout_ms), [this] {
    if (working_) return false;
    for (const auto& [id, group] : groups_) {
      if (!group.wanted.empty()) return false;
    }
    return true;
  });
}

void Walks::Run() {
  // Of this thread alone; that it fails changes nothing.
  if (yields_) (void)::setpriority(PRIO_PROCESS, 0, kLowPriority);
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ending_) {
    std::string next;
    for (const auto& [id, group] : groups_) {
      if (!group.wanted.empty()) next = id;
    }
    if (next.empty()) {
      wake_.wait(lock);
      continue;
    }
    working_ = true;
    lock.unlock();
    Work(next);
    lock.lock();
    working_ = false;
    done_.notify_all();
  }
}

int64_t Walks::Next(const RunGroup& about) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Group* group = Having(about);
  if (ending_ || group == nullptr) return 0;
  if (IsOutOfTime(group->spent_seconds, group->answers.size())) {
    group->wanted.clear();
  }
  return group->wanted.empty() ? 0 : *group->wanted.begin();
}

void Walks::Keep(const RunGroup& about, int64_t ranks, double seconds,
                 double took, ForecastPoint answer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Group* group = Having(about);
  if (group == nullptr) return;  // a run was stored or removed meanwhile
  group->spent_seconds += seconds;
  // What the last one took: those before it may have been of another kind.
  if (answer.walked) group->seconds_a_rank = took / double(ranks);
  group->wanted.erase(ranks);
  group->answers[ranks] = std::move(answer);
}

void Walks::KeepMeasured(const RunGroup& about) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Group* group = Having(about);
    if (group == nullptr || !group->measured.empty()) return;
  }
  auto measured = joined_->Measured();
  const std::lock_guard<std::mutex> lock(mutex_);
  Group* group = Having(about);
  if (group != nullptr) group->measured = std::move(measured);
}

void Walks::Prepare(const RunGroup& about, const Forecast& laws) {
  if (fitted_to_.HasRunsOf(about)) return;
  joined_.reset();
  fitted_to_ = about;
  auto traces = load_(about);
  loaded_ = traces.status();
  if (traces.ok()) {
    WalkOptions options = options_;
    if (AnySharedCores(*traces)) {
      options.links = nullptr;
    } else {
      options.network.reset();
    }
    joined_.emplace(std::move(traces).value(), laws.drift, options);
  }
}

void Walks::TellOfCores(bool waits) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (waits == waits_for_core_) return;
    waits_for_core_ = waits;
  }
  changed_();
}

reduction::Status Walks::GoesOn(const std::string& id, double seconds) {
  TellOfCores(core_wait_.Waits());
  const std::lock_guard<std::mutex> lock(mutex_);
  if (ending_) return reduction::Status::No("the side-car ends");
  const auto group = groups_.find(id);
  if (group == groups_.end()) return reduction::Status::No("no run is left");
  if (group->second.spent_seconds + seconds <= kMostSeconds) return {};
  return reduction::Status::No(kOutOfTime);
}

void Walks::Work(const std::string& id) {
  RunGroup about;
  Forecast laws;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto group = groups_.find(id);
    if (group == groups_.end()) return;  // removed since it was chosen
    about = group->second.about;
    laws = group->second.laws;
  }
  core_wait_.Begin();
  Prepare(about, laws);
  double since = ThreadSeconds();
  auto told = std::chrono::steady_clock::now();
  while (const int64_t ranks = Next(about)) {
    const auto began = std::chrono::steady_clock::now();
    ForecastPoint answer;
    answer.ranks = ranks;
    if (joined_) {
      joined_->Walk(
          laws, [&] { return GoesOn(id, ThreadSeconds() - since); }, &answer);
    } else {
      answer.basis = kAddedUp + loaded_.message();
    }
    if (answer.walked) KeepMeasured(about);
    const double now = ThreadSeconds();
    const std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - began;
    Keep(about, ranks, now - since, took.count(), std::move(answer));
    since = now;
    if (std::chrono::steady_clock::now() - told < kTellEvery) continue;
    told = std::chrono::steady_clock::now();
    changed_();
  }
  TellOfCores(false);
  changed_();
}

}  // namespace ranksight::online_model
