#include "online_model/api/sender.h"

#include <pwd.h>

#include <vector>

namespace ranksight::online_model {
namespace {

// What an entry of the list of users takes; longer ones have no name here.
constexpr size_t kMostEntryBytes = 16 << 10;

}  // namespace

std::string UserName(uid_t user) {
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> text(kMostEntryBytes);
  const int error =
      ::getpwuid_r(user, &entry, text.data(), text.size(), &found);
  if (error != 0 || found == nullptr) return std::to_string(user);
  return entry.pw_name;
}

}  // namespace ranksight::online_model
