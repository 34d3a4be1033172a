#include <algorithm>
#include <string>

#include "reduction/api/losses.h"

namespace ranksight::reduction {
namespace {

constexpr std::string_view kNotStored = "not_stored: ";
// A side-car may give any reason. More than a line says.
constexpr size_t kMostReasonBytes = 256;

}  // namespace

void MarkNotStored(std::string_view why, Meta* meta) {
  meta->losses[std::string(kNotStored) +
               std::string(why.substr(0, kMostReasonBytes))] = 1;
}

bool SaysNotStored(std::string_view loss) {
  return loss.starts_with(kNotStored);
}

std::optional<std::string> WhyNotStored(const Meta& meta) {
  const auto loss = std::ranges::find_if(meta.losses, [](const auto& entry) {
    return SaysNotStored(entry.first);
  });
  if (loss != meta.losses.end()) return loss->first.substr(kNotStored.size());
  if (meta.losses.contains(kLossAfterLastEpoch)) {
    return "the run ended before MPI_Finalize";
  }
  return std::nullopt;
}

}  // namespace ranksight::reduction
