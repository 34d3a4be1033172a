#include "runtime/process/closed_streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace ranksight::runtime {
namespace {

// What a process says of itself whose descriptors 0 to 2 are closed.
template <class F>
int InChildWithout(F check) {
  const pid_t child = fork();
  if (child == 0) {
    for (int fd = 0; fd < 3; ++fd) close(fd);
    _exit(check());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int OpenFile() { return open("/dev/null", O_WRONLY); }

TEST(ClosedStreams, AFileOfOursGetsNoneOfTheirNumbers) {
  EXPECT_GE(InChildWithout([] {
              const ClosedStreams closed;
              return OpenFile();
            }),
            3);
}

TEST(ClosedStreams, CanStillBeNeitherReadNorWritten) {
  EXPECT_EQ(InChildWithout([] {
              const ClosedStreams closed;
              char byte = 0;
              return write(1, &byte, 1) < 0 && errno == EBADF &&
                     read(0, &byte, 1) < 0 && errno == EBADF;
            }),
            1);
}

TEST(ClosedStreams, AreTheProgramsToOpenAfterwards) {
  EXPECT_EQ(InChildWithout([] {
              { const ClosedStreams closed; }
              return OpenFile() == 0 && OpenFile() == 1 && OpenFile() == 2;
            }),
            1);
}

TEST(ClosedStreams, WhatTheProgramPutsThereMeanwhileStays) {
  EXPECT_EQ(InChildWithout([] {
              {
                const ClosedStreams closed;
                dup2(OpenFile(), 1);
              }
              char byte = 0;
              return write(1, &byte, 1) == 1 && SomeStreamIsClosed();
            }),
            1);
}

TEST(ClosedStreams, OpenOnesAreLeftAlone) {
  EXPECT_FALSE(SomeStreamIsClosed());
  const ClosedStreams closed;
  EXPECT_GE(fcntl(0, F_GETFD), 0);
}

}  // namespace
}  // namespace ranksight::runtime
