// Where the side-car may listen: loopback, or a private local socket; with
// keys, any address of this machine.
// Thread-safety: pure functions, but PreparePath touches the file system.
#pragma once

#include <string>

#include "reduction/api/status.h"

namespace ranksight::online_model {

struct Endpoint {
  std::string address;   // for bind: "tcp://127.0.0.1:*", "ipc:///a/b"
  std::string ipc_path;  // empty for tcp
};

// keys: clients will be asked for theirs. kUsage with the reason for anything
// but loopback and ipc without them, and for host names.
reduction::Result<Endpoint> ParseListen(const std::string& listen,
                                        bool keys = false);
// Makes the socket's directory (mode 0700) when it is missing, and removes a
// socket nobody listens on any more. kUsage when something else has the name
// or somebody listens there.
reduction::Status PreparePath(const std::string& ipc_path);

}  // namespace ranksight::online_model
