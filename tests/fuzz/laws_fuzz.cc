// Any trace that carries laws, the laws changed: FromLaws refuses it with a
// reason or gives a complete trace that encodes and decodes to itself. The
// input is the laws' text; the trace around it stays.
#include "online_model/api/extrapolate.h"
#include "reduction/api/codec.h"
#include "tests/fuzz/seeds.h"
#include "tests/unit/online_model_structure/stencil_run.h"

namespace ranksight::fuzz {
namespace {

using online_model::ExtrapolationRequest;
using reduction::Trace;

Trace Symbolic() {
  using namespace online_model::testing;
  const Stencil stencil{.periodic = {false}, .cells = 23};
  std::vector<Trace> runs;
  for (const int64_t ranks : {3, 4, 5, 7}) {
    runs.push_back(RunOf(stencil, {ranks}));
  }
  ExtrapolationRequest request;
  request.ranks = 7;
  request.symbolic = true;
  auto made = online_model::Extrapolate(runs, request);
  Require(made.ok());
  return std::move(made->trace);
}

const Trace& Base() {
  static const Trace trace = Symbolic();
  return trace;
}

}  // namespace

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds = {ToBytes(Base().meta.laws.back())};
  for (const Bytes& bytes : RecordedSeeds()) {
    const auto trace = reduction::Decode(bytes);
    Require(trace.ok());
    for (const auto& laws : trace->meta.laws) seeds.push_back(ToBytes(laws));
  }
  Require(seeds.size() > 1);
  return seeds;
}

void Try(std::string_view laws, int64_t ranks) {
  Trace trace = Base();
  trace.meta.laws.back() = laws;
  ExtrapolationRequest request;
  request.ranks = ranks;
  const auto made = online_model::FromLaws(trace, request);
  if (!made.ok()) return RequireReason(made.status().message());
  Require(made->trace.meta.ranks == ranks);
  const auto again = reduction::Decode(
      reduction::Encode(made->trace, reduction::SketchForm::kFull));
  Require(again.ok() && *again == made->trace);
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view laws = ranksight::fuzz::AsText(data, size);
  for (const int64_t ranks : {9, 4096}) ranksight::fuzz::Try(laws, ranks);
  return 0;
}
