// Preloaded library that makes oversubscribed MPICH runs fast: MPICH over
// UCX spins for messages and never gives its core to a rank that could send
// them. Yields whenever a progress call found nothing; with IDLE_US, stays
// away for so many microseconds then, as where many others want the processor.
// Does the same in the barriers of ranks that start. Makes no MPI call.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef unsigned (*ProgressFunction)(void* worker);

static unsigned idle_us;

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

// How many loops of MPICH yield that did not: for the test of this library.
int yielding_barriers;

#ifdef __x86_64__
// The barrier of MPI_Init and MPI_Finalize (MPIDU_Init_shm_barrier) waits for
// the other ranks of the machine in a loop without any call, so nothing can
// stand before it: four ranks that start on two cores spend half of their
// processor time there. The loop begins with two loads that let 7 bytes stand
// for a call:
//   loop: mov barrier(%rip),%rax; mov 4(%rax),%edx
//         mov sense(%rip),%eax; cmp %edx,%eax; je loop
// It becomes
//   loop: call WaitInBarrier; 2-byte nop; mov 4(%rax),%edx
//         mov sense(%rip),%eax; cmp %edx,%eax; je loop
// where WaitInBarrier idles and returns what the load did. The function then
// turns sense round and returns 0: of what a call may change it reads nothing,
// neither a register nor what may lie below its stack. What an MPICH compiled
// otherwise has, to the return, is not found, and left alone.
enum { kLoop = 20, kKnown = 36, kAny = -1, kLoad = 7, kCall = 5 };
static const int16_t kSpinning[kKnown] = {0x48, 0x8b, 0x05, kAny, kAny, kAny,
                                          kAny, 0x8b, 0x50, 0x04, 0x8b, 0x05,
                                          kAny, kAny, kAny, kAny, 0x39, 0xd0,
                                          0x74, 0xec,  // and behind the loop
                                          0xba, 0x01, 0x00, 0x00, 0x00, 0x29,
                                          0xc2, 0x89, 0x15, kAny, kAny, kAny,
                                          kAny, 0x31, 0xc0, 0xc3};

static void* const* barrier_pointer;

// The loop is in a leaf function, whose stack may lie other than a caller's.
__attribute__((force_align_arg_pointer)) static void* WaitInBarrier(void) {
  Idle();
  return *barrier_pointer;
}

static unsigned char* FindLoop(unsigned char* begin, size_t size) {
  // The rarest run of fixed bytes first: MPICH has two megabytes of code.
  static const unsigned char kEnd[] = {0x39, 0xd0, 0x74, 0xec};
  const size_t before = kLoop - sizeof kEnd;
  for (unsigned char *at = begin, *end = begin + size;
       (at = memmem(at, (size_t)(end - at), kEnd, sizeof kEnd)) != NULL; ++at) {
    if ((size_t)(at - begin) < before) continue;
    unsigned char* loop = at - before;
    if (end - loop < kKnown) return NULL;
    int i = 0;
    while (i < kKnown && (kSpinning[i] == kAny || kSpinning[i] == loop[i])) ++i;
    if (i == kKnown) return loop;
  }
  return NULL;
}

// Where the page cannot be written to, ranks go on spinning.
static void LetYield(unsigned char* loop) {
  const intptr_t distance = (intptr_t)WaitInBarrier - (intptr_t)(loop + kCall);
  const int32_t near = (int32_t)distance;
  if (near != distance) return;
  int32_t offset;
  memcpy(&offset, loop + 3, sizeof offset);
  barrier_pointer = (void* const*)(loop + kLoad + offset);
  unsigned char call[kLoad] = {0xe8, 0, 0, 0, 0, 0x66, 0x90};
  memcpy(call + 1, &near, sizeof near);
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t first = (uintptr_t)loop / page * page;
  const size_t length = (uintptr_t)loop + kLoad - first;
  if (mprotect((void*)first, length, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return;
  memcpy(loop, call, sizeof call);
  mprotect((void*)first, length, PROT_READ | PROT_EXEC);
  ++yielding_barriers;
}

static int LookAtLibrary(struct dl_phdr_info* library, size_t size,
                         void* data) {
  (void)size, (void)data;
  const char* name = strrchr(library->dlpi_name, '/');
  if (name == NULL || strncmp(name, "/libmpich.so", 12) != 0) return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)* segment = &library->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
    unsigned char* loop =
        FindLoop((unsigned char*)(library->dlpi_addr + segment->p_vaddr),
                 segment->p_filesz);
    if (loop != NULL) LetYield(loop);
  }
  return 1;
}

static void LetStartsYield(void) {
  const char* ranks = getenv("PMI_SIZE");
  if (ranks != NULL && strtoul(ranks, NULL, 10) > 1)
    dl_iterate_phdr(LookAtLibrary, NULL);
}
#else
static void LetStartsYield(void) {}
#endif

__attribute__((constructor)) static void Configure(void) {
  const char* text = getenv("IDLE_US");
  if (text != NULL) idle_us = (unsigned)strtoul(text, NULL, 10);
  LetStartsYield();
}
