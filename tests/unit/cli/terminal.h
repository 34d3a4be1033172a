// Pseudo-terminals to look at what is written to one, for tests.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <string>

namespace ranksight::cli::testing {

// What is written to `end` of a terminal or pipe can be read from `other`.
struct Line {
  int other = -1, end = -1;
  ~Line() {
    ::close(other);
    ::close(end);
  }
  // Everything written until now.
  std::string Read() const {
    ::fcntl(other, F_SETFL, O_NONBLOCK);
    std::string text;
    std::array<char, 256> part;
    for (ssize_t n; (n = ::read(other, part.data(), part.size())) > 0;) {
      text.append(part.data(), size_t(n));
    }
    return text;
  }
  // Waits for the first byte.
  char First() const {
    char c = 0;
    EXPECT_EQ(::read(other, &c, 1), 1);
    return c;
  }
};

// Whether it is said of `what` how long it has gone on, in seconds.
inline bool ShowsAge(const std::string& shown, const std::string& what) {
  const size_t at = shown.find(what + ", ");
  if (at == shown.npos) return false;
  const size_t digits = at + what.size() + 2;
  const size_t end = shown.find_first_not_of("0123456789", digits);
  return end != shown.npos && end > digits && shown.compare(end, 2, " s") == 0;
}

inline Line Terminal() {
  Line line;
  line.other = ::posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_GE(line.other, 0);
  EXPECT_EQ(::grantpt(line.other), 0);
  EXPECT_EQ(::unlockpt(line.other), 0);
  line.end = ::open(::ptsname(line.other), O_RDWR | O_NOCTTY);
  EXPECT_GE(line.end, 0);
  return line;
}

}  // namespace ranksight::cli::testing
