#include "online_model/web/bounded_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <utility>

namespace ranksight::online_model {
namespace {

constexpr size_t kRequestBytes = 8192;
constexpr int kPatienceMs = 5000;
// While others wait: requests of honest readers come in one piece.
constexpr int kHurriedMs = 250;
// Connections that may wait for a thread, and how many of the descriptors they
// may be, which storing runs needs, too. From half of that on only requests
// that are there are read, which takes no time.
constexpr size_t kMostWaiting = 512;
constexpr rlim_t kWaitingOfFiles = 4;
// How often who waits is looked at again.
constexpr int kLookMs = 20;

using Clock = std::chrono::steady_clock;

int MsSince(Clock::time_point start) {
  return int(std::chrono::duration_cast<std::chrono::milliseconds>(
                 Clock::now() - start)
                 .count());
}

// One connection; Begin before each request.
class BoundedStream : public httplib::Stream {
 public:
  template <typename Patience>
  BoundedStream(socket_t socket, Patience patience)
      : socket_(socket), patience_(std::move(patience)) {}

  void Begin() {
    begun_ = Clock::now();
    taken_ = 0;
  }
  // Until something of the next request is there; false: it will not come.
  bool Await() {
    Begin();
    return !spoilt_ && (at_ < end_ || Wait(POLLIN, 0));
  }

  bool is_readable() const override { return at_ < end_; }
  bool is_writable() const override { return true; }
  ssize_t read(char* out, size_t size) override {
    const bool more = at_ < end_ || Fill();
    const size_t n =
        more ? std::min({size, end_ - at_, kRequestBytes - taken_}) : 0;
    spoilt_ = n == 0;  // too slow, too long, or gone
    if (spoilt_) return -1;
    std::copy_n(buffer_ + at_, n, out);
    at_ += n;
    taken_ += n;
    return ssize_t(n);
  }
  ssize_t write(const char* bytes, size_t size) override {
    // The first of an answer: what was read counts no longer.
    if (taken_ > 0) Begin();
    for (size_t done = 0; done < size;) {
      const ssize_t n = ::send(socket_, bytes + done, size - done,
                               MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n > 0) {
        done += size_t(n);
      } else if (n == 0 || !Later() || !Wait(POLLOUT, kHurriedMs)) {
        return -1;
      }
    }
    return ssize_t(size);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_; }

 private:
  static bool Later() {
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  }
  // At least least_ms in all, however many wait.
  bool Wait(short events, int least_ms) const {
    for (;;) {
      const int left = std::max(patience_(), least_ms) - MsSince(begun_);
      pollfd item{socket_, events, 0};
      const int ready = ::poll(&item, 1, std::clamp(left, 0, kLookMs));
      if (ready > 0) return true;
      if ((ready < 0 && errno != EINTR) || left <= 0) return false;
    }
  }
  bool Fill() {
    if (!Wait(POLLIN, 0)) return false;
    const ssize_t n = ::recv(socket_, buffer_, sizeof(buffer_), MSG_DONTWAIT);
    if (n <= 0) return false;
    at_ = 0;
    end_ = size_t(n);
    return true;
  }

  const socket_t socket_;
  const std::function<int()> patience_;
  Clock::time_point begun_;
  size_t taken_ = 0;     // bytes of this request
  bool spoilt_ = false;  // where the next request would begin is not known
  char buffer_[kRequestBytes];
  size_t at_ = 0, end_ = 0;
};

// Nothing, or since httplib 0.15 whether there was room: here there is.
using Enqueued = decltype(std::declval<httplib::ThreadPool&>().enqueue({}));

// Counts who waits for a thread, and accepts nobody while too many do: they
// wait in the system's queue.
class CountingPool : public httplib::ThreadPool {
 public:
  CountingPool(size_t threads, size_t most, std::atomic<size_t>* waiting)
      : ThreadPool(threads), most_(most), waiting_(waiting) {}
  Enqueued enqueue(std::function<void()> serve) override {
    for (size_t now; (now = *waiting_) >= most_;) waiting_->wait(now);
    ++*waiting_;
    return ThreadPool::enqueue([waiting = waiting_, serve = std::move(serve)] {
      --*waiting;
      waiting->notify_one();
      serve();
    });
  }

 private:
  const size_t most_;
  std::atomic<size_t>* const waiting_;
};

// An answer is written as its head and its body: without this the system holds
// the body back until the reader has acknowledged the head, which readers put
// off by 40 ms.
void SendAtOnce(socket_t socket) {
  const int yes = 1;
  (void)::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

size_t MostWaiting() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return kMostWaiting;
  return std::clamp<size_t>(files.rlim_cur / kWaitingOfFiles, 1, kMostWaiting);
}

// httplib would take Brotli first, at its highest quality: seconds for a page.
void AskForNoBrotli(httplib::Request* request) {
  const std::string accepted = request->get_header_value("Accept-Encoding");
  if (accepted.find("br") == std::string::npos) return;
  request->headers.erase("Accept-Encoding");
  if (accepted.find("gzip") != std::string::npos) {
    request->set_header("Accept-Encoding", "gzip");
  }
}

}  // namespace

BoundedServer::BoundedServer(size_t threads) : most_waiting_(MostWaiting()) {
  new_task_queue = [this, threads] {
    return new CountingPool(threads, most_waiting_, &waiting_);
  };
  set_payload_max_length(0);
  // Without SO_REUSEPORT, which httplib sets: two servers would share a port,
  // and each get half of the other's requests.
  set_socket_options([](socket_t socket) {
    const int yes = 1;
    (void)::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
}

void BoundedServer::AwaitMany() { (void)::listen(svr_sock_, SOMAXCONN); }

int BoundedServer::PatienceMs() const {
  if (svr_sock_ == INVALID_SOCKET) return 0;  // told to stop
  const size_t waiting = waiting_;
  return waiting == 0                   ? kPatienceMs
         : waiting <= most_waiting_ / 2 ? kHurriedMs
                                        : 0;
}

bool BoundedServer::process_and_close_socket(socket_t socket) {
  SendAtOnce(socket);
  BoundedStream stream(socket, [this] { return PatienceMs(); });
  bool good = true, closed = false;
  while (good && !closed && svr_sock_ != INVALID_SOCKET && stream.Await()) {
    // A turn is one request when others wait for theirs.
    good = process_request(stream, waiting_ > 0, closed,
                           [](httplib::Request& r) { AskForNoBrotli(&r); });
  }
  ::shutdown(socket, SHUT_RDWR);
  ::close(socket);
  return good;
}

}  // namespace ranksight::online_model
