// KnownLaws: laws by the line of code they are of. A function that is called
// from several places has the same amounts at each, though at some only few
// runs come there.
// Thread-safety: one search, one thread.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "online_model/structure/sequence_law.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

class KnownLaws {
 public:
  // The call, where it stands, and which of its parameters.
  using Line = std::tuple<reduction::Call, reduction::Frame, size_t>;
  static Line LineOf(const reduction::Node& event,
                     const reduction::Sites& sites, size_t param);

  // The parameter at this place among those of an event.
  void Add(const reduction::Node& event, const reduction::Sites& sites,
           size_t param, const SequenceLaw& law);
  // The law of the same line, reached on another call path by ranks of more
  // runs, if it gives these patterns, too.
  std::optional<SequenceLaw> Find(const reduction::Node& event,
                                  const reduction::Sites& sites, size_t param,
                                  std::span<const RankPattern> patterns) const;

 private:
  std::map<Line, std::vector<SequenceLaw>> laws_;
};

}  // namespace ranksight::online_model
