// CURVE keys (RFC 26): who a side-car is, and whom it lets in.
//
// A folder of mode 0700 holds `secret.key` (mode 0600: the public key, then
// the secret one, a line each, Z85) and `allowed` (mode 0600: one public key
// and a name a line; lines of "# " are comments). The same form serves both
// sides: a program that sends names its own `secret.key` in RANKSIGHT_KEY and
// the side-car's public key in RANKSIGHT_SERVER_KEY. Thread-safety: pure
// functions but for the files.
#pragma once

#include <string>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::online_model {

// Characters of a key in Z85.
inline constexpr size_t kKeyCharacters = 40;
// Decoded.
inline constexpr size_t kKeyBytes = 32;

struct KeyPair {
  std::string public_key, secret_key;  // Z85
};
struct AllowedKey {
  std::string key, name;
};

// $RANKSIGHT_KEYS, else $XDG_CONFIG_HOME/ranksight, else
// $HOME/.config/ranksight; empty when none of these is set.
std::string DefaultKeysDirectory();

// 40 characters of Z85 that decode to a key.
bool IsKey(const std::string& text);

// Makes a pair. kNo when there is one already: it is never overwritten.
reduction::Result<KeyPair> NewKeys(const std::string& directory);
// kIo when there is none or it cannot be read, kBadInput when it is no key
// file, kUsage when others may read it.
reduction::Result<KeyPair> ReadKeys(const std::string& directory);
// kUsage when `key` is no key; Ok when it was allowed already.
reduction::Status AllowKey(const std::string& directory, const std::string& key,
                           const std::string& name);
// Takes it back: nobody is let in with it any more; who is in stays until the
// connection ends. kNo when it was not allowed.
reduction::Status ForbidKey(const std::string& directory,
                            const std::string& key);
// In the order of the file; none when there is no file.
reduction::Result<std::vector<AllowedKey>> ReadAllowed(
    const std::string& directory);

}  // namespace ranksight::online_model
