#include "bgq_support/api/network.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "bgq_support/base/contract.h"
#include "bgq_support/hosts/node_tree.h"
#include "bgq_support/network/graph.h"
#include "bgq_support/network/routes.h"
#include "bgq_support/network/torus_routes.h"
#include "bgq_support/torus/shape_text.h"

namespace ranksight::bgq_support {
namespace {

// "16x32": numbers from 1 on; empty where it is none.
std::vector<int64_t> ParseLengths(std::string_view text) {
  std::vector<int64_t> lengths;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    int64_t length = 0;
    const auto [after, error] = std::from_chars(at, end, length);
    if (error != std::errc() || length < 1) return {};
    lengths.push_back(length);
    at = after;
    if (at == end) return lengths;
    if (*at++ != 'x') return {};
  }
}

// The product, or -1 above `most`.
int64_t Product(const std::vector<int64_t>& factors, int64_t most) {
  int64_t product = 1;
  for (const int64_t f : factors) {
    if (f > most / product) return -1;
    product *= f;
  }
  return product;
}

std::vector<LinkClass> Named(
    const std::vector<std::pair<std::string, int64_t>>& counts) {
  std::vector<LinkClass> classes;
  size_t at = 0;
  for (const auto& [name, count] : counts) {
    classes.push_back({name, at, at + static_cast<size_t>(count)});
    at = classes.back().end;
  }
  return classes;
}

std::vector<LinkClass> ClassesOf(const SwitchTree& tree) {
  std::vector<std::pair<std::string, int64_t>> counts;
  for (size_t l = 0; l < tree.levels.size(); ++l) {
    const auto& links = tree.levels[l].links;
    const int64_t all = std::accumulate(links.begin(), links.end(), int64_t{0});
    const std::string from = l == 0 ? "nodes" : "level " + std::to_string(l);
    counts.emplace_back(from + ", up", all);
    counts.emplace_back(from + ", down", all);
  }
  return Named(counts);
}

std::vector<LinkClass> ClassesOf(const Dragonfly& d) {
  const int64_t routers = d.groups * d.routers;
  return Named({{"nodes, up", routers * d.nodes},
                {"nodes, down", routers * d.nodes},
                {"in groups", routers * (d.routers - 1)},
                {"between groups", d.groups * (d.groups - 1) * d.cables}});
}

// Whether all links have numbers.
bool FitsLinks(const SwitchTree& tree) {
  int64_t all = 0;
  for (const SwitchTree::Level& level : tree.levels) {
    for (const int64_t links : level.links) {
      if (links > Network::kMostLinks) return false;
      all += 2 * links;
      if (all > Network::kMostLinks) return false;
    }
  }
  return true;
}

bool FitsLinks(const FatTree& tree) {
  if (tree.children.size() > Network::kMostLevels) return false;
  int64_t subtrees = Product(tree.children, Network::kMostNodes);
  int64_t links = 1, all = 0;
  for (size_t l = 0; l < tree.children.size(); ++l) {
    if (tree.uplinks[l] > Network::kMostLinks / links) return false;
    links *= tree.uplinks[l];
    if (links > Network::kMostLinks / subtrees) return false;
    all += 2 * subtrees * links;
    if (all > Network::kMostLinks) return false;
    subtrees /= tree.children[l];
  }
  return true;
}

// The tables of a DragonflyCounter are larger than its links.
bool FitsLinks(const Dragonfly& d) {
  return Product({d.groups, d.routers, d.groups, d.cables, 2},
                 Network::kMostLinks) > 0 &&
         Product({d.groups, d.routers, d.routers}, Network::kMostLinks) > 0;
}

std::optional<Network::Shape> ParseShape(std::string_view name,
                                         std::string_view first,
                                         std::string_view second) {
  const std::vector<int64_t> lengths = ParseLengths(first);
  const std::vector<int64_t> more = ParseLengths(second);
  if (name == "fat-tree" && !lengths.empty() && lengths.size() == more.size()) {
    return FatTree{lengths, more};
  }
  if (name == "dragonfly" && lengths.size() == 3 &&
      (second.empty() || more.size() == 1)) {
    return Dragonfly{lengths[0], lengths[1], lengths[2],
                     more.empty() ? 1 : more[0]};
  }
  return std::nullopt;
}

struct ShapeLinks {
  std::vector<LinkClass> classes;
  std::shared_ptr<const Routes> routes;
};

// But for the routes of a graph, which may not be there.
ShapeLinks LinksOf(const Network::Shape& shape) {
  ShapeLinks links;
  if (const auto* fly = std::get_if<Dragonfly>(&shape)) {
    links.classes = ClassesOf(*fly);
    links.routes = std::make_shared<DragonflyRoutes>(*fly, links.classes);
  } else if (const auto* graph =
                 std::get_if<std::shared_ptr<const Graph>>(&shape)) {
    links.classes = (*graph)->classes;
  } else if (const auto* torus = std::get_if<TorusNetwork>(&shape)) {
    links.classes = ClassesOf(*torus);
    links.routes = std::make_shared<TorusRoutes>(*torus);
  } else {
    const auto* plain = std::get_if<FatTree>(&shape);
    const SwitchTree tree =
        plain != nullptr ? ToSwitchTree(*plain) : std::get<SwitchTree>(shape);
    links.classes = ClassesOf(tree);
    links.routes = std::make_shared<TreeRoutes>(tree, links.classes);
  }
  return links;
}

int64_t NodesOf(const Network::Shape& shape) {
  if (const auto* tree = std::get_if<FatTree>(&shape)) {
    return Product(tree->children, Network::kMostNodes);
  }
  if (const auto* tree = std::get_if<SwitchTree>(&shape)) {
    return static_cast<int64_t>(tree->nodes.size());
  }
  if (const auto* d = std::get_if<Dragonfly>(&shape)) {
    return Product({d->groups, d->routers, d->nodes}, Network::kMostNodes);
  }
  if (const auto* torus = std::get_if<TorusNetwork>(&shape)) {
    return torus->machine.torus.nodes();
  }
  return std::get<std::shared_ptr<const Graph>>(shape)->nodes;
}

std::string NameOf(const Network::Shape& shape) {
  if (const auto* tree = std::get_if<FatTree>(&shape)) {
    return "fat-tree:" + ShapeText(tree->children) + ":" +
           ShapeText(tree->uplinks);
  }
  const auto& d = std::get<Dragonfly>(shape);
  return "dragonfly:" + ShapeText({d.groups, d.routers, d.nodes}) +
         (d.cables == 1 ? "" : ":" + std::to_string(d.cables));
}

// Of each level of a tree at which all elements have as many nodes.
std::vector<int64_t> EvenBlocks(const SwitchTree& tree) {
  std::vector<int64_t> blocks;
  for (const SwitchTree::Level& level : tree.levels) {
    std::vector<int64_t> nodes(level.links.size());
    for (const int32_t element : level.element) {
      ++nodes[static_cast<size_t>(element)];
    }
    const auto [least, most] = std::minmax_element(nodes.begin(), nodes.end());
    if (*least == *most && *most > 1) blocks.push_back(*most);
  }
  blocks.push_back(static_cast<int64_t>(tree.nodes.size()));
  return blocks;
}

// Nodes in a row on one switch, where all switches with nodes have as many.
std::vector<int64_t> EvenBlocks(const Graph& graph) {
  std::vector<int32_t> at(static_cast<size_t>(graph.nodes), -1);
  for (const Graph::Link& link : graph.links) {
    const auto [low, high] = std::minmax(link.from, link.to);
    if (low < graph.nodes && at[static_cast<size_t>(low)] < 0) {
      at[static_cast<size_t>(low)] = high;
    }
  }
  int64_t block = 1;
  while (block < graph.nodes && at[static_cast<size_t>(block)] == at[0])
    ++block;
  bool even = graph.nodes % block == 0;
  for (int64_t node = 0; even && node < graph.nodes; ++node) {
    even = at[static_cast<size_t>(node)] ==
           at[static_cast<size_t>(node - node % block)];
  }
  if (!even || block == graph.nodes) return {graph.nodes};
  return {block, graph.nodes};
}

}  // namespace

Network::Network(Shape shape, std::string name,
                 std::shared_ptr<const Routes> of_graph)
    : shape_(std::move(shape)),
      name_(std::move(name)),
      nodes_(NodesOf(shape_)) {
  ShapeLinks links = LinksOf(shape_);
  classes_ = std::move(links.classes);
  routes_ = of_graph != nullptr ? std::move(of_graph) : std::move(links.routes);
}

std::optional<Network> Network::Parse(std::string_view text,
                                      std::string* reason) {
  constexpr std::string_view kTorus = "torus:";
  if (text.starts_with(kTorus)) {
    auto machine = Machine::Parse(text.substr(kTorus.size()), reason);
    if (!machine) return std::nullopt;
    return Network(TorusNetwork{std::move(*machine)}, std::string(text));
  }
  const size_t colon = std::min(text.find(':'), text.size());
  std::string_view rest = text.substr(std::min(colon + 1, text.size()));
  const size_t next = std::min(rest.find(':'), rest.size());
  // A colon at the end promises a list that is not there.
  if (text.ends_with(':')) rest = "";
  const auto shape =
      ParseShape(text.substr(0, colon), rest.substr(0, next),
                 next < rest.size() ? rest.substr(next + 1) : "");
  if (!shape) {
    *reason = "'" + std::string(text) +
              "' is neither fat-tree:16x32:1x8 (nodes of a switch, switches; "
              "links up of a node, of a switch) nor dragonfly:9x8x4 (groups, "
              "routers, nodes of a router) nor torus:8x8x8";
    return std::nullopt;
  }
  const auto* tree = std::get_if<FatTree>(&*shape);
  const bool fits = tree != nullptr ? FitsLinks(*tree)
                                    : FitsLinks(std::get<Dragonfly>(*shape));
  if (NodesOf(*shape) < 0 || !fits) {
    *reason = "'" + std::string(text) + "' is larger than " +
              std::to_string(kMostNodes) +
              " nodes or has too many links or levels";
    return std::nullopt;
  }
  return Network(*shape, NameOf(*shape));
}

std::optional<Network> Network::FromText(std::string_view text,
                                         std::string_view uplinks,
                                         std::string name,
                                         std::string* reason) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos && text[first] == '{') {
    if (!uplinks.empty()) {
      *reason = "1: links upwards are not for a graph";
      return std::nullopt;
    }
    auto graph = ReadGraph(text, reason);
    if (!graph) return std::nullopt;
    std::string why;
    auto routes = GraphRoutes::Make(*graph, &why);
    if (routes == nullptr) {
      *reason = "1: " + why;
      return std::nullopt;
    }
    return Network(std::make_shared<const Graph>(std::move(*graph)),
                   std::move(name), std::move(routes));
  }
  const std::vector<int64_t> numbers =
      uplinks.empty() ? std::vector<int64_t>() : ParseLengths(uplinks);
  if (numbers.empty() != uplinks.empty()) {
    *reason = "1: '" + std::string(uplinks) + "' is no list as 1x8";
    return std::nullopt;
  }
  // A file says by its first character what it is: { a graph, < a node as hwloc
  // sees it, anything else switches in Slurm's form.
  const bool of_node = first != text.npos && text[first] == '<';
  const auto inside =
      of_node ? NodeAsSwitches(text, reason) : std::optional<std::string>();
  if (of_node && !inside) return std::nullopt;
  auto tree = ReadSlurmTree(of_node ? *inside : text, numbers, reason);
  if (!tree) return std::nullopt;
  if (FitsLinks(*tree)) return Network(std::move(*tree), std::move(name));
  *reason = "1: too many links";
  return std::nullopt;
}

bool Network::SetSpeed(std::string_view text, std::string* reason) {
  if (torus() != nullptr) {
    *reason = "not for tori";
    return false;
  }
  const size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = text.substr(0, equals);
  double bandwidth = 0, latency = -1;
  const char* at = text.data() + std::min(equals + 1, text.size());
  const char* const end = text.data() + text.size();
  auto read = std::from_chars(at, end, bandwidth);
  bool good = read.ec == std::errc() && bandwidth > 0;
  if (good && read.ptr != end) {
    good = *read.ptr == ',';
    if (good) read = std::from_chars(read.ptr + 1, end, latency);
    good = good && read.ec == std::errc() && latency >= 0 && read.ptr == end;
  }
  // from_chars takes "inf", too.
  if (!good || !std::isfinite(bandwidth) || !std::isfinite(latency)) {
    *reason = "'" + std::string(text) +
              "' is not CLASS=BANDWIDTH or CLASS=BANDWIDTH,LATENCY";
    return false;
  }
  std::string known;
  bool any = false;
  for (LinkClass& c : classes_) {
    // "nodes, up" and "nodes, down" are one to those who know cables.
    const std::string cables = c.name.substr(0, c.name.find(", "));
    if (known.find("'" + cables + "'") == known.npos) {
      known += (known.empty() ? "'" : ", '") + cables + "'";
    }
    if (name != cables) continue;
    any = true;
    c.bandwidth = bandwidth;
    if (latency >= 0) c.latency = latency;
  }
  if (!any) *reason = "'" + std::string(name) + "' is none of " + known;
  return any;
}

bool Network::RouteBy(std::string_view how, std::string* reason) {
  if (auto* torus = std::get_if<TorusNetwork>(&shape_)) {
    const auto zone = how.empty() ? Routing() : Routing::Parse(how);
    if (!zone) *reason = "'" + std::string(how) + "' is no zone, 0 to 3";
    if (!zone) return false;
    torus->routing = *zone;
  } else if (auto* d = std::get_if<Dragonfly>(&shape_);
             d != nullptr &&
             (how.empty() || how == "minimal" || how == "valiant")) {
    d->valiant = how == "valiant";
  } else if (how.empty() || how == "minimal") {
    return true;
  } else {
    *reason = "'" + std::string(how) + "' is not for " + name_;
    return false;
  }
  routes_ = LinksOf(shape_).routes;
  return true;
}

int64_t Network::free_nodes() const {
  return torus() != nullptr ? torus()->machine.free_nodes() : nodes_;
}

int64_t Network::ways() const { return routes_->ways(); }

int64_t Network::WayOf(int64_t from, int64_t to) const {
  RANKSIGHT_REQUIRE(from >= 0 && from < nodes() && to >= 0 && to < nodes());
  if (torus() != nullptr) return 0;
  // SplitMix64 (Steele et al., OOPSLA 2014): neighbours' ways are not.
  auto mixed = static_cast<uint64_t>(from * nodes() + to) + 1;
  mixed *= 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  mixed ^= mixed >> 31;
  return static_cast<int64_t>(mixed % static_cast<uint64_t>(ways()));
}

void Network::AddRoute(int64_t from, int64_t to, int64_t way,
                       std::vector<uint32_t>* out) const {
  RANKSIGHT_REQUIRE(from == to || (way >= 0 && way < ways()));
  RANKSIGHT_REQUIRE(out != nullptr);
  if (from != to) routes_->Add(from, to, way, out);
}

std::span<const std::string> Network::node_names() const {
  if (const auto* tree = std::get_if<SwitchTree>(&shape_)) return tree->nodes;
  if (const auto* graph = std::get_if<std::shared_ptr<const Graph>>(&shape_)) {
    return (*graph)->names;
  }
  return {};
}

std::vector<int64_t> Network::Blocks() const {
  if (const auto* tree = std::get_if<SwitchTree>(&shape_)) {
    return EvenBlocks(*tree);
  }
  if (const auto* graph = std::get_if<std::shared_ptr<const Graph>>(&shape_)) {
    return EvenBlocks(**graph);
  }
  std::vector<int64_t> lengths;
  if (const auto* tree = std::get_if<FatTree>(&shape_)) {
    lengths = tree->children;
  } else if (const auto* d = std::get_if<Dragonfly>(&shape_)) {
    lengths = {d->nodes, d->routers, d->groups};
  } else if (const TorusNetwork* here = torus()) {
    const auto& dimensions = here->machine.torus.dimensions();
    for (size_t i = dimensions.size(); i-- > 0;) {
      lengths.push_back(dimensions[i].length);
    }
  }
  // A block is all that is below it, so lengths multiply.
  for (size_t i = 1; i < lengths.size(); ++i) lengths[i] *= lengths[i - 1];
  return lengths;
}

int FewestRanksPerNode(const Network& network, int64_t ranks) {
  RANKSIGHT_REQUIRE(ranks > 0);
  if (const TorusNetwork* torus = network.torus()) {
    return FewestRanksPerNode(torus->machine, ranks);
  }
  const int64_t fewest = (ranks + network.nodes() - 1) / network.nodes();
  return static_cast<int>(std::max<int64_t>(1, fewest));
}

std::optional<Mapping> PlaceInOrder(const Network& network, int64_t ranks,
                                    int ranks_per_node, std::string* reason,
                                    std::string_view order) {
  RANKSIGHT_REQUIRE(reason != nullptr);
  if (const TorusNetwork* torus = network.torus()) {
    return Mapping::FromOrder(torus->machine, ranks, ranks_per_node, order,
                              reason);
  }
  if (!order.empty()) {
    *reason = "an order of letters is for tori";
    return std::nullopt;
  }
  const int64_t each = ranks_per_node;
  if (each < 1 || (ranks + each - 1) / each > network.nodes()) {
    *reason = std::to_string(ranks) + " ranks, " +
              std::to_string(ranks_per_node) + " a node, do not fit on " +
              std::to_string(network.nodes()) + " nodes";
    return std::nullopt;
  }
  std::vector<Place> places;
  places.reserve(static_cast<size_t>(ranks));
  for (int64_t r = 0; r < ranks; ++r) {
    places.push_back(
        {static_cast<int32_t>(r / each), static_cast<int32_t>(r % each)});
  }
  return Mapping(std::move(places));
}

}  // namespace ranksight::bgq_support
