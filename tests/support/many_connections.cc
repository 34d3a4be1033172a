// many_connections PORT|PATH COUNT [http]
// Holds COUNT connections to a side-car (a port of loopback or a socket file)
// and opens those again that it closes, until stdin ends. By turns they say
// nothing; are polite as ZeroMQ asks and then fall silent; say hello and fall
// silent; send a segment again and again. With `http` they say nothing, half a
// request, or a byte of one now and then. Prints `ready` when all were open
// once, and at the end how often one was opened.
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "reduction/api/wire.h"

namespace {

using ranksight::reduction::FrameKind;
using ranksight::reduction::WireFrame;

struct Target {
  sockaddr_storage address{};
  socklen_t length = 0;
};

Target Resolve(const std::string& where) {
  Target to;
  if (where.find('/') != std::string::npos) {
    auto* local = reinterpret_cast<sockaddr_un*>(&to.address);
    local->sun_family = AF_UNIX;
    std::strncpy(local->sun_path, where.c_str(), sizeof(local->sun_path) - 1);
    to.length = sizeof(*local);
  } else {
    auto* loopback = reinterpret_cast<sockaddr_in*>(&to.address);
    loopback->sin_family = AF_INET;
    loopback->sin_port = htons(uint16_t(std::atoi(where.c_str())));
    loopback->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.length = sizeof(*loopback);
  }
  return to;
}

// ZMTP 3.0 (RFC 23) without security.
std::string Greeting() {
  std::string out(64, '\0');
  out[0] = '\xff';
  out[9] = '\x7f';
  out[10] = 3;
  out.replace(12, 4, "NULL");
  const char ready[] =
      "\x05READY\x0bSocket-Type\0\0\0\x06"
      "DEALER";
  out += '\x04';
  out += char(sizeof(ready) - 1);
  out.append(ready, sizeof(ready) - 1);
  return out;
}

std::string Message(const WireFrame& frame) {
  const std::vector<uint8_t> bytes = EncodeFrame(frame);
  std::string out = {'\0', char(bytes.size())};  // short ones only
  return out.append(bytes.begin(), bytes.end());
}

std::string Hello(size_t number) {
  WireFrame frame;
  frame.job = "crowd" + std::to_string(number);
  frame.program = "crowd";
  frame.ranks = 4;
  return Message(frame);
}

std::string Segment() {
  WireFrame frame;
  frame.kind = FrameKind::kSegment;
  frame.sequence = 1;
  frame.payload.assign(100, 7);
  return Message(frame);
}

// What a connection says at first, once it is let in, and ever after.
struct Part {
  std::string first, then, again;
};

Part PartOf(size_t number, bool http) {
  if (http) {
    switch (number % 3) {
      case 0:
        return {};
      case 1:
        return {"GET /api/state", "", ""};
      default:
        return {"GET / HTTP/1.1\r\nX: ", "", "x"};
    }
  }
  switch (number % 4) {
    case 0:
      return {};
    case 1:
      return {Greeting(), "", ""};
    case 2:
      return {Greeting(), Hello(number), ""};
    default:
      return {Greeting(), Hello(number), Segment()};
  }
}

// The side-car's own greeting takes so much; READY follows it.
constexpr size_t kGreetingBytes = 64;

struct Held {
  int fd = -1;
  size_t heard = 0;
  bool is_in = false;
};

// False when nobody takes it.
bool Say(int fd, const std::string& text) {
  return ::send(fd, text.data(), text.size(), MSG_NOSIGNAL) >= 0 ||
         errno == EAGAIN;
}

Held Open(const Target& to, const std::string& first) {
  const int fd = ::socket(to.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return {};
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&to.address),
                to.length) != 0) {
    ::close(fd);
    return {};
  }
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  (void)Say(fd, first);
  return {fd};
}

// Says what is its turn. False when the other side has closed it.
bool GoOn(const Part& part, Held* held) {
  char bytes[4096];
  const ssize_t n = ::recv(held->fd, bytes, sizeof(bytes), 0);
  if (n == 0 || (n < 0 && errno != EAGAIN)) return false;
  if (n > 0) held->heard += size_t(n);
  if (part.then.empty() || held->is_in) {
    return part.again.empty() || Say(held->fd, part.again);
  }
  if (held->heard <= kGreetingBytes) return true;
  held->is_in = true;
  return Say(held->fd, part.then);
}

bool InputEnded() {
  pollfd in{0, POLLIN, 0};
  char byte;
  return ::poll(&in, 1, 0) > 0 && ::read(0, &byte, 1) <= 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const Target to = Resolve(argv[1]);
  const bool http = argc > 3;
  std::vector<Held> all(size_t(std::atol(argv[2])));
  size_t opened = 0;
  for (bool first_round = true; !InputEnded(); first_round = false) {
    for (size_t i = 0; i < all.size() && !InputEnded(); ++i) {
      const Part part = PartOf(i, http);
      if (all[i].fd >= 0 && GoOn(part, &all[i])) continue;
      if (all[i].fd >= 0) ::close(all[i].fd);
      all[i] = Open(to, part.first);
      opened += all[i].fd >= 0;
    }
    if (first_round) std::puts("ready"), std::fflush(stdout);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::printf("opened %zu\n", opened);
}
