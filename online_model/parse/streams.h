// Streams: every rank's events in order, as numbers, for parsing them again.
//
// A kind is a call at a call site. Where a rank gives a call site several
// tags, few in all, as a function does that is called for each axis in turn,
// each tag is a kind of its own; a call that completes requests has the tag of
// the first.
// Thread-safety: value types, pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct Kind {
  uint32_t site;
  reduction::Call call;
  int64_t tag;  // kNone where tags are not told apart
  auto operator<=>(const Kind&) const = default;
};

// The event at the other end of a message.
struct Partner {
  int32_t rank = -1;  // none
  uint32_t event = 0;
};

struct StreamEvent {
  uint32_t kind = 0;
  Partner receiver, sender;
  uint64_t values = 0;  // a hash of its parameters
  uint64_t peers = 0;   // a hash of those that are ranks
};

using Stream = std::vector<StreamEvent>;

struct Streams {
  std::vector<Kind> kinds;                  // ascending
  std::vector<std::vector<Stream>> traces;  // by trace and rank
};

// Longest streams that are read, events of all ranks of all traces: 56 bytes
// each.
inline constexpr uint64_t kMostStreamEvents = uint64_t{1} << 22;

// Which sites have a kind for each tag.
enum class TagKinds {
  kFew,           // those of few tags, several on some rank
  kFewAndAlways,  // those of them that have the same tags in all traces: no
                  // root and no step, of which there are more on more ranks
};

// REQUIRES: the traces have the same sites. kNo when there are more events, or
// where all that have few tags have them always.
reduction::Result<Streams> ReadStreams(std::span<const reduction::Trace> traces,
                                       TagKinds tags);

}  // namespace ranksight::online_model
