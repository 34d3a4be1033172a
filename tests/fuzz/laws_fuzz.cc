// Any trace that carries laws, the laws changed: FromLaws refuses it with a
// reason or gives a complete trace that encodes and decodes to itself. The
// input is the payload of the chunk of laws, or the line of text that older
// writers have; the trace around it stays.
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

// As in the chunk: varints of zigzag numbers; those too long are cut short.
Bytes PayloadOf(const std::vector<int64_t>& numbers) {
  Bytes out;
  for (const int64_t n : numbers) {
    uint64_t v = uint64_t(n) << 1 ^ uint64_t(n >> 63);
    for (; v >= 128; v >>= 7) out.push_back(uint8_t(v | 128));
    out.push_back(uint8_t(v));
  }
  return out;
}

std::vector<int64_t> NumbersOf(std::string_view payload) {
  std::vector<int64_t> numbers;
  uint64_t v = 0;
  int shift = 0;
  for (const char c : payload) {
    v |= shift < 64 ? uint64_t(c & 127) << shift : 0;
    shift += 7;
    if ((c & 128) != 0) continue;
    numbers.push_back(int64_t(v >> 1) ^ -int64_t(v & 1));
    v = 0;
    shift = 0;
  }
  return numbers;
}

// The readable lines and the laws of older writers end in such a line.
constexpr std::string_view kOldMark = "laws 1 ";

Trace WithLaws(std::string_view laws) {
  Trace trace = Base();
  trace.law_code.clear();
  if (laws.starts_with(kOldMark)) {
    trace.meta.laws.emplace_back(laws);
  } else {
    trace.law_code = NumbersOf(laws);
  }
  return trace;
}

}  // namespace

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds = {PayloadOf(Base().law_code)};
  Require(NumbersOf(AsText(seeds[0].data(), seeds[0].size())) ==
          Base().law_code);
  for (const Bytes& bytes : RecordedSeeds()) {
    const auto trace = reduction::Decode(bytes);
    Require(trace.ok());
    for (const auto& laws : trace->meta.laws) seeds.push_back(ToBytes(laws));
  }
  Require(seeds.size() > 1);
  return seeds;
}

void Try(std::string_view laws, int64_t ranks) {
  const Trace trace = WithLaws(laws);
  const auto read =
      reduction::Decode(reduction::Encode(trace, reduction::SketchForm::kFull));
  Require(read.ok() && *read == trace);
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
