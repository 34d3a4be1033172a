#include "runtime/intercept/fatal_signals.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace ranksight::runtime {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM};
constexpr size_t kSignalCount = std::size(kSignals);
// For a copy that got stuck, as when the program died inside malloc.
constexpr unsigned kPatienceSeconds = 2;
// Writing a trace walks trees.
constexpr size_t kStackBytes = size_t{1} << 20;

// fork takes locks that may be held.
#if defined(__GLIBC__) && __GLIBC__ == 2 && __GLIBC_MINOR__ < 34
constexpr auto kCopyProcess = &fork;
#else
constexpr auto kCopyProcess = &_Fork;
#endif

struct sigaction before[kSignalCount];
void (*write_part)() = nullptr;
std::atomic<bool> handled{false};

// What gets stuck or goes wrong again ends the process.
void WriteWithPatience() {
  signal(SIGALRM, SIG_DFL);
  for (const int s : kSignals) signal(s, SIG_DFL);
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &alarm_only, nullptr);
  alarm(kPatienceSeconds);
  write_part();
  alarm(0);
}

void WriteInPlace() {
  struct sigaction now[kSignalCount];
  for (size_t i = 0; i < kSignalCount; ++i) {
    sigaction(kSignals[i], nullptr, &now[i]);
  }
  WriteWithPatience();
  for (size_t i = 0; i < kSignalCount; ++i) {
    sigaction(kSignals[i], &now[i], nullptr);
  }
}

void WriteInCopy() {
  const pid_t copy = kCopyProcess();
  if (copy < 0) return WriteInPlace();
  if (copy == 0) {
    WriteWithPatience();
    _exit(0);
  }
  // Where nobody's children are to be waited for there is none to find once it
  // has ended.
  while (waitpid(copy, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void OnFatal(int signal, siginfo_t* info, void*) {
  for (size_t i = 0; i < kSignalCount; ++i) {
    if (kSignals[i] == signal) sigaction(signal, &before[i], nullptr);
  }
  if (!handled.exchange(true)) WriteInCopy();
  // A fault comes again on return; what was sent does not.
  const bool sent = info == nullptr || info->si_code <= 0;
  if (sent || signal == SIGABRT || signal == SIGTERM) raise(signal);
}

bool OnlyPrintsABacktrace(const struct sigaction& action) {
  Dl_info info;
  auto* handler = reinterpret_cast<void*>(action.sa_handler);
  return dladdr(handler, &info) != 0 && info.dli_fname != nullptr &&
         std::strstr(info.dli_fname, "libuc") != nullptr;
}

// A stack that overflowed has no room for a handler.
void ProvideStack() {
  stack_t stack;
  if (sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0) {
    return;
  }
  void* memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack = {};
  stack.ss_sp = memory;
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, nullptr);
}

}  // namespace

void WatchFatalSignals(void (*write)()) noexcept {
  write_part = write;
  ProvideStack();
  for (size_t i = 0; i < kSignalCount; ++i) {
    if (sigaction(kSignals[i], nullptr, &before[i]) != 0) continue;
    const bool is_default = (before[i].sa_flags & SA_SIGINFO) == 0 &&
                            before[i].sa_handler == SIG_DFL;
    if (before[i].sa_handler == SIG_IGN) continue;
    if (!is_default && !OnlyPrintsABacktrace(before[i])) continue;
    struct sigaction ours = {};
    ours.sa_sigaction = OnFatal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    sigaction(kSignals[i], &ours, nullptr);
  }
}

}  // namespace ranksight::runtime
