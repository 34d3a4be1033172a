// merge_order ORDERS PROGRAMS FILE...: whether merging gives one trace
// whatever the order. Every rank's events of each recorded trace are folded
// again; the queues are merged in so many random orders over trees of random
// shape and the results compared, without times, with that of rank order.
// The same for so many made-up programs on 7 ranks. A line says in how many
// orders the tree differed, in how many more only a sequence, how many nodes
// the trees had, merged and in canonical form, and what bringing it to that
// form took (median, thread CPU time).

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"
#include "reduction/merge/merge_trees.h"
#include "tests/bench/cpu_time.h"
#include "tests/unit/reduction/program.h"

namespace ranksight::bench {
namespace {

using namespace reduction;

Trace Refold(const Trace& trace, int64_t rank) {
  Folder folder;
  for (const Module& m : trace.sites.modules) folder.AddModule(m);
  for (const CallSite& s : trace.sites.sites) folder.AddSite(s);
  auto cursor = Cursor::Open(trace, rank);
  while (cursor.ok() && cursor->Next()) folder.Push(cursor->event(), 1, 1);
  return folder.Snapshot(rank, trace.meta.ranks);
}

void DropTimes(Node* node) {
  node->times = {};
  for (Node& child : node->children) DropTimes(&child);
}

struct Merged {
  Trace trace;
  uint64_t nodes_before = 0;
  double ms = 0;
};

Merged Finish(Trace trace) {
  Merged m;
  m.nodes_before = CountNodes(trace);
  const double start = CpuSeconds();
  Canonicalize(&trace);
  m.ms = (CpuSeconds() - start) * 1e3;
  DropTimes(&trace.root);
  m.trace = std::move(trace);
  return m;
}

Merged InRankOrder(std::vector<Trace> parts) {
  Trace all = std::move(parts[0]);
  for (size_t i = 1; i < parts.size(); ++i) {
    (void)MergeInto(&all, std::move(parts[i]));
  }
  return Finish(std::move(all));
}

Merged InRandomOrder(std::vector<Trace> parts, uint32_t seed) {
  return Finish(std::move(*testing::MergeAtRandom(std::move(parts), seed)));
}

struct Verdict {
  int structure = 0, sequences = 0;
  uint64_t least = UINT64_MAX, most = 0, nodes = 0;
  std::vector<double> ms;
  void Count(const Merged& m) {
    least = std::min(least, m.nodes_before);
    most = std::max(most, m.nodes_before);
    ms.push_back(m.ms);
  }
};

Verdict Compare(const std::vector<Trace>& parts, int orders) {
  const Merged first = InRankOrder(parts);
  Verdict v;
  v.nodes = CountNodes(first.trace);
  v.Count(first);
  for (int i = 1; i <= orders; ++i) {
    const Merged other = InRandomOrder(parts, uint32_t(i));
    v.Count(other);
    if (!SameTree(first.trace.root, other.trace.root)) {
      ++v.structure;
    } else if (!(first.trace.root == other.trace.root) ||
               Encode(first.trace, SketchForm::kFull) !=
                   Encode(other.trace, SketchForm::kFull)) {
      ++v.sequences;
    }
  }
  return v;
}

void Print(const char* name, int orders, Verdict v) {
  std::nth_element(v.ms.begin(), v.ms.begin() + long(v.ms.size() / 2),
                   v.ms.end());
  std::printf(
      "%-32s of %d orders %d differ in structure, %d in sequences; "
      "%llu to %llu nodes, canonical %llu, %.2f ms\n",
      name, orders, v.structure, v.sequences, (unsigned long long)v.least,
      (unsigned long long)v.most, (unsigned long long)v.nodes,
      v.ms[v.ms.size() / 2]);
}

void MeasureFile(const char* path, int orders) {
  const auto whole = ReadTraceFile(path);
  if (!whole.ok()) {
    std::fprintf(stderr, "%s\n", whole.status().message().c_str());
    return;
  }
  std::vector<Trace> parts;
  for (int64_t r = 0; r < whole->meta.ranks; ++r) {
    parts.push_back(Refold(*whole, r));
  }
  Print(path, orders, Compare(parts, orders));
}

void MeasurePrograms(int programs, int orders) {
  constexpr int64_t kRanks = 7;
  int structure = 0, sequences = 0;
  for (int seed = 0; seed < programs; ++seed) {
    std::vector<Trace> parts;
    for (int64_t r = 0; r < kRanks; ++r) {
      reduction::testing::Program program{uint32_t(seed)};
      Folder folder;
      (void)program.Run(r, kRanks, &folder);
      parts.push_back(folder.Snapshot(r, kRanks));
    }
    const Verdict v = Compare(parts, orders);
    structure += v.structure > 0;
    sequences += v.structure == 0 && v.sequences > 0;
    if (v.structure + v.sequences > 0) {
      std::printf("program %d: ", seed);
      Print("", orders, v);
    }
  }
  std::printf("%d of %d programs differ in structure, %d more in sequences\n",
              structure, programs, sequences);
}

}  // namespace
}  // namespace ranksight::bench

int main(int argc, char** argv) {
  const int orders = argc > 1 ? std::atoi(argv[1]) : 20;
  if (argc > 2) ranksight::bench::MeasurePrograms(std::atoi(argv[2]), orders);
  for (int i = 3; i < argc; ++i) ranksight::bench::MeasureFile(argv[i], orders);
  return 0;
}
