// Hosts: the nodes of an ordinary cluster, on which ranks sit in the order
// that a launcher gives them, read from hostfiles and from Slurm's words and
// written as launchers take them. A place (mapping.h) is a host, by its number
// in the list, and which of the ranks there it is.
//
// Readers allocate nothing larger than kMostSlots justifies; what is wrong
// comes with its place in the text.
// Thread-safety: value types, pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bgq_support/api/mapping.h"

namespace ranksight::bgq_support {

// More hosts, or more ranks on them, are refused.
inline constexpr int64_t kMostSlots = int64_t{1} << 24;

// So many ranks in a row on one host.
struct HostRun {
  int32_t host = 0;
  int32_t ranks = 1;
  bool operator==(const HostRun&) const = default;
};

struct HostList {
  std::vector<std::string> names;  // each once, by first mention
  // In the order in which they fill; a host that is named again has another.
  std::vector<HostRun> runs;

  int64_t slots() const;
  // Each host once, in the order of names, with that many ranks.
  HostList With(int32_t ranks_per_host) const;
};

// A line for each host: `name`, `name:4` (MPICH's Hydra), `name slots=4`
// (Open MPI; blanks around '=' are allowed), or a name for each rank (PBS); '#'
// starts a comment. `user@` before a name is left out; an IPv6 address may
// stand in brackets, and must where a count follows; a host with 0 slots is
// none. Hydra's and Open MPI's other words (binding=, max_slots=, ...) are
// passed over. nullopt with *reason "LINE:COLUMN: what is wrong".
std::optional<HostList> ReadHostFile(std::string_view text,
                                     std::string* reason);

// As srun reads SLURM_HOSTFILE: a name for each rank, one a line or several
// behind commas, `name*4` for four in a row. nullopt likewise.
std::optional<HostList> ReadSlurmHostFile(std::string_view text,
                                          std::string* reason);

// Slurm's list of nodes, "n[001-003,7],login,r[1-2]n[1-2]", in its order.
// nullopt with *reason "COLUMN: what is wrong".
std::optional<std::vector<std::string>> ExpandNodeList(std::string_view text,
                                                       std::string* reason);
// Slurm's tasks of each node, "4(x2),2"; likewise.
std::optional<std::vector<int32_t>> ExpandTaskCounts(std::string_view text,
                                                     std::string* reason);

// Which host the next rank goes to. But for kListed as srun has it: each host
// first gets its share of the ranks, one each, then one (of a plane `plane`)
// each in turn as long as it has slots; then ranks are numbered.
struct Distribution {
  enum class Kind {
    kListed,  // fills the list, then again from its start, as Hydra does
    kBlock,   // host after host; more ranks than slots are refused, as below
    kCyclic,  // one of each host in turn
    kPlane,   // `plane` of each host in turn
  };
  Kind kind = Kind::kListed;
  int32_t plane = 1;
  // Of a block: hosts are filled one after the other, once each has one.
  bool pack = false;
  // Ranks of a host go to its packages in turn, not one package after the
  // other.
  bool cyclic_packages = false;
  bool operator==(const Distribution&) const = default;

  // As Slurm has it: block, cyclic or plane=4; behind a colon block or cyclic
  // for the packages (left out: cyclic), further levels passed over; behind a
  // comma Pack or NoPack. nullopt with *reason for others, "arbitrary" among
  // them.
  static std::optional<Distribution> Parse(std::string_view text,
                                           std::string* reason);
};

// Where ranks sit. nullopt with *reason when there are too few slots.
std::optional<Mapping> PlaceOnHosts(const HostList& hosts, int64_t ranks,
                                    const Distribution& distribution,
                                    std::string* reason);

enum class HostForm {
  kList,      // a name for each rank: SLURM_HOSTFILE, SimGrid
  kHydra,     // name:ranks, a line for each run
  kRankFile,  // Open MPI: rank 3=name slot=1
  kOrder,     // Cray MPICH: the ranks in the order of their places
};
// Names: list, hydra, rankfile, order. nullopt for others.
std::optional<HostForm> ParseHostForm(std::string_view name);
// REQUIRES: places on these hosts.
std::string WriteHosts(const HostList& hosts, const Mapping& mapping,
                       HostForm form);

// The cores of a host; all hosts are taken to be alike.
struct HostShape {
  int packages = 1;  // sockets
  int cores_per_package = 1;
  bool operator==(const HostShape&) const = default;

  static constexpr int kMostPackages = 128;  // with kMostSlots hosts, an int

  // "2x16"; nullopt for others, and for more than kMostPackages.
  static std::optional<HostShape> Parse(std::string_view text);
  // By hwloc: of an XML file (lstopo node.xml), or of this host where path is
  // empty. nullopt with *reason when it cannot be read, packages differ or
  // are more than kMostPackages, or this build has no hwloc.
  static std::optional<HostShape> FromHwloc(const std::string& path,
                                            std::string* reason);

  // Of the rank with this slot on its host; beyond the cores from the start
  // again.
  int PackageOf(int32_t slot, bool cyclic) const {
    return (cyclic ? slot : slot / cores_per_package) % packages;
  }
  int64_t cores() const { return int64_t{packages} * cores_per_package; }
  // The core of that rank, package by package. REQUIRES: slot below cores().
  int32_t CoreOf(int32_t slot, bool cyclic) const {
    return cyclic ? slot % packages * cores_per_package + slot / packages
                  : slot;
  }
};

}  // namespace ranksight::bgq_support
