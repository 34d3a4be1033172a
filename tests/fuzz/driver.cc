// Runs a libFuzzer target without libFuzzer:
//   driver ROUNDS [SEED [FILE...]]
// replays the files (or made-up traces and frames when there are none), then
// ROUNDS random changes of them. Deterministic for one seed. The input under
// test is kept in ./crash-input while it runs, so a crash leaves it behind.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/wire.h"
#include "tests/unit/reduction/random_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace reduction = ranksight::reduction;
using Bytes = std::vector<uint8_t>;

// Larger ones take the time of many small ones and show nothing more.
constexpr size_t kMaxSeedBytes = 6000;

std::vector<Bytes> MadeUpInputs() {
  using reduction::SketchForm;
  namespace testing = reduction::testing;
  std::vector<Bytes> inputs;
  for (uint32_t seed = 0; seed < 80; ++seed) {
    const auto form =
        seed % 2 == 0 ? SketchForm::kFull : SketchForm::kQuantiles;
    Bytes bytes = reduction::Encode(testing::RandomTrace(seed).Make(), form);
    if (bytes.size() <= kMaxSeedBytes) inputs.push_back(std::move(bytes));
  }
  inputs.push_back(reduction::Encode(testing::StencilTrace(3, 4, false).Make(),
                                     SketchForm::kQuantiles));
  for (const int kind : {1, 2, 3, 16, 17, 18}) {
    reduction::WireFrame frame;
    frame.kind = static_cast<reduction::FrameKind>(kind);
    frame.job = "job";
    frame.params = {{"a", "b"}, {"c", "d"}};
    frame.sequence = 200;
    frame.payload = {1, 2, 3};
    frame.reason = "reason";
    inputs.push_back(reduction::EncodeFrame(frame));
  }
  return inputs;
}

void Change(std::mt19937* rng, const std::vector<Bytes>& others, Bytes* bytes) {
  static constexpr uint8_t kEdges[] = {0, 1, 2, 7, 8, 0x7f, 0x80, 0xff};
  const size_t at = (*rng)() % (bytes->size() + 1);
  const auto here = bytes->begin() + static_cast<long>(at);
  const Bytes& other = others[(*rng)() % others.size()];
  switch ((*rng)() % 6) {
    case 0:
      if (at < bytes->size()) *here = static_cast<uint8_t>((*rng)());
      break;
    case 1:
      if (at < bytes->size()) *here = kEdges[(*rng)() % 8];
      break;
    case 2:
      if (at < bytes->size()) *here ^= static_cast<uint8_t>(1 << (*rng)() % 8);
      break;
    case 3:
      bytes->insert(here, kEdges[(*rng)() % 8]);
      break;
    case 4:
      if (at < bytes->size()) bytes->erase(here);
      break;
    default:
      for (size_t i = at; i < std::min(at + 8, bytes->size()); ++i) {
        if (i < other.size()) (*bytes)[i] = other[i];
      }
  }
}

void RunOne(const Bytes& bytes) {
  if (FILE* f = std::fopen("crash-input", "wb")) {
    (void)std::fwrite(bytes.data(), 1, bytes.size(), f);
    (void)std::fclose(f);
  }
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? std::atol(argv[1]) : 1000;
  std::mt19937 rng(argc > 2 ? static_cast<uint32_t>(std::atol(argv[2])) : 1);
  std::vector<Bytes> inputs;
  for (int i = 3; i < argc; ++i) {
    auto bytes = reduction::ReadWholeFile(argv[i]);
    if (!bytes.ok()) {
      std::fprintf(stderr, "%s\n", bytes.status().message().c_str());
      return 4;
    }
    inputs.push_back(std::move(bytes).value());
  }
  if (inputs.empty()) inputs = MadeUpInputs();
  for (const Bytes& input : inputs) RunOne(input);
  for (long i = 0; i < rounds; ++i) {
    Bytes bytes = inputs[rng() % inputs.size()];
    for (unsigned n = 1 + rng() % 4; n > 0; --n) Change(&rng, inputs, &bytes);
    RunOne(bytes);
  }
  (void)std::remove("crash-input");
  std::printf("%zu inputs, %ld changes\n", inputs.size(), rounds);
  return 0;
}
