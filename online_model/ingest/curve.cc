#include "online_model/ingest/curve.h"

#include <sys/stat.h>
#include <zmq.h>

#include <cstdint>
#include <vector>

#include "online_model/api/keys.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

constexpr char kZapEndpoint[] = "inproc://zeromq.zap.01";
constexpr char kDomain[] = "ranksight";
// Parts of a request: version, id, domain, address, identity, mechanism, key.
constexpr size_t kId = 1, kAddress = 3, kMechanism = 5, kKey = 6;

// All parts of one message; empty when there is none.
std::vector<std::string> Parts(void* socket) {
  std::vector<std::string> parts;
  for (int more = 1; more != 0;) {
    zmq_msg_t part;
    zmq_msg_init(&part);
    if (zmq_msg_recv(&part, socket, ZMQ_DONTWAIT) < 0) {
      zmq_msg_close(&part);
      return {};
    }
    parts.emplace_back(static_cast<const char*>(zmq_msg_data(&part)),
                       zmq_msg_size(&part));
    more = zmq_msg_more(&part);
    zmq_msg_close(&part);
  }
  return parts;
}

std::string KeyText(const std::string& bytes) {
  char text[kKeyCharacters + 1];
  if (bytes.size() != kKeyBytes ||
      zmq_z85_encode(text, reinterpret_cast<const uint8_t*>(bytes.data()),
                     kKeyBytes) == nullptr) {
    return {};
  }
  return text;
}

}  // namespace

Gatekeeper::~Gatekeeper() {
  if (socket_ != nullptr) zmq_close(socket_);
}

Result<std::unique_ptr<Gatekeeper>> Gatekeeper::Make(
    void* zmq_context, const std::string& keys_directory,
    std::function<void(const std::string&)> refused) {
  const Result<KeyPair> keys = ReadKeys(keys_directory);
  if (!keys.ok()) return keys.status();
  const auto allowed = ReadAllowed(keys_directory);
  if (!allowed.ok()) return allowed.status();
  std::unique_ptr<Gatekeeper> gate(new Gatekeeper);
  gate->directory_ = keys_directory;
  gate->secret_key_ = keys->secret_key;
  gate->refused_ = std::move(refused);
  const int linger = 0;
  gate->socket_ = zmq_socket(zmq_context, ZMQ_REP);
  if (gate->socket_ == nullptr ||
      zmq_setsockopt(gate->socket_, ZMQ_LINGER, &linger, sizeof(linger)) != 0 ||
      zmq_bind(gate->socket_, kZapEndpoint) != 0) {
    return Status::Io("keys cannot be asked for: " +
                      std::string(zmq_strerror(zmq_errno())));
  }
  return gate;
}

Status Gatekeeper::Guard(void* zmq_socket) const {
  const int on = 1;
  if (zmq_setsockopt(zmq_socket, ZMQ_CURVE_SERVER, &on, sizeof(on)) != 0 ||
      zmq_setsockopt(zmq_socket, ZMQ_CURVE_SECRETKEY, secret_key_.c_str(),
                     kKeyCharacters + 1) != 0 ||
      zmq_setsockopt(zmq_socket, ZMQ_ZAP_DOMAIN, kDomain,
                     sizeof(kDomain) - 1) != 0) {
    return Status::Io("this ZeroMQ has no CURVE");
  }
  return Status::Ok();
}

const std::string* Gatekeeper::NameOf(const std::string& key) {
  struct stat info {};
  if (::stat((directory_ + "/allowed").c_str(), &info) != 0) return nullptr;
  // Times alone are as coarse as the system's ticks, and clocks step.
  if (info.st_ino != read_.st_ino || info.st_size != read_.st_size ||
      info.st_mtim.tv_sec != read_.st_mtim.tv_sec ||
      info.st_mtim.tv_nsec != read_.st_mtim.tv_nsec) {
    const auto list = ReadAllowed(directory_);
    allowed_.clear();
    if (!list.ok()) return nullptr;
    for (const AllowedKey& entry : *list) {
      allowed_[entry.key] = entry.name.empty() ? entry.key : entry.name;
    }
    read_ = info;
  }
  const auto at = allowed_.find(key);
  return at == allowed_.end() ? nullptr : &at->second;
}

void Gatekeeper::Answer() {
  const std::vector<std::string> request = Parts(socket_);
  if (request.size() <= kId) return;
  std::string key;
  if (request.size() > kKey && request[kMechanism] == "CURVE") {
    key = KeyText(request[kKey]);
  }
  // ZeroMQ waits for an answer to each question, whatever the key.
  const std::string* name = key.empty() ? nullptr : NameOf(key);
  const bool welcome = name != nullptr;
  if (!welcome && refused_) {
    refused_(
        (request.size() > kAddress ? request[kAddress] : std::string("?")) +
        " with the key " + (key.empty() ? "none" : key));
  }
  const std::string reply[] = {"1.0",
                               request[kId],
                               welcome ? "200" : "400",
                               welcome ? "OK" : "unknown key",
                               welcome ? *name : "",
                               ""};
  constexpr size_t kParts = sizeof(reply) / sizeof(reply[0]);
  for (size_t i = 0; i < kParts; ++i) {
    zmq_send(socket_, reply[i].data(), reply[i].size(),
             ZMQ_DONTWAIT | (i + 1 < kParts ? ZMQ_SNDMORE : 0));
  }
}

void Gatekeeper::AnswerAll() {
  for (;;) {
    int events = 0;
    size_t size = sizeof(events);
    if (zmq_getsockopt(socket_, ZMQ_EVENTS, &events, &size) != 0 ||
        (events & ZMQ_POLLIN) == 0) {
      return;
    }
    Answer();
  }
}

}  // namespace ranksight::online_model
