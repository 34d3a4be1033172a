// Preloaded library that makes oversubscribed MPICH runs fast: MPICH over
// UCX spins for messages and never gives its core to a rank that could send
// them. Yields whenever a progress call found nothing; with IDLE_US, stays
// away for so many microseconds then, as where many others want the processor.
// Makes no MPI call.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

typedef unsigned (*ProgressFunction)(void* worker);

static unsigned idle_us;
__attribute__((constructor)) static void Configure(void) {
  const char* text = getenv("IDLE_US");
  if (text != NULL) idle_us = (unsigned)strtoul(text, NULL, 10);
}

static void Idle(void) {
  if (idle_us == 0) {
    sched_yield();
  } else {
    usleep(idle_us);
  }
}

unsigned ucp_worker_progress(void* worker) {
  static _Atomic(ProgressFunction) cached;
  ProgressFunction next = atomic_load_explicit(&cached, memory_order_relaxed);
  if (next == NULL) {
    next = (ProgressFunction)dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (next == NULL) return 0;
    atomic_store_explicit(&cached, next, memory_order_relaxed);
  }
  unsigned events = next(worker);
  if (events == 0) Idle();
  return events;
}
