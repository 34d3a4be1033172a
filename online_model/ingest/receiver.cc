#include "online_model/ingest/receiver.h"

#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <span>

#include "online_model/ingest/client.h"
#include "online_model/ingest/endpoint.h"
#include "online_model/ingest/message.h"
#include "online_model/ingest/open_sockets.h"
#include "online_model/ingest/peer_user.h"
#include "online_model/ingest/workers.h"
#include "reduction/api/wire.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

// Messages of one client that wait in ZeroMQ: with the credit given nobody
// honest has more under way.
constexpr int kQueuedMessages = int(kCredit) + 2;
// Who waits to be accepted; the next one would try again a second later.
constexpr int kBacklog = 1024;
// Messages handled before time-outs are looked at again.
constexpr int kBatch = 64;
constexpr int kTickMs = 1000;
// What keeping a task takes besides its bytes, so that runs of a few bytes
// cannot be as many as fit.
constexpr uint64_t kTaskBytes = 1 << 10;
// Runs checked and stored at a time.
constexpr size_t kWorkers = 2;
// One descriptor in so many may be a client's: the page and the store need
// some, and so do those that ZeroMQ accepts before any are closed. When none is
// left it ends the process at a connection to ipc://.
constexpr uint64_t kSocketsOfFiles = 4;
// Names, build id and parameters of a run.
constexpr size_t kMostHelloBytes = 256 << 10;

int64_t NowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int64_t UnixMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

struct Receiver::Impl {
  ReceiverOptions options;
  Endpoint where;
  std::string endpoint;
  void* context = nullptr;
  void* socket = nullptr;
  bool bound = false;
  int wake = -1;
  std::atomic<bool> stopping{false};
  std::unique_ptr<Gatekeeper> gate;
  std::unique_ptr<OpenSockets> sockets;
  mutable std::mutex mutex;  // guards clients and counters
  std::map<std::string, Client> clients;
  IngestCounters counters;
  uint64_t bytes_held = 0;  // by connections and by workers
  uint64_t last_ticket = 0;
  std::unique_ptr<Workers> workers;

  ~Impl();
  Status BindSocket();
  void Configure(void* made) const;
  Status WatchSockets();
  void LogUnfit(int error);
  void Warn(const std::string& line, const Sender& sender = {}) const {
    if (options.log) options.log({LogLevel::kWarning, line, sender});
  }
  void Wake() const;
  void ReceiveBatch();
  void Handle(const std::string& identity, Message* message);
  // Who is at the other end, once for each connection.
  static void Meet(Client* client, Message* message);
  bool MakeRoom();
  // What a client has sent, to the workers. REQUIRES: mutex is held.
  void HandOn(const std::string& identity, Client* client,
              std::vector<uint8_t> trace, Connection::Sent sent);
  Status Work(const Workers::Task& task);
  void FinishEpoch(const Workers::Verdict& verdict);
  std::optional<reduction::WireFrame> Answer(const std::string& identity,
                                             const reduction::WireFrame& frame);
  void AnswerVerdicts();
  // False when the client is gone or takes nothing.
  bool StartReply(const std::string& identity);
  void Reply(const std::string& identity, const reduction::WireFrame& frame);
  void Refuse(const std::string& identity, const std::string& reason);
  void Drop(const std::string& identity);
  bool ForgetTheSilent();
  void LookAtSockets();
};

Receiver::Impl::~Impl() {
  workers.reset();
  gate.reset();
  sockets.reset();
  if (socket != nullptr) zmq_close(socket);
  if (context != nullptr) zmq_ctx_term(context);
  if (wake >= 0) ::close(wake);
  if (bound && !where.ipc_path.empty()) {
    ::unlink(where.ipc_path.c_str());
  }
}

void Receiver::Impl::Configure(void* made) const {
  const int linger_ms = 200, hwm = kQueuedMessages, backlog = kBacklog, on = 1;
  const int64_t most = int64_t(kMostFrameBytes);
  const int ipv6 = where.address.find('[') != std::string::npos;
  zmq_setsockopt(made, ZMQ_LINGER, &linger_ms, sizeof(linger_ms));
  zmq_setsockopt(made, ZMQ_BACKLOG, &backlog, sizeof(backlog));
  zmq_setsockopt(made, ZMQ_RCVHWM, &hwm, sizeof(hwm));
  zmq_setsockopt(made, ZMQ_SNDHWM, &hwm, sizeof(hwm));
  zmq_setsockopt(made, ZMQ_MAXMSGSIZE, &most, sizeof(most));
  zmq_setsockopt(made, ZMQ_ROUTER_MANDATORY, &on, sizeof(on));
  zmq_setsockopt(made, ZMQ_IPV6, &ipv6, sizeof(ipv6));
}

Status Receiver::Impl::WatchSockets() {
  rlimit files{};
  // The store and the page need files, too.
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    options.most_sockets = std::min<uint64_t>(options.most_sockets,
                                              files.rlim_cur / kSocketsOfFiles);
  }
  auto watched = OpenSockets::Watch(
      context, socket, options.most_sockets,
      [this](int fd) {
        const std::lock_guard<std::mutex> lock(mutex);
        for (auto& [identity, client] : clients) {
          if (client.fd == fd) client.fd = -1;
        }
      },
      [this](int error) { LogUnfit(error); });
  if (!watched.ok()) return watched.status();
  sockets = std::move(watched).value();
  return Status::Ok();
}

// Whose key is unknown the gatekeeper says. A client without keys goes when it
// sees that they are asked for, mostly before we see that it has none.
void Receiver::Impl::LogUnfit(int error) {
  if (gate == nullptr) return;
  const std::lock_guard<std::mutex> lock(mutex);
  if (error == ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC) {
    ++counters.keys_refused;
    Warn("refused a connection that expects another side-car's key");
  } else {
    Warn("a connection ended without a key");
  }
}

Status Receiver::Impl::BindSocket() {
  wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  context = zmq_ctx_new();
  if (context == nullptr || wake < 0) return Status::Io("out of sockets");
  if (!options.keys_directory.empty()) {
    auto made = Gatekeeper::Make(
        context, options.keys_directory, [this](const std::string& who) {
          const std::lock_guard<std::mutex> lock(mutex);
          ++counters.keys_refused;
          Warn("refused a connection from " + who);
        });
    if (!made.ok()) return made.status();
    gate = std::move(made).value();
  }
  socket = zmq_socket(context, ZMQ_ROUTER);
  if (socket == nullptr) return Status::Io("no socket to listen on");
  Configure(socket);
  if (gate != nullptr) {
    if (Status s = gate->Guard(socket); !s.ok()) return s;
  }
  if (Status s = WatchSockets(); !s.ok()) return s;
  // The socket file is private from its first instant on.
  const bool local = !where.ipc_path.empty();
  const mode_t mask = local ? ::umask(0177) : 0;
  bound = zmq_bind(socket, where.address.c_str()) == 0;
  const std::string why = bound ? "" : zmq_strerror(zmq_errno());
  if (local) ::umask(mask);
  if (!bound)
    return Status::Io("cannot listen at " + where.address + ": " + why);
  if (local) ::chmod(where.ipc_path.c_str(), 0600);
  char last[512];
  size_t size = sizeof(last);
  zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, last, &size);
  endpoint.assign(last, size > 0 ? size - 1 : 0);
  return Status::Ok();
}

void Receiver::Impl::Wake() const {
  const uint64_t one = 1;
  (void)!::write(wake, &one, sizeof(one));
}

// ZeroMQ looks at what other threads tell it, as that a client has taken
// earlier replies, at most once a millisecond while messages come and go. A
// client that answers quickly enough then seems to be full; asking for the
// socket's events makes ZeroMQ look at once.
bool Receiver::Impl::StartReply(const std::string& identity) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (zmq_send(socket, identity.data(), identity.size(),
                 ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0) {
      return true;
    }
    int events;
    size_t size = sizeof(events);
    (void)zmq_getsockopt(socket, ZMQ_EVENTS, &events, &size);
  }
  return false;
}

void Receiver::Impl::Reply(const std::string& identity,
                           const reduction::WireFrame& frame) {
  const std::vector<uint8_t> bytes = reduction::EncodeFrame(frame);
  if (!StartReply(identity)) return;  // gone, or does not listen
  (void)zmq_send(socket, bytes.data(), bytes.size(), ZMQ_DONTWAIT);
}

void Receiver::Impl::Refuse(const std::string& identity,
                            const std::string& reason) {
  ++counters.frames_refused;
  const auto client = clients.find(identity);
  Warn("refused a frame: " + reason,
       client == clients.end() ? Sender() : client->second.sender);
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

bool Receiver::Impl::MakeRoom() {
  if (clients.size() < options.most_connections) return true;
  const int64_t now = NowMs();
  const auto first =
      std::ranges::max_element(clients, {}, [&](const auto& entry) {
        return Overdue(entry.second, now, options.makes_room_ms);
      });
  if (Overdue(first->second, now, options.makes_room_ms) < 0) return false;
  Drop(std::string(first->first));
  return true;
}

std::optional<reduction::WireFrame> Receiver::Impl::Answer(
    const std::string& identity, const reduction::WireFrame& frame) {
  const bool hello = frame.kind == reduction::FrameKind::kHello;
  Client& client = clients[identity];
  client.heard_ms = NowMs();
  if (client.progress_ms == 0) client.progress_ms = client.heard_ms;
  client.heard_unix_ms = UnixMs();
  if (hello && frame.job != client.connection.job()) {
    client.started_unix_ms = client.heard_unix_ms;
  }
  // What one frame may add: the rest of what all runs may hold, and of what one
  // may.
  const uint64_t before = client.connection.bytes_held();
  const uint64_t segments = client.connection.segments();
  const uint64_t room =
      options.most_bytes - std::min(options.most_bytes, bytes_held);
  const uint64_t own =
      options.most_run_bytes - std::min(options.most_run_bytes, before);
  const auto reply = client.connection.Handle(
      frame, std::min(room, own),
      [&](std::vector<uint8_t> trace, Connection::Sent sent) {
        HandOn(identity, &client, std::move(trace), sent);
      });
  bytes_held += client.connection.bytes_held() - before;
  // Only what is new is progress: a client that sends the same again must not
  // keep its place for ever.
  if (client.connection.segments() > segments) {
    client.progress_ms = client.heard_ms;
    ++counters.segments;
    counters.bytes += frame.payload.size();
  }
  return reply;
}

void Receiver::Impl::HandOn(const std::string& identity, Client* client,
                            std::vector<uint8_t> trace, Connection::Sent sent) {
  Workers::Task task;
  task.is_whole = sent == Connection::Sent::kRun;
  // Whoever sends epochs faster than they are read loses some.
  if (!task.is_whole && client->epoch_ticket != 0) return;
  task.ticket = ++last_ticket;
  task.client = identity;
  task.sender = client->sender;
  task.trace = std::move(trace);
  (task.is_whole ? client->ticket : client->epoch_ticket) = task.ticket;
  bytes_held += task.trace.size() + kTaskBytes;
  workers->Give(std::move(task));
}

Status Receiver::Impl::Work(const Workers::Task& task) {
  if (task.is_whole) return options.accept(task.trace, task.sender);
  LiveRun run;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto it = clients.find(task.client);
    if (it == clients.end()) return Status::Ok();  // gone
    run = Describe(it->second);
  }
  return options.on_epoch ? options.on_epoch(run, task.trace) : Status::Ok();
}

void Receiver::Impl::FinishEpoch(const Workers::Verdict& verdict) {
  if (!verdict.status.ok()) {
    ++counters.frames_refused;
    Warn("left out an epoch: " + verdict.status.message());
  }
  const auto it = clients.find(verdict.client);
  if (it != clients.end() && it->second.epoch_ticket == verdict.ticket) {
    it->second.epoch_ticket = 0;
  }
}

void Receiver::Impl::Meet(Client* client, Message* message) {
  const int fd = message->from();
  if (client->fd == fd) return;
  client->fd = fd;
  client->sender = {message->key(), PeerUser(fd)};
}

void Receiver::Impl::Handle(const std::string& identity, Message* message) {
  const std::span<const uint8_t> bytes = message->bytes();
  const reduction::Result<reduction::WireFrame> frame =
      reduction::DecodeFrame(bytes);
  const std::lock_guard<std::mutex> lock(mutex);
  ++counters.frames;
  if (!frame.ok()) {
    Refuse(identity, frame.status().message());
    Drop(identity);
    return;
  }
  // Before room is made: whoever is not known yet may cost nobody else their
  // place by a long greeting.
  if (frame->kind == reduction::FrameKind::kHello &&
      bytes.size() > kMostHelloBytes) {
    Refuse(identity, "a hello this long says too much");
    Drop(identity);
    return;
  }
  if (!clients.contains(identity) && !MakeRoom()) {
    Refuse(identity, "too many runs are under way");
    return;
  }
  Meet(&clients[identity], message);
  const auto reply = Answer(identity, *frame);
  if (!reply) return;
  if (reply->kind == reduction::FrameKind::kRefuse) {
    Refuse(identity, reply->reason);
    Drop(identity);
    return;
  }
  Reply(identity, *reply);
}

void Receiver::Impl::AnswerVerdicts() {
  for (const Workers::Verdict& verdict : workers->TakeVerdicts()) {
    const std::lock_guard<std::mutex> lock(mutex);
    bytes_held -= verdict.bytes + kTaskBytes;
    if (!verdict.is_whole) {
      FinishEpoch(verdict);
      continue;
    }
    if (!verdict.status.ok()) ++counters.runs_refused;
    const auto it = clients.find(verdict.client);
    // A client that went away, or sends another run by now, is not answered.
    if (it == clients.end() || it->second.ticket != verdict.ticket ||
        it->second.connection.state() != Connection::State::kStoring) {
      continue;
    }
    it->second.progress_ms = NowMs();
    const auto reply = it->second.connection.Finish(verdict.status);
    if (reply.kind == reduction::FrameKind::kRefuse) Drop(verdict.client);
    Reply(verdict.client, reply);
  }
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
    sockets->Heard(body.from());
    // All parts are taken in any case, or the next message would begin with
    // what is left of this one.
    const bool single = !more;
    while (more) {
      Message rest;
      more = rest.Receive(socket) && rest.more();
    }
    if (single) {
      Handle(name, &body);
    } else {
      const std::lock_guard<std::mutex> lock(mutex);
      Refuse(name, "a frame is one message part");
      Drop(name);
    }
  }
}

bool Receiver::Impl::ForgetTheSilent() {
  const std::lock_guard<std::mutex> lock(mutex);
  const int64_t oldest = NowMs() - options.idle_timeout_ms;
  std::vector<std::string> silent;
  for (const auto& [identity, client] : clients) {
    if (client.heard_ms < oldest) silent.push_back(identity);
  }
  for (const std::string& identity : silent) {
    const std::string job = clients[identity].connection.job();
    if (clients[identity].connection.bytes_held() > 0) {
      Warn("forgot the unfinished run " + job + ": its sender fell silent");
    }
    Drop(identity);
  }
  return !silent.empty();
}

void Receiver::Impl::LookAtSockets() {
  const uint64_t before = sockets->closed();
  sockets->Look();
  const std::lock_guard<std::mutex> lock(mutex);
  counters.sockets = sockets->open();
  counters.sockets_closed = sockets->closed();
  if (counters.sockets_closed == before) return;
  Warn("closed " + std::to_string(counters.sockets_closed - before) +
       " silent connections: there may be " +
       std::to_string(options.most_sockets));
}

Receiver::Receiver(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Receiver::~Receiver() = default;
Receiver::Receiver(Receiver&&) noexcept = default;
Receiver& Receiver::operator=(Receiver&&) noexcept = default;

reduction::Result<Receiver> Receiver::Bind(ReceiverOptions options) {
  reduction::Result<Endpoint> where =
      ParseListen(options.listen, !options.keys_directory.empty());
  if (!where.ok()) return where.status();
  auto impl = std::make_unique<Impl>();
  impl->options = std::move(options);
  impl->where = *where;
  Status s;
  if (!where->ipc_path.empty()) s = PreparePath(where->ipc_path);
  if (s.ok()) s = impl->BindSocket();
  if (!s.ok()) return s;
  Impl* const raw = impl.get();
  impl->workers = std::make_unique<Workers>(
      kWorkers, [raw](const Workers::Task& task) { return raw->Work(task); },
      [raw] { raw->Wake(); });
  return Receiver(std::move(impl));
}

const std::string& Receiver::endpoint() const { return impl_->endpoint; }

void Receiver::Run() {
  Impl& r = *impl_;
  int64_t next_tick = NowMs() + kTickMs;
  while (!r.stopping) {
    zmq_pollitem_t items[] = {
        {r.socket, 0, ZMQ_POLLIN, 0},
        {nullptr, r.wake, ZMQ_POLLIN, 0},
        {r.sockets->socket(), 0, ZMQ_POLLIN, 0},
        {r.gate ? r.gate->socket() : nullptr, r.wake, ZMQ_POLLIN, 0}};
    // Clients that fall silent send nothing that could wake it.
    const int64_t wait = std::clamp<int64_t>(next_tick - NowMs(), 0, kTickMs);
    const int ready = zmq_poll(items, r.gate ? 4 : 3, long(wait));
    if (ready < 0 && zmq_errno() != EINTR) return;
    uint64_t wakes;
    (void)!::read(r.wake, &wakes, sizeof(wakes));
    if (r.gate) r.gate->AnswerAll();
    if (items[2].revents & ZMQ_POLLIN) r.LookAtSockets();
    if (items[0].revents & ZMQ_POLLIN) r.ReceiveBatch();
    r.AnswerVerdicts();
    if (ready > 0 && r.options.on_change) r.options.on_change();
    if (NowMs() < next_tick) continue;
    next_tick = NowMs() + kTickMs;
    if (r.ForgetTheSilent() && r.options.on_change) r.options.on_change();
  }
}

void Receiver::Stop() {
  impl_->stopping = true;
  impl_->Wake();
}

std::vector<LiveRun> Receiver::Live() const {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  std::map<std::string, const Client*> last_of;  // by job
  for (const auto& [identity, client] : impl_->clients) {
    if (client.connection.state() == Connection::State::kNew) continue;
    const Client*& last = last_of[client.connection.job()];
    if (last == nullptr || client.heard_ms >= last->heard_ms) last = &client;
  }
  std::vector<LiveRun> live;
  for (const auto& [job, client] : last_of) live.push_back(Describe(*client));
  return live;
}

IngestCounters Receiver::counters() const {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  IngestCounters counters = impl_->counters;
  counters.clients = impl_->clients.size();
  return counters;
}

}  // namespace ranksight::online_model
