#include "cli/look/left_out.h"

#include <fmt/format.h>

namespace ranksight::cli {

std::string LeftOutText(const TraceTraffic& traffic) {
  if (traffic.left_out.empty()) return {};
  std::string text = "\nLeft out, as it is not known how they send:\n";
  for (const auto& [call, times] : traffic.left_out) {
    text += fmt::format("  {} {} calls\n", call, times);
  }
  return text;
}

void WriteLeftOut(const TraceTraffic& traffic, JsonWriter* json) {
  json->Key("left_out").BeginObject();
  for (const auto& [call, times] : traffic.left_out) json->Member(call, times);
  json->EndObject();
}

}  // namespace ranksight::cli
