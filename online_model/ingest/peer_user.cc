#include "online_model/ingest/peer_user.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "online_model/api/sender.h"

namespace ranksight::online_model {
namespace {

// States of connections whose owner the table names; it says 0 for those that
// nobody holds any more.
constexpr char kEstablished[] = "01", kCloseWait[] = "08";

struct Ends {
  sockaddr_storage own{}, peer{};
};

bool IsLoopback(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    return ntohl(v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
  }
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof v6);
  return address.ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

// A socket that takes both kinds has the older one's addresses in the newer
// one's form; the table has not.
sockaddr_storage Unmapped(const sockaddr_storage& address) {
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof v6);
  if (address.ss_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
    return address;
  }
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = v6.sin6_port;
  std::memcpy(&v4.sin_addr, &v6.sin6_addr.s6_addr[12], sizeof v4.sin_addr);
  sockaddr_storage out{};
  std::memcpy(&out, &v4, sizeof v4);
  return out;
}

std::string Hex(uint32_t word, int digits) {
  char text[16];
  std::snprintf(text, sizeof text, "%0*X", digits, word);
  return text;
}

// As the table has it: the words of the address as they lie in memory, and the
// port.
std::string TableForm(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    return Hex(v4.sin_addr.s_addr, 8) + ":" + Hex(ntohs(v4.sin_port), 4);
  }
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof v6);
  std::string out;
  for (const size_t at : {0, 4, 8, 12}) {
    uint32_t word = 0;
    std::memcpy(&word, v6.sin6_addr.s6_addr + at, sizeof word);
    out += Hex(word, 8);
  }
  return out + ":" + Hex(ntohs(v6.sin6_port), 4);
}

// Of the line in which the other end of the connection is its own end.
std::string UserInTable(const char* table, const Ends& ends) {
  const std::string own = TableForm(ends.own), peer = TableForm(ends.peer);
  std::ifstream in(table);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string number, its_own, its_peer, state, queues, timer, retries;
    uid_t user = 0;
    if (words >> number >> its_own >> its_peer >> state >> queues >> timer >>
            retries >> user &&
        its_own == peer && its_peer == own &&
        (state == kEstablished || state == kCloseWait)) {
      return UserName(user);
    }
  }
  return "";
}

}  // namespace

std::string PeerUser(int fd) {
  Ends ends;
  socklen_t size = sizeof ends.peer;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&ends.peer), &size) != 0) {
    return "";
  }
  if (ends.peer.ss_family == AF_UNIX) {
    ucred who{};
    size = sizeof who;
    const int asked = ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size);
    return asked == 0 ? UserName(who.uid) : "";
  }
  size = sizeof ends.own;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&ends.own), &size) != 0) {
    return "";
  }
  ends = {Unmapped(ends.own), Unmapped(ends.peer)};
  if (!IsLoopback(ends.peer)) return "";
  return UserInTable(
      ends.peer.ss_family == AF_INET ? "/proc/net/tcp" : "/proc/net/tcp6",
      ends);
}

}  // namespace ranksight::online_model
