// Any bytes: Decode and DecodeFrame give an error with an offset, or
// something that encodes and decodes to itself. The bytes are tried as they
// are and with mended checksums, so that changes reach the code behind them.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/wire.h"
#include "tests/fuzz/mend.h"

namespace {

using ranksight::reduction::Status;
using ranksight::reduction::StatusCode;
using Bytes = std::vector<uint8_t>;

void Require(bool condition) {
  if (!condition) std::abort();
}

void RequireOffset(const Status& status) {
  Require(status.code() == StatusCode::kBadInput);
  Require(!status.message().empty() && status.message()[0] >= '0' &&
          status.message()[0] <= '9');
}

void TryTrace(const Bytes& bytes) {
  using namespace ranksight::reduction;
  const auto trace = Decode(bytes);
  if (!trace.ok()) return RequireOffset(trace.status());
  const auto again = Decode(Encode(*trace, SketchForm::kFull));
  Require(again.ok() && *again == *trace);
  const Bytes small = Encode(*trace, SketchForm::kQuantiles);
  const auto from_small = Decode(small);
  Require(from_small.ok() &&
          Encode(*from_small, SketchForm::kQuantiles) == small);
}

void TryFrame(const Bytes& bytes) {
  const auto frame = ranksight::reduction::DecodeFrame(bytes);
  if (!frame.ok()) return RequireOffset(frame.status());
  Require(ranksight::reduction::EncodeFrame(*frame) == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, data + size);
  TryTrace(bytes);
  TryFrame(bytes);
  Bytes frame = bytes;
  ranksight::reduction::testing::MendFrame(&frame);
  TryFrame(frame);
  ranksight::reduction::testing::MendChecksums(&bytes);
  TryTrace(bytes);
  return 0;
}
