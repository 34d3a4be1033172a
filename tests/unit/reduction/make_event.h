// An event from what is not 0 (arrays: not empty).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "reduction/api/call.h"
#include "reduction/api/event.h"

namespace ranksight::reduction {

using EventValues = std::vector<std::pair<Param, std::vector<int64_t>>>;

inline Event MakeEvent(Call call, uint32_t site, const EventValues& values) {
  Event event(call);
  for (const Param param : Info(call).params) {
    std::vector<int64_t> value;
    if (!IsArray(param)) value.push_back(0);
    for (const auto& [name, given] : values) {
      if (name == param) value = given;
    }
    event.AddArray(value);
  }
  EXPECT_TRUE(event.Complete()) << Info(call).name;
  event.site = site;
  return event;
}

}  // namespace ranksight::reduction
