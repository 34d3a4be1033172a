#include "online_model/forecast/site_names.h"

#include "reduction/api/shown_text.h"

namespace ranksight::online_model {

using reduction::ShownName;

void SetNames(const reduction::Sites& sites, const reduction::Names& names,
              Forecast* f) {
  for (uint32_t i = 0; i < sites.sites.size(); ++i) {
    const std::string place = SitePlace(sites, names, i);
    if (place.empty()) continue;
    f->names[ToString(sites, i)] = {SiteText(sites, names, i), place};
  }
}

std::string SiteShown(const Forecast& f, const std::string& site) {
  const auto known = f.names.find(site);
  return known != f.names.end() ? known->second.text : ShownName(site);
}

std::string PlaceShown(const Forecast& f, const std::string& site) {
  const auto known = f.names.find(site);
  if (known != f.names.end()) return known->second.place;
  return ShownName(site.substr(0, site.find(" < ")));
}

}  // namespace ranksight::online_model
