#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "online_model/api/forecast.h"

namespace ranksight::online_model {
namespace {

using Path = std::vector<std::string>;

// Call sites of one module, by the offsets of their frames.
reduction::Sites SitesAt(const std::vector<std::vector<uint64_t>>& sites) {
  reduction::Sites out;
  out.modules = {{"b1", "app"}};
  for (const auto& offsets : sites) {
    reduction::CallSite site;
    for (const uint64_t offset : offsets) site.frames.push_back({0, offset});
    out.sites.push_back(site);
  }
  return out;
}

TEST(SetNames, GivesEachSiteItsFramesFromTheOutermost) {
  Forecast f;
  SetNames(SitesAt({{1, 2, 3, 4, 5}}), {}, &f);
  EXPECT_EQ(f.paths["app+0x5 < app+0x4 < app+0x3"],
            Path({"app+0x1", "app+0x2", "app+0x3", "app+0x4", "app+0x5"}));
}

// A site is known by three frames.
TEST(SetNames, GivesSitesThatDifferFurtherOutWhatTheyShare) {
  Forecast f;
  SetNames(SitesAt({{1, 2, 3, 4, 5}, {1, 6, 3, 4, 5}}), {}, &f);
  SetNames(SitesAt({{1, 7, 3, 4, 5}}), {}, &f);
  EXPECT_EQ(f.paths["app+0x5 < app+0x4 < app+0x3"],
            Path({kManyPaths, "app+0x3", "app+0x4", "app+0x5"}));
}

TEST(SetNames, PutsThePathOfASiteIntoJson) {
  Forecast f;
  f.sites.push_back({"MPI_Barrier", "app+0x2 < app+0x1", {}, {}, {}});
  SetNames(SitesAt({{1, 2}}), {}, &f);
  const auto json = nlohmann::json::parse(ToJson(f));
  EXPECT_EQ(json["sites"][0]["path"], nlohmann::json({"app+0x1", "app+0x2"}));
}

TEST(SetNames, NamesTheSitesThatReasonsSpeakOf) {
  Forecast f;
  ForecastPoint& p = f.points.emplace_back();
  p.basis = "laws added up: no law at app+0x2 < app+0x1: rank 1 has [2]";
  p.reason = "seen at 4 ranks";
  reduction::Names names;
  names.modules["b1"] = {{0x1, {{"main", "/a/app.c", 7}}},
                         {0x2, {{"step", "/a/app.c", 9}}}};
  SetNames(SitesAt({{1}, {1, 2}}), names, &f);
  EXPECT_EQ(p.basis,
            "laws added up: no law at step app.c:9 < main app.c:7: rank 1 has "
            "[2]");
  EXPECT_EQ(p.reason, "seen at 4 ranks");
}

}  // namespace
}  // namespace ranksight::online_model
