#include "cli/base/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;

constexpr std::array kForwarded = {SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t running_pid = 0;

// What a terminal sends reaches the whole foreground group; passing it on
// would count as a second Ctrl-C, at which launchers kill without clean-up.
void Forward(int signal, siginfo_t* info, void*) {
  const int saved = errno;
  const bool from_terminal = info != nullptr && info->si_code == SI_KERNEL;
  if (running_pid > 0 && !from_terminal) kill(running_pid, signal);
  errno = saved;
}

// Forwards signals for its lifetime, then puts back what was there. Those that
// are ignored (nohup) stay so, here and in the program.
class SignalForwarder {
 public:
  SignalForwarder() {
    struct sigaction action {};
    action.sa_sigaction = Forward;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    for (size_t i = 0; i < kForwarded.size(); ++i) {
      sigaction(kForwarded[i], nullptr, &before_[i]);
      if (before_[i].sa_handler == SIG_IGN) continue;
      sigaction(kForwarded[i], &action, nullptr);
    }
  }
  ~SignalForwarder() {
    running_pid = 0;
    for (size_t i = 0; i < kForwarded.size(); ++i) {
      sigaction(kForwarded[i], &before_[i], nullptr);
    }
  }
  SignalForwarder(const SignalForwarder&) = delete;
  SignalForwarder& operator=(const SignalForwarder&) = delete;

 private:
  std::array<struct sigaction, kForwarded.size()> before_{};
};

std::vector<std::string> EnvironmentWith(
    const std::map<std::string, std::string>& changes) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto name = std::string(text.substr(0, text.find('=')));
    if (!changes.contains(name)) all.emplace_back(text);
  }
  for (const auto& [name, value] : changes) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> Pointers(std::vector<std::string>* strings) {
  std::vector<char*> pointers;
  for (std::string& s : *strings) pointers.push_back(s.data());
  pointers.push_back(nullptr);
  return pointers;
}

// A shell lowers its limits and is the program then: what we lowered for
// ourselves could not be raised again. A limit that cannot be set is above one
// that holds already.
std::vector<std::string> WordsUnderLimit(const ProgramRun& run) {
  if (run.processor_seconds <= 0) return run.words;
  std::vector<std::string> words = {
      "/bin/sh", "-c", R"(ulimit -t "$1" 2>/dev/null; shift; exec "$@")", "sh",
      std::to_string(run.processor_seconds)};
  words.insert(words.end(), run.words.begin(), run.words.end());
  return words;
}

int WaitFor(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return 128;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// What is different in the child: no signal held back, standard output
// and error. What we catch is as it was by default.
class SpawnSetup {
 public:
  explicit SpawnSetup(const ProgramRun& run) {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    Redirect(STDOUT_FILENO, run.output_path);
    Redirect(STDERR_FILENO, run.error_path);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnSetup() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    for (const int fd : opened_) (void)close(fd);
  }
  const Status& status() const { return status_; }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

 private:
  // Opened here: of the child, only that it could not be started is known.
  void Redirect(int stream, const std::string& path) {
    if (path.empty()) return;
    const int fd =
        open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
      status_ = Status::Io(path + ": " + std::strerror(errno));
      return;
    }
    opened_.push_back(fd);
    posix_spawn_file_actions_adddup2(&files, fd, stream);
  }

  std::vector<int> opened_;
  Status status_ = Status::Ok();
};

}  // namespace

Result<int> RunProgram(const ProgramRun& run) {
  if (run.words.empty()) return Status::Usage("no program to run");
  std::vector<std::string> words = WordsUnderLimit(run);
  std::vector<std::string> environment = EnvironmentWith(run.environment);
  const std::vector<char*> argv = Pointers(&words);
  const std::vector<char*> envp = Pointers(&environment);
  const SpawnSetup setup(run);
  if (!setup.status().ok()) return setup.status();
  const SignalForwarder forwarder;
  // A signal that comes before the child is known must wait, not be lost.
  sigset_t forwarded, before;
  sigemptyset(&forwarded);
  for (int signal : kForwarded) sigaddset(&forwarded, signal);
  pthread_sigmask(SIG_BLOCK, &forwarded, &before);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &setup.files, &setup.attributes,
                                 argv.data(), envp.data());
  running_pid = error == 0 ? pid : 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0) {
    return Status::Io("cannot run " + words[0] + ": " + std::strerror(error));
  }
  return WaitFor(pid);
}

Result<std::string> PreloadValue(const std::string& library,
                                 const char* existing) {
  if (library.find_first_of(" \t:") != std::string::npos) {
    return Status::Usage(library +
                         ": LD_PRELOAD cannot carry a path with blanks or "
                         "colons; install ranksight elsewhere");
  }
  if (existing == nullptr || *existing == '\0') return library;
  return library + ":" + existing;
}

}  // namespace ranksight::cli
