#include "reduction/api/losses.h"

#include <map>
#include <string>

#include "reduction/api/contract.h"

namespace ranksight::reduction {
namespace {

constexpr std::string_view kNotStored = "not_stored: ";
constexpr std::string_view kNotWritten = "not_written: ";
// A side-car may give any reason. More than a line says.
constexpr size_t kMostReasonBytes = 256;

void Mark(std::string_view what, std::string_view why, Meta* meta) {
  RANKSIGHT_REQUIRE(meta != nullptr);
  meta->losses[std::string(what) +
               std::string(why.substr(0, kMostReasonBytes))] = 1;
}

// What a loss of such a name says behind it.
std::optional<std::string> FindReason(std::string_view what, const Meta& meta) {
  for (const auto& [name, count] : meta.losses) {
    if (name.starts_with(what)) return name.substr(what.size());
  }
  return std::nullopt;
}

}  // namespace

uint64_t FailedCallsOf(const Meta& meta) {
  const auto failed = meta.losses.find(kLossFailedCalls);
  return failed == meta.losses.end() ? 0 : failed->second;
}

std::map<std::string, uint64_t> LossesOf(const Meta& meta) {
  std::map<std::string, uint64_t> losses = meta.losses;
  losses.erase(kLossFailedCalls);
  return losses;
}

void MarkNotStored(std::string_view why, Meta* meta) {
  Mark(kNotStored, why, meta);
}

void MarkNotWritten(std::string_view why, Meta* meta) {
  Mark(kNotWritten, why, meta);
}

std::optional<std::string> WhyNotWritten(const Meta& meta) {
  return FindReason(kNotWritten, meta);
}

bool SaysNotStored(std::string_view loss) {
  return loss.starts_with(kNotStored);
}

std::optional<std::string> WhyNotStored(const Meta& meta) {
  if (auto why = FindReason(kNotStored, meta)) return why;
  if (meta.losses.contains(kLossAfterLastEpoch)) {
    return "the run ended before MPI_Finalize";
  }
  return std::nullopt;
}

}  // namespace ranksight::reduction
