// Traces of every kind as files, for comparing machines of either byte order.
//   same_bytes write FOLDER   writes trace 0 (the stencil of the size targets),
//                             random ones 1, 2, ..., and a frame
//   same_bytes read FOLDER    reads what another machine wrote there, and
//                             fails unless writing it again gives its bytes
// Random traces differ between compilers (order of evaluation); the stencil
// and the frame are the same everywhere.
#include <cstdio>
#include <string>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/wire.h"
#include "tests/unit/reduction/random_trace.h"

namespace {

using ranksight::reduction::Decode;
using ranksight::reduction::Encode;
using ranksight::reduction::Packing;
using ranksight::reduction::SketchForm;
using ranksight::reduction::Trace;
using ranksight::reduction::testing::RandomTrace;
using ranksight::reduction::testing::StencilTrace;

constexpr int kTraces = 12;

Trace MakeTrace(int i) {
  if (i == 0) return StencilTrace(4, 5, true).Make();
  return RandomTrace(static_cast<uint32_t>(i)).Make();
}

std::vector<uint8_t> Frame() {
  ranksight::reduction::WireFrame frame;
  frame.job = "job";
  frame.program = "stencil2d";
  frame.ranks = 0x01020304;
  frame.params = {{"n", "4096"}};
  return EncodeFrame(frame);
}

// Small and large forms take turns, so that both are seen.
SketchForm FormOf(int i) {
  return i % 2 == 0 ? SketchForm::kQuantiles : SketchForm::kFull;
}

int ReadAll(const std::string& folder) {
  for (int i = 0; i < kTraces; ++i) {
    const std::string path = folder + "/" + std::to_string(i);
    const auto bytes = ranksight::reduction::ReadWholeFile(path);
    if (!bytes.ok()) return 1;
    const auto trace = Decode(*bytes);
    if (!trace.ok()) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(),
                   trace.status().message().c_str());
      return 1;
    }
    if (Encode(*trace, FormOf(i), Packing::kNone) != *bytes) {
      std::fprintf(stderr, "%s: other bytes\n", path.c_str());
      return 1;
    }
  }
  return 0;
}

int WriteAll(const std::string& folder) {
  for (int i = 0; i < kTraces; ++i) {
    const auto bytes = Encode(MakeTrace(i), FormOf(i), Packing::kNone);
    const auto written = ranksight::reduction::WriteFileAtomically(
        bytes, folder + "/" + std::to_string(i));
    if (!written.ok()) return 1;
  }
  const auto written =
      ranksight::reduction::WriteFileAtomically(Frame(), folder + "/frame");
  return written.ok() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "write" && argc == 3) return WriteAll(argv[2]);
  if (what == "read" && argc == 3) return ReadAll(argv[2]);
  return 2;
}
