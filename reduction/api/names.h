// Names of call sites: what a module's symbols and debug information say of
// the frames of a trace, kept with it, so that who has the trace alone has them
// (FORMAT.md, "Names"). A module is known by its build id: names go with any
// trace of that build, and never with one of another.
// Thread-safety: value types and pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "reduction/api/site.h"
#include "reduction/api/status.h"

namespace ranksight::reduction {

struct SourcePlace {
  std::string function;  // as the linker knows it, or as in the source
  std::string file;      // "" without debug information
  int line = 0;          // 0 likewise
  bool operator==(const SourcePlace&) const = default;
};

struct Names {
  // By build id, then by the offset of a frame: the functions it is in, one, or
  // with those inlined there, innermost first.
  using Frames = std::map<uint64_t, std::vector<SourcePlace>>;
  std::map<std::string, Frames> modules;

  bool empty() const { return modules.empty(); }
  // nullptr where nothing is known.
  const std::vector<SourcePlace>* Find(const Module& module,
                                       uint64_t offset) const;
  void Add(const Names& other);
  bool operator==(const Names&) const = default;
};

// "m::s" of a Fortran module, C++ demangled; others as they are.
std::string DemangledFunction(const std::string& function);
// The same as it is read: of C++ without what its parameters are, and with
// "<...>" for long arguments of templates.
std::string ReadableFunction(const std::string& function);
// "Exchange halo.c:88", "Exchange" without debug information; harmless to show.
std::string PlaceText(const SourcePlace& place);
// "halo.c:88", or the function where there is no line.
std::string ShortPlaceText(const SourcePlace& place);

// "Exchange halo.c:88 < main halo.c:140 < app+0x1234", regions before it:
// innermost first, at most max_frames; "?" where there are none.
std::string SiteText(const Sites& sites, const Names& names, uint32_t site,
                     int max_frames = 3);
// All of its frames as PlaceText has them, outermost first, each region where
// it stands among them: "[solve]".
std::vector<std::string> SitePath(const Sites& sites, const Names& names,
                                  uint32_t site);
// Where the call itself stands, in short; "" where that is not known.
std::string SitePlace(const Sites& sites, const Names& names, uint32_t site);

// Of an encoded trace; kBadInput where it is none.
Result<Names> NamesOf(std::span<const uint8_t> trace);
// The trace with these names, and no others; without any, the trace as ranks
// wrote it. Names of frames that no call site has may stand among them.
Result<std::vector<uint8_t>> ReplaceNames(std::span<const uint8_t> trace,
                                          const Names& names);

// The payload of the chunk, for who keeps names elsewhere.
std::vector<uint8_t> EncodeNames(const Names& names);
Result<Names> DecodeNames(std::span<const uint8_t> bytes);

}  // namespace ranksight::reduction
