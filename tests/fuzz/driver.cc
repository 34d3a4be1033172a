// Runs a libFuzzer target without libFuzzer:
//   NAME_fuzz ROUNDS [SEED [FILE...]]
// replays the target's seeds and the files, then ROUNDS random changes of
// them. Deterministic for one seed. The input under test is kept in
// ./crash-input.NAME_fuzz while it runs, so a crash leaves it behind.
//   NAME_fuzz --seeds FOLDER
// writes the seeds, for libFuzzer to start from.
#include <errno.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "reduction/api/codec.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace ranksight::fuzz {
namespace {

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

bool Write(const std::string& path, const Bytes& bytes) {
  FILE* f = std::fopen(path.c_str(), "wb");
  if (f == nullptr) return false;
  const bool all =
      std::fwrite(bytes.data(), 1, bytes.size(), f) == bytes.size();
  return std::fclose(f) == 0 && all;
}

std::string KeptInput() {
  return std::string("crash-input.") + program_invocation_short_name;
}

void RunOne(const Bytes& bytes) {
  (void)Write(KeptInput(), bytes);
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

int WriteSeeds(const std::string& folder) {
  const std::vector<Bytes> seeds = Seeds();
  for (size_t i = 0; i < seeds.size(); ++i) {
    if (!Write(folder + "/seed-" + std::to_string(i), seeds[i])) {
      std::perror(folder.c_str());
      return 4;
    }
  }
  return 0;
}

int Run(long rounds, uint32_t seed, const std::vector<std::string>& files) {
  std::vector<Bytes> inputs = Seeds();
  for (const std::string& file : files) {
    auto bytes = reduction::ReadWholeFile(file);
    if (!bytes.ok()) {
      std::fprintf(stderr, "%s\n", bytes.status().message().c_str());
      return 4;
    }
    inputs.push_back(std::move(bytes).value());
  }
  for (const Bytes& input : inputs) RunOne(input);
  std::mt19937 rng(seed);
  for (long i = 0; i < rounds; ++i) {
    Bytes bytes = inputs[rng() % inputs.size()];
    for (unsigned n = 1 + rng() % 4; n > 0; --n) Change(&rng, inputs, &bytes);
    RunOne(bytes);
  }
  (void)std::remove(KeptInput().c_str());
  std::printf("%zu inputs, %ld changes\n", inputs.size(), rounds);
  return 0;
}

}  // namespace
}  // namespace ranksight::fuzz

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--seeds") == 0) {
    return ranksight::fuzz::WriteSeeds(argv[2]);
  }
  return ranksight::fuzz::Run(
      argc > 1 ? std::atol(argv[1]) : 1000,
      argc > 2 ? static_cast<uint32_t>(std::atol(argv[2])) : 1,
      {argv + std::min(argc, 3), argv + argc});
}
