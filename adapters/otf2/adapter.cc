#include "adapters/otf2/otf2_adapter.h"

namespace ranksight::adapters {
namespace {

reduction::Result<reduction::Trace> Read(const std::string& path) {
  return otf2::ReadArchive(path, true);
}

}  // namespace

const Adapter& Otf2Adapter() {
  static const Adapter adapter = {
      .name = "otf2",
      .what =
          "OTF2 archive OUT/traces.otf2 for Vampir, otf2-print and the like",
      .cannot =
          "Clocks: each rank's runs by itself, made of mean times. MPI records "
          "of receives from any source and of non-blocking collectives are "
          "left out. Call paths, types and which requests are completed.",
      .folder = true,
      .write = &otf2::Write,
      .read = &Read};
  return adapter;
}

}  // namespace ranksight::adapters
