#include "bgq_support/api/hosts.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace ranksight::bgq_support {
namespace {

using Names = std::vector<std::string>;

HostList Hosts(std::string_view text) {
  std::string reason;
  const auto list = ReadHostFile(text, &reason);
  EXPECT_TRUE(list.has_value()) << reason;
  return list.value_or(HostList());
}

std::string FileRefusal(std::string_view text) {
  std::string reason;
  EXPECT_FALSE(ReadHostFile(text, &reason)) << text;
  return reason;
}

Names Nodes(std::string_view text) {
  std::string reason;
  const auto names = ExpandNodeList(text, &reason);
  EXPECT_TRUE(names.has_value()) << text << ": " << reason;
  return names.value_or(Names());
}

std::string NodesRefusal(std::string_view text) {
  std::string reason;
  EXPECT_FALSE(ExpandNodeList(text, &reason)) << text;
  return reason;
}

std::string TasksRefusal(std::string_view text) {
  std::string reason;
  EXPECT_FALSE(ExpandTaskCounts(text, &reason)) << text;
  return reason;
}

Distribution DistributionOf(std::string_view text) {
  std::string reason;
  const auto found = Distribution::Parse(text, &reason);
  EXPECT_TRUE(found.has_value()) << text << ": " << reason;
  return found.value_or(Distribution());
}

// The hosts of ranks, as letters of names.
std::string Order(const HostList& hosts, int64_t ranks,
                  const Distribution& distribution) {
  std::string reason, order;
  const auto mapping = PlaceOnHosts(hosts, ranks, distribution, &reason);
  EXPECT_TRUE(mapping.has_value()) << reason;
  if (!mapping) return "";
  for (const Place& place : mapping->places()) {
    order += hosts.names[size_t(place.node)];
  }
  return order;
}

TEST(Hosts, HydrasFilesHaveACountBehindAColon) {
  const HostList list = Hosts(
      "# nodes\nalpha:4\n\n  node-2.site.org:2 binding=user:0,1 # two\r\nb\n");
  EXPECT_EQ(list.names, (Names{"alpha", "node-2.site.org", "b"}));
  EXPECT_EQ(list.runs, (std::vector<HostRun>{{0, 4}, {1, 2}, {2, 1}}));
  EXPECT_EQ(list.slots(), 7);
}

TEST(Hosts, OpenMpisFilesHaveSlots) {
  const HostList list = Hosts("a slots=2 max_slots=4\nb\tslots=3\nc");
  EXPECT_EQ(list.names, (Names{"a", "b", "c"}));
  EXPECT_EQ(list.runs, (std::vector<HostRun>{{0, 2}, {1, 3}, {2, 1}}));
}

TEST(Hosts, NamesInARowCountAndLaterOnesFillLater) {
  const HostList list = Hosts("a\na\nb\na\n");
  EXPECT_EQ(list.names, (Names{"a", "b"}));
  EXPECT_EQ(list.runs, (std::vector<HostRun>{{0, 2}, {1, 1}, {0, 1}}));
  EXPECT_EQ(list.With(3).runs, (std::vector<HostRun>{{0, 3}, {1, 3}}));
}

TEST(Hosts, AHostWithoutSlotsIsNone) {
  const HostList list = Hosts("a slots=0\nb slots=2\nc:0\nd");
  EXPECT_EQ(list.names, (Names{"b", "d"}));
  EXPECT_EQ(list.slots(), 3);
}

TEST(Hosts, BlanksMayStandAroundTheSignOfEquality) {
  const HostList list = Hosts(
      "a slots = 2\nb slots= 3 max_slots =4\nc\tslots\t=\t4 # c\r\nd slots =5");
  EXPECT_EQ(list.names, (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(list.runs, (std::vector<HostRun>{{0, 2}, {1, 3}, {2, 4}, {3, 5}}));
  EXPECT_EQ(FileRefusal("a slots = x"),
            "1:11: a number of ranks expected, found 'x'");
  EXPECT_EQ(FileRefusal("a slots ="),
            "1:10: a number of ranks expected, found ''");
}

TEST(Hosts, UsersAreNoPartOfTheName) {
  const HostList list = Hosts("me@a:2\nyou@b.site slots=3\nme@[::1]:4\na");
  EXPECT_EQ(list.names, (Names{"a", "b.site", "::1"}));
  EXPECT_EQ(list.slots(), 10);
  EXPECT_EQ(FileRefusal("@a"), "1:1: the name of a host expected, found '@a'");
  EXPECT_EQ(FileRefusal("me@"),
            "1:1: the name of a host expected, found 'me@'");
  EXPECT_EQ(FileRefusal("a@b@c"),
            "1:1: the name of a host expected, found 'a@b@c'");
}

TEST(Hosts, AddressesOfIpv6MayStandInBrackets) {
  const HostList list = Hosts(
      "::1\n[fe80::1%eth0]:2\nfe80::2%eth0 slots=3\n[2001:db8::7] slots=4\n"
      "[::1]\n192.0.2.1:5\n");
  EXPECT_EQ(list.names, (Names{"::1", "fe80::1%eth0", "fe80::2%eth0",
                               "2001:db8::7", "192.0.2.1"}));
  EXPECT_EQ(list.slots(), 16);
  for (const char* wrong : {"[::1", "[::1]4", "[a]", "[]:2", "1::2::3"}) {
    EXPECT_NE(FileRefusal(wrong), "") << wrong;
  }
}

// What Hydra gets is what we read.
TEST(Hosts, AddressesComeBackFromWhatIsWritten) {
  const HostList list = Hosts("::1 slots=2\na\n");
  std::string reason;
  const auto mapping = PlaceOnHosts(list, 3, {}, &reason);
  ASSERT_TRUE(mapping) << reason;
  const std::string text = WriteHosts(list, *mapping, HostForm::kHydra);
  EXPECT_EQ(text, "[::1]:2\na:1\n");
  EXPECT_EQ(Hosts(text).names, list.names);
  EXPECT_EQ(Hosts(text).runs, list.runs);
}

TEST(Hosts, CommentsAndLineEndsOfOtherSystemsAreNoPartOfIt) {
  const HostList list = Hosts("# a\r\na:2#two\r\n\r\nb slots=3# three\r\nc\r");
  EXPECT_EQ(list.names, (Names{"a", "b", "c"}));
  EXPECT_EQ(list.runs, (std::vector<HostRun>{{0, 2}, {1, 3}, {2, 1}}));
}

TEST(Hosts, AHostFileIsRefusedWithItsLineAndColumn) {
  EXPECT_EQ(FileRefusal(""), "1:1: no host with room for a rank is named");
  EXPECT_EQ(FileRefusal("# none\n"),
            "1:1: no host with room for a rank is named");
  EXPECT_EQ(FileRefusal("a slots=0\nb:0"),
            "1:1: no host with room for a rank is named");
  EXPECT_EQ(FileRefusal("a:x"), "1:3: a number of ranks expected, found 'x'");
  EXPECT_EQ(FileRefusal("a slots="),
            "1:9: a number of ranks expected, found ''");
  EXPECT_EQ(FileRefusal("a slots=-1"),
            "1:9: a number of ranks expected, found '-1'");
  EXPECT_EQ(FileRefusal("a 4"), "1:3: slots=N expected, found '4'");
  EXPECT_EQ(FileRefusal("a\nrank 0=a slot=1"),
            "2:6: slots=N expected, found '0=a'");
  EXPECT_EQ(FileRefusal(":4"), "1:1: the name of a host expected, found ':4'");
  EXPECT_EQ(FileRefusal("n[1-2]"),
            "1:1: the name of a host expected, found 'n[1-2]'");
  EXPECT_EQ(FileRefusal("a:16777216\nb"), "2:1: more than 16777216 ranks");
}

TEST(Hosts, SlurmsHostfilesHaveCommasAndStars) {
  std::string reason;
  const auto list = ReadSlurmHostFile("a,b,a # c\n\nb*2\na\n", &reason);
  ASSERT_TRUE(list.has_value()) << reason;
  EXPECT_EQ(Order(*list, 6, {}), "ababba");
  for (const auto& [text, wrong] :
       {std::pair{"a\nb,,a", "2:3: the name of a host expected, found ''"},
        std::pair{"a*x", "1:3: a number of ranks expected, found 'x'"},
        std::pair{"a:4", "1:1: the name of a host expected, found 'a:4'"},
        std::pair{"", "1:1: no host with room for a rank is named"}}) {
    EXPECT_FALSE(ReadSlurmHostFile(text, &reason)) << text;
    EXPECT_EQ(reason, wrong);
  }
}

TEST(Hosts, NodeListsExpandAsSlurmsDo) {
  EXPECT_EQ(Nodes("login"), (Names{"login"}));
  EXPECT_EQ(Nodes("n[008-011]"), (Names{"n008", "n009", "n010", "n011"}));
  EXPECT_EQ(Nodes("n[8-10,2],x1"), (Names{"n8", "n9", "n10", "n2", "x1"}));
  EXPECT_EQ(Nodes("n[98-101]"), (Names{"n98", "n99", "n100", "n101"}));
  EXPECT_EQ(Nodes("r[1-2]n[1-2]-ib,z"),
            (Names{"r1n1-ib", "r1n2-ib", "r2n1-ib", "r2n2-ib", "z"}));
}

TEST(Hosts, ANodeListIsRefusedWithItsColumn) {
  EXPECT_EQ(NodesRefusal(""), "1: the name of a node expected");
  EXPECT_EQ(NodesRefusal("a,"), "3: the name of a node expected");
  EXPECT_EQ(NodesRefusal("a b"), "2: a comma expected, found ' b'");
  EXPECT_EQ(NodesRefusal("n["), "3: a number expected");
  EXPECT_EQ(NodesRefusal("n[1-"), "5: a number expected");
  EXPECT_EQ(NodesRefusal("n[1-2"), "6: ']' expected");
  EXPECT_EQ(NodesRefusal("n[3-2]"),
            "6: a range that grows expected, found ']'");
  EXPECT_EQ(NodesRefusal("bgq[0000x1331]"), "9: ']' expected, found 'x1331]'");
  EXPECT_EQ(NodesRefusal("n1,n[0-1]"), "10: node 'n1' is named twice");
  EXPECT_EQ(NodesRefusal("n[1-1234567890]"),
            "15: the number is too long, found ']'");
  EXPECT_EQ(NodesRefusal("n[1-9999999]"),
            "12: more than 1048576 nodes, found ']'");
  EXPECT_EQ(NodesRefusal("n[1-2000][1-2000]"), "18: more than 1048576 nodes");
}

TEST(Hosts, TaskCountsRepeat) {
  std::string reason;
  EXPECT_EQ(ExpandTaskCounts("4(x2),2,1(x1)", &reason),
            (std::vector<int32_t>{4, 4, 2, 1}));
  EXPECT_EQ(TasksRefusal(""), "1: a number expected");
  EXPECT_EQ(TasksRefusal("4(x2),"), "7: a number expected");
  EXPECT_EQ(TasksRefusal("4(2)"), "3: (xN) expected, found '2)'");
  EXPECT_EQ(TasksRefusal("4(x2"), "5: (xN) expected");
  EXPECT_EQ(TasksRefusal("4(x2)2"), "6: a comma expected, found '2'");
  EXPECT_EQ(TasksRefusal("0"), "2: 1 to 16777216 tasks expected");
  EXPECT_EQ(TasksRefusal("1(x999999999)"), "14: 1 to 16777216 tasks expected");
}

TEST(Hosts, DistributionsAreSlurms) {
  using Kind = Distribution::Kind;
  EXPECT_EQ(DistributionOf("block"),
            (Distribution{Kind::kBlock, 1, false, true}));
  EXPECT_EQ(DistributionOf("cyclic:block,nopack"),
            (Distribution{Kind::kCyclic, 1, false, false}));
  EXPECT_EQ(DistributionOf("plane=4"),
            (Distribution{Kind::kPlane, 4, false, true}));
  EXPECT_EQ(DistributionOf("block:cyclic:fcyclic,Pack"),
            (Distribution{Kind::kBlock, 1, true, true}));
  std::string reason;
  EXPECT_FALSE(Distribution::Parse("arbitrary", &reason));
  EXPECT_EQ(reason, "'arbitrary' is no distribution: block, cyclic or plane=N");
  EXPECT_FALSE(Distribution::Parse("plane=0", &reason));
  EXPECT_FALSE(Distribution::Parse("block:x", &reason));
  EXPECT_EQ(reason, "'block:x': block or cyclic expected behind the colon");
  EXPECT_FALSE(Distribution::Parse("block,Packed", &reason));
  EXPECT_EQ(reason, "'block,Packed': Pack or NoPack expected behind the comma");
}

TEST(Hosts, RanksGoWhereTheLauncherPutsThem) {
  const HostList hosts = Hosts("a:4\nb:4\nc:2\n");
  EXPECT_EQ(Order(hosts, 10, DistributionOf("block")), "aaaabbbbcc");
  EXPECT_EQ(Order(hosts, 10, DistributionOf("cyclic")), "abcabcabab");
  EXPECT_EQ(Order(hosts, 10, DistributionOf("plane=3")), "aaabbbccab");
  EXPECT_EQ(Order(hosts, 10, DistributionOf("plane=2")), "aabbccaabb");
  std::string reason;
  EXPECT_FALSE(PlaceOnHosts(hosts, 11, DistributionOf("block"), &reason));
  EXPECT_EQ(reason, "11 ranks do not fit on 3 hosts with 10 slots");
}

// As _task_layout_block and _task_layout_plane of Slurm place them.
TEST(Hosts, FewerRanksThanSlotsAreSharedOutAsSrunDoes) {
  const HostList alike = Hosts("a:8\nb:8\nc:8\nd:8\n");
  EXPECT_EQ(Order(alike, 8, DistributionOf("block")), "aabbccdd");
  EXPECT_EQ(Order(alike, 8, DistributionOf("block,NoPack")), "aabbccdd");
  EXPECT_EQ(Order(alike, 8, DistributionOf("block,Pack")), "aaaaabcd");
  EXPECT_EQ(Order(alike, 3, DistributionOf("block")), "abc");
  EXPECT_EQ(Order(alike, 8, DistributionOf("cyclic")), "abcdabcd");
  EXPECT_EQ(Order(alike, 8, DistributionOf("plane=4")), "aaaabbcd");
  EXPECT_EQ(Order(alike, 8, DistributionOf("plane=2")), "aabbccdd");
  const HostList others = Hosts("a:4\nb:1\nc:4\n");
  EXPECT_EQ(Order(others, 6, DistributionOf("block")), "aaabcc");
  EXPECT_EQ(Order(others, 6, DistributionOf("plane=2")), "aabcca");
}

TEST(Hosts, ABlockIsAllOfAHostWhereverItIsNamedAgain) {
  const HostList hosts = Hosts("a\nb\na\nb\na\nb\na\nb\n");
  EXPECT_EQ(Order(hosts, 8, DistributionOf("block")), "aaaabbbb");
}

// As `mpiexec -f` of MPICH 4.0.2 places them.
TEST(Hosts, AListThatIsFullFillsAgain) {
  EXPECT_EQ(Order(Hosts("a\nb\n"), 4, {}), "abab");
  EXPECT_EQ(Order(Hosts("a\na\nb\nb\n"), 6, {}), "aabbaa");
  EXPECT_EQ(Order(Hosts("a:2\nb:1\n"), 8, {}), "aabaabaa");
  EXPECT_EQ(Order(Hosts("a\nb\nb\na\n"), 4, {}), "abba");
}

TEST(Hosts, SlotsCountTheRanksOfAHost) {
  std::string reason;
  const auto mapping =
      PlaceOnHosts(Hosts("a\nb\nb\na\n"), 6, Distribution(), &reason);
  ASSERT_TRUE(mapping.has_value());
  EXPECT_EQ(
      mapping->places(),
      (std::vector<Place>{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}, {1, 2}}));
}

TEST(Hosts, OrdersAreWrittenInTheFormsOfLaunchers) {
  const HostList hosts = Hosts("a:2\nb:2\n");
  const Mapping mapping({{1, 0}, {0, 0}, {0, 1}, {1, 1}});
  EXPECT_EQ(WriteHosts(hosts, mapping, HostForm::kList), "b\na\na\nb\n");
  EXPECT_EQ(WriteHosts(hosts, mapping, HostForm::kHydra), "b:1\na:2\nb:1\n");
  EXPECT_EQ(WriteHosts(hosts, mapping, HostForm::kRankFile),
            "rank 0=b slot=0\nrank 1=a slot=0\n"
            "rank 2=a slot=1\nrank 3=b slot=1\n");
  EXPECT_EQ(WriteHosts(hosts, mapping, HostForm::kOrder), "1,2\n0,3\n");
  EXPECT_EQ(ParseHostForm("order"), HostForm::kOrder);
  EXPECT_FALSE(ParseHostForm("pbs"));
}

TEST(Hosts, ShapesSayWhichPackageARankIsOn) {
  const auto shape = HostShape::Parse("2x3");
  ASSERT_EQ(shape, (HostShape{2, 3}));
  std::string block, cyclic;
  for (int slot = 0; slot < 8; ++slot) {
    block += std::to_string(shape->PackageOf(slot, false));
    cyclic += std::to_string(shape->PackageOf(slot, true));
  }
  EXPECT_EQ(block, "00011100");
  EXPECT_EQ(cyclic, "01010101");
  std::string cores;
  for (int slot = 0; slot < shape->cores(); ++slot) {
    cores += std::to_string(shape->CoreOf(slot, true));
    EXPECT_EQ(shape->CoreOf(slot, false), slot);
  }
  EXPECT_EQ(cores, "031425");
  for (const char* wrong :
       {"", "2", "2x", "x3", "0x3", "2x3x4", "-1x2", "129x1", "16777216x1"}) {
    EXPECT_FALSE(HostShape::Parse(wrong)) << wrong;
  }
}

TEST(Hosts, HwlocSaysTheShapeOfWhatItsFilesDescribe) {
  std::string reason;
  if (!HostShape::FromHwloc("", &reason)) GTEST_SKIP() << reason;
  const support::ScratchFolder folder;
  const std::string path = folder.path() + "/node.xml";
  std::ofstream(path) << R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
 <object type="Machine" os_index="0" cpuset="0xf" complete_cpuset="0xf"
   allowed_cpuset="0xf" nodeset="0x1" complete_nodeset="0x1"
   allowed_nodeset="0x1" gp_index="1">
  <object type="NUMANode" os_index="0" cpuset="0xf" complete_cpuset="0xf"
    nodeset="0x1" complete_nodeset="0x1" gp_index="20"/>
  <object type="Package" os_index="0" cpuset="0x3" complete_cpuset="0x3"
    nodeset="0x1" complete_nodeset="0x1" gp_index="2">
   <object type="Core" os_index="0" cpuset="0x1" complete_cpuset="0x1"
     nodeset="0x1" complete_nodeset="0x1" gp_index="4">
    <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1"
      nodeset="0x1" complete_nodeset="0x1" gp_index="8"/>
   </object>
   <object type="Core" os_index="1" cpuset="0x2" complete_cpuset="0x2"
     nodeset="0x1" complete_nodeset="0x1" gp_index="5">
    <object type="PU" os_index="1" cpuset="0x2" complete_cpuset="0x2"
      nodeset="0x1" complete_nodeset="0x1" gp_index="9"/>
   </object>
  </object>
  <object type="Package" os_index="1" cpuset="0xc" complete_cpuset="0xc"
    nodeset="0x1" complete_nodeset="0x1" gp_index="3">
   <object type="Core" os_index="2" cpuset="0x4" complete_cpuset="0x4"
     nodeset="0x1" complete_nodeset="0x1" gp_index="6">
    <object type="PU" os_index="2" cpuset="0x4" complete_cpuset="0x4"
      nodeset="0x1" complete_nodeset="0x1" gp_index="10"/>
   </object>
   <object type="Core" os_index="3" cpuset="0x8" complete_cpuset="0x8"
     nodeset="0x1" complete_nodeset="0x1" gp_index="7">
    <object type="PU" os_index="3" cpuset="0x8" complete_cpuset="0x8"
      nodeset="0x1" complete_nodeset="0x1" gp_index="11"/>
   </object>
  </object>
 </object>
</topology>
)";
  EXPECT_EQ(HostShape::FromHwloc(path, &reason), (HostShape{2, 2})) << reason;
  std::ofstream(path) << "<topology>";
  EXPECT_FALSE(HostShape::FromHwloc(path, &reason));
  EXPECT_EQ(reason, "no topology that hwloc reads");
}

}  // namespace
}  // namespace ranksight::bgq_support
