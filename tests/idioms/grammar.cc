#include "tests/idioms/grammar.h"

#include <algorithm>
#include <random>

namespace ranksight::idioms {
std::span<const Idiom> AllIdioms() {
  static const std::vector<Idiom> idioms = {
#define FIELD(name, least, most) {#name, least, most},
#define IDIOM(name, need, fields)                                        \
  {#name,                                                                \
   need,                                                                 \
   {fields},                                                             \
   [](const grid* g, const int* form) -> void* {                         \
     return name##_start(g, reinterpret_cast<const name##_form*>(form)); \
   },                                                                    \
   [](void* state, int step) {                                           \
     name##_step(static_cast<name*>(state), step);                       \
   },                                                                    \
   [](void* state) { name##_end(static_cast<name*>(state)); }},
#include "tests/idioms/programs/idioms.def"
#undef IDIOM
#undef FIELD
  };
  return idioms;
}

const Idiom* FindIdiom(const std::string& name) {
  for (const Idiom& idiom : AllIdioms()) {
    if (name == idiom.name) return &idiom;
  }
  return nullptr;
}

namespace {

class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}
  int Between(int least, int most) {
    return least + int(random_() % uint64_t(most - least + 1));
  }
  template <class List>
  auto Of(const List& list) {
    return list[size_t(Between(0, int(list.size()) - 1))];
  }

 private:
  std::mt19937_64 random_;
};

struct Sizes {
  std::array<int, 5> inputs;
  std::array<int, 2> targets;
};
constexpr std::array<Sizes, 3> kAnySizes = {{{{4, 6, 8, 12, 16}, {32, 64}},
                                             {{4, 6, 9, 12, 18}, {36, 72}},
                                             {{6, 8, 10, 12, 20}, {40, 80}}}};
constexpr std::array<Sizes, 2> kSolidSizes = {
    {{{8, 12, 18, 24, 36}, {72, 144}}, {{8, 12, 16, 24, 32}, {64, 128}}}};
constexpr Sizes kEvenSizes = {{4, 8, 12, 16, 24}, {48, 96}};
constexpr Sizes kSquares = {{4, 9, 16, 25, 36}, {81, 144}};
// Larger cubes are more than a laptop records.
constexpr Sizes kCubes = {{8, 8, 8, 27, 64}, {125, 216}};
constexpr Sizes kEightSizes = {{8, 16, 24, 32, 40}, {80, 160}};
constexpr Sizes kPowerSizes = {{2, 4, 8, 16, 32}, {64, 128}};

void DrawSizes(Program* p, GridNeed need, Draw* draw) {
  Sizes sizes = draw->Of(kAnySizes);
  if (p->rule == kLongFirst || p->rule == kGivenColumns) sizes = kEvenSizes;
  if (p->sides == 3) sizes = draw->Of(kSolidSizes);
  if (need == kPowers || p->rule == kHalves) sizes = kPowerSizes;
  if (p->rule == kEqualSides) sizes = p->sides == 2 ? kSquares : kCubes;
  if (p->order == kMorton && p->sides > 1) sizes = kPowerSizes;
  if (need == kEights) sizes = kEightSizes;
  p->inputs = sizes.inputs;
  p->targets = sizes.targets;
}

int DrawRule(int sides, Draw* draw) {
  if (sides == 1) return kLine;
  if (sides == 2) {
    return draw->Of(std::array{kDimsCreate, kDimsCreate, kEqualSides, kHalves,
                               kLeastSurface, kLongFirst, kGivenColumns});
  }
  return draw->Of(std::array{kDimsCreate, kDimsCreate, kEqualSides, kHalves,
                             kLeastSurface});
}

void DrawGrid(Program* p, GridNeed need, Draw* draw) {
  p->sides = need == kAny ? draw->Between(1, 3) : 2;
  p->rule = DrawRule(p->sides, draw);
  if (need == kSquare) p->rule = kEqualSides;
  if (need == kPowers) p->rule = draw->Of(std::array{kDimsCreate, kHalves});
  // Most programs number rows first.
  p->order = draw->Of(std::array{kRowMajor, kRowMajor, kRowMajor, kColumnMajor,
                                 kSnake, kMorton});
  // Of several sides the program itself says some.
  if (need == kEights) p->sides = 1, p->rule = kLine;
  // Few squares and cubes are powers of two.
  if (p->order == kMorton && p->rule == kEqualSides) {
    if (need == kSquare) {
      p->order = kRowMajor;
    } else {
      p->rule = kDimsCreate;
    }
  }
  for (int& points : p->mesh) {
    points = draw->Of(std::array{48, 60, 64, 96, 100, 120, 128, 101, 250});
  }
  DrawSizes(p, need, draw);
}

Phase DrawPhase(const Idiom* idiom, Draw* draw) {
  Phase phase{idiom, {}};
  for (const Field& f : idiom->fields) {
    phase.form.push_back(draw->Between(f.least, f.most));
  }
  return phase;
}

// What all phases can live with; those that cannot are left out.
GridNeed Strictest(std::vector<const Idiom*>* idioms) {
  GridNeed need = kAny;
  const auto clashes = [&need](const Idiom* i) {
    // Any two of the needs for some numbers of ranks alone.
    const bool clash = std::min(i->need, need) >= kSquare && i->need != need;
    if (!clash) need = std::max(need, i->need);
    return clash;
  };
  std::erase_if(*idioms, clashes);
  return need;
}

uint64_t Mixed(uint64_t number, const char* name) {
  for (const char* c = name; *c != 0; ++c) {
    number = (number ^ uint64_t(*c)) * 0x100000001B3u;
  }
  number *= 0x9E3779B97F4A7C15u;
  return number ^ (number >> 29);
}

// The one whose name is worth most with this number, so that another idiom in
// the list changes few programs.
const Idiom* AnyIdiom(uint64_t number) {
  const Idiom* best = nullptr;
  uint64_t most = 0;
  for (const Idiom& idiom : AllIdioms()) {
    const uint64_t worth = Mixed(number, idiom.name);
    if (best == nullptr || worth > most) {
      best = &idiom;
      most = worth;
    }
  }
  return best;
}

}  // namespace

Program AtSetting(Program program, int value) {
  const bool all_sides = program.seed % 4 == 0 || program.seed % 4 == 3;
  if (program.seed % 4 != 2) program.mesh[0] *= value;
  for (int side = 1; all_sides && side < kMostSides; ++side) {
    program.mesh[size_t(side)] *= value;
  }
  if (program.seed % 4 >= 2) program.steps *= value;
  return program;
}

Program DrawProgram(const Idiom* idiom, uint64_t seed) {
  // Of one seed each idiom has a grid of its own.
  Draw draw(Mixed(seed + 1, idiom == nullptr ? "mixed" : idiom->name));
  std::vector<const Idiom*> idioms = {idiom};
  if (idiom == nullptr) {
    idioms.clear();
    for (int n = draw.Between(2, 4); n > 0; --n) {
      idioms.push_back(AnyIdiom(uint64_t(draw.Between(0, 1 << 30))));
    }
  }
  Program p;
  p.seed = seed;
  DrawGrid(&p, Strictest(&idioms), &draw);
  p.steps = draw.Between(3, 6);
  p.residual = draw.Between(0, 2);
  for (const Idiom* i : idioms) p.phases.push_back(DrawPhase(i, &draw));
  return p;
}

}  // namespace ranksight::idioms
