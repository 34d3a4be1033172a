#include "reduction/api/site_scale.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ranksight::reduction {
namespace {

Sites SitesAt(const std::vector<std::string>& modules) {
  Sites sites;
  for (const std::string& name : modules) {
    sites.sites.push_back({{{uint32_t(sites.modules.size()), 16}}});
    sites.modules.push_back({"ab", name});
  }
  return sites;
}

TEST(SiteScale, SitesTakeTheProductOfAllThatTheyHold) {
  const std::vector<std::string> words = {"app=2", "pp=0.25", "a=b=1e1"};
  const auto scales = ReadSiteScales(words);
  ASSERT_TRUE(scales.ok()) << scales.status().message();
  const auto factors =
      FactorsOf(*scales, SitesAt({"app", "pp", "other", "a=b"}));
  ASSERT_TRUE(factors.ok()) << factors.status().message();
  EXPECT_EQ(*factors, (std::vector<double>{0.5, 0.25, 1, 10}));
}

TEST(SiteScale, WhatIsNoFactorIsRefused) {
  for (const std::string word :
       {"", "=", "app", "app=", "=2", "app=x", "app=2x", "app=-1", "app=nan",
        "app=inf", "app= 2"}) {
    const auto scales = ReadSiteScales({&word, 1});
    EXPECT_EQ(scales.status().code(), StatusCode::kUsage) << word;
    EXPECT_NE(scales.status().message().find("'" + word + "'"),
              std::string::npos);
  }
}

TEST(SiteScale, WhatNoSiteHoldsIsRefused) {
  const std::vector<SiteScale> scales = {{"app", 2}, {"nowhere", 2}};
  EXPECT_EQ(FactorsOf(scales, SitesAt({"app"})).status().message(),
            "no call site holds 'nowhere'");
}

}  // namespace
}  // namespace ranksight::reduction
