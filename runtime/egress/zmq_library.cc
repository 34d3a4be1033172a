#include "runtime/egress/zmq_library.h"

#include <dlfcn.h>

namespace ranksight::runtime {
namespace {

template <class Function>
bool Load(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

}  // namespace

const ZmqLibrary* LoadZmq() {
  static ZmqLibrary zmq;
  // A local, deep binding: the program's own ZeroMQ, if any, is not touched.
  void* library = dlopen("libzmq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const bool all = Load(library, "zmq_ctx_new", &zmq.ctx_new) &&
                   Load(library, "zmq_ctx_term", &zmq.ctx_term) &&
                   Load(library, "zmq_socket", &zmq.socket) &&
                   Load(library, "zmq_close", &zmq.close) &&
                   Load(library, "zmq_setsockopt", &zmq.setsockopt) &&
                   Load(library, "zmq_socket_monitor", &zmq.socket_monitor) &&
                   Load(library, "zmq_connect", &zmq.connect) &&
                   Load(library, "zmq_send", &zmq.send) &&
                   Load(library, "zmq_recv", &zmq.recv);
  return all ? &zmq : nullptr;
}

}  // namespace ranksight::runtime
