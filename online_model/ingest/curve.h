// Who may connect: CURVE on a listening socket, and the answers to ZeroMQ's
// questions about clients (ZAP, RFC 27).
// Thread-safety: one thread.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "reduction/api/status.h"

namespace ranksight::online_model {

class Gatekeeper {
 public:
  // keys_directory as online_model/api/keys.h describes. Must be made before
  // the listening socket is bound. `refused` is told of every client whose
  // key is unknown: address and key.
  static reduction::Result<std::unique_ptr<Gatekeeper>> Make(
      void* zmq_context, const std::string& keys_directory,
      std::function<void(const std::string& who)> refused);
  ~Gatekeeper();
  Gatekeeper(const Gatekeeper&) = delete;
  Gatekeeper& operator=(const Gatekeeper&) = delete;

  // Makes a socket that is not bound yet ask clients for keys. Messages that
  // it gives then say under the property User-Id whose key it was.
  reduction::Status Guard(void* zmq_socket) const;
  // To be polled; AnswerAll when it is readable.
  void* socket() const { return socket_; }
  void AnswerAll();

 private:
  Gatekeeper() = default;
  // The name that an allowed key has, or the key itself; nullptr for others.
  const std::string* NameOf(const std::string& key);
  void Answer();

  void* socket_ = nullptr;
  std::string directory_, secret_key_;
  std::map<std::string, std::string> allowed_;  // names by key
  struct stat read_ {};                         // the list that was read
  std::function<void(const std::string&)> refused_;
};

}  // namespace ranksight::online_model
