// The inside of a node, as hwloc writes it: against names of the same networks.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "bgq_support/api/network.h"
#include "tests/unit/bgq_support/network_files.h"

namespace ranksight::bgq_support {
namespace {

// <object> with what stands in it, of cores [first, end).
std::string HwlocObject(const char* type, int first, int end,
                        const std::string& inside) {
  static int number = 100;
  const unsigned set = (1u << end) - (1u << first);
  char hex[16];
  std::snprintf(hex, sizeof hex, "0x%x", set);
  const std::string attributes =
      " cpuset=\"" + std::string(hex) + "\" complete_cpuset=\"" + hex +
      "\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"" +
      std::to_string(number++) + "\"";
  const bool cache = std::string(type) == "L3Cache";
  return "<object type=\"" + std::string(type) + "\" os_index=\"" +
         std::to_string(first) + "\"" + attributes +
         (cache ? " cache_size=\"1024\" depth=\"3\" cache_linesize=\"64\" "
                  "cache_associativity=\"4\" cache_type=\"0\""
                : "") +
         ">" + inside + "</object>\n";
}

std::string HwlocCores(int first, int end) {
  std::string cores;
  for (int c = first; c < end; ++c) {
    cores += HwlocObject("Core", c, c + 1, HwlocObject("PU", c, c + 1, ""));
  }
  return cores;
}

std::string HwlocNode(const std::string& packages, int cores) {
  const std::string all = HwlocObject(
      "Machine", 0, cores, HwlocObject("NUMANode", 0, cores, "") + packages);
  const std::string machine = "<object type=\"Machine\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
         "<topology version=\"2.0\">\n" +
         machine + " allowed_cpuset=\"" + (cores == 8 ? "0xff" : "0x7") +
         "\" allowed_nodeset=\"0x1\"" + all.substr(machine.size()) +
         "</topology>\n";
}

TEST(NetworkFile, OfHwlocIsTheInsideOfANode) {
  std::string packages;
  for (const int first : {0, 4}) {
    const auto cache = [&](int at) {
      return HwlocObject("L3Cache", at, at + 2, HwlocCores(at, at + 2));
    };
    packages += HwlocObject("Package", first, first + 4,
                            cache(first) + cache(first + 2));
  }
  std::string reason;
  const auto node =
      Network::FromText(HwlocNode(packages, 8), "1x1x1", "node.xml", &reason);
  if (reason.find("without hwloc") != reason.npos) GTEST_SKIP() << reason;
  ASSERT_TRUE(node) << reason;
  EXPECT_EQ(node->node_names()[3], "core3");
  EXPECT_EQ(node->Blocks(), (std::vector<int64_t>{2, 4, 8}));
  // As the tree that has a name.
  const auto named = Network::Parse("fat-tree:2x2x2:1x1x1", &reason);
  const auto mapping = PlaceInOrder(*node, 8, 1, &reason);
  std::mt19937_64 random(47);
  const Traffic traffic = MixedTraffic(8, &random);
  EXPECT_EQ(ComputeLoads(*node, *mapping, traffic, &reason)->load,
            ComputeLoads(*named, *mapping, traffic, &reason)->load);
}

TEST(NetworkFile, OfHwlocMayBeUneven) {
  const std::string xml =
      HwlocNode(HwlocObject("Package", 0, 2, HwlocCores(0, 2)) +
                    HwlocObject("Package", 2, 3, HwlocCores(2, 3)),
                3);
  std::string reason;
  const auto node = Network::FromText(xml, "", "node.xml", &reason);
  if (reason.find("without hwloc") != reason.npos) GTEST_SKIP() << reason;
  ASSERT_TRUE(node) << reason;
  EXPECT_EQ(node->nodes(), 3);
  EXPECT_FALSE(Network::FromText("<topology>", "", "node.xml", &reason));
  EXPECT_EQ(reason, "1: no topology that hwloc reads");
}

}  // namespace
}  // namespace ranksight::bgq_support
