// MPI_Init, MPI_Finalize, MPI_Abort, and the process's own end: where the
// recording starts and what becomes of it.
#include "runtime/intercept/lifetime.h"

#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "runtime/api/ranksight.h"
#include "runtime/capture/shared_cores.h"
#include "runtime/epoch/epochs.h"
#include "runtime/intercept/fatal_signals.h"
#include "runtime/intercept/interception.h"
#include "runtime/session/launch_name.h"
#include "runtime/session/meta.h"
#include "runtime/session/options.h"
#include "runtime/session/outcome.h"

namespace ranksight::runtime {
namespace {

using reduction::Call;

Options& TheOptions() {
  static Options* options = new Options(ReadOptions());
  return *options;
}

reduction::Trace TakeTrace(Recorder* r) {
  reduction::Meta meta = MetaOf(r, TheOptions());
  reduction::Trace trace = r->folder.Snapshot(r->rank, r->ranks);
  trace.meta = std::move(meta);
  return trace;
}

// Held from the start, so that a program that used up all memory can still
// bring its recording to an end. Nothing is written to it: it is not in use.
constexpr size_t kReserveBytes = size_t{2} << 20;
void* reserve = nullptr;

void TakeReserve() { reserve = std::malloc(kReserveBytes); }

void FreeReserve() { std::free(std::exchange(reserve, nullptr)); }

reduction::Trace Nothing(int64_t ranks, const char* why) {
  reduction::Trace nothing;
  nothing.meta.ranks = ranks;
  nothing.meta.complete = false;
  nothing.meta.losses[why] = 1;
  return nothing;
}

// The merge needs every rank, also one that has nothing to give.
reduction::Trace TakeTraceOrNothing(Recorder* r) {
  try {
    const Hold hold(r);
    reduction::Trace mine = TakeTrace(r);
    if (!r->MayBeBroken() || Reads(mine)) return mine;
  } catch (...) {
    // The same as a broken one.
  }
  return Nothing(r->ranks, "finish_failed");
}

// Where the recording could not even begin, or was not to.
void EndWithoutRecorder() noexcept {
  int rank = 0, ranks = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    const char* why = TheOptions().disabled ? "disabled" : "finish_failed";
    FinishTogether(Nothing(ranks, why), rank, EndedEpochs(), TheOptions());
  } catch (...) {
    // Nothing can be told to anybody here.
  }
}

// Whether the recording is over; whether MPI_Finalize has been called.
std::atomic<bool> finished{false}, finalized{false};

std::atomic<bool> has_world{false};

void EndWithoutFinalize() { EndAlone(kWithoutFinalize); }

// REQUIRES: the lock is held.
void LeavePart(Recorder* r, const char* why) noexcept {
  FreeReserve();
  try {
    FinishAlone(TakeTrace(r), r->rank, why, TheOptions());
    r->flushed = true;
  } catch (...) {
    // Nothing can be told to anybody here.
  }
}

// A handler of exit that is older than this one may yet call MPI_Finalize, so
// the recording goes on.
void LeavePartAtExit() {
  Recorder* r = Recorder::Get();
  // Other threads may be recording still.
  if (r == nullptr || finished.load() || !r->LockSoon()) return;
  LeavePart(r, kWithoutFinalize);
  r->Unlock();
}

// Spawned processes are a world of their own, with the environment of those
// that spawned them: they must not write the same file.
void NameOfSpawned() {
#if !defined(SMPI_H)  // SimGrid's ends the program when asked
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) return;
  TheOptions().output_suffix = ".spawned-" + std::to_string(getpid());
#endif
}

LaunchClaim& TheClaim() {
  static LaunchClaim* claim = new LaunchClaim;
  return *claim;
}

// What this launch would write if it were the only one; empty where its name is
// given. Spawned worlds have names of their own.
std::string NameToShare() {
  const Options& options = TheOptions();
  if (options.began_ns == 0 || !options.output_suffix.empty()) return {};
  Recorder* r = Recorder::Get();
  if (!options.output.empty() || r == nullptr) return options.output;
  return DefaultOutput(r->paths.modules().Executable().name, r->ranks);
}

// Where there is no world: before any rank has written.
void NameOutputAlone() {
  const std::string shared = NameToShare();
  if (shared.empty()) return;
  const int launch = FindLaunch(shared, TheOptions().began_ns);
  TheOptions().output = NameOfLaunch(shared, launch);
}

// The number of this launch; 0 where the name stays as it is.
[[maybe_unused]] int ClaimLaunch() noexcept {
  try {
    const std::string shared = NameToShare();
    return shared.empty() ? 0 : TheClaim().Take(shared, TheOptions().began_ns);
  } catch (...) {
    return 0;
  }
}

// Collective: rank 0, which will write, finds the name.
void NameOutputTogether() {
#if defined(SMPI_H)  // a message would take simulated time
  NameOutputAlone();
#else
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int launch = rank == 0 ? ClaimLaunch() : 0;
  PMPI_Bcast(&launch, 1, MPI_INT, 0, MPI_COMM_WORLD);
  const std::string shared = NameToShare();
  if (launch == 0 || shared.empty()) return;
  TheOptions().output = NameOfLaunch(shared, launch);
#endif
}

// Begins the recording; false where something failed.
bool BeginAlone(void* caller, void* frame, uint64_t init_ticks) noexcept {
  try {
    // The longer the clock is watched, the better its rate is known.
    Clock::Calibrate();
    int rank = 0, ranks = 1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    NameOfSpawned();
    TakeReserve();
    Recorder* r = Recorder::Get();
    const bool begun = r != nullptr;
    if (begun) {
      // Begun with a session; from now on there is a world.
      const Hold hold(r);
      r->tables.comms.Start();
    } else {
      r = StartRecorder(rank, ranks, MPI_GROUP_NULL);
    }
    reduction::Event init(Call::MPI_Init_);
    {
      const Hold hold(r);
      r->Fold(&init, r->paths.Find(caller, frame, &r->folder).site, 0,
              int64_t(init_ticks));
    }
    return true;
  } catch (...) {
    if (Recorder* r = Recorder::Get()) r->Fail("start_failed");
    return false;
  }
}

// Collective, where epochs are asked for.
void BeginEpochs(bool begun) {
  // What they need at least comes out of the reserve. A rank without would
  // leave the others waiting for it.
  int room = begun && reserve != nullptr ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &room, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (room == 0) return;
  FreeReserve();
  StartEpochs(Recorder::Get(), TheOptions());
  TakeReserve();
}

// Collective. Where ranks share cores and nobody chose a clock, computation is
// what threads run for. A difference of ticks, in those of the clock that it
// chooses.
uint64_t FollowSharedCores(bool is_recording, uint64_t ticks) {
  const bool shared = AskForSharedCores(&TheOptions().host_cores);
  if (!shared || is_recording || !TheOptions().clock.empty()) return ticks;
  const uint64_t ns = Clock::ToNs(int64_t(ticks));
  Clock::Choose("monotonic");
  OwnTime::TurnOn();
  return ns;
}

// Ranks that record need those that do not: see End.
void BeginDisabled() {
  (void)FollowSharedCores(true, 0);
  NameOfSpawned();
  NameOutputTogether();
  if (AskForEpochs(TheOptions())) BeginEpochs(false);
}

void EndLast() noexcept;

void Begin(void* caller, void* frame, uint64_t init_ticks) noexcept {
  has_world = true;
  EndLast();
  try {
    if (TheOptions().disabled) return BeginDisabled();
    const bool in_session = Recorder::Get() != nullptr;
    init_ticks = FollowSharedCores(in_session, init_ticks);
    const bool begun = BeginAlone(caller, frame, init_ticks);
    NameOutputTogether();
    if (AskForEpochs(TheOptions())) BeginEpochs(begun);
    if (!begun) return;
    // What this took is no part of the run, nor anybody's computation.
    OwnTime::Leave(Clock::Now());
    if (!in_session) Recorder::Get()->started_ticks = hot.left_ticks;
#if !defined(SMPI_H)  // all ranks are one process
    StartMemorySamples(Recorder::Get());
    OwnTime::Leave(Clock::Now());
#endif
  } catch (...) {
    // Without memory even for the options nothing is recorded.
  }
}

// Collective: whether there is a trace to merge.
bool AnyoneRecords() {
  int any = Disabled() ? 0 : 1;
  PMPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any != 0;
}

struct LetGoOfName {
  ~LetGoOfName() { TheClaim().LetGo(); }
};

void End(void* caller, void* frame) noexcept {
  Recorder* r = Recorder::Get();
  // The merge needs every rank of a world, also one whose part is written or
  // that records nothing.
  if (!has_world || finalized.exchange(true)) return;
  const LetGoOfName let_go;
  finished = true;
  (void)IsInside(frame);  // the last call may have been left
  FreeReserve();
  const uint64_t now = Clock::Now();
  OwnTime::Enter(now);
  const Inside inside;
  if (r == nullptr) {
    if (AnyoneRecords()) EndWithoutRecorder();
    return;
  }
  try {
    if (Recorder::Active() != nullptr) {
      const Hold hold(r);
      reduction::Event last(Call::MPI_Finalize_);
      const uint64_t since =
          hot.left_ticks != 0 ? hot.left_ticks : r->started_ticks;
      r->Fold(&last, r->paths.Find(caller, frame, &r->folder).site,
              int64_t(now - since), 0);
    }
  } catch (...) {
    r->Fail("finish_failed");
  }
  r->Stop();
  try {
    reduction::Trace mine = TakeTraceOrNothing(r);
    const std::string part = PartOf(mine.meta, r->rank, TheOptions());
    // Others ask. The time of the run is taken already.
    (void)AnyoneRecords();
    FinishTogether(std::move(mine), r->rank, EndEpochs(), TheOptions());
    if (r->flushed || SignalLeftPart()) unlink(part.c_str());
  } catch (...) {
    r->Fail("finish_failed");
  }
}

// Where MPI_Finalize was called, while it runs.
struct {
  void *caller, *frame;
} finalize;

[[maybe_unused]] int EndInFinalize(MPI_Comm, int, void*, void*) {
  if (finalize.frame != nullptr) End(finalize.caller, finalize.frame);
  return MPI_SUCCESS;
}

std::atomic<bool> ends_last{false};

// The program's own last calls are made by what it hung on MPI_COMM_SELF, which
// MPI_Finalize deletes first, the newest before the others, with MPI usable. So
// what is hung there before any of it ends the recording behind all.
void EndLast() noexcept {
#if !defined(SMPI_H)  // SimGrid's deletes nothing there
  int key = MPI_KEYVAL_INVALID;
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, EndInFinalize, &key,
                              nullptr) != MPI_SUCCESS) {
    return;
  }
  ends_last = PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr) == MPI_SUCCESS;
  (void)PMPI_Comm_free_keyval(&key);
#endif
}

}  // namespace

bool Disabled() { return TheOptions().disabled; }

void ChooseClock() {
  const bool own_time = TheOptions().clock == "cpu";
  Clock::Choose(own_time ? "monotonic" : TheOptions().clock);
  if (own_time) OwnTime::TurnOn();
}

bool HasWorld() { return has_world.load(); }

Recorder* StartRecorder(int rank, int ranks, MPI_Group everybody) {
  Recorder* r = Recorder::Start(rank, ranks, TheOptions().predict, everybody);
  r->memory_budget = TheOptions().memory_bytes;
  if (TheOptions().time_share && !Clock::IsWtime()) {
    r->SetTimeShare(*TheOptions().time_share);
  }
  if (everybody != MPI_GROUP_NULL) NameOutputAlone();
  std::atexit(LeavePartAtExit);
  // A simulator's ranks are one process.
  if (TheOptions().clock != "wtime") WatchFatalSignals(EndWithoutFinalize);
  return r;
}

void EndAlone(const char* why) noexcept {
  Recorder* r = Recorder::Get();
  if (r == nullptr || finished.exchange(true)) return;
  r->Stop();
  // Other threads may be recording still.
  if (!r->LockSoon()) return;
  r->Fail(why);
  LeavePart(r, why);
  r->Unlock();
}

}  // namespace ranksight::runtime

using namespace ranksight::runtime;

extern "C" {
// In the generated file, see generator/wrapper_text.py.
extern int (*real_MPI_Init)(int*, char***);
extern int (*real_MPI_Init_thread)(int*, char***, int, int*);
extern int (*real_MPI_Finalize)(void);
extern int (*real_MPI_Abort)(MPI_Comm, int);

#pragma GCC visibility push(default)

int MPI_Init(int* argc, char*** argv) {
  ChooseClock();
  const uint64_t start = Clock::Now();
  const int result = [&] {
    const Inside inside;
    return real_MPI_Init(argc, argv);
  }();
  if (result == MPI_SUCCESS) {
    Begin(__builtin_return_address(0), __builtin_frame_address(0),
          Clock::Now() - start);
  }
  return result;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  ChooseClock();
  const uint64_t start = Clock::Now();
  const int result = [&] {
    const Inside inside;
    return real_MPI_Init_thread(argc, argv, required, provided);
  }();
  if (result == MPI_SUCCESS) {
    Begin(__builtin_return_address(0), __builtin_frame_address(0),
          Clock::Now() - start);
  }
  return result;
}

int MPI_Finalize(void) {
  finalize = {__builtin_return_address(0), __builtin_frame_address(0)};
  if (!ends_last) End(finalize.caller, finalize.frame);
  const int result = real_MPI_Finalize();
  finalize = {};
  return result;
}

int MPI_Abort(MPI_Comm comm, int code) {
  Interception in(ranksight::reduction::Call::MPI_Abort_,
                  __builtin_return_address(0), __builtin_frame_address(0));
  if (in.recording()) {
    in.Before([&] { in.arguments().Comm(comm); });
    in.After(MPI_SUCCESS, [] {});
  }
  // Also from inside another call: an error handler's way out.
  EndWithoutFinalize();
  return real_MPI_Abort(comm, code);
}

const char* ranksight_version(void) { return RANKSIGHT_VERSION_STRING; }

void ranksight_pause(void) {
  if (Recorder* r = Recorder::Active()) r->Pause();
}

void ranksight_resume(void) {
  if (Recorder* r = Recorder::Active()) r->Resume();
}

void ranksight_flush(void) {
  Recorder* r = Recorder::Active();
  if (r == nullptr) return;
  const Inside inside;
  try {
    ranksight::reduction::Trace trace;
    {
      const Hold hold(r);
      trace = TakeTrace(r);
      r->flushed = true;
    }
    FinishAlone(std::move(trace), r->rank, "flushed", TheOptions());
  } catch (...) {
    // What was recorded is still there.
    return;
  }
}

void ranksight_region_begin(const char* name) {
  Recorder* r = Recorder::Active();
  if (r == nullptr || name == nullptr) return;
  try {
    const Hold hold(r);
    r->paths.BeginRegion(name);
  } catch (...) {
    r->Fail("recorder_failed");
  }
  SampleMemoryIfDue();
}

void ranksight_region_end(const char* name) {
  Recorder* r = Recorder::Active();
  if (r == nullptr || name == nullptr) return;
  try {
    const Hold hold(r);
    r->paths.EndRegion(name);
  } catch (...) {
    r->Fail("recorder_failed");
  }
  SampleMemoryIfDue();
}

void ranksight_param(const char* name, const char* value) {
  if (name == nullptr || value == nullptr) return;
  try {
    static std::mutex* one_at_a_time = new std::mutex;
    const std::lock_guard one(*one_at_a_time);
    // What is recorded takes its copy under this.
    std::optional<Hold> hold;
    if (Recorder* r = Recorder::Get(); r != nullptr) hold.emplace(r);
    TheOptions().params[name] = value;
  } catch (...) {
    return;
  }
}

#pragma GCC visibility pop
}
