#include "online_model/ingest/receiver.h"

#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <map>
#include <span>

#include "online_model/ingest/connection.h"
#include "online_model/ingest/endpoint.h"
#include "reduction/api/wire.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

// Messages of one client that wait in ZeroMQ: with the credit given nobody
// honest has more under way.
constexpr int kQueuedMessages = int(kCredit) + 2;
// Messages handled before time-outs are looked at again.
constexpr int kBatch = 64;
constexpr int kTickMs = 1000;
// Log lines a tick; a hostile client cannot fill the disk with them.
constexpr int kLinesPerTick = 20;

int64_t NowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class Message {
 public:
  Message() { zmq_msg_init(&message_); }
  ~Message() { zmq_msg_close(&message_); }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
  // False when none is there.
  bool Receive(void* socket) {
    return zmq_msg_recv(&message_, socket, ZMQ_DONTWAIT) >= 0;
  }
  bool more() { return zmq_msg_more(&message_) != 0; }
  std::span<const uint8_t> bytes() {
    return {static_cast<const uint8_t*>(zmq_msg_data(&message_)),
            zmq_msg_size(&message_)};
  }

 private:
  zmq_msg_t message_;
};

struct Client {
  Connection connection;
  int64_t heard_ms = 0;
};

}  // namespace

struct Receiver::Impl {
  ReceiverOptions options;
  Endpoint where;
  std::string endpoint;
  void* context = nullptr;
  void* socket = nullptr;
  int wake = -1;
  std::atomic<bool> stopping{false};
  std::map<std::string, Client> clients;
  uint64_t bytes_held = 0;
  int lines_left = kLinesPerTick;

  ~Impl();
  Status BindSocket();
  void Log(const std::string& line);
  void ReceiveBatch();
  void Handle(const std::string& identity, std::span<const uint8_t> bytes);
  void Reply(const std::string& identity, const reduction::WireFrame& frame);
  void Refuse(const std::string& identity, const std::string& reason);
  void Drop(const std::string& identity);
  void ForgetTheSilent();
};

Receiver::Impl::~Impl() {
  if (socket != nullptr) zmq_close(socket);
  if (context != nullptr) zmq_ctx_term(context);
  if (wake >= 0) ::close(wake);
  if (socket != nullptr && !where.ipc_path.empty()) {
    ::unlink(where.ipc_path.c_str());
  }
}

Status Receiver::Impl::BindSocket() {
  wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  context = zmq_ctx_new();
  void* made = context == nullptr ? nullptr : zmq_socket(context, ZMQ_ROUTER);
  if (made == nullptr || wake < 0) return Status::Io("no socket to listen on");
  const int linger_ms = 200, hwm = kQueuedMessages, on = 1;
  const int64_t most = int64_t(reduction::kMaxFrameBytes);
  const int ipv6 = where.address.find("[::1]") != std::string::npos;
  zmq_setsockopt(made, ZMQ_LINGER, &linger_ms, sizeof(linger_ms));
  zmq_setsockopt(made, ZMQ_RCVHWM, &hwm, sizeof(hwm));
  zmq_setsockopt(made, ZMQ_SNDHWM, &hwm, sizeof(hwm));
  zmq_setsockopt(made, ZMQ_MAXMSGSIZE, &most, sizeof(most));
  zmq_setsockopt(made, ZMQ_ROUTER_MANDATORY, &on, sizeof(on));
  zmq_setsockopt(made, ZMQ_IPV6, &ipv6, sizeof(ipv6));
  // The socket file is private from its first instant on.
  const bool local = !where.ipc_path.empty();
  const mode_t mask = local ? ::umask(0177) : 0;
  const int bound = zmq_bind(made, where.address.c_str());
  const std::string why = bound == 0 ? "" : zmq_strerror(zmq_errno());
  if (local) ::umask(mask);
  if (bound != 0) {
    zmq_close(made);
    return Status::Io("cannot listen at " + where.address + ": " + why);
  }
  socket = made;
  if (local) ::chmod(where.ipc_path.c_str(), 0600);
  char last[512];
  size_t size = sizeof(last);
  zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, last, &size);
  endpoint.assign(last, size > 0 ? size - 1 : 0);
  return Status::Ok();
}

void Receiver::Impl::Log(const std::string& line) {
  if (!options.log || lines_left <= 0) return;
  --lines_left;
  options.log(lines_left == 0 ? "more lines are left out for a second" : line);
}

void Receiver::Impl::Reply(const std::string& identity,
                           const reduction::WireFrame& frame) {
  const std::vector<uint8_t> bytes = reduction::EncodeFrame(frame);
  if (zmq_send(socket, identity.data(), identity.size(),
               ZMQ_SNDMORE | ZMQ_DONTWAIT) < 0) {
    return;  // gone, or does not listen: it will ask again
  }
  (void)zmq_send(socket, bytes.data(), bytes.size(), ZMQ_DONTWAIT);
}

void Receiver::Impl::Refuse(const std::string& identity,
                            const std::string& reason) {
  Log("refused a frame: " + reason);
  reduction::WireFrame frame;
  frame.kind = reduction::FrameKind::kRefuse;
  frame.reason = reason;
  Reply(identity, frame);
}

void Receiver::Impl::Drop(const std::string& identity) {
  const auto it = clients.find(identity);
  if (it == clients.end()) return;
  bytes_held -= it->second.connection.bytes_held();
  clients.erase(it);
}

void Receiver::Impl::Handle(const std::string& identity,
                            std::span<const uint8_t> bytes) {
  const reduction::Result<reduction::WireFrame> frame =
      reduction::DecodeFrame(bytes);
  if (!frame.ok()) {
    Drop(identity);
    Refuse(identity, frame.status().message());
    return;
  }
  if (!clients.contains(identity) &&
      clients.size() >= options.most_connections) {
    Refuse(identity, "too many runs are under way");
    return;
  }
  Client& client = clients[identity];
  client.heard_ms = NowMs();
  const uint64_t before = client.connection.bytes_held();
  const uint64_t allowance =
      options.most_bytes - std::min(options.most_bytes, bytes_held);
  const reduction::WireFrame reply =
      client.connection.Handle(*frame, allowance, options.accept);
  bytes_held += client.connection.bytes_held() - before;
  if (reply.kind == reduction::FrameKind::kRefuse) {
    Drop(identity);
    Refuse(identity, reply.reason);
    return;
  }
  Reply(identity, reply);
}

void Receiver::Impl::ReceiveBatch() {
  for (int i = 0; i < kBatch && !stopping; ++i) {
    Message identity;
    if (!identity.Receive(socket)) return;
    Message body;
    if (!identity.more() || !body.Receive(socket)) continue;
    const auto id = identity.bytes();
    const std::string name(id.begin(), id.end());
    bool more = body.more();
    const bool single = !more;
    while (more) {
      Message rest;
      more = rest.Receive(socket) && rest.more();
    }
    if (single) {
      Handle(name, body.bytes());
    } else {
      Drop(name);
      Refuse(name, "a frame is one message part");
    }
  }
}

void Receiver::Impl::ForgetTheSilent() {
  const int64_t oldest = NowMs() - options.idle_timeout_ms;
  std::vector<std::string> silent;
  for (const auto& [identity, client] : clients) {
    if (client.heard_ms < oldest) silent.push_back(identity);
  }
  for (const std::string& identity : silent) {
    const std::string job = clients[identity].connection.job();
    if (clients[identity].connection.bytes_held() > 0) {
      Log("forgot the unfinished run " + job + ": its sender fell silent");
    }
    Drop(identity);
  }
}

Receiver::Receiver(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Receiver::~Receiver() = default;
Receiver::Receiver(Receiver&&) noexcept = default;
Receiver& Receiver::operator=(Receiver&&) noexcept = default;

reduction::Result<Receiver> Receiver::Bind(ReceiverOptions options) {
  reduction::Result<Endpoint> where = ParseListen(options.listen);
  if (!where.ok()) return where.status();
  auto impl = std::make_unique<Impl>();
  impl->options = std::move(options);
  impl->where = *where;
  Status s;
  if (!where->ipc_path.empty()) s = PreparePath(where->ipc_path);
  if (s.ok()) s = impl->BindSocket();
  if (!s.ok()) return s;
  return Receiver(std::move(impl));
}

const std::string& Receiver::endpoint() const { return impl_->endpoint; }

void Receiver::Run() {
  Impl& r = *impl_;
  int64_t next_tick = NowMs() + kTickMs;
  while (!r.stopping) {
    zmq_pollitem_t items[] = {{r.socket, 0, ZMQ_POLLIN, 0},
                              {nullptr, r.wake, ZMQ_POLLIN, 0}};
    const int64_t wait = std::clamp<int64_t>(next_tick - NowMs(), 0, kTickMs);
    if (zmq_poll(items, 2, long(wait)) < 0 && zmq_errno() != EINTR) return;
    if (items[0].revents & ZMQ_POLLIN) r.ReceiveBatch();
    if (NowMs() < next_tick) continue;
    next_tick = NowMs() + kTickMs;
    r.lines_left = kLinesPerTick;
    r.ForgetTheSilent();
  }
}

void Receiver::Stop() {
  impl_->stopping = true;
  const uint64_t one = 1;
  (void)!::write(impl_->wake, &one, sizeof(one));
}

}  // namespace ranksight::online_model
