// Which file a launch writes where others of the same `ranksight record` may
// write theirs, before it or at the same moment: the second takes a.2.trace
// where the first took a.trace.
// Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <string>

namespace ranksight::runtime {

// output for the first launch, else with the number before its extension.
std::string NameOfLaunch(const std::string& output, int launch);

// The first launch of whose name no file was written after began_ns (Unix time
// of the file system).
int FindLaunch(const std::string& output, int64_t began_ns);

// The same for the one rank that writes. Nobody else gets the number until this
// process ends or lets go; what says so lies beside the output, and `ranksight
// record` takes away what a crash leaves of it.
class LaunchClaim {
 public:
  int Take(const std::string& output, int64_t began_ns);
  void LetGo() noexcept;

 private:
  std::string path_;  // empty: none
};

}  // namespace ranksight::runtime
