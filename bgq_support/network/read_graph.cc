// A graph from a JSON document of our own (network.h shows one).
#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "bgq_support/api/hosts.h"
#include "bgq_support/hosts/scan.h"
#include "bgq_support/network/graph.h"

namespace ranksight::bgq_support {
namespace {

// Classes are shown in the order of the file.
using json = nlohmann::ordered_json;

// What it reads of a text, line by line.
class LineCounter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCounter(const char* at, int64_t* line) : at_(at), line_(line) {}
  const char& operator*() const { return *at_; }
  LineCounter& operator++() {
    if (*at_++ == '\n') ++*line_;
    return *this;
  }
  LineCounter operator++(int) {
    const LineCounter before = *this;
    ++*this;
    return before;
  }
  bool operator==(const LineCounter& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  int64_t* line_;
};

// Each takes some 50 bytes. Twenty times the largest machine's.
constexpr int64_t kMostPairs = int64_t{1} << 22;

// Of objects: the line of their end. No key of a file's has this name.
constexpr char kLine[] = "\n";

json ParseWithLines(std::string_view text, int64_t* line) {
  constexpr int kMostDepth = 8;
  const auto keep = [&](int depth, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_end) parsed[kLine] = *line;
    return depth < kMostDepth;
  };
  const char* const end = text.data() + text.size();
  return json::parse(LineCounter(text.data(), line), LineCounter(end, line),
                     keep);
}

class GraphReader {
 public:
  std::optional<Graph> Run(std::string_view text, std::string* reason) {
    int64_t line = 1;
    try {
      Read(ParseWithLines(text, &line));
    } catch (const json::parse_error&) {
      Wrong(line, "JSON expected");
    } catch (const json::exception&) {
      Wrong(line_, "a text or number of another kind expected");
    }
    if (wrong_.empty()) return std::move(graph_);
    *reason = wrong_;
    return std::nullopt;
  }

 private:
  bool Wrong(int64_t line, const std::string& what) {
    if (wrong_.empty()) wrong_ = std::to_string(line) + ": " + what;
    return false;
  }
  // Names of the object's members; all others are wrong.
  bool Has(const json& object, const std::vector<const char*>& needed,
           const std::vector<const char*>& more) {
    if (!object.is_object()) return Wrong(line_, "an object expected");
    line_ = object.at(kLine).get<int64_t>();
    for (const char* name : needed) {
      if (!object.contains(name)) {
        return Wrong(line_, std::string("\"") + name + "\" expected");
      }
    }
    for (const auto& [name, value] : object.items()) {
      const auto is = [&name = name](const char* other) {
        return name == other;
      };
      if (name != kLine && std::none_of(needed.begin(), needed.end(), is) &&
          std::none_of(more.begin(), more.end(), is)) {
        return Wrong(line_, Quoted(name) + " is not known here");
      }
    }
    return true;
  }

  void Read(const json& all) {
    if (!Has(all, {"nodes", "switches", "links"}, {"classes", "routes"}))
      return;
    const int64_t end = line_;
    graph_.names = Name(all["nodes"]);
    graph_.nodes = static_cast<int64_t>(graph_.names.size());
    graph_.switches = static_cast<int64_t>(Name(all["switches"]).size());
    if (wrong_.empty()) ReadClasses(all);
    if (wrong_.empty()) ReadLinks(all["links"]);
    line_ = end;
    if (wrong_.empty()) CheckNodes();
    if (wrong_.empty() && all.contains("routes")) ReadRoutes(all["routes"]);
  }

  // A list of fresh names, each a vertex.
  std::vector<std::string> Name(const json& list) {
    auto names = Expanded(list);
    for (const std::string& name : names) {
      if (!vertices_.emplace(name, static_cast<int32_t>(vertices_.size()))
               .second) {
        Wrong(line_, Quoted(name) + " is named twice");
      }
    }
    return names;
  }

  std::vector<std::string> Expanded(const json& list) {
    const auto text = list.get<std::string>();
    std::string reason;
    auto names = ExpandNodeList(text, &reason);
    if (names) return std::move(*names);
    Wrong(line_, Quoted(text) + ":" + reason);
    return {};
  }

  std::vector<int32_t> Vertices(const json& list) {
    std::vector<int32_t> found;
    for (const std::string& name : Expanded(list)) found.push_back(Find(name));
    return found;
  }
  int32_t Find(const std::string& name) {
    const auto known = vertices_.find(name);
    if (known != vertices_.end()) return known->second;
    Wrong(line_, "no node or switch " + Quoted(name));
    return 0;
  }
  bool IsNode(int32_t vertex) const { return vertex < graph_.nodes; }

  void ReadClasses(const json& all) {
    if (!all.contains("classes")) return;
    if (!all["classes"].is_object()) {
      Wrong(line_, "an object expected for \"classes\"");
      return;
    }
    for (const auto& [name, speed] : all["classes"].items()) {
      if (name == kLine) continue;
      LinkClass made;
      made.name = name;
      if (!Has(speed, {}, {"bandwidth", "latency"})) return;
      made.bandwidth = speed.value("bandwidth", made.bandwidth);
      made.latency = speed.value("latency", made.latency);
      if (!(made.bandwidth > 0) || !std::isfinite(made.bandwidth) ||
          !(made.latency >= 0) || !std::isfinite(made.latency)) {
        Wrong(line_, "a bandwidth above 0 and a latency from 0 on expected");
        return;
      }
      of_class_.emplace(name, graph_.classes.size());
      graph_.classes.push_back(made);
      by_class_.emplace_back();
    }
  }

  // Links whose class is not said have one of their own.
  std::vector<Graph::Link>* OfClass(const json& link) {
    const std::string name = link.value("class", "links");
    auto found = of_class_.find(name);
    if (found == of_class_.end()) {
      if (link.contains("class")) {
        Wrong(line_, "no class " + Quoted(name));
        return nullptr;
      }
      found = of_class_.emplace(name, graph_.classes.size()).first;
      graph_.classes.emplace_back().name = name;
      by_class_.emplace_back();
    }
    return &by_class_[found->second];
  }

  void ReadLinks(const json& links) {
    int64_t all = 0;
    for (const json& link : links) {
      if (!Has(link, {"from", "to"}, {"class", "count"})) return;
      const auto from = Vertices(link["from"]), to = Vertices(link["to"]);
      auto* const of_class = OfClass(link);
      const auto count = link.value("count", int64_t{1});
      if (count < 1) Wrong(line_, "a count from 1 on expected");
      // The lists are short enough for their product to be a number.
      const auto pairs = static_cast<int64_t>(from.size() * to.size());
      if (count > kMostPairs || pairs > kMostPairs ||
          (all += pairs * count) > kMostPairs) {
        Wrong(line_, "more than " + std::to_string(kMostPairs) + " links");
      }
      if (!wrong_.empty()) return;
      for (const int32_t a : from) {
        for (const int32_t b : to) {
          if (!MayLink(a, b)) return;
          of_class->insert(of_class->end(), static_cast<size_t>(count), {a, b});
        }
      }
    }
    size_t at = 0;
    for (size_t i = 0; i < by_class_.size(); ++i) {
      graph_.links.insert(graph_.links.end(), by_class_[i].begin(),
                          by_class_[i].end());
      graph_.classes[i].begin = at;
      graph_.classes[i].end = at = 2 * graph_.links.size();
    }
  }
  bool MayLink(int32_t a, int32_t b) {
    if (a == b) return Wrong(line_, "a link from a switch to itself");
    if (!IsNode(a) || !IsNode(b)) return true;
    return Wrong(line_, "a link between two nodes: a switch expected");
  }

  void CheckNodes() {
    std::vector<bool> linked(static_cast<size_t>(graph_.nodes));
    for (const Graph::Link& link : graph_.links) {
      for (const int32_t end : {link.from, link.to}) {
        if (IsNode(end)) linked[static_cast<size_t>(end)] = true;
      }
    }
    for (const auto& [name, vertex] : vertices_) {
      if (IsNode(vertex) && !linked[static_cast<size_t>(vertex)]) {
        Wrong(line_, "node " + Quoted(name) + " has no link");
        return;
      }
    }
  }

  void ReadRoutes(const json& routes) {
    for (const Graph::Link& link : graph_.links) {
      linked_.insert(KeyOf(link.from, link.to));
      linked_.insert(KeyOf(link.to, link.from));
    }
    for (const json& route : routes) {
      if (!Has(route, {"from", "to", "via"}, {})) return;
      const int32_t from = Find(route["from"].get<std::string>());
      const int32_t to = Find(route["to"].get<std::string>());
      if (IsNode(from) != IsNode(to) || from == to) {
        Wrong(line_, "a route between two switches or two nodes expected");
      }
      std::vector<int32_t> way = {from};
      for (const json& via : route["via"]) {
        way.push_back(Find(via.get<std::string>()));
        if (IsNode(way.back())) Wrong(line_, "a route through a node");
      }
      way.push_back(to);
      for (size_t i = 0; i + 1 < way.size(); ++i) {
        if (!linked_.contains(KeyOf(way[i], way[i + 1]))) {
          Wrong(line_, "a route where there is no link");
        }
      }
      if (!wrong_.empty()) return;
      if (IsNode(from)) way = {way.begin() + 1, way.end() - 1};
      if (!graph_.routes.emplace(std::pair(from, to), way).second) {
        Wrong(line_, "this route is there already");
        return;
      }
    }
  }
  static uint64_t KeyOf(int32_t from, int32_t to) {
    return static_cast<uint64_t>(from) << 32 | static_cast<uint32_t>(to);
  }

  Graph graph_;
  std::unordered_map<std::string, int32_t> vertices_;
  std::unordered_map<std::string, size_t> of_class_;
  std::vector<std::vector<Graph::Link>> by_class_;
  std::unordered_set<uint64_t> linked_;
  int64_t line_ = 1;  // of what is read
  std::string wrong_;
};

}  // namespace

std::optional<Graph> ReadGraph(std::string_view text, std::string* reason) {
  return GraphReader().Run(text, reason);
}

}  // namespace ranksight::bgq_support
