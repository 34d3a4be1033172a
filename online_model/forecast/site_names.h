// How a call site is written where a forecast is shown as text.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "online_model/api/forecast.h"

namespace ranksight::online_model {

// Its name where there is one, else module and offset of its frames.
std::string SiteShown(const Forecast& f, const std::string& site);
// In short: where the call itself stands.
std::string PlaceShown(const Forecast& f, const std::string& site);

// Puts names in the place of the sites that reasons and bases of points speak
// of, where they are known.
void NameReasons(Forecast* f);

}  // namespace ranksight::online_model
