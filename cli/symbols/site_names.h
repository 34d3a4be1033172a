// Names for call sites: function, file and line of each frame, from the
// symbols of the modules, where these can be found; module and offset where
// not. A module is used only when its build id is that of the trace, so a
// program that was built anew never gives a wrong name.
//
// Modules are looked for among the files and folders given, in the folder of
// the trace, the current one, those that RANKSIGHT_BINARIES and PATH list and
// of the system's libraries;
// separate debug information in /usr/lib/debug/.build-id.
//
// A frame is a return address: the line is that of the call before it. What
// was inlined there is named as if it had been called.
// Complexity: a module is opened once; a name costs a search in its tables.
// Thread-safety: one caller at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/symbols/debug_info.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

class SiteNames {
 public:
  // places: files and folders to look at first. The sites must outlive it.
  SiteNames(const reduction::Sites& sites, std::vector<std::string> places);
  ~SiteNames();
  SiteNames(const SiteNames&) = delete;
  SiteNames& operator=(const SiteNames&) = delete;

  // "Exchange halo.c:88 < main halo.c:140 < app+0x1234": innermost first, at
  // most max_frames.
  std::string Text(uint32_t site, int max_frames = 3);
  // "Exchange < main", regions before it: what stays when a program is built
  // anew. A frame without a symbol is its module; "" where no frame has one.
  std::string Functions(uint32_t site, int max_frames = 3);

 private:
  struct Opened;
  Opened* Open(uint32_t module);
  // What is known of a frame, innermost first; nothing without a symbol.
  std::vector<SourcePlace> PlacesOf(const reduction::Frame& frame);
  // The functions at a frame, innermost first; its module and offset when
  // there is no symbol.
  std::vector<std::string> Names(const reduction::Frame& frame);

  const reduction::Sites& sites_;
  std::vector<std::string> places_;
  std::vector<std::unique_ptr<Opened>> opened_;  // by module
};

// The folders of traces, as places to look at.
std::vector<std::string> FoldersOf(std::span<const std::string> trace_files);

// text with names in place of the call sites of the traces that stand in it
// behind " at ", whole or their innermost frame, as laws, refusals, phases and
// forecasts write them. places: as for SiteNames.
std::string WithNames(std::string text,
                      std::span<const reduction::Trace> traces,
                      const std::vector<std::string>& places);

}  // namespace ranksight::cli
