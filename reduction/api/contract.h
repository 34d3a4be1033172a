// RANKSIGHT_REQUIRE: what a declaration REQUIRES, and invariants, checked.
//
// A condition that does not hold ends the process, with the place and the
// condition in words on stderr. So it is where tests are run (the option
// RANKSIGHT_CONTRACTS of CMake). In others, as installed ones are, nothing is
// evaluated, and whoever breaks a contract gets what there is. What stands for
// each call of a traced program is not checked anywhere: there it would cost.
//
// Of sources and of headers that are not installed: whether it checks follows
// from how the file is compiled.
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
