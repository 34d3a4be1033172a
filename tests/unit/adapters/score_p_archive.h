// An OTF2 archive as Score-P writes it, by hand: three ranks, the locations'
// own numbers of communicators, sums in the records of collectives.
#pragma once

#include <string>

namespace ranksight::adapters {

struct ScorePArchive {
  // Records of what made communicators and of non-blocking collectives, as
  // since Score-P 8; without them as before.
  bool new_records = false;
  bool any_calls = true;
};

// Writes folder/traces.otf2. False when OTF2 cannot.
bool WriteScorePArchive(const std::string& folder,
                        const ScorePArchive& archive);

}  // namespace ranksight::adapters
