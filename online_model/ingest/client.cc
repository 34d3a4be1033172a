#include "online_model/ingest/client.h"

#include <algorithm>

namespace ranksight::online_model {
namespace {

// Between hello and the run that follows it at once; after the end, for the
// last acknowledgement to be asked for again.
constexpr int64_t kIdleMs = 1000;

}  // namespace

LiveRun Describe(const Client& client) {
  const reduction::WireFrame& hello = client.connection.hello();
  LiveRun run;
  run.job = hello.job;
  run.program = hello.program;
  run.build_id = hello.build_id;
  run.params = hello.params;
  run.ranks = hello.ranks;
  run.sender = client.sender;
  using State = Connection::State;
  const State state = client.connection.state();
  run.state = state == State::kStored    ? LiveRun::State::kStored
              : state == State::kStoring ? LiveRun::State::kStoring
                                         : LiveRun::State::kReceiving;
  run.segments = client.connection.segments();
  run.epochs = client.connection.epochs();
  run.bytes = client.connection.bytes_received();
  run.started_unix_ms = client.started_unix_ms;
  run.heard_unix_ms = client.heard_unix_ms;
  return run;
}

int64_t Overdue(const Client& client, int64_t now_ms, int64_t may_ms) {
  using State = Connection::State;
  const State state = client.connection.state();
  const int64_t silent = now_ms - client.progress_ms;
  if (client.fd < 0) return silent;
  if (state == State::kStoring) return -1;  // it waits for us
  const bool idle =
      state == State::kStored || client.connection.segments() == 0;
  return silent - (idle ? std::min(kIdleMs, may_ms) : may_ms);
}

}  // namespace ranksight::online_model
