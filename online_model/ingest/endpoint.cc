#include "online_model/ingest/endpoint.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "reduction/api/wire.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

bool IsLoopback(const std::string& host) {
  if (host == "localhost") return true;
  if (host == "[::1]") return true;
  in_addr address{};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 &&
         (ntohl(address.s_addr) >> 24) == 127;
}

bool IsPort(const std::string& port) {
  if (port == "*") return true;
  int value = 0;
  const char* end = port.data() + port.size();
  const auto [at, error] = std::from_chars(port.data(), end, value);
  return error == std::errc() && at == end && value >= 0 && value <= 65535;
}

// Numeric addresses and the wildcard: a name would be looked up, and what it
// means could change.
bool IsAddress(const std::string& host) {
  in_addr four{};
  in6_addr six{};
  if (host == "*" || ::inet_pton(AF_INET, host.c_str(), &four) == 1)
    return true;
  return host.size() > 2 && host.front() == '[' && host.back() == ']' &&
         ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &six) ==
             1;
}

reduction::Result<Endpoint> ParseTcp(const std::string& listen,
                                     const std::string& rest, bool keys) {
  const size_t colon = rest.rfind(':');
  if (colon == std::string::npos || !IsPort(rest.substr(colon + 1))) {
    return Status::Usage(listen + ": needs a port, a number or *");
  }
  std::string host = rest.substr(0, colon);
  if (!IsLoopback(host) && !keys) {
    return Status::Usage(listen +
                         ": only loopback (127.0.0.1) and ipc:// are allowed; "
                         "other addresses need keys");
  }
  if (!IsLoopback(host) && !IsAddress(host)) {
    return Status::Usage(listen + ": needs a numeric address or *");
  }
  if (host == "localhost") host = "127.0.0.1";
  std::string port = rest.substr(colon + 1);
  if (std::stoi(port == "*" ? "0" : port) == 0) port = "*";
  return Endpoint{"tcp://" + host + ":" + port, ""};
}

bool SomebodyListens(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  const bool connected = ::connect(fd, reinterpret_cast<sockaddr*>(&address),
                                   sizeof(address)) == 0;
  ::close(fd);
  return connected;
}

}  // namespace

reduction::Result<Endpoint> ParseListen(const std::string& listen, bool keys) {
  constexpr char kTcp[] = "tcp://", kIpc[] = "ipc://";
  if (listen.rfind(kTcp, 0) == 0) {
    return ParseTcp(listen, listen.substr(sizeof(kTcp) - 1), keys);
  }
  if (listen.rfind(kIpc, 0) != 0) {
    return Status::Usage(listen + ": not ipc://PATH or tcp://127.0.0.1:PORT");
  }
  if (Status s = reduction::CheckEndpoint(listen); !s.ok()) return s;
  Endpoint endpoint;
  endpoint.address = listen;
  endpoint.ipc_path = listen.substr(sizeof(kIpc) - 1);
  return endpoint;
}

Status PreparePath(const std::string& ipc_path) {
  const size_t slash = ipc_path.rfind('/');
  if (slash != std::string::npos && slash > 0) {
    const std::string directory = ipc_path.substr(0, slash);
    if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
      return Status::Io(directory + ": " + std::strerror(errno));
    }
  }
  struct stat info {};
  if (::lstat(ipc_path.c_str(), &info) != 0) return Status::Ok();
  if (!S_ISSOCK(info.st_mode)) {
    return Status::Usage(ipc_path + ": exists and is not a socket");
  }
  if (SomebodyListens(ipc_path)) {
    return Status::Io(ipc_path + ": another side-car listens there");
  }
  if (::unlink(ipc_path.c_str()) != 0) {
    return Status::Io(ipc_path + ": " + std::strerror(errno));
  }
  return Status::Ok();
}

}  // namespace ranksight::online_model
