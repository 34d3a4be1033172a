// Folding in which one allocation fails, whichever: what is left can be read.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "reduction/api/codec.h"
#include "reduction/api/folder.h"
#include "reduction/api/trace.h"

namespace {

// Allocations until one fails; negative: none does.
int64_t until_failure = -1;

void* Allocate(size_t size) {
  if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t size) { return Allocate(size); }
void* operator new[](size_t size) { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

namespace ranksight::reduction {
namespace {

// Loops within loops, some of which are seen to be loops late, and calls that
// come only now and then.
void Fold(Folder* folder) {
  const uint32_t module = folder->AddModule({"b", "m"});
  const auto push = [&](uint64_t site, int64_t peer) {
    Event event(Call::MPI_Send_);
    for (const Param p : Info(event.call()).params) {
      event.Add(p == Param::kPeer ? peer : int64_t(site));
    }
    event.site = folder->AddSite({{{module, site}}});
    folder->Push(event, 1, 1);
  };
  for (uint64_t outer = 0; outer < 4; ++outer) {
    for (uint64_t middle = 0; middle < 3; ++middle) {
      for (uint64_t inner = 0; inner < 3; ++inner) push(1, int64_t(inner));
      push(2 + (outer * 7 + middle) % 5, 0);
    }
    push(10, int64_t(outer));
  }
}

TEST(WithoutMemory, WhatIsLeftCanBeRead) {
  int64_t allocations = 0;
  for (bool failed = true; failed; ++allocations) {
    Folder folder;
    until_failure = allocations;
    try {
      Fold(&folder);
    } catch (const std::bad_alloc&) {
    }
    failed = until_failure < 0;
    until_failure = -1;
    const Trace trace = folder.Snapshot(0, 1);
    const auto bytes = Encode(trace, SketchForm::kQuantiles);
    EXPECT_FALSE(bytes.empty()) << allocations;
  }
  EXPECT_GT(allocations, 100);
}

}  // namespace
}  // namespace ranksight::reduction
