// Which user of this host is at the other end of a connection.
// Thread-safety: pure function but for the system's tables of connections.
#pragma once

#include <string>

namespace ranksight::online_model {

// The name of the user whose process has the other end of a connected socket,
// local or over loopback; empty where that is not known, as of other hosts.
// Over loopback the system's table of connections is read: milliseconds where
// there are thousands.
std::string PeerUser(int fd);

}  // namespace ranksight::online_model
