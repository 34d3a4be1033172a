// Slurm's topology.conf, of its plugins topology/tree and topology/block.
// Blocks are switches with nodes; those that are one of a larger size, in the
// order of the file, are below one switch, and all below another one.
#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <functional>
#include <unordered_map>
#include <utility>

#include "bgq_support/api/hosts.h"
#include "bgq_support/hosts/scan.h"
#include "bgq_support/network/graph.h"

namespace ranksight::bgq_support {
namespace {

// Nodes and switches: five times the largest cluster's.
constexpr int64_t kMostNamed = int64_t{1} << 20;

struct SlurmSwitch {
  int64_t line = 0;
  std::string name;
  std::vector<std::string> nodes, switches;
  bool is_block = false;
  int parent = -1;
  int level = 0;  // of its nodes 0, and one above its highest switch
};

// In small letters: Slurm's words are of any.
std::string Small(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return small;
}

bool IsBlankIn(char c) { return c == ' ' || c == '\t' || c == '\r'; }

class TopologyReader {
 public:
  explicit TopologyReader(std::string_view text) : text_(text) {}

  std::optional<SwitchTree> Run(const std::vector<int64_t>& uplinks,
                                std::string* reason) {
    while (wrong_.empty() && !text_.empty()) TakeLine();
    if (wrong_.empty()) GroupBlocks();
    if (wrong_.empty()) Link();
    SwitchTree tree;
    if (wrong_.empty()) tree = Made(uplinks);
    if (wrong_.empty()) return tree;
    *reason = std::to_string(line_) + ": " + wrong_;
    return std::nullopt;
  }

 private:
  bool Wrong(int64_t line, const std::string& what) {
    if (wrong_.empty()) {
      line_ = line;
      wrong_ = what;
    }
    return false;
  }

  // One switch; a line goes on behind a backslash at its end.
  void TakeLine() {
    std::string line;
    const int64_t first = line_ + 1;
    bool goes_on = true;
    while (goes_on && !text_.empty()) {
      const size_t end = std::min(text_.find('\n'), text_.size());
      std::string_view part = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      part = part.substr(0, part.find('#'));
      while (!part.empty() && IsBlankIn(part.back())) part.remove_suffix(1);
      goes_on = part.ends_with('\\');
      if (goes_on) part.remove_suffix(1);
      line += part;
    }
    TakeWords(first, line);
  }

  void TakeWords(int64_t line, std::string_view rest) {
    SlurmSwitch made;
    made.line = line;
    bool any = false;
    while (wrong_.empty()) {
      while (!rest.empty() && IsBlankIn(rest.front())) rest.remove_prefix(1);
      if (rest.empty()) break;
      const auto end = static_cast<size_t>(
          std::find_if(rest.begin(), rest.end(), IsBlankIn) - rest.begin());
      any = true;
      TakeWord(line, rest.substr(0, end), &made);
      rest.remove_prefix(end);
    }
    if (!any || !wrong_.empty()) return;
    const bool says_sizes = block_sizes_line_ == line && made.name.empty() &&
                            made.nodes.empty() && made.switches.empty();
    if (says_sizes) return;
    if (made.is_block && made.nodes.empty()) {
      Wrong(line, "Nodes= expected");
    } else if (made.name.empty()) {
      Wrong(line, "SwitchName= expected");
    } else if (made.nodes.empty() == made.switches.empty()) {
      Wrong(line, "Nodes= or Switches= expected, one of them");
    } else if (!by_name_.emplace(made.name, switches_.size()).second) {
      Wrong(line, "switch " + Quoted(made.name) + " is there already");
    } else {
      switches_.push_back(std::move(made));
    }
  }

  void TakeWord(int64_t line, std::string_view word, SlurmSwitch* made) {
    const size_t equals = word.find('=');
    if (equals == word.npos) {
      Wrong(line, "NAME=VALUE expected, found " + Quoted(word));
      return;
    }
    const std::string key = Small(word.substr(0, equals));
    const std::string_view value = word.substr(equals + 1);
    if (key == "switchname" || key == "blockname") {
      made->name = value;
      made->is_block = key == "blockname";
    } else if (key == "nodes" || key == "switches") {
      std::string reason;
      auto names = ExpandNodeList(value, &reason);
      if (!names) {
        Wrong(line, std::string(word.substr(0, equals)) + "= " + reason);
        return;
      }
      named_ += static_cast<int64_t>(names->size());
      if (named_ > kMostNamed) {
        Wrong(line, "more than " + std::to_string(kMostNamed) +
                        " nodes and switches");
        return;
      }
      (key == "nodes" ? made->nodes : made->switches) = std::move(*names);
    } else if (key == "blocksizes") {
      TakeBlockSizes(line, value);
    } else if (key != "linkspeed") {  // which Slurm does not use either
      Wrong(line, "SwitchName, Nodes, Switches or LinkSpeed expected, found " +
                      Quoted(word));
    }
  }

  // "4,16": nodes of a block, and of as many as form one of the next size.
  void TakeBlockSizes(int64_t line, std::string_view value) {
    block_sizes_.clear();
    block_sizes_line_ = line;
    while (!value.empty()) {
      const size_t comma = std::min(value.find(','), value.size());
      int64_t size = 0;
      const auto read =
          std::from_chars(value.data(), value.data() + comma, size);
      const int64_t before = block_sizes_.empty() ? 0 : block_sizes_.back();
      const bool is_size = read.ec == std::errc() &&
                           read.ptr == value.data() + comma && size > before &&
                           size <= kMostNamed;
      if (!is_size ||
          (before > 0 &&
           (size % before != 0 ||
            !std::has_single_bit(static_cast<uint64_t>(size / before))))) {
        Wrong(line,
              "BlockSizes= numbers expected, each a power of two times "
              "the one before");
        return;
      }
      block_sizes_.push_back(size);
      value.remove_prefix(std::min(comma + 1, value.size()));
    }
  }

  // Puts switches above blocks; nothing where there are none.
  void GroupBlocks() {
    std::vector<std::string> names;
    for (const SlurmSwitch& s : switches_) {
      if (s.is_block != switches_.front().is_block) {
        Wrong(s.line, "switches and blocks in one file");
        return;
      }
      if (s.is_block) names.push_back(s.name);
    }
    for (size_t i = 1; i < block_sizes_.size() && names.size() > 1; ++i) {
      names = PutAbove(
          names, static_cast<size_t>(block_sizes_[i] / block_sizes_[i - 1]));
    }
    if (names.size() > 1) PutAbove(names, names.size());
  }

  // A switch above each so many; their names, which no file can have.
  std::vector<std::string> PutAbove(const std::vector<std::string>& names,
                                    size_t each) {
    std::vector<std::string> above;
    for (size_t i = 0; i < names.size(); ++i) {
      if (i % each == 0) {
        SlurmSwitch made;
        made.line = line_;
        made.name = "above " + names[i];
        by_name_.emplace(made.name, switches_.size());
        above.push_back(made.name);
        switches_.push_back(std::move(made));
      }
      switches_.back().switches.push_back(names[i]);
    }
    return above;
  }

  // Parents and levels. Sets the root.
  void Link() {
    for (size_t i = 0; i < switches_.size(); ++i) {
      for (const std::string& name : switches_[i].switches) {
        const auto found = by_name_.find(name);
        if (found == by_name_.end()) {
          Wrong(switches_[i].line, "no switch " + Quoted(name));
          return;
        }
        SlurmSwitch& child = switches_[found->second];
        if (child.parent >= 0) {
          Wrong(switches_[i].line,
                "switch " + Quoted(name) + " is below another one already");
          return;
        }
        child.parent = static_cast<int>(i);
      }
    }
    for (size_t i = 0; i < switches_.size(); ++i) {
      if (switches_[i].parent >= 0) continue;
      if (root_ >= 0) {
        Wrong(switches_[i].line,
              "no switch is above both " +
                  Quoted(switches_[static_cast<size_t>(root_)].name) + " and " +
                  Quoted(switches_[i].name));
        return;
      }
      root_ = static_cast<int>(i);
    }
    if (root_ < 0) {
      Wrong(std::max<int64_t>(1, line_),
            switches_.empty() ? "no switch" : "switches are in a ring");
      return;
    }
    Order();
  }

  // Depth first, as the file has them; without recursion, for depth is the
  // file's.
  void Order() {
    std::vector<int> open = {root_};
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      order_.push_back(at);
      const auto& below = switches_[static_cast<size_t>(at)].switches;
      for (size_t i = below.size(); i-- > 0;) {
        open.push_back(static_cast<int>(by_name_.at(below[i])));
      }
    }
    if (order_.size() < switches_.size()) {
      Wrong(line_, "switches are in a ring");
      return;
    }
    // Children are behind their parents.
    for (size_t i = order_.size(); i-- > 0;) {
      const SlurmSwitch& at = switches_[static_cast<size_t>(order_[i])];
      if (at.parent < 0) continue;
      int& above = switches_[static_cast<size_t>(at.parent)].level;
      above = std::max(above, at.level + 1);
    }
  }

  SwitchTree Made(const std::vector<int64_t>& uplinks) {
    SwitchTree tree;
    std::vector<int> leaf;  // switch by node
    for (const int at : order_) {
      const SlurmSwitch& s = switches_[static_cast<size_t>(at)];
      for (const std::string& name : s.nodes) {
        if (!node_names_.emplace(name, 0).second) {
          Wrong(s.line, "node " + Quoted(name) + " is below a switch already");
          return tree;
        }
        tree.nodes.push_back(name);
        leaf.push_back(at);
      }
    }
    const auto levels =
        static_cast<size_t>(switches_[static_cast<size_t>(root_)].level + 1);
    if (!uplinks.empty() && uplinks.size() != levels) {
      Wrong(line_, "links upwards of " + std::to_string(levels) +
                       " levels expected, found " +
                       std::to_string(uplinks.size()));
      return tree;
    }
    if (levels > Network::kMostLevels) {
      Wrong(line_,
            "more than " + std::to_string(Network::kMostLevels) + " levels");
      return tree;
    }
    AddLevels(leaf, uplinks, levels, &tree);
    return tree;
  }

  void AddLevels(const std::vector<int>& leaf,
                 const std::vector<int64_t>& uplinks, size_t levels,
                 SwitchTree* tree) const {
    // What a node's way to the root has reached: the node, then switches.
    constexpr int kNode = -1;
    std::vector<int> at(leaf.size(), kNode);
    int64_t links = 1;
    for (size_t l = 0; l < levels; ++l) {
      if (!uplinks.empty()) links *= uplinks[l];
      SwitchTree::Level& level = tree->levels.emplace_back();
      for (size_t node = 0; node < leaf.size(); ++node) {
        const bool same =
            node > 0 && at[node] != kNode && at[node] == at[node - 1];
        if (!same) level.links.push_back(0);
        level.element.push_back(static_cast<int32_t>(level.links.size()) - 1);
        // Without a number there are as many links as nodes below.
        const int above = at[node] == kNode
                              ? leaf[node]
                              : switches_[static_cast<size_t>(at[node])].parent;
        const bool leaves =
            above >= 0 &&
            switches_[static_cast<size_t>(above)].level == static_cast<int>(l);
        if (!leaves) continue;
        int64_t& count = level.links.back();
        count = uplinks.empty() ? count + 1 : links;
      }
      for (size_t node = 0; node < leaf.size(); ++node) {
        const int above = at[node] == kNode
                              ? leaf[node]
                              : switches_[static_cast<size_t>(at[node])].parent;
        if (above >= 0 && switches_[static_cast<size_t>(above)].level ==
                              static_cast<int>(l)) {
          at[node] = above;
        }
      }
    }
  }

  std::string_view text_;
  int64_t line_ = 0;
  int64_t named_ = 0;  // nodes and switches so far
  std::vector<int64_t> block_sizes_;
  int64_t block_sizes_line_ = -1;
  std::string wrong_;
  std::vector<SlurmSwitch> switches_;
  std::unordered_map<std::string, size_t> by_name_;
  std::unordered_map<std::string, int> node_names_;
  int root_ = -1;
  std::vector<int> order_;  // each behind its parent
};

}  // namespace

std::optional<SwitchTree> ReadSlurmTree(std::string_view text,
                                        const std::vector<int64_t>& uplinks,
                                        std::string* reason) {
  return TopologyReader(text).Run(uplinks, reason);
}

}  // namespace ranksight::bgq_support
