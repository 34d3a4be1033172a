// Any content of the small files that commands read back: keys, allowed keys,
// the page's address and machines. Refused with a reason, or read.
#include <sys/stat.h>

#include "online_model/api/keys.h"
#include "online_model/api/machine.h"
#include "online_model/api/page.h"
#include "tests/fuzz/target.h"

namespace ranksight::fuzz {

std::vector<Bytes> Seeds() {
  const std::string key = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";
  return {
      ToBytes(key + "\n" + key + "\n"),
      ToBytes("# a comment\n" + key + " cluster\n" + key + " laptop\n"),
      ToBytes("{\"compute\": 0.5, \"kernels\": {\"loads\": 0.5},\n"
              " \"messages\": [{\"bytes\": 1, \"ratio\": 2},\n"
              "  {\"bytes\": 4096, \"ratio\": 0.5}]}\n"),
      ToBytes("{\"kernels\": {\"loads\": 1e-9},\n"
              " \"messages\": [{\"bytes\": 1, \"seconds\": 1e-6}]}\n"),
      ToBytes("http://127.0.0.1:8080\n0123456789abcdef0123456789abcdef\n"),
  };
}

void TryMachine(std::string_view text) {
  const auto times = online_model::ParseTimes(text);
  if (!times.ok()) RequireReason(times.status().message());
  const auto ratios = online_model::ParseRatios(text);
  if (!ratios.ok()) return RequireReason(ratios.status().message());
  Require(ratios->compute > 0 && ratios->Message(1000) > 0);
  const auto again = online_model::ParseRatios(ToJson(*ratios));
  Require(again.ok() && ToJson(*again) == ToJson(*ratios));
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
  fuzz::TryMachine(text);
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
