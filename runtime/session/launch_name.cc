#include "runtime/session/launch_name.h"

#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace ranksight::runtime {
namespace {

// Launches of one command. More write into the last one's file.
constexpr int kMostLaunches = 10'000;

bool WrittenSince(const std::string& path, int64_t began_ns) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  constexpr int64_t kSecond = 1'000'000'000;
  const auto& written = info.st_mtim;
  return int64_t(written.tv_sec) * kSecond + written.tv_nsec > began_ns;
}

// Where the file's own name begins.
size_t BaseOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? 0 : slash + 1;
}

std::string ClaimOf(const std::string& name, int64_t began_ns) {
  std::string claim = name;
  claim.insert(BaseOf(name), ".");
  return claim + "." + std::to_string(began_ns) + ".claim";
}

std::string OnThisHost(pid_t process) {
  char host[64] = "";
  gethostname(host, sizeof host - 1);
  return std::to_string(process) + "@" + host;
}

// Whether who claims it has died here. Of other hosts nothing is known.
bool IsOfTheDead(const std::string& claim) {
  char owner[PATH_MAX] = "";
  if (readlink(claim.c_str(), owner, sizeof owner - 1) < 0) return false;
  const pid_t process = pid_t(atol(owner));
  return process > 0 && OnThisHost(process) == owner && kill(process, 0) != 0 &&
         errno == ESRCH;
}

// A link that leads nowhere: made whole with what it says, or not at all.
bool MakeClaim(const std::string& claim) {
  return symlink(OnThisHost(getpid()).c_str(), claim.c_str()) == 0;
}

// False where somebody else has it.
bool Claim(const std::string& claim) {
  if (MakeClaim(claim)) return true;
  // Where nobody can claim, launches are told apart by what they have written.
  if (errno != EEXIST) return true;
  return IsOfTheDead(claim) && unlink(claim.c_str()) == 0 && MakeClaim(claim);
}

}  // namespace

std::string NameOfLaunch(const std::string& output, int launch) {
  if (launch <= 1) return output;
  size_t dot = output.rfind('.');
  if (dot == output.npos || dot <= BaseOf(output)) dot = output.size();
  return output.substr(0, dot) + "." + std::to_string(launch) +
         output.substr(dot);
}

int FindLaunch(const std::string& output, int64_t began_ns) {
  int launch = 1;
  while (launch < kMostLaunches &&
         WrittenSince(NameOfLaunch(output, launch), began_ns)) {
    ++launch;
  }
  return launch;
}

int LaunchClaim::Take(const std::string& output, int64_t began_ns) {
  int launch = 1;
  for (; launch < kMostLaunches; ++launch) {
    const std::string name = NameOfLaunch(output, launch);
    const std::string claim = ClaimOf(name, began_ns);
    if (WrittenSince(name, began_ns) || !Claim(claim)) continue;
    path_ = claim;
    // Another may have written it and let go since it was looked at.
    if (!WrittenSince(name, began_ns)) break;
    LetGo();
  }
  return launch;
}

void LaunchClaim::LetGo() noexcept {
  if (!path_.empty()) unlink(std::exchange(path_, {}).c_str());
}

}  // namespace ranksight::runtime
