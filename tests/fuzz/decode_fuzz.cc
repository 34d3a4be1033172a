// Any bytes: Decode and DecodeFrame give an error with an offset, or
// something that encodes and decodes to itself. The bytes are tried as they
// are and with mended checksums, so that changes reach the code behind them.
#include "reduction/api/check.h"
#include "reduction/api/codec.h"
#include "reduction/api/wire.h"
#include "tests/fuzz/mend.h"
#include "tests/fuzz/seeds.h"

namespace ranksight::fuzz {
namespace {

void TryTrace(const Bytes& bytes) {
  using reduction::SketchForm;
  const auto trace = reduction::Decode(bytes);
  if (!trace.ok()) return RequireOffset(trace.status());
  // Of ranks in two pieces decoders see no more than that there are too many.
  const reduction::Status holds = reduction::Check(*trace);
  Require(holds.ok() || holds.message() == "a rank stands in two pieces");
  const auto again =
      reduction::Decode(reduction::Encode(*trace, SketchForm::kFull));
  Require(again.ok() && *again == *trace);
  const Bytes small = reduction::Encode(*trace, SketchForm::kQuantiles);
  const auto from_small = reduction::Decode(small);
  Require(from_small.ok() &&
          reduction::Encode(*from_small, SketchForm::kQuantiles) == small);
}

void TryFrame(const Bytes& bytes) {
  const auto frame = reduction::DecodeFrame(bytes);
  if (!frame.ok()) return RequireOffset(frame.status());
  Require(reduction::EncodeFrame(*frame) == bytes);
}

}  // namespace

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds = TraceSeeds();
  for (const int kind : {1, 2, 3, 16, 17, 18}) {
    reduction::WireFrame frame;
    frame.kind = static_cast<reduction::FrameKind>(kind);
    frame.job = "job";
    frame.params = {{"a", "b"}, {"c", "d"}};
    frame.sequence = 200;
    frame.payload = {1, 2, 3};
    frame.reason = "reason";
    seeds.push_back(reduction::EncodeFrame(frame));
  }
  return seeds;
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  fuzz::Bytes bytes(data, data + size);
  fuzz::TryTrace(bytes);
  fuzz::TryFrame(bytes);
  fuzz::Bytes frame = bytes;
  reduction::testing::MendFrame(&frame);
  fuzz::TryFrame(frame);
  reduction::testing::MendChecksums(&bytes);
  fuzz::TryTrace(bytes);
  return 0;
}
