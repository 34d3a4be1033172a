// OTF2 archives, out and in.
// Thread-safety: pure functions but for files.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "adapters/api/adapter.h"
#include "reduction/api/communicators.h"

namespace ranksight::adapters::otf2 {

// `out` is a folder; the archive is out/traces.otf2, which must not exist.
reduction::Status Write(std::span<const reduction::Trace> traces,
                        const std::string& out, Conversion* conversion);

// The anchor file that is given, or that stands in the folder given: the only
// *.otf2 there, or traces.otf2 among several. kIo where there is none, kUsage
// where it is not clear which.
reduction::Result<std::string> AnchorOf(const std::string& given);

// path/to/traces.otf2 of anybody, or its folder. Archives of ours hold the
// canonical fields as attributes and give the same events again; of others
// (Score-P) events are rebuilt from the MPI records, which `use_attributes` =
// false does for ours, too.
reduction::Result<reduction::Trace> ReadArchive(
    const std::string& path, bool use_attributes,
    const TellShare& tell_share = {});

}  // namespace ranksight::adapters::otf2
