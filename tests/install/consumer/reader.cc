// Reads a trace through the installed libraries.
#include <cstdio>

#include "reduction/api/codec.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto trace = ranksight::reduction::ReadTraceFile(argv[1]);
  if (!trace.ok()) return 3;
  std::printf("%lld ranks\n", static_cast<long long>(trace->meta.ranks));
  return 0;
}
