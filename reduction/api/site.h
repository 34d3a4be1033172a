// Call sites: where an event was called, as a call path. A frame is a module
// (an executable or shared object, known by its build id) and the offset of
// the return address in it, so a site is the same on every rank, in every
// run, wherever the loader put the module.
//
// Thread-safety: value types.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace ranksight::reduction {

struct Module {
  std::string build_id;  // lower-case hex; "" when the module has none
  std::string name;      // base name of the file
  auto operator<=>(const Module&) const = default;
};

// Stands in a call site for a region of the program, with offset 0, behind
// (inside) the frames of the call.
Module RegionModule(const std::string& name);
bool IsRegion(const Module& module);

struct Frame {
  uint32_t module = 0;  // index into Sites::modules
  uint64_t offset = 0;  // return address - load address
  auto operator<=>(const Frame&) const = default;
};

struct CallSite {
  std::vector<Frame> frames;  // outermost (main) first
  auto operator<=>(const CallSite&) const = default;
};

// The modules and sites of a trace. Sites are in code order: sorted by
// frames from the outermost, modules in order of (build_id, name).
// Invariant after Canonicalize and after every merge: sorted, no duplicates.
struct Sites {
  std::vector<Module> modules;
  std::vector<CallSite> sites;

  bool operator==(const Sites&) const = default;
};

// Sorts modules and sites. *map[i] is the new index of old site i.
void Canonicalize(Sites* sites, std::vector<uint32_t>* map);
// Adds all of other; *map_a[i], *map_b[i] are the new indices.
Sites Unite(const Sites& a, const Sites& b, std::vector<uint32_t>* map_a,
            std::vector<uint32_t>* map_b);
// "[region] app+0x1234 < lib.so+0x88": regions, outermost first, then the
// frames, innermost first, at most max_frames.
std::string RegionsText(const Sites& sites, const CallSite& site);
std::string ToString(const Sites& sites, uint32_t site, int max_frames = 3);

}  // namespace ranksight::reduction
