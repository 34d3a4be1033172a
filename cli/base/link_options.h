// Options that say what links the machine of some runs has, as `forecast`
// takes them.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/base/machine_options.h"
#include "online_model/api/links.h"

namespace CLI {
class App;
}

namespace ranksight::cli {

void AddLinkOptions(CLI::App* app, PlaceOptions* options);

// The links on which `ranks` ranks have places; where there are fewer places,
// all of them. nullptr where none are given. kUsage with what is wrong, kIo or
// kBadInput for the map file.
reduction::Result<std::shared_ptr<const online_model::Links>> MakeLinks(
    const PlaceOptions& places, int64_t ranks);

}  // namespace ranksight::cli
