#include "cli/base/print.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "reduction/api/contract.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {

void Print(std::string_view text) {
  const std::string shown = reduction::Harmless(text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
}

void Note(std::string_view text) { NoteLines(reduction::ShownName(text)); }

void NoteLines(std::string_view text) {
  std::string line = "ranksight: ";
  line += reduction::Harmless(text);
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int Fail(const reduction::Status& status) {
  RANKSIGHT_REQUIRE(!status.ok());
  Note(status.message());
  return reduction::ExitCode(status);
}

int FinishOutput(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  Note(std::string("cannot write the results: ") +
       (errno != 0 ? std::strerror(errno) : "output error"));
  return 4;
}

void OutliveReaders() {
  struct sigaction action {};
  if (sigaction(SIGPIPE, nullptr, &action) != 0 ||
      action.sa_handler == SIG_IGN) {
    return;
  }
  // What is ignored stays so in programs that we start; a handler does not.
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  (void)sigaction(SIGPIPE, &action, nullptr);
}

}  // namespace ranksight::cli
