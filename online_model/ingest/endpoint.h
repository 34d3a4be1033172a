// Where the side-car may listen: loopback, or a private local socket. Until
// keys exist nothing else is accepted.
// Thread-safety: pure functions, but PreparePath touches the file system.
#pragma once

#include <string>

#include "reduction/api/status.h"

namespace ranksight::online_model {

struct Endpoint {
  std::string address;   // for bind: "tcp://127.0.0.1:*", "ipc:///a/b"
  std::string ipc_path;  // empty for tcp
};

// kUsage with the reason for anything but loopback and ipc.
reduction::Result<Endpoint> ParseListen(const std::string& listen);
// Makes the socket's directory (mode 0700) when it is missing, and removes a
// socket nobody listens on any more. kUsage when something else has the name
// or somebody listens there.
reduction::Status PreparePath(const std::string& ipc_path);

}  // namespace ranksight::online_model
