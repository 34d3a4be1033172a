#include "online_model/series/event_key.h"

#include <cstring>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

template <class T>
void AppendRaw(T value, std::string* out) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out->append(bytes, sizeof(T));
}

}  // namespace

std::string EventKey(const reduction::Sites& sites,
                     const reduction::Node& event) {
  RANKSIGHT_REQUIRE(event.is_event());
  std::string key;
  AppendRaw(static_cast<uint16_t>(event.call), &key);
  if (event.site >= sites.sites.size()) return key;
  for (const reduction::Frame& frame : sites.sites[event.site].frames) {
    if (frame.module < sites.modules.size()) {
      const reduction::Module& module = sites.modules[frame.module];
      const std::string& id =
          module.build_id.empty() ? module.name : module.build_id;
      AppendRaw(static_cast<uint32_t>(id.size()), &key);
      key += id;
    }
    AppendRaw(frame.offset, &key);
  }
  return key;
}

}  // namespace ranksight::online_model
