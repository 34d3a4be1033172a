// Graph: switches and nodes linked in any way, and the ways of messages.
//
// Invariants: every node is linked to a switch, and there is a way from every
// node to every other one. Links go between a node and a switch or two
// switches. Thread-safety: immutable once it is made.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bgq_support/network/routes.h"

namespace ranksight::bgq_support {

// Vertices are nodes, then switches. Links come in pairs, 2 i there and 2 i + 1
// back, by class.
struct Graph {
  int64_t nodes = 0, switches = 0;
  std::vector<std::string> names;  // of nodes
  struct Link {
    int32_t from = 0, to = 0;
  };
  std::vector<Link> links;  // there
  std::vector<LinkClass> classes;
  // Switches on the way between two vertices, both of them included where they
  // are switches; where none is given, the shortest.
  std::map<std::pair<int32_t, int32_t>, std::vector<int32_t>> routes;

  int64_t vertices() const { return nodes + switches; }
};

class GraphRoutes : public Routes {
 public:
  // nullptr with *reason where an invariant is broken or tables are too large.
  static std::shared_ptr<const GraphRoutes> Make(const Graph& graph,
                                                 std::string* reason);
  void Add(int64_t from, int64_t to, int64_t way,
           std::vector<uint32_t>* out) const override;

 private:
  struct Step {
    int32_t to = 0;
    uint32_t link = 0;
  };
  // Chooses among steps by the digits of a destination.
  class Chooser;
  explicit GraphRoutes(const Graph& graph);
  void SetTargets();
  bool SetHops(std::string* reason);
  // Where a message to the target goes on from there, the nearest first. A
  // step's number of hops is that of its end; kNone: no way.
  uint16_t HopsOf(int32_t vertex, size_t target) const;
  const std::vector<int32_t>* Given(int32_t from, int32_t to) const;
  int32_t OnlySwitch(int32_t node) const;

  static constexpr uint16_t kNone = 0xffff;
  const int64_t nodes_, switches_;
  std::vector<std::vector<Step>> steps_;  // by vertex, in order of links
  // Nodes with links to the same switches are one target.
  std::vector<size_t> target_of_;              // by node
  std::vector<std::vector<int32_t>> targets_;  // switches
  std::vector<uint16_t> hops_;  // to one of them, by target and switch
  const std::map<std::pair<int32_t, int32_t>, std::vector<int32_t>> given_;
};

// A file's text; names of nodes are said in what is wrong. "LINE: ...".
std::optional<Graph> ReadGraph(std::string_view text, std::string* reason);
std::optional<SwitchTree> ReadSlurmTree(std::string_view text,
                                        const std::vector<int64_t>& uplinks,
                                        std::string* reason);

}  // namespace ranksight::bgq_support
