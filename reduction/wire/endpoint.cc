#include <sys/un.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "reduction/api/wire.h"

namespace ranksight::reduction {
namespace {

constexpr std::string_view kTcp = "tcp://", kIpc = "ipc://";
constexpr size_t kMostPathBytes = sizeof(sockaddr_un::sun_path) - 1;

bool IsLetterOrDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

// A name or an address. Of what ZeroMQ takes besides (wildcards, addresses to
// connect from) nothing names a side-car.
bool IsHost(std::string_view host) {
  std::string_view others = ".-_";
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
    others = ".:%-_";
  }
  return !host.empty() && std::ranges::all_of(host, [&](char c) {
    return IsLetterOrDigit(c) || others.find(c) != others.npos;
  });
}

bool IsPort(std::string_view port) {
  int number = 0;
  const char* end = port.data() + port.size();
  const auto [at, error] = std::from_chars(port.data(), end, number);
  return error == std::errc() && at == end && number > 0 && number <= 65535;
}

Status Wrong(std::string_view endpoint, const std::string& why) {
  return Status::Usage(std::string(endpoint) + ": " + why);
}

Status CheckTcp(std::string_view endpoint) {
  const std::string_view where = endpoint.substr(kTcp.size());
  const size_t colon = where.rfind(':');
  if (colon == where.npos || !IsPort(where.substr(colon + 1))) {
    return Wrong(endpoint, "needs a port, 1 to 65535");
  }
  if (!IsHost(where.substr(0, colon))) {
    return Wrong(endpoint, "needs a host's name or address");
  }
  return Status::Ok();
}

Status CheckIpc(std::string_view endpoint) {
  const std::string_view path = endpoint.substr(kIpc.size());
  // Abstract names (@) have no file mode, wildcards (*) no known path.
  if (path.empty() || path[0] == '@' || path[0] == '*' ||
      path.find('\0') != path.npos) {
    return Wrong(endpoint, "needs the path of a file");
  }
  if (path.size() > kMostPathBytes) {
    return Wrong(endpoint, "the path of a socket may have at most " +
                               std::to_string(kMostPathBytes) + " characters");
  }
  return Status::Ok();
}

}  // namespace

Status CheckEndpoint(std::string_view endpoint) {
  if (endpoint.empty()) return Status::Usage("an endpoint is needed");
  if (endpoint.starts_with(kTcp)) return CheckTcp(endpoint);
  if (endpoint.starts_with(kIpc)) return CheckIpc(endpoint);
  return Wrong(endpoint, "not tcp://HOST:PORT or ipc://PATH");
}

}  // namespace ranksight::reduction
