// RANKSIGHT_REQUIRE: what a declaration REQUIRES, and invariants, checked, as
// in reduction/api/contract.h, which this floor may not know.
#pragma once

#include <cstdio>
#include <cstdlib>

#ifndef RANKSIGHT_REQUIRE
#if RANKSIGHT_CONTRACTS
#define RANKSIGHT_REQUIRE(condition)                                      \
  ((condition) ? void()                                                   \
               : (std::fprintf(stderr, "%s:%d: required: %s\n", __FILE__, \
                               __LINE__, #condition),                     \
                  std::abort()))
#else
// Compiled, so that it stays true, and not evaluated.
#define RANKSIGHT_REQUIRE(condition) void(sizeof((condition) ? 1 : 0))
#endif
#endif
