// The keys a run shows to a side-car that asks for them: RANKSIGHT_SERVER_KEY
// is the side-car's public key, RANKSIGHT_KEY the path of the run's own pair
// (`ranksight keys new`): the public key, then the secret one, a line each.
// Thread-safety: pure but for the environment and the file.
#pragma once

#include <optional>
#include <string>

namespace ranksight::runtime {

struct ClientKeys {
  std::string server, own_public, own_secret;  // 40 characters each (Z85)
};

// Without RANKSIGHT_SERVER_KEY: no keys are shown, all three are empty.
// Nothing when keys are asked for but cannot be had, or when others than the
// owner may read the file.
std::optional<ClientKeys> ReadClientKeys();

}  // namespace ranksight::runtime
