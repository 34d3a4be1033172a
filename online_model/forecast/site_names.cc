#include "online_model/forecast/site_names.h"

#include <algorithm>

#include "reduction/api/shown_text.h"

namespace ranksight::online_model {

using reduction::ShownName;

namespace {

// What all paths of a site have in common, from the call outwards.
void TakePath(const std::vector<std::string>& path,
              std::vector<std::string>* known) {
  if (known->empty()) *known = path;
  if (*known == path) return;
  size_t same = 0;
  while (same < std::min(path.size(), known->size()) &&
         path[path.size() - 1 - same] == (*known)[known->size() - 1 - same]) {
    ++same;
  }
  known->assign(1, kManyPaths);
  known->insert(known->end(), path.end() - ptrdiff_t(same), path.end());
}

// Puts names in the place of the call sites that a reason speaks of.
void NameSitesIn(const Forecast& f, std::string* text) {
  constexpr std::string_view kAt = " at ";
  for (size_t at = 0; (at = text->find(kAt, at)) != text->npos;) {
    at += kAt.size();
    // One site may begin as another does.
    const SiteName* name = nullptr;
    size_t longest = 0;
    for (const auto& [site, known] : f.names) {
      if (site.size() > longest && text->compare(at, site.size(), site) == 0) {
        longest = site.size();
        name = &known;
      }
    }
    if (name == nullptr) continue;
    text->replace(at, longest, name->text);
    at += name->text.size();
  }
}

}  // namespace

void SetNames(const reduction::Sites& sites, const reduction::Names& names,
              Forecast* f) {
  for (uint32_t i = 0; i < sites.sites.size(); ++i) {
    const std::string site = ToString(sites, i);
    TakePath(SitePath(sites, names, i), &f->paths[site]);
    const std::string place = SitePlace(sites, names, i);
    if (place.empty()) continue;
    f->names[site] = {SiteText(sites, names, i), place};
  }
  NameReasons(f);
}

void NameReasons(Forecast* f) {
  for (ForecastPoint& p : f->points) {
    for (std::string* text : {&p.basis, &p.reason}) NameSitesIn(*f, text);
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
