#include "online_model/ingest/peer_user.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

#include "online_model/api/sender.h"

namespace ranksight::online_model {
namespace {

// Closed at the end.
class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) { EXPECT_GE(fd, 0); }
  ~Socket() { ::close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int fd() const { return fd_; }

 private:
  const int fd_;
};

// An address of some family, on loopback.
sockaddr_storage Loopback(int family, uint16_t port) {
  sockaddr_storage out{};
  if (family == AF_INET) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = port;
    v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::memcpy(&out, &v4, sizeof v4);
  } else {
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_port = port;
    v6.sin6_addr = in6addr_loopback;
    std::memcpy(&out, &v6, sizeof v6);
  }
  return out;
}

// A socket that `user` has made, who is another one only where we may be that.
int SocketOf(uid_t user, int family) {
  EXPECT_EQ(::seteuid(user), 0);
  const int fd = ::socket(family, SOCK_STREAM, 0);
  EXPECT_EQ(::seteuid(::getuid()), 0);
  return fd;
}

// Whom a listener of one family sees when `user` connects over `from`.
std::string SeenBy(int family, int from, uid_t user) {
  const Socket listener(::socket(family, SOCK_STREAM, 0));
  sockaddr_storage any = Loopback(family, 0);
  if (family != from) {  // both kinds at once
    const int off = 0;
    ::setsockopt(listener.fd(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_addr = in6addr_any;
    std::memcpy(&any, &v6, sizeof v6);
  }
  const auto* bound = reinterpret_cast<const sockaddr*>(&any);
  if (::bind(listener.fd(), bound, sizeof any) != 0) return "no such address";
  EXPECT_EQ(::listen(listener.fd(), 1), 0);
  sockaddr_in6 here{};  // its port is where that of the older kind is
  socklen_t size = sizeof here;
  ::getsockname(listener.fd(), reinterpret_cast<sockaddr*>(&here), &size);
  const Socket client(SocketOf(user, from));
  const sockaddr_storage to = Loopback(from, here.sin6_port);
  EXPECT_EQ(
      ::connect(client.fd(), reinterpret_cast<const sockaddr*>(&to),
                from == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6)),
      0);
  const Socket accepted(::accept(listener.fd(), nullptr, nullptr));
  return PeerUser(accepted.fd());
}

TEST(PeerUser, IsTheOneWhoseProcessHasTheOtherEndOverLoopback) {
  const uid_t other = ::getuid() == 0 ? 65534 : ::getuid();
  for (const uid_t user : {::getuid(), other}) {
    const std::string name = UserName(user);
    EXPECT_EQ(SeenBy(AF_INET, AF_INET, user), name);
    for (const int from : {AF_INET6, AF_INET}) {
      const std::string seen = SeenBy(AF_INET6, from, user);
      if (seen != "no such address") EXPECT_EQ(seen, name);
    }
  }
}

TEST(PeerUser, IsTheOneWhoseProcessHasTheOtherEndOfALocalSocket) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const Socket one(ends[0]), other(ends[1]);
  EXPECT_EQ(PeerUser(one.fd()), UserName(::geteuid()));
}

TEST(PeerUser, IsNobodyWhereThereIsNoConnection) {
  EXPECT_EQ(PeerUser(-1), "");
  const Socket alone(::socket(AF_INET, SOCK_STREAM, 0));
  EXPECT_EQ(PeerUser(alone.fd()), "");
}

TEST(UserName, IsTheNumberWhereTheSystemKnowsNoName) {
  EXPECT_EQ(UserName(0), "root");
  EXPECT_EQ(UserName(3'999'999'999), "3999999999");
}

}  // namespace
}  // namespace ranksight::online_model
