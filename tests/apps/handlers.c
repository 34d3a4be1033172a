// handlers HOW [WHEN]: the program handles signals itself, from before (or, as
// WHEN says, after) MPI_Init on. HOW it ends by its handler, which says so:
//   exit     _exit(7)
//   default  puts the default back and raises the signal, as libgfortran does
//   nested   the same, where that ends it inside the handler, and on a small
//            stack of its own, as faulthandler does
// or how it goes on, and finalizes, printing what its handlers were told:
//   jump     siglongjmp out of a fault, twice
//   info     SA_SIGINFO, of a fault and of a signal with a value
//   reset    SA_RESETHAND: its second time is the default
//   stop     asked to end, ends its loop
//   restart  a read that a handler interrupts goes on
//   child    none of its children, and no SIGCHLD, are of anybody else
#include <errno.h>
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kSmallStack = 16384, kLines = 8 };

static sigjmp_buf back;
static volatile sig_atomic_t stopped, children;
static char small_stack[kSmallStack];
static char *forbidden, *lines[kLines];
static int line_count;

static void Say(const char* text) {
  if (write(STDOUT_FILENO, text, strlen(text)) < 0) _exit(9);
}

static void End(int signal) {
  (void)signal;
  Say("ends\n");
  _exit(7);
}

static void Default(int number) {
  Say("ends\n");
  signal(number, SIG_DFL);
  raise(number);
}

static void Jump(int signal) { siglongjmp(back, signal); }

static void Stop(int signal) {
  (void)signal;
  stopped = 1;
}

static void Child(int signal) {
  (void)signal;
  ++children;
}

static void Note(int a, int b, intptr_t value) {
  char* line = malloc(64);
  snprintf(line, 64, "%d %d %ld\n", a, b, (long)value);
  lines[line_count++] = line;
}

static void Info(int signal, siginfo_t* info, void* context) {
  (void)context;
  const int fault = signal == SIGSEGV;
  Note(signal, info->si_code,
       fault ? (char*)info->si_addr - forbidden : info->si_value.sival_int);
  if (fault) siglongjmp(back, 1);
}

static void Set(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigaction(signal, &action, NULL);
}

static void SetInfo(int signal) {
  struct sigaction action = {.sa_sigaction = Info, .sa_flags = SA_SIGINFO};
  sigaction(signal, &action, NULL);
}

static void SetUp(const char* how) {
  if (strcmp(how, "exit") == 0) Set(SIGSEGV, End, 0);
  if (strcmp(how, "default") == 0) Set(SIGSEGV, Default, SA_RESTART);
  if (strcmp(how, "nested") == 0) {
    stack_t stack = {.ss_sp = small_stack, .ss_size = kSmallStack};
    sigaltstack(&stack, NULL);
    Set(SIGSEGV, Default, SA_NODEFER | SA_ONSTACK);
  }
  if (strcmp(how, "jump") == 0) Set(SIGSEGV, Jump, 0);
  if (strcmp(how, "reset") == 0) Set(SIGTERM, Stop, (int)SA_RESETHAND);
  if (strcmp(how, "stop") == 0) Set(SIGTERM, Stop, 0);
  if (strcmp(how, "restart") == 0) Set(SIGTERM, Stop, SA_RESTART);
  if (strcmp(how, "child") == 0) {
    Set(SIGTERM, Stop, 0);
    Set(SIGCHLD, Child, 0);
  }
  if (strcmp(how, "info") == 0) {
    SetInfo(SIGSEGV);
    SetInfo(SIGTERM);
  }
}

static void Fault(int times) {
  for (volatile int i = 0; i < times; ++i) {
    if (sigsetjmp(back, 1) == 0) forbidden[40 + i] = 1;
  }
}

// A child writes into the pipe once it has sent the signal.
static void ReadThroughASignal(void) {
  int ends[2];
  char byte = 0;
  if (pipe(ends) != 0) _exit(9);
  const pid_t child = fork();
  if (child == 0) {
    kill(getppid(), SIGTERM);
    if (write(ends[1], "x", 1) != 1) _exit(9);
    _exit(0);
  }
  const ssize_t n = read(ends[0], &byte, 1);
  Note((int)n, n < 0 ? errno : byte, stopped);
  waitpid(child, NULL, 0);
}

static void GoOn(const char* how) {
  if (strcmp(how, "jump") == 0) Fault(2);
  if (strcmp(how, "info") == 0) {
    Fault(1);
    sigqueue(getpid(), SIGTERM, (union sigval){.sival_int = 4711});
  }
  if (strcmp(how, "restart") == 0) ReadThroughASignal();
  if (strcmp(how, "reset") == 0 || strcmp(how, "stop") == 0 ||
      strcmp(how, "child") == 0) {
    kill(getpid(), SIGTERM);
    struct sigaction now;
    sigaction(SIGTERM, NULL, &now);
    Note(stopped, now.sa_handler == SIG_DFL, children);
  }
  if (strcmp(how, "child") == 0) {
    const pid_t child = wait(NULL);
    Note((int)child, errno, children);
  }
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "exit";
  const int after = argc > 2 && strcmp(argv[2], "after") == 0;
  forbidden = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!after) SetUp(how);
  MPI_Init(&argc, &argv);
  if (after) SetUp(how);
  for (int i = 0; i < 100; ++i) MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(how, "exit") == 0 || strcmp(how, "default") == 0 ||
      strcmp(how, "nested") == 0) {
    raise(SIGSEGV);
  }
  GoOn(how);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  for (int i = 0; i < line_count; ++i) Say(lines[i]);
  return 0;
}
