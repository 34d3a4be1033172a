#include "runtime/session/meta.h"

#include <unistd.h>

#include <string>

#include "reduction/api/losses.h"
#include "runtime/capture/clock.h"
#include "runtime/capture/not_recorded.h"
#include "runtime/session/launch_environment.h"

namespace ranksight::runtime {

reduction::Meta MetaOf(Recorder* r, const Options& options) {
  Clock::Calibrate();
  const uint64_t elapsed = Clock::ToNs(Clock::Now() - r->started_ticks);
  reduction::Meta meta;
  meta.ranks = r->ranks;
  const reduction::Module& program = r->paths.modules().Executable();
  char host[64] = "";
  gethostname(host, sizeof host - 1);
  // A world of its own is not a run of the program at that many ranks.
  meta.program =
      program.name + (options.output_suffix.empty() ? "" : ".spawned");
  meta.build_id = program.build_id;
  meta.job = std::to_string(r->started_unix_ns) + "-" + host + "-" +
             std::to_string(getpid());
  meta.start_unix_ns = r->started_unix_ns;
  meta.params = options.params;
  const HostCores here =
      options.host_cores.ranks > 0 ? options.host_cores : CoresBeforeAsking();
  meta.host_ranks = here.ranks;
  meta.host_cores = here.cores;
#if !defined(SMPI_H)  // simulated ranks are of one process, on simulated nodes
  meta.launch = ReadLaunch(r->ranks);
  r->LookAtLibrary();
  meta.memory = r->memory_watch.Finish(ReadResident(), r->OwnBytes());
#endif
  if (r->rank == 0) meta.made_dims = r->made_dims;
  meta.own_time = OwnTime::IsOn();
  const uint64_t until =
      r->stopped_ticks != 0 ? r->stopped_ticks : Clock::Now();
  meta.complete_until_ns =
      int64_t(Clock::ToNs(int64_t(until - r->started_ticks)));
  meta.elapsed.Add(double(elapsed));
  meta.not_recorded = NotRecorded();
  r->CountDropped(&meta.not_recorded);
  meta.polls = r->Polls();
  meta.losses = r->losses;
  if (r->left() != 0) meta.losses[reduction::kLossCallsLeft] = r->left();
  if (r->uncounted_loss != nullptr) ++meta.losses[r->uncounted_loss];
  if (r->failed_calls > 0)
    meta.losses[reduction::kLossFailedCalls] = r->failed_calls;
  if (r->on_unknown_comms > 0) {
    meta.losses["calls_on_unknown_communicators"] = r->on_unknown_comms;
  }
  meta.complete = r->IsWhole();
  return meta;
}

}  // namespace ranksight::runtime
