#include "cli/look/load_picture.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace ranksight::cli {
namespace {

using bgq_support::LinkLoads;
using bgq_support::Machine;

// A torus of 4x2 nodes, each way of each dimension; one link carries so much.
LinkLoads OneLink(const Machine& machine, uint64_t bytes) {
  LinkLoads loads;
  loads.load.resize(size_t(machine.torus.dims()) * 2 *
                    size_t(machine.torus.nodes()));
  loads.load[3] = bytes;
  return loads;
}

std::string SvgOf(uint64_t before, uint64_t after) {
  std::string reason;
  const std::optional<Machine> machine = Machine::Parse("4x2", &reason);
  EXPECT_TRUE(machine) << reason;
  const LinkLoads first = OneLink(*machine, before);
  const LinkLoads second = OneLink(*machine, after);
  const auto picture =
      PictureOf(*machine, {{"default", &first}, {"mapped", &second}}, "app");
  EXPECT_TRUE(picture.ok());
  return picture->ToSvg();
}

bool Has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(LoadPicture, SaysWhatAMappingSavesOfTheBusiestLink) {
  const std::string svg = SvgOf(4000, 1000);
  EXPECT_TRUE(Has(svg, ">default, most loaded link 4 KB</text>")) << svg;
  EXPECT_TRUE(Has(svg, ">mapped, most loaded link 1 KB: 75 % less</text>"))
      << svg;
}

TEST(LoadPicture, HasTheSavedShareInItsHeadline) {
  EXPECT_TRUE(Has(SvgOf(4000, 1000),
                  ">app: the mapped mapping takes 75 % off the busiest link<"));
  EXPECT_TRUE(Has(SvgOf(4000, 3999), "takes less than 1 % off the busiest"));
  EXPECT_TRUE(Has(SvgOf(4000, 4000), "takes nothing off the busiest link<"));
  EXPECT_TRUE(Has(SvgOf(4000, 5000), "loads the busiest link 25 % more<"));
}

TEST(LoadPicture, SaysNoShareWhereNothingIsSaved) {
  EXPECT_FALSE(Has(SvgOf(1000, 1000), "less"));
  EXPECT_FALSE(Has(SvgOf(1000, 4000), "less"));
}

TEST(LoadPicture, SaysWhereTheDimensionsRun) {
  EXPECT_TRUE(Has(SvgOf(2, 1),
                  ">each point a node: X down, Y across, from 0,0 "
                  "at the top left to 3,1, the last quickest</text>"))
      << SvgOf(2, 1);
}

}  // namespace
}  // namespace ranksight::cli
