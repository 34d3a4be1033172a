#include "tests/fuzz/seeds.h"

#include <algorithm>
#include <filesystem>

#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"
#include "reduction/api/folder.h"
#include "tests/fuzz/target.h"
#include "tests/unit/reduction/program.h"
#include "tests/unit/reduction/random_trace.h"

namespace ranksight::fuzz {

// Larger ones take the time of many small ones and show nothing more.
constexpr size_t kMaxSeedBytes = 6000;
constexpr uint64_t kMaxPartEvents = 3000;

std::vector<Bytes> RecordedSeeds() {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(RANKSIGHT_RECORDED_SEEDS)) {
    paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  std::vector<Bytes> seeds;
  for (const std::string& path : paths) {
    auto bytes = reduction::ReadWholeFile(path);
    Require(bytes.ok());
    seeds.push_back(std::move(bytes).value());
  }
  Require(!seeds.empty());
  return seeds;
}

std::vector<Bytes> TraceSeeds() {
  using reduction::SketchForm;
  namespace testing = reduction::testing;
  std::vector<Bytes> seeds;
  for (uint32_t seed = 0; seed < 80; ++seed) {
    const auto form =
        seed % 2 == 0 ? SketchForm::kFull : SketchForm::kQuantiles;
    Bytes bytes = reduction::Encode(testing::RandomTrace(seed).Make(), form);
    if (bytes.size() <= kMaxSeedBytes) seeds.push_back(std::move(bytes));
  }
  seeds.push_back(reduction::Encode(testing::StencilTrace(3, 4, false).Make(),
                                    SketchForm::kQuantiles));
  std::ranges::move(RecordedSeeds(), std::back_inserter(seeds));
  return seeds;
}

std::vector<std::vector<Bytes>> RankSeeds(int64_t ranks) {
  std::vector<std::vector<Bytes>> seeds;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    std::vector<Bytes> one(static_cast<size_t>(ranks));
    size_t largest = 0;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      reduction::Folder folder;
      reduction::testing::Program(seed).Run(rank, ranks, &folder);
      Bytes& bytes = one[static_cast<size_t>(rank)];
      bytes = reduction::Encode(folder.Snapshot(rank, ranks),
                                reduction::SketchForm::kQuantiles);
      largest = std::max(largest, bytes.size());
    }
    if (largest <= kMaxSeedBytes) seeds.push_back(std::move(one));
  }
  return seeds;
}

namespace {

// The rank's part of a whole trace, folded anew; nothing where the trace has
// not every value.
Bytes PartOf(const reduction::Trace& whole, int64_t rank) {
  auto cursor = reduction::Cursor::Open(whole, rank);
  if (!cursor.ok() || CountEvents(whole, rank) > kMaxPartEvents) return {};
  reduction::Folder folder;
  for (const auto& module : whole.sites.modules) folder.AddModule(module);
  std::vector<uint32_t> sites;
  for (const auto& site : whole.sites.sites)
    sites.push_back(folder.AddSite(site));
  while (cursor->Next()) {
    reduction::Event event = cursor->event();
    event.site = sites[cursor->node().site];
    folder.Push(event, 1000, 100);
  }
  Require(cursor->status().ok());
  return reduction::Encode(folder.Snapshot(rank, whole.meta.ranks),
                           reduction::SketchForm::kQuantiles);
}

}  // namespace

std::vector<std::vector<Bytes>> RecordedRankSeeds() {
  std::vector<std::vector<Bytes>> seeds;
  for (const Bytes& recorded : RecordedSeeds()) {
    const auto whole = reduction::Decode(recorded);
    Require(whole.ok());
    std::vector<Bytes> parts;
    for (int64_t rank = 0; rank < whole->meta.ranks; ++rank) {
      Bytes part = PartOf(*whole, rank);
      if (part.empty()) break;
      parts.push_back(std::move(part));
    }
    if (parts.size() > 1) seeds.push_back(std::move(parts));
  }
  Require(seeds.size() > 10);
  return seeds;
}

}  // namespace ranksight::fuzz
