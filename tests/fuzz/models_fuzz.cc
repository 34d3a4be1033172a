// Any saved state of the models: refused with a reason, or a Forecaster that
// forecasts finite times and saves itself as the same bytes again.
#include <cmath>

#include "online_model/api/forecast.h"
#include "reduction/api/codec.h"
#include "tests/fuzz/seeds.h"

namespace ranksight::fuzz {

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds;
  for (const auto& ranks : RankSeeds(1)) {
    const auto trace = reduction::Decode(ranks[0]);
    Require(trace.ok());
    online_model::Forecaster models;
    if (models.AddRun(*trace).ok()) seeds.push_back(models.Encode());
    if (seeds.size() == 20) break;
  }
  for (const Bytes& recorded : RecordedSeeds()) {
    const auto trace = reduction::Decode(recorded);
    Require(trace.ok());
    online_model::Forecaster models;
    if (models.AddRun(*trace).ok()) seeds.push_back(models.Encode());
  }
  Require(seeds.size() > 30);
  return seeds;
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  const fuzz::Bytes bytes(data, data + size);
  const auto models = online_model::Forecaster::Decode(bytes);
  if (!models.ok()) {
    fuzz::RequireReason(models.status().message());
    return 0;
  }
  const fuzz::Bytes saved = models->Encode();
  const auto again = online_model::Forecaster::Decode(saved);
  fuzz::Require(again.ok() && again->Encode() == saved);
  const int64_t ranks[] = {1, 64, int64_t{1} << 40};
  const auto forecast = models->At(ranks);
  (void)online_model::ToJson(forecast);
  (void)online_model::ToText(forecast);
  return 0;
}
