// Adapters: traces in other tools' formats and back.
//
// Each lives in a folder of its own and stands in registry/adapters.def.
// Writers walk rank by rank with a cursor and stream: memory grows with the
// structure of the trace, not with ranks or events, unless `cannot` says so.
// Thread-safety: immutable table; conversions are independent of each other.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters {

// Told after each rank how much of all ranks is done, above 0, at most 1; by
// any thread, one at a time. Empty: nobody.
using TellShare = std::function<void(double share)>;

struct Conversion {
  bool compress = false;  // asked for; of an adapter that compresses
  uint64_t events = 0;    // of the trace, all that were walked
  uint64_t files = 0;
  // What the format could not hold, by what it was: how often.
  std::map<std::string, uint64_t> not_expressed;
  TellShare tell_share = {};
  void Tell(int64_t done, int64_t ranks) const {
    if (tell_share) tell_share(double(done) / double(ranks));
  }
};

struct Adapter {
  std::string_view name;  // as in --to
  std::string_view what;  // one line
  // What the format cannot hold, ends each sentence with a full stop.
  std::string_view cannot;
  bool folder = false;   // OUT is a folder, made by the caller
  bool several = false;  // takes several traces
  // Its readers take what gzip makes of its files.
  bool compresses = false;
  // Null when this direction does not exist.
  reduction::Status (*write)(std::span<const reduction::Trace> traces,
                             const std::string& out,
                             Conversion* conversion) = nullptr;
  reduction::Result<reduction::Trace> (*read)(
      const std::string& path, const TellShare& tell_share) = nullptr;
};

// Whether this build can compress.
bool CanCompress();
// All of this build, in the order of the registry.
std::span<const Adapter* const> Adapters();
// nullptr when there is none.
const Adapter* FindAdapter(std::string_view name);

}  // namespace ranksight::adapters
