// Names for call sites: function, file and line of each frame, as they are kept
// with the trace, else from the symbols of the modules, where these can be
// found; module and offset where not. A module is used only when its build id
// is that of the trace, so a program that was built anew never gives a wrong
// name.
//
// Modules are looked for among the files and folders given, in the current
// folder, those that RANKSIGHT_BINARIES, LD_LIBRARY_PATH and PATH list and of
// the system's libraries, then in what lies below the current folder and the
// given ones; separate debug information in /usr/lib/debug/.build-id.
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
  // places: files and folders to look at first; of a trace among them its
  // names. The sites must outlive it.
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
  // Of all frames of all sites that have any.
  const reduction::Names& All();

 private:
  struct Opened;
  Opened* Open(uint32_t module);
  // What is known of a frame, innermost first; nullptr without a symbol. Known
  // to names_ from then on.
  const std::vector<reduction::SourcePlace>* PlacesOf(
      const reduction::Frame& frame);

  const reduction::Sites& sites_;
  std::vector<std::string> places_;
  reduction::Names names_;
  std::vector<std::unique_ptr<Opened>> opened_;  // by module
};

// Traces and their folders, as places to look at.
std::vector<std::string> PlacesNear(std::span<const std::string> trace_files);

// What of a command line may be the program, and the folders of these, where
// its own libraries may lie.
std::vector<std::string> ProgramsIn(std::span<const std::string> words);

// Those that these traces have; files that are none have none.
reduction::Names NamesIn(std::span<const std::string> files);

// WriteTraceFile, with the names that these traces have kept in it.
reduction::Status WriteNamedTrace(const reduction::Trace& trace,
                                  const std::string& path,
                                  std::span<const std::string> files);

// Keeps names in a trace file that has none, where some are found. places: as
// for SiteNames. A file that is no trace is left as it is. What is there then
// outlives a crash of the machine: the runtime leaves waiting for that to us.
reduction::Status KeepNames(const std::string& trace_file,
                            std::vector<std::string> places);

// text with names in place of the call sites of the traces that stand in it
// behind " at ", whole or their innermost frame, as laws, refusals, phases and
// forecasts write them. places: as for SiteNames.
std::string WithNames(std::string text,
                      std::span<const reduction::Trace> traces,
                      const std::vector<std::string>& places);

}  // namespace ranksight::cli
