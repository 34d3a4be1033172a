// Sessions. A program that makes one without MPI_Init has no world: its ranks
// are those of the process set mpi://WORLD. There is no communicator that all
// of them are sure to reach, so each leaves a part of its own when its last
// session ends.
#include <atomic>

#include "reduction/api/losses.h"
#include "runtime/intercept/interception.h"
#include "runtime/intercept/lifetime.h"

#if MPI_VERSION >= 4

namespace ranksight::runtime {
namespace {

std::atomic<int> open_sessions{0};

void BeginWithSession(MPI_Session session, void* caller, void* frame,
                      uint64_t init_ticks) noexcept {
  if (Disabled() || Recorder::Get() != nullptr) return;
  const Inside inside;
  try {
    Clock::Calibrate();
    MPI_Group everybody = MPI_GROUP_NULL;
    int rank = 0, ranks = 1;
    if (PMPI_Group_from_session_pset(session, "mpi://WORLD", &everybody) !=
        MPI_SUCCESS) {
      return;
    }
    PMPI_Group_rank(everybody, &rank);
    PMPI_Group_size(everybody, &ranks);
    Recorder* r = StartRecorder(rank, ranks, everybody);
    const Hold hold(r);
    r->tables.sessions.Add(session);
    reduction::Event init(reduction::Call::MPI_Session_init_);
    r->Fold(&init, r->paths.Find(caller, frame, &r->folder).site, 0,
            int64_t(init_ticks));
  } catch (...) {
    if (Recorder* r = Recorder::Get()) r->Fail("start_failed");
  }
}

void EndWithLastSession() noexcept {
  if (HasWorld()) return;
  Recorder* r = Recorder::Get();
  if (r == nullptr) return;
  EndAlone(reduction::kLossWithoutWorld);
  r->tables.comms.Stop();
}

}  // namespace
}  // namespace ranksight::runtime

using namespace ranksight::runtime;

extern "C" {
// In the generated file, see generator/wrapper_text.py.
extern int (*real_MPI_Session_init)(MPI_Info, MPI_Errhandler, MPI_Session*);
extern int (*real_MPI_Session_finalize)(MPI_Session*);

#pragma GCC visibility push(default)

int MPI_Session_init(MPI_Info info, MPI_Errhandler handler,
                     MPI_Session* session) {
  void* const caller = __builtin_return_address(0);
  void* const frame = __builtin_frame_address(0);
  if (IsInside(frame)) {
    return real_MPI_Session_init(info, handler, session);
  }
  // Before the time is read: with a session recording may begin here.
  if (Recorder::Get() == nullptr) ChooseClock();
  Interception in(ranksight::reduction::Call::MPI_Session_init_, caller, frame);
  const uint64_t start = Clock::Now();
  if (in.recording()) in.Before([] {});
  const int result = [&] {
    const Inside inside;
    return real_MPI_Session_init(info, handler, session);
  }();
  if (result == MPI_SUCCESS) ++open_sessions;
  if (in.recording()) {
    in.After(result, [&] { in.arguments().NewSession(session); });
  } else if (result == MPI_SUCCESS) {
    BeginWithSession(*session, caller, frame, Clock::Now() - start);
  }
  return result;
}

int MPI_Session_finalize(MPI_Session* session) {
  if (hot.expected == &kInside) return real_MPI_Session_finalize(session);
  {
    Interception in(ranksight::reduction::Call::MPI_Session_finalize_,
                    __builtin_return_address(0), __builtin_frame_address(0));
    if (in.recording()) {
      in.Before([&] {
        in.arguments().Session(*session);
        in.arguments().ForgetSession(session);
      });
      in.After(MPI_SUCCESS, [] {});
    }
  }
  // Before MPI ends it: what is done at the end needs a session that still
  // works.
  if (--open_sessions == 0) EndWithLastSession();
  const Inside inside;
  return real_MPI_Session_finalize(session);
}

#pragma GCC visibility pop
}

#endif
