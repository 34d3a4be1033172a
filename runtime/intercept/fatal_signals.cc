#include "runtime/intercept/fatal_signals.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace ranksight::runtime {
namespace {

// Those that end a process by default and that runtimes of languages handle,
// but for those that a user sends.
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,  SIGABRT, SIGTERM,
                            SIGQUIT, SIGSYS, SIGTRAP, SIGXCPU, SIGXFSZ};
constexpr size_t kSignalCount = std::size(kSignals);
// For a copy that got stuck, as when the program died inside malloc.
constexpr unsigned kPatienceSeconds = 2;
// Writing a trace walks trees.
constexpr size_t kStackBytes = size_t{1} << 20;

struct sigaction before[kSignalCount];
bool is_sure_to_end[kSignalCount];
void (*write_part)() = nullptr;
pid_t watched_process = 0;
void* stack_to_write_on = nullptr;
std::atomic<bool> is_writing{false}, left_part{false};

void* MapStack() {
  void* memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// The handler may be on a stack of a few KiB that the program made.
void WriteOnOwnStack() {
  static ucontext_t here, there;
  if (stack_to_write_on == nullptr || getcontext(&there) != 0) {
    return write_part();
  }
  there.uc_stack.ss_sp = stack_to_write_on;
  there.uc_stack.ss_size = kStackBytes;
  there.uc_link = &here;
  makecontext(&there, write_part, 0);
  swapcontext(&here, &there);
}

// What gets stuck or goes wrong again ends the process.
void WriteWithPatience() {
  signal(SIGALRM, SIG_DFL);
  for (const int s : kSignals) signal(s, SIG_DFL);
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &alarm_only, nullptr);
  alarm(kPatienceSeconds);
  WriteOnOwnStack();
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

// fork takes locks that may be held, and its child's end would be told to a
// program that may go on: it must find no child of ours by SIGCHLD or wait.
pid_t CopyProcess() {
  constexpr long kTellsNobody = 0;
  return pid_t(
      syscall(SYS_clone, kTellsNobody, nullptr, nullptr, nullptr, nullptr));
}

// False where processes cannot be copied.
bool WriteInCopy() {
  const pid_t copy = CopyProcess();
  if (copy < 0) return false;
  if (copy == 0) {
    WriteWithPatience();
    _exit(0);
  }
  left_part.store(true);
  while (waitpid(copy, nullptr, __WALL) < 0 && errno == EINTR) {
  }
  return true;
}

bool IsDefault(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

// The handler of UCX, which comes with MPI_Init.
bool OnlyPrintsABacktrace(const struct sigaction& action) {
  Dl_info info;
  auto* handler = reinterpret_cast<void*>(action.sa_handler);
  return dladdr(handler, &info) != 0 && info.dli_fname != nullptr &&
         std::strstr(info.dli_fname, "libuc") != nullptr;
}

// Another thread that failed at the same time must not end the process while
// its part is being written.
void AwaitWriter() {
  constexpr timespec kWhile = {0, 1'000'000};
  for (unsigned ms = 0; is_writing.load() && ms < kPatienceSeconds * 1000;
       ++ms) {
    nanosleep(&kWhile, nullptr);
  }
}

void WriteOnce(bool ends) {
  // A child of the program's own is no rank.
  if (getpid() != watched_process) return;
  if (is_writing.exchange(true)) return AwaitWriter();
  if (!WriteInCopy() && ends) WriteInPlace();
  is_writing.store(false);
}

// It comes once our handler has returned, with what it came with before.
void SendAgain(int signal, siginfo_t* info) {
  const pid_t thread = pid_t(syscall(SYS_gettid));
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, signal, info) != 0) {
    syscall(SYS_tgkill, getpid(), thread, signal);
  }
}

void OnFatal(int signal, siginfo_t* info, void*) {
  const int error = errno;
  size_t i = 0;
  while (kSignals[i] != signal) ++i;
  WriteOnce(is_sure_to_end[i]);
  sigaction(signal, &before[i], nullptr);
  SendAgain(signal, info);
  errno = error;
}

// A stack that overflowed has no room for a handler.
void ProvideStack() {
  stack_t stack;
  if (sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0) {
    return;
  }
  void* memory = MapStack();
  if (memory == nullptr) return;
  stack = {};
  stack.ss_sp = memory;
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, nullptr);
}

void Watch(size_t i) {
  struct sigaction& was = before[i];
  if (sigaction(kSignals[i], nullptr, &was) != 0) return;
  if ((was.sa_flags & SA_SIGINFO) == 0 && was.sa_handler == SIG_IGN) return;
  is_sure_to_end[i] = IsDefault(was) || OnlyPrintsABacktrace(was);
  struct sigaction ours = {};
  ours.sa_sigaction = OnFatal;
  // A call of the system's that it interrupts goes on where it did before.
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (was.sa_flags & SA_RESTART);
  // What a handler jumped away from now would not be sent again.
  sigfillset(&ours.sa_mask);
  sigaction(kSignals[i], &ours, nullptr);
}

}  // namespace

void WatchFatalSignals(void (*write)()) noexcept {
  write_part = write;
  watched_process = getpid();
  stack_to_write_on = MapStack();
  ProvideStack();
  for (size_t i = 0; i < kSignalCount; ++i) Watch(i);
}

void WatchAbort() noexcept {
  struct sigaction now = {};
  if (write_part == nullptr || sigaction(SIGABRT, nullptr, &now) != 0) return;
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == OnFatal) return;
  WriteOnce(false);
}

bool SignalLeftPart() noexcept { return left_part.load(); }

}  // namespace ranksight::runtime
