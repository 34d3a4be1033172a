// Network: how the nodes of a machine are connected, whatever it is: a torus, a
// fat tree, a dragonfly or what a file says; what its links carry for given
// traffic, and where ranks had better sit. Names that Parse knows:
//
//   torus:8x8x8              and all that machine.h knows behind "torus:"
//   fat-tree:16x32:1x8       two levels: 16 nodes on each of 32 switches, one
//                            link from each node, 8 links upwards from each
//                            switch (a taper of 2 to 1)
//   fat-tree:16x12x8:1x8x6   three levels, likewise
//   dragonfly:9x8x4          9 groups of 8 routers, each linked to every other
//                            one of its group, 4 nodes on each; a cable from
//                            every group to every other one
//   dragonfly:9x8x4:2        two cables between each two groups
//
// Nodes are numbered through, those of a switch or router behind one another.
//
// FromText reads three kinds of files. Slurm's topology.conf (plugins
// topology/tree, lines SwitchName=s0 with Nodes= or Switches=, and
// topology/block, BlockName=b0 with Nodes= and BlockSizes=) is a fat tree whose
// switches may differ: nodes are numbered switch by switch from the root on,
// and links upwards are said behind the file's name as for a fat tree, else
// there are as many as nodes below, which is no taper. XML of hwloc's lstopo is
// the same of the inside of one node: cores are its nodes, caches and packages
// that part them its switches. A JSON document is any graph:
//
//   {"nodes": "n[0-3]", "switches": "s[0-1],top",
//    "classes": {"leaf": {"bandwidth": 12.5e9, "latency": 1e-7}},
//    "links": [{"from": "n[0-1]", "to": "s0", "class": "leaf"},
//              {"from": "n[2-3]", "to": "s1", "class": "leaf"},
//              {"from": "s[0-1]", "to": "top", "count": 2}],
//    "routes": [{"from": "s0", "to": "s1", "via": ["top"]}]}
//
// Lists are Slurm's; a link is there in both directions, between each of `from`
// and each of `to`. Messages take shortest ways, and where several go on, the
// destination decides, digit by digit as in a fat tree; or the way in "routes",
// between two switches or two nodes.
//
// Which way messages take. On a fat tree the destination decides (D-mod-k): up
// to the first switch above both, by the port that is a digit of the
// destination's number; down there is one way. On a dragonfly cable c of a
// group i to group j is at its router (j x cables + c) mod routers, and c is
// the destination's number mod cables; a minimal route goes to that router,
// over the cable, and to the destination's router. By Valiant's rule a message
// to another group goes by minimal routes through a third one, every one as
// often. On a torus as routing.h has it; the one way, where it has to be one,
// is the first.
//
// Zahavi, "Fat-tree routing and node ordering providing contention free
// traffic", JPDC 2012; Kim et al., "Technology-driven, highly-scalable
// dragonfly topology", ISCA 2008. SimGrid routes likewise, which the tests
// compare.
//
// Thread-safety: value types; ComputeLoads uses all cores itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bgq_support/api/load.h"
#include "bgq_support/api/machine.h"
#include "bgq_support/api/optimise.h"
#include "bgq_support/api/routing.h"

namespace ranksight::bgq_support {

// Level l (from 0, the nodes): children[l] elements below each switch of level
// l + 1, uplinks[l] links upwards from each element of level l.
struct FatTree {
  std::vector<int64_t> children, uplinks;
  bool operator==(const FatTree&) const = default;
};

// A tree whose switches differ. Level l, from 0, the nodes, without the root.
struct SwitchTree {
  struct Level {
    std::vector<int32_t> element;  // of this level, by node; ascending
    // Links upwards, by element; 0 where its switch is of the level above.
    std::vector<int64_t> links;
  };
  std::vector<std::string> nodes;  // names
  std::vector<Level> levels;
};

struct Graph;  // network/graph.h

struct Dragonfly {
  int64_t groups = 1, routers = 1, nodes = 1, cables = 1;
  bool valiant = false;
  bool operator==(const Dragonfly&) const = default;
};

struct TorusNetwork {
  Machine machine;
  Routing routing = {};
};

// Links of one kind, one direction of a cable each: numbers [begin, end).
// Trees, level l, upwards: element of level l by subtree, then the link's
// number mod all links upwards of the subtree's; downwards the same.
// Dragonfly: by node; by router and the other router of its group, without
// itself; by group, other group without itself, and cable. Graph: as the file
// says, each link from `from`, then back. Torus: by dimension and direction, by
// the node that it leaves; of a mesh some are not there.
struct LinkClass {
  std::string name;
  size_t begin = 0, end = 0;
  // Bytes per second: 100 Gb/s, as InfiniBand EDR and the first generation of
  // Slingshot have it. Seconds: a switch of EDR takes 90 ns, 2 m of cable 10.
  double bandwidth = 12.5e9, latency = 100e-9;
};

class Routes;  // network/routes.h

class Network {
 public:
  // Twenty times the largest machine; and numbers for each link.
  static constexpr int64_t kMostNodes = 1 << 22, kMostLinks = int64_t{1} << 26;
  // Of a tree: each has numbers for every node.
  static constexpr size_t kMostLevels = 16;

  // nullopt, *reason set, for anything else than the names above.
  static std::optional<Network> Parse(std::string_view text,
                                      std::string* reason);
  // What a file holds. uplinks: "1x8", or nothing; for a topology.conf alone.
  // name: what ToString says. nullopt with *reason "LINE: what is wrong".
  static std::optional<Network> FromText(std::string_view text,
                                         std::string_view uplinks,
                                         std::string name, std::string* reason);
  // As Parse reads it, a machine by its name with the nodes that take no ranks;
  // but for how messages are routed and how fast links are.
  const std::string& ToString() const { return name_; }
  // "nodes=25e9" or "level 1=25e9,1e-7": bytes per second, and seconds, of the
  // links of a class, both directions. False with *reason, as for a torus,
  // whose links are all alike.
  bool SetSpeed(std::string_view text, std::string* reason);
  // "minimal", "valiant"; of a torus a zone as Routing::Parse knows it. "": the
  // default, whatever was said before. False with *reason for what is not of
  // this network.
  bool RouteBy(std::string_view how, std::string* reason);

  int64_t nodes() const { return nodes_; }
  // That take ranks.
  int64_t free_nodes() const;
  // nullptr for all others.
  const TorusNetwork* torus() const {
    return std::get_if<TorusNetwork>(&shape_);
  }
  // By number, of what a file says; none of a network by name.
  std::span<const std::string> node_names() const;
  // In ascending order, without gaps.
  const std::vector<LinkClass>& classes() const { return classes_; }
  size_t links() const { return classes_.back().end; }

  // So many ways a message has, each as often: third groups by Valiant's rule,
  // orders and directions on a torus, else 1; and the one to take where it has
  // to be one, drawn by the pair.
  int64_t ways() const;
  int64_t WayOf(int64_t from, int64_t to) const;
  // Adds the links of a message between two nodes, first to last; none within
  // a node. What ComputeLoads counts, divided by its scale, are these of all
  // ways. REQUIRES: 0 <= way < ways(). O(levels).
  void AddRoute(int64_t from, int64_t to, int64_t way,
                std::vector<uint32_t>* out) const;
  // Nodes below each switch of each level at which these are as many: of a
  // router and a group, of a line and a plane of a torus. The last is all.
  std::vector<int64_t> Blocks() const;
  using Shape = std::variant<FatTree, SwitchTree, Dragonfly,
                             std::shared_ptr<const Graph>, TorusNetwork>;
  const Shape& shape() const { return shape_; }
  const Routes& routes() const { return *routes_; }

 private:
  Network(Shape shape, std::string name,
          std::shared_ptr<const Routes> of_graph = nullptr);
  Shape shape_;
  std::string name_;
  int64_t nodes_ = 0;
  std::vector<LinkClass> classes_;
  std::shared_ptr<const Routes> routes_;
};

int FewestRanksPerNode(const Network& network, int64_t ranks);

// Ranks in their order, so many on each node; on a torus by an order of letters
// (Mapping::FromOrder). nullopt with *reason when there are too few nodes, or
// where an order is given that is none.
std::optional<Mapping> PlaceInOrder(const Network& network, int64_t ranks,
                                    int ranks_per_node, std::string* reason,
                                    std::string_view order = "");

// From text with the node (on a torus its coordinates) and the slot on it of
// each rank, a line a rank; '#' starts a comment, and lines beyond `ranks` are
// checked, too. nullopt with *reason "LINE: what is wrong".
std::optional<Mapping> ReadPlaces(const Network& network, int64_t ranks,
                                  std::string_view text, std::string* reason);
// How many places a map file lists, for ReadPlaces or Mapping::Read, which say
// what is wrong with one.
int64_t CountPlaces(std::string_view text);
// As ReadPlaces reads it.
std::string WritePlaces(const Network& network, const Mapping& mapping);

// As on a torus; by link number. O(messages x levels + links), a dragonfly also
// O(routers x groups x cables), and O(groups^3 x cables) by Valiant's rule; on
// a graph an exchange is looked at pair by pair.
std::optional<LinkLoads> ComputeLoads(const Network& network,
                                      const Mapping& mapping,
                                      const Traffic& traffic,
                                      std::string* reason);

// A mapping under which the slowest link for its load takes less time, then
// fewer bytes go over fewer links, never worse than PlaceInOrder. Looks at
// tiles: the ranks as a grid whose shape is found from the traffic, cut into
// boxes for each switch, router or group, and those for each node; and at nodes
// drawn by chance, which spread what would meet on few links. Deterministic in
// options.seed.
std::optional<OptimisedMapping> Optimise(const Network& network, int64_t ranks,
                                         const Traffic& traffic,
                                         const OptimiseOptions& options,
                                         std::string* reason);

}  // namespace ranksight::bgq_support
