// Any content of the small files that commands read back: keys, allowed keys
// and the page's address. Refused with a reason, or read.
#include <sys/stat.h>

#include "online_model/api/keys.h"
#include "online_model/api/page.h"
#include "tests/fuzz/target.h"

namespace ranksight::fuzz {

std::vector<Bytes> Seeds() {
  const std::string key = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";
  return {
      ToBytes(key + "\n" + key + "\n"),
      ToBytes("# a comment\n" + key + " cluster\n" + key + " laptop\n"),
      ToBytes("http://127.0.0.1:8080\n0123456789abcdef0123456789abcdef\n"),
  };
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  static const fuzz::ScratchFolder folder;
  const std::string& path = folder.path();
  const std::string_view text = fuzz::AsText(data, size);
  for (const char* name : {"secret.key", "allowed", "http"}) {
    folder.Put(name, text);
  }
  const auto keys = online_model::ReadKeys(path);
  if (keys.ok()) {
    fuzz::Require(online_model::IsKey(keys->public_key) &&
                  online_model::IsKey(keys->secret_key));
  } else {
    fuzz::RequireReason(keys.status().message());
  }
  const auto allowed = online_model::ReadAllowed(path);
  if (allowed.ok()) {
    for (const auto& one : *allowed) {
      fuzz::Require(online_model::IsKey(one.key));
    }
  } else {
    fuzz::RequireReason(allowed.status().message());
  }
  const auto page = online_model::ReadPageAddress(path);
  if (!page.ok()) fuzz::RequireReason(page.status().message());
  return 0;
}
