#include "runtime/process/file_limit.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

namespace ranksight::runtime {
namespace {

constexpr int kYes = 1, kNo = 0;

// What a process says of itself whose files may have no byte: its exit status,
// or the signal that ended it, below zero.
template <class F>
int InLimitedChild(F check) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    const rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    _exit(check());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// The error of writing a byte into a file that has no name.
int ErrorOfWriting() {
  char name[] = "/tmp/ranksight-test-XXXXXX";
  const int file = mkstemp(name);
  unlink(name);
  errno = 0;
  (void)!write(file, "x", 1);
  const int error = errno;
  close(file);
  return error;
}

bool IsBlocked() {
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  return sigismember(&now, SIGXFSZ) == 1;
}

volatile sig_atomic_t caught = 0;
void Catch(int) { caught = caught + 1; }

TEST(FileLimit, WithoutItTheProgramWouldEnd) {
  EXPECT_EQ(InLimitedChild([] { return ErrorOfWriting() == EFBIG; }), -SIGXFSZ);
}

TEST(FileLimit, WritingBeyondFailsAndNothingElseHappens) {
  EXPECT_EQ(InLimitedChild([] {
              signal(SIGXFSZ, Catch);
              int error = 0;
              {
                const FileLimit limit;
                error = ErrorOfWriting();
                ErrorOfWriting();
              }
              return error == EFBIG && caught == 0 && !IsBlocked() ? kYes : kNo;
            }),
            kYes);
}

TEST(FileLimit, LeavesTheProgramsOwnMaskAndError) {
  EXPECT_EQ(InLimitedChild([] {
              sigset_t mine;
              sigemptyset(&mine);
              sigaddset(&mine, SIGXFSZ);
              pthread_sigmask(SIG_BLOCK, &mine, nullptr);
              {
                const FileLimit limit;
                ErrorOfWriting();
                errno = ENOTDIR;
              }
              return errno == ENOTDIR && IsBlocked() ? kYes : kNo;
            }),
            kYes);
}

TEST(FileLimit, ASignalThatWaitedBeforeComesAfterwards) {
  EXPECT_EQ(InLimitedChild([] {
              signal(SIGXFSZ, Catch);
              sigset_t mine, before;
              sigemptyset(&mine);
              sigaddset(&mine, SIGXFSZ);
              pthread_sigmask(SIG_BLOCK, &mine, &before);
              raise(SIGXFSZ);
              {
                const FileLimit limit;
                ErrorOfWriting();
              }
              if (caught != 0) return kNo;
              pthread_sigmask(SIG_SETMASK, &before, nullptr);
              return caught == 1 ? kYes : kNo;
            }),
            kYes);
}

TEST(FileLimit, AfterwardsTheLimitIsTheProgramsAgain) {
  EXPECT_EQ(InLimitedChild([] {
              { const FileLimit limit; }
              signal(SIGXFSZ, Catch);
              ErrorOfWriting();
              return caught == 1 ? kYes : kNo;
            }),
            kYes);
}

}  // namespace
}  // namespace ranksight::runtime
