#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "adapters/api/adapter.h"
#include "tests/unit/adapters/sample.h"

namespace ranksight::adapters {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Trace;

struct ChakraNode {
  std::string name;
  uint64_t type = 0;
  std::vector<uint64_t> behind;
  std::map<std::string, std::string> attributes;  // numbers in decimal
};

uint64_t TakeVarint(std::string_view* bytes) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = uint8_t(bytes->front());
    bytes->remove_prefix(1);
    value |= uint64_t(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

std::string_view TakeBytes(std::string_view* bytes) {
  const uint64_t size = TakeVarint(bytes);
  const std::string_view taken = bytes->substr(0, size);
  bytes->remove_prefix(size);
  return taken;
}

// f(field, number, bytes): one of the two, as the field has it.
void ForEachField(
    std::string_view message,
    const std::function<void(uint64_t, uint64_t, std::string_view)>& f) {
  while (!message.empty()) {
    const uint64_t key = TakeVarint(&message);
    if ((key & 7) == 2) {
      f(key >> 3, 0, TakeBytes(&message));
    } else {
      f(key >> 3, TakeVarint(&message), {});
    }
  }
}

ChakraNode NodeOf(std::string_view message) {
  ChakraNode node;
  ForEachField(message, [&](uint64_t field, uint64_t number,
                            std::string_view bytes) {
    if (field == 2) node.name = bytes;
    if (field == 3) node.type = number;
    if (field == 5) {
      while (!bytes.empty()) node.behind.push_back(TakeVarint(&bytes));
    }
    if (field != 10) return;
    std::string name, value;
    ForEachField(bytes, [&](uint64_t part, uint64_t n, std::string_view text) {
      if (part == 1) name = text;
      if (part != 1) value = text.empty() ? std::to_string(n) : text;
    });
    node.attributes[name] = value;
  });
  return node;
}

// What rank 0 of the trace does; node i has number i + 1.
std::vector<ChakraNode> NodesOf(const Trace& trace, const std::string& out) {
  Conversion done;
  const auto status = FindAdapter("chakra")->write({&trace, 1}, out, &done);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(done.files, uint64_t(trace.meta.ranks) + 1);
  const std::string file = ReadText(out + "/trace.0.et");
  std::string_view rest = file;
  TakeBytes(&rest);
  std::vector<ChakraNode> nodes;
  while (!rest.empty()) nodes.push_back(NodeOf(TakeBytes(&rest)));
  return nodes;
}

// The number of the first node of that name and type.
uint64_t Find(const std::vector<ChakraNode>& nodes, const std::string& name,
              uint64_t type) {
  const auto found = std::ranges::find_if(nodes, [&](const ChakraNode& n) {
    return n.name == name && n.type == type;
  });
  EXPECT_NE(found, nodes.end()) << name;
  return uint64_t(found - nodes.begin()) + 1;
}

constexpr uint64_t kCompute = 4, kSend = 5, kCollective = 7;
const Values kReals = {{Param::kCount, {3}}, {Param::kTypeSize, {8}}};

// Two ranks that do the same between MPI_Init and MPI_Finalize.
Trace SameOfTwo(const std::vector<Event>& calls) {
  std::vector<Event> all = {MakeEvent(Call::MPI_Init_, 1, {})};
  all.insert(all.end(), calls.begin(), calls.end());
  all.push_back(MakeEvent(Call::MPI_Finalize_, 99, {}));
  return MakeTrace({all, all});
}

TEST(Chakra, ACollectiveThatDoesNotBlockEndsAtItsWait) {
  const Trace trace = SameOfTwo({MakeEvent(Call::MPI_Iallreduce_, 2, kReals),
                                 MakeEvent(Call::MPI_Wait_, 3,
                                           {{Param::kRequestCount, {1}},
                                            {Param::kOpenCount, {1}},
                                            {Param::kRequests, {1}}})});
  const auto nodes = NodesOf(trace, TestFolder());
  const uint64_t sum = Find(nodes, "MPI_Iallreduce", kCollective);
  const uint64_t wait = Find(nodes, "MPI_Wait", kCompute);
  ASSERT_EQ(wait, sum + 2);  // computation between the two
  EXPECT_EQ(nodes[sum].behind, (std::vector<uint64_t>{sum - 1}));
  EXPECT_EQ(nodes[wait - 1].behind, (std::vector<uint64_t>{sum, sum + 1}));
  EXPECT_EQ(nodes[sum - 1].attributes.at("comm_size"), "24");
}

TEST(Chakra, CollectivesHaveTheSizeThatARankGivesToAll) {
  Values shares = kReals;
  shares.push_back({Param::kRecvCount, {3}});
  shares.push_back({Param::kRecvTypeSize, {8}});
  Values in_place = shares;
  in_place[0].second = {0};
  in_place.push_back({Param::kInPlace, {1}});
  const struct {
    Call call;
    Values values;
    std::string type, size;
  } cases[] = {{Call::MPI_Allreduce_, kReals, "0", "24"},
               {Call::MPI_Allgather_, shares, "2", "24"},
               {Call::MPI_Allgather_, in_place, "2", "24"},
               {Call::MPI_Alltoall_, shares, "6", "48"},
               {Call::MPI_Reduce_scatter_block_, kReals, "7", "48"}};
  for (const auto& c : cases) {
    const auto nodes =
        NodesOf(SameOfTwo({MakeEvent(c.call, 2, c.values)}), TestFolder());
    const std::string name(reduction::Info(c.call).name);
    const auto& node = nodes[Find(nodes, name, kCollective) - 1];
    EXPECT_EQ(node.attributes.at("comm_type"), c.type) << name;
    EXPECT_EQ(node.attributes.at("comm_size"), c.size) << name;
    EXPECT_EQ(node.attributes.at("pg_name"), "0") << name;
  }
}

TEST(Chakra, WhatASimulatorLacksBecomesMessages) {
  Values rooted = kReals;
  rooted.push_back({Param::kRoot, {0}});
  const auto nodes = NodesOf(
      SameOfTwo({MakeEvent(Call::MPI_Bcast_, 2, rooted)}), TestFolder());
  const auto& send = nodes[Find(nodes, "MPI_Bcast", kSend) - 1];
  EXPECT_EQ(send.attributes.at("comm_size"), "24");
  EXPECT_EQ(send.attributes.at("comm_src"), "0");
  EXPECT_EQ(send.attributes.at("comm_dst"), "1");
}

TEST(Chakra, GroupsNameTheirMembers) {
  const std::string out = TestFolder();
  NodesOf(RingTrace(4, 1), out);
  EXPECT_EQ(ReadText(out + "/groups.json"),
            "{\n\"1\": [0, 2],\n\"2\": [1, 3]\n}\n");
}

// Nodes know no start of another: a call behind a send under way is behind
// what the send itself is behind.
TEST(Chakra, WhatFollowsASendUnderWayIsNotBehindIt) {
  const auto nodes = NodesOf(RingTrace(4, 1), TestFolder());
  const uint64_t send = Find(nodes, "MPI_Isend", kSend);
  EXPECT_EQ(nodes[send].name, "computation");
  EXPECT_EQ(nodes[send].behind, nodes[send - 1].behind);
}

}  // namespace
}  // namespace ranksight::adapters
