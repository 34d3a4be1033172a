// libranksight_kokkos.so: what Kokkos calls in a tool library, interface
// version 20210225 and later (Kokkos 3.4 to 4; the calls used are the same).
// Regions keep their names; kernels, deep copies and fences are regions
// "parallel_for NAME", "deep_copy TO <- FROM", "fence NAME".
// Nothing of Kokkos is included: tools are built without it.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "adapters/kokkos_tools/open_regions.h"

namespace {

using ranksight::kokkos_tools::Kind;
using ranksight::kokkos_tools::OpenRegions;

// Never destroyed: programs may run kernels until the very end.
OpenRegions& Open() {
  static auto* const open = new OpenRegions;
  return *open;
}

std::string_view Text(const char* text) { return text ? text : ""; }

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

struct Kokkos_Profiling_SpaceHandle {
  char name[64];
};

struct Kokkos_Tools_ToolSettings {
  bool requires_global_fencing;
  bool padding[255];
};

void kokkosp_init_library(int, uint64_t, uint32_t, void*) { Open().Connect(); }

void kokkosp_finalize_library() { Open().EndAll(); }

// Kokkos would wait for the device around every kernel otherwise.
void kokkosp_request_tool_settings(uint32_t,
                                   Kokkos_Tools_ToolSettings* settings) {
  settings->requires_global_fencing = false;
}

void kokkosp_push_profile_region(const char* name) {
  Open().Begin(Kind::kRegion, "", Text(name));
}

void kokkosp_pop_profile_region() { Open().EndLast(Kind::kRegion); }

void kokkosp_begin_parallel_for(const char* name, uint32_t, uint64_t* kernel) {
  *kernel = Open().Begin(Kind::kKernel, "parallel_for", Text(name));
}

void kokkosp_end_parallel_for(uint64_t kernel) { Open().End(kernel); }

void kokkosp_begin_parallel_reduce(const char* name, uint32_t,
                                   uint64_t* kernel) {
  *kernel = Open().Begin(Kind::kKernel, "parallel_reduce", Text(name));
}

void kokkosp_end_parallel_reduce(uint64_t kernel) { Open().End(kernel); }

void kokkosp_begin_parallel_scan(const char* name, uint32_t, uint64_t* kernel) {
  *kernel = Open().Begin(Kind::kKernel, "parallel_scan", Text(name));
}

void kokkosp_end_parallel_scan(uint64_t kernel) { Open().End(kernel); }

void kokkosp_begin_deep_copy(Kokkos_Profiling_SpaceHandle, const char* to,
                             const void*, Kokkos_Profiling_SpaceHandle,
                             const char* from, const void*, uint64_t) {
  char both[256];
  const auto part = [](const char* text) {
    return int(std::min<size_t>(Text(text).size(), 120));
  };
  std::snprintf(both, sizeof both, "%.*s <- %.*s", part(to), Text(to).data(),
                part(from), Text(from).data());
  Open().Begin(Kind::kDeepCopy, "deep_copy", both);
}

void kokkosp_end_deep_copy() { Open().EndLast(Kind::kDeepCopy); }

void kokkosp_begin_fence(const char* name, uint32_t, uint64_t* fence) {
  *fence = Open().Begin(Kind::kFence, "fence", Text(name));
}

void kokkosp_end_fence(uint64_t fence) { Open().End(fence); }

}  // extern "C"
#pragma GCC visibility pop
