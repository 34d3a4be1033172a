// The handful of ZeroMQ functions used, loaded privately at run time so that
// traced programs do not depend on them.
#pragma once

#include <cstddef>

namespace ranksight::runtime {

struct ZmqLibrary {
  void* (*ctx_new)() = nullptr;
  int (*ctx_term)(void*) = nullptr;
  void* (*socket)(void*, int) = nullptr;
  int (*close)(void*) = nullptr;
  int (*setsockopt)(void*, int, const void*, size_t) = nullptr;
  int (*socket_monitor)(void*, const char*, int) = nullptr;
  int (*connect)(void*, const char*) = nullptr;
  int (*send)(void*, const void*, size_t, int) = nullptr;
  int (*recv)(void*, void*, size_t, int) = nullptr;
};

// nullptr when there is no ZeroMQ on this machine.
const ZmqLibrary* LoadZmq();

}  // namespace ranksight::runtime
