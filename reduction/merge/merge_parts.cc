#include "reduction/api/merge_parts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "reduction/api/condense.h"
#include "reduction/api/distribution.h"
#include "reduction/api/losses.h"
#include "reduction/api/merge.h"
#include "reduction/merge/merge_trees.h"

namespace ranksight::reduction {
namespace {

// Clocks of hosts agree so far.
constexpr int64_t kClocksDifferNs = 1'000'000'000;

int64_t EndOf(const Meta& meta) {
  const auto lasted = int64_t(meta.elapsed.max);
  return meta.start_unix_ns + std::max(lasted, meta.complete_until_ns);
}

Status CheckOneRun(const Part& a, const Part& b) {
  const Meta &first = a.trace.meta, &other = b.trace.meta;
  if (first.ranks != other.ranks) {
    return Status::No(a.name + " is of " + std::to_string(first.ranks) +
                      " ranks, " + b.name + " of " +
                      std::to_string(other.ranks));
  }
  // Parts of one run were under way at one time; clocks of hosts may differ.
  const auto ended_before = [](const Meta& x, const Meta& y) {
    return EndOf(x) + kClocksDifferNs < y.start_unix_ns;
  };
  const bool before = ended_before(first, other);
  if (!before && !ended_before(other, first)) return Status::Ok();
  const std::string& ended = before ? a.name : b.name;
  const std::string& began = before ? b.name : a.name;
  return Status::No(ended + " had ended before " + began +
                    " began: not of one run");
}

// The ranks of all parts; each is in one.
Result<std::map<int64_t, size_t>> PartOfEachRank(
    const std::vector<Part>& parts) {
  std::map<int64_t, size_t> part_of;
  for (size_t i = 0; i < parts.size(); ++i) {
    for (const int64_t rank : RanksOf(parts[i].trace.root)) {
      const auto [it, added] = part_of.emplace(rank, i);
      if (!added) {
        return Status::No("rank " + std::to_string(rank) + " stands in " +
                          parts[it->second].name + " and in " + parts[i].name);
      }
    }
  }
  return part_of;
}

// What is mended by merging is no loss.
void ForgetMended(Meta* meta) {
  if (meta->losses.erase(kLossWithoutWorld) == 0) return;
  const size_t harmless = meta->losses.count(kLossFailedCalls);
  meta->complete = meta->losses.size() == harmless;
}

// In pairs, so that each is copied few times.
Status MergePairs(std::vector<Part>* parts) {
  while (parts->size() > 1) {
    const size_t half = (parts->size() + 1) / 2;
    for (size_t i = half; i < parts->size(); ++i) {
      const Status merged =
          MergeInto(&(*parts)[i - half].trace, std::move((*parts)[i].trace));
      if (!merged.ok()) return merged;
    }
    parts->resize(half);
  }
  return Status::Ok();
}

}  // namespace

Result<Trace> MergeParts(std::vector<Part> parts) {
  if (parts.empty()) return Status::Usage("no parts");
  for (Part& part : parts) {
    const Status one = CheckOneRun(parts[0], part);
    if (!one.ok()) return one;
    ForgetMended(&part.trace.meta);
  }
  const auto part_of = PartOfEachRank(parts);
  if (!part_of.ok()) return part_of.status();
  if (Status s = MergePairs(&parts); !s.ok()) return s;
  Trace all = std::move(parts[0].trace);
  const auto there = int64_t(part_of->size());
  if (there < all.meta.ranks) {
    all.meta.complete = false;
    all.meta.complete_until_ns = 0;
    all.meta.losses[kLossMissingRanks] = uint64_t(all.meta.ranks - there);
  }
  // As at the end of a run that merges by itself.
  Canonicalize(&all);
  MarkDistributions(&all);
  Condense(&all);
  return all;
}

}  // namespace ranksight::reduction
