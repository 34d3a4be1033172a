// The inside of a node as a tree of switches.
#include "bgq_support/hosts/node_tree.h"

#include <limits>
#include <utility>
#include <vector>

#ifdef RANKSIGHT_HWLOC
#include "bgq_support/hosts/hwloc_topology.h"
#endif

namespace ranksight::bgq_support {

#ifdef RANKSIGHT_HWLOC
namespace {

// Lines of "SwitchName=NAME Nodes=..." or "Switches=...".
class SwitchWriter {
 public:
  // The name of the switch that the object is, or, where nothing parts below
  // it, of the one switch or core there; empty where there is no core.
  std::string Write(hwloc_obj_t object) {
    if (object->type == HWLOC_OBJ_CORE) {
      return "core" + std::to_string(object->logical_index);
    }
    std::vector<std::string> below;
    bool cores = true;
    for (unsigned i = 0; i < object->arity; ++i) {
      std::string name = Write(object->children[i]);
      if (name.empty()) continue;
      cores = cores && name.starts_with("core");
      below.push_back(std::move(name));
    }
    if (below.size() < 2) return below.empty() ? "" : below[0];
    if (!cores) {
      for (std::string& one : below) {
        if (one.starts_with("core")) one = AddSwitch("of-" + one, {one}, true);
      }
    }
    const std::string name = "level" + std::to_string(object->depth) + "-" +
                             std::to_string(object->logical_index);
    return AddSwitch(name, below, cores);
  }
  const std::string& text() const { return text_; }

 private:
  std::string AddSwitch(const std::string& name,
                        const std::vector<std::string>& below, bool cores) {
    text_ += "SwitchName=" + name + (cores ? " Nodes=" : " Switches=");
    for (size_t i = 0; i < below.size(); ++i) {
      text_ += (i > 0 ? "," : "") + below[i];
    }
    text_ += '\n';
    return name;
  }
  std::string text_;
};

}  // namespace

std::optional<std::string> NodeAsSwitches(std::string_view xml,
                                          std::string* reason) {
  const std::string text(xml);
  // Of a longer one hwloc cannot be told the length.
  const bool fits = text.size() < size_t{std::numeric_limits<int>::max()};
  const HwlocTopology topology = LoadTopology([&](hwloc_topology_t all) {
    return fits ? hwloc_topology_set_xmlbuffer(
                      all, text.c_str(), static_cast<int>(text.size() + 1))
                : -1;
  });
  if (topology == nullptr) {
    *reason = "1: no topology that hwloc reads";
    return std::nullopt;
  }
  SwitchWriter writer;
  writer.Write(hwloc_get_root_obj(topology.get()));
  if (writer.text().empty()) {
    *reason = "1: no two cores";
    return std::nullopt;
  }
  return writer.text();
}

#else

std::optional<std::string> NodeAsSwitches(std::string_view,
                                          std::string* reason) {
  *reason = "1: built without hwloc";
  return std::nullopt;
}

#endif

}  // namespace ranksight::bgq_support
