// The grammar: programs are drawn from a seed, idiom by idiom.
//
// program = grid, set-up of each phase, steps of all phases, their ends
// phase   = an idiom of programs/idioms.def in a form of its own
// Thread-safety: pure functions over immutable tables.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/idioms/programs/forms.h"

namespace ranksight::idioms {

enum GridNeed { kAny, kPlane, kSquare, kPowers, kEights };

struct Field {
  const char* name;
  int least, most;
};

struct Idiom {
  const char* name;
  GridNeed need;
  std::vector<Field> fields;
  void* (*start)(const grid*, const int* form);
  void (*step)(void*, int);
  void (*end)(void*);
};

std::span<const Idiom> AllIdioms();
// nullptr when there is none of that name.
const Idiom* FindIdiom(const std::string& name);

struct Phase {
  const Idiom* idiom;
  std::vector<int> form;  // a value for each field
};

struct Program {
  uint64_t seed = 0;
  int rule = kLine, order = kRowMajor, sides = 1;
  std::array<int, kMostSides> mesh{};
  int steps = 1;
  int residual = 0;  // steps from one sum over all ranks to the next; 0: none
  std::vector<Phase> phases;
  // Rank counts: five to record, and about 2 and 4 times the largest of them.
  std::array<int, 5> inputs{};
  std::array<int, 2> targets{};
};

// The program at a value of a setting, which is its first side's length, that
// of all, the number of its steps, or both of these in turn, by the seed. As it
// was drawn at 1.
Program AtSetting(Program program, int value);

// A program of this idiom alone, or of some (nullptr).
Program DrawProgram(const Idiom* idiom, uint64_t seed);

}  // namespace ranksight::idioms
