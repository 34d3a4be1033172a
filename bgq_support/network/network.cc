#include "bgq_support/api/network.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "bgq_support/network/routes.h"
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

std::vector<LinkClass> ClassesOf(const FatTree& tree) {
  std::vector<std::pair<std::string, int64_t>> counts;
  int64_t subtrees = Product(tree.children, Network::kMostNodes);
  int64_t links = 1;
  for (size_t l = 0; l < tree.children.size(); ++l) {
    links *= tree.uplinks[l];
    const std::string from = l == 0 ? "nodes" : "level " + std::to_string(l);
    counts.emplace_back(from + ", up", subtrees * links);
    counts.emplace_back(from + ", down", subtrees * links);
    subtrees /= tree.children[l];
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
bool FitsLinks(const FatTree& tree) {
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

std::optional<std::variant<FatTree, Dragonfly>> ParseShape(
    std::string_view name, std::string_view first, std::string_view second) {
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

std::shared_ptr<const Routes> RoutesOf(const FatTree& tree,
                                       const std::vector<LinkClass>& classes) {
  return std::make_shared<FatTreeRoutes>(tree, classes);
}
std::shared_ptr<const Routes> RoutesOf(const Dragonfly& fly,
                                       const std::vector<LinkClass>& classes) {
  return std::make_shared<DragonflyRoutes>(fly, classes);
}

}  // namespace

Network::Network(std::variant<FatTree, Dragonfly> shape)
    : shape_(std::move(shape)),
      classes_(std::visit([](const auto& s) { return ClassesOf(s); }, shape_)) {
  SetRoutes();
}

void Network::SetRoutes() {
  routes_ =
      std::visit([&](const auto& s) { return RoutesOf(s, classes_); }, shape_);
}

std::optional<Network> Network::Parse(std::string_view text,
                                      std::string* reason) {
  const size_t colon = std::min(text.find(':'), text.size());
  std::string_view rest = text.substr(std::min(colon + 1, text.size()));
  const size_t next = std::min(rest.find(':'), rest.size());
  if (text.ends_with(':')) rest = "";
  const auto shape =
      ParseShape(text.substr(0, colon), rest.substr(0, next),
                 next < rest.size() ? rest.substr(next + 1) : "");
  if (!shape) {
    *reason = "'" + std::string(text) +
              "' is neither fat-tree:16x32:1x8 (nodes of a switch, switches; "
              "links up of a node, of a switch) nor dragonfly:9x8x4 (groups, "
              "routers, nodes of a router)";
    return std::nullopt;
  }
  const auto* tree = std::get_if<FatTree>(&*shape);
  const auto* fly = std::get_if<Dragonfly>(&*shape);
  const int64_t nodes =
      tree != nullptr
          ? Product(tree->children, kMostNodes)
          : Product({fly->groups, fly->routers, fly->nodes}, kMostNodes);
  if (nodes < 0 ||
      !std::visit([](const auto& s) { return FitsLinks(s); }, *shape)) {
    *reason = "'" + std::string(text) + "' is larger than " +
              std::to_string(kMostNodes) + " nodes or has too many links";
    return std::nullopt;
  }
  return Network(*shape);
}

std::string Network::ToString() const {
  if (const auto* tree = std::get_if<FatTree>(&shape_)) {
    return "fat-tree:" + ShapeText(tree->children) + ":" +
           ShapeText(tree->uplinks);
  }
  const auto& d = std::get<Dragonfly>(shape_);
  return "dragonfly:" + ShapeText({d.groups, d.routers, d.nodes}) +
         (d.cables == 1 ? "" : ":" + std::to_string(d.cables));
}

bool Network::RouteByValiant() {
  auto* d = std::get_if<Dragonfly>(&shape_);
  if (d == nullptr) return false;
  d->valiant = true;
  SetRoutes();
  return true;
}

int64_t Network::ways() const { return routes_->ways(); }

int64_t Network::WayOf(int64_t from, int64_t to) const {
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
  if (from != to) routes_->Add(from, to, way, out);
}

int64_t Network::nodes() const { return Blocks().back(); }

std::vector<int64_t> Network::Blocks() const {
  std::vector<int64_t> lengths;
  if (const auto* tree = std::get_if<FatTree>(&shape_)) {
    lengths = tree->children;
  } else {
    const auto& d = std::get<Dragonfly>(shape_);
    lengths = {d.nodes, d.routers, d.groups};
  }
  for (size_t i = 1; i < lengths.size(); ++i) lengths[i] *= lengths[i - 1];
  return lengths;
}

std::optional<Mapping> PlaceInOrder(const Network& network, int64_t ranks,
                                    int ranks_per_node, std::string* reason) {
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
