#include "reduction/api/site.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>

#include "reduction/api/pause.h"
#include "reduction/api/shown_text.h"

namespace ranksight::reduction {
namespace {

// Sorts, drops duplicates; *map[i] is where old item i went.
template <class T>
void SortUnique(std::vector<T>* items, std::vector<uint32_t>* map) {
  std::vector<uint32_t> order(items->size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return (*items)[a] < (*items)[b]; });
  std::vector<T> sorted;
  map->assign(items->size(), 0);
  for (const uint32_t i : order) {
    if (sorted.empty() || sorted.back() < (*items)[i]) {
      sorted.push_back((*items)[i]);
    }
    (*map)[i] = uint32_t(sorted.size() - 1);
  }
  *items = std::move(sorted);
}

}  // namespace

void Canonicalize(Sites* sites, std::vector<uint32_t>* map) {
  std::vector<uint32_t> module_map;
  SortUnique(&sites->modules, &module_map);
  for (CallSite& s : sites->sites) {
    Pause();
    for (Frame& f : s.frames) f.module = module_map[f.module];
  }
  SortUnique(&sites->sites, map);
}

Sites Unite(const Sites& a, const Sites& b, std::vector<uint32_t>* map_a,
            std::vector<uint32_t>* map_b) {
  Sites all = a;
  const uint32_t base = uint32_t(a.modules.size());
  all.modules.insert(all.modules.end(), b.modules.begin(), b.modules.end());
  for (CallSite s : b.sites) {
    Pause();
    for (Frame& f : s.frames) f.module += base;
    all.sites.push_back(std::move(s));
  }
  std::vector<uint32_t> map;
  Canonicalize(&all, &map);
  map_a->assign(map.begin(), map.begin() + long(a.sites.size()));
  map_b->assign(map.begin() + long(a.sites.size()), map.end());
  return all;
}

Module RegionModule(const std::string& name) { return {"region", name}; }

bool IsRegion(const Module& module) { return module.build_id == "region"; }

std::string RegionsText(const Sites& sites, const CallSite& site) {
  std::string text;
  for (const Frame& f : site.frames) {
    const Module& module = sites.modules[f.module];
    if (IsRegion(module)) text += '[' + ShownName(module.name) + "] ";
  }
  return text;
}

std::string ToString(const Sites& sites, uint32_t site, int max_frames) {
  std::string text;
  const auto& frames = sites.sites[site].frames;
  int left = max_frames;
  for (auto f = frames.rbegin(); f != frames.rend() && left > 0; ++f) {
    if (IsRegion(sites.modules[f->module])) continue;
    --left;
    char offset[24];
    std::snprintf(offset, sizeof offset, "+0x%llx",
                  static_cast<unsigned long long>(f->offset));
    if (!text.empty()) text += " < ";
    text += ShownName(sites.modules[f->module].name) + offset;
  }
  return RegionsText(sites, sites.sites[site]) + (text.empty() ? "?" : text);
}

}  // namespace ranksight::reduction
