// Who sent a run, as far as a side-car sees it for itself: nothing of it is
// what a client says.
// Thread-safety: value type; UserName is a pure function but for the system's
// list of users.
#pragma once

#include <sys/types.h>

#include <string>

namespace ranksight::online_model {

struct Sender {
  // The name that its key has among those allowed (online_model/api/keys.h),
  // or the key where it has none; empty where no keys are asked for.
  std::string key;
  // Of this host; empty where it is not known, as from elsewhere.
  std::string user;

  // Whom quotas and retention count a run for.
  const std::string& Name() const { return key.empty() ? user : key; }
  bool operator==(const Sender&) const = default;
};

// The name of a user of this host, or the number where it has none.
std::string UserName(uid_t user);

}  // namespace ranksight::online_model
