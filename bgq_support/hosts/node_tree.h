// The inside of a node as a tree, from what hwloc's lstopo has written of it
// (lstopo node.xml): cores are what a network has as nodes, and whatever holds
// several of them or of their groups (caches, packages, the machine) is a
// switch. In the words of Slurm's topology.conf, which read_slurm.cc reads.
// Thread-safety: pure function.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ranksight::bgq_support {

// nullopt with *reason "LINE: what is wrong".
std::optional<std::string> NodeAsSwitches(std::string_view xml,
                                          std::string* reason);

}  // namespace ranksight::bgq_support
