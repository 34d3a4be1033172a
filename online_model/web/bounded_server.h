// httplib's server for readers that cannot be trusted to hurry: a request has
// a size and a time in which all of it must have come, an answer a time in
// which all of it must have been taken. The more connections wait, the shorter
// these are, so that however many say nothing, or a byte now and then, whoever
// asks is answered.
// Invariant: a request that is there when its turn comes is read, whatever
// waits behind it.
// Thread-safety: as httplib::Server.
#pragma once

#include <httplib.h>

#include <atomic>
#include <cstddef>

namespace ranksight::online_model {

class BoundedServer : public httplib::Server {
 public:
  // threads: connections served at a time.
  explicit BoundedServer(size_t threads);

  // Lets many wait to be accepted, too: httplib's five turn away whoever comes
  // while it is busy, to try again seconds later. REQUIRES: bound.
  void AwaitMany();

 private:
  bool process_and_close_socket(socket_t socket) override;
  // For a request to come, from the moment its reading begins.
  int PatienceMs() const;

  const size_t most_waiting_;
  std::atomic<size_t> waiting_{0};  // connections without a thread
};

}  // namespace ranksight::online_model
