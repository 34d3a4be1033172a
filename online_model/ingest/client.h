// Who sends runs to a Receiver.
// Thread-safety: value type.
#pragma once

#include <cstdint>

#include "online_model/api/live.h"
#include "online_model/api/sender.h"
#include "online_model/ingest/connection.h"

namespace ranksight::online_model {

struct Client {
  Connection connection;
  int fd = -1;           // it was heard over; -1 when that is closed
  Sender sender;         // at the other end of that
  int64_t heard_ms = 0;  // steady clock
  // When it came, or something new of a run came from it, or was stored.
  int64_t progress_ms = 0;
  int64_t started_unix_ms = 0, heard_unix_ms = 0;
  uint64_t ticket = 0;  // of the run handed over last
  // That of an epoch that is being read, 0 for none: there is one at a time.
  uint64_t epoch_ticket = 0;
};

LiveRun Describe(const Client& client);
// How much longer it made no progress than it may when others need its place
// (steady clock); below 0: it may stay. may_ms: in the middle of a run.
int64_t Overdue(const Client& client, int64_t now_ms, int64_t may_ms);

}  // namespace ranksight::online_model
