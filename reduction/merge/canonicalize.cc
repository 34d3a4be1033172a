// A tree that follows from what each rank ran alone. The ranks' own queues are
// found again in the merged tree (normal_form.h); those that differ, few, are
// merged, the largest first, with a number in place of their ranks; and what
// all ranks have is laid out along this tree. With more than kMostForms the
// tree is left as it is: merging takes the square of their number.
#include <algorithm>
#include <utility>
#include <vector>

#include "reduction/api/contract.h"
#include "reduction/api/merge.h"
#include "reduction/api/pause.h"
#include "reduction/merge/lay_out.h"
#include "reduction/merge/normal_form.h"
#include "reduction/merge/skeleton.h"
#include "reduction/merge/unite_siblings.h"

namespace ranksight::reduction {
namespace {

// Twice as many take four times as long; so does merging such ranks at all.
constexpr size_t kMostForms = 4096;

struct Form {
  RankNode tree;
  size_t nodes;
  std::vector<AlikeRanks> classes;  // by least rank
};

bool RanksAreBelow(const Node& node, int64_t ranks) {
  return std::all_of(node.trips.pieces().begin(), node.trips.pieces().end(),
                     [ranks](const ParameterPiece& p) {
                       return p.ranks.Max() < ranks;
                     }) &&
         std::all_of(node.children.begin(), node.children.end(),
                     [ranks](const Node& child) {
                       return RanksAreBelow(child, ranks);
                     });
}

size_t CountNodes(const RankNode& node) {
  size_t nodes = 1;
  for (const RankNode& child : node.children) nodes += CountNodes(child);
  return nodes;
}

// The largest first, of equally large ones that with the least rank.
std::vector<Form> FormsOf(const Trace& trace) {
  std::vector<Form> forms;
  for (auto& ranks : ClassesOf(trace.root, trace.meta.ranks)) {
    RankNode tree = NormalForm(trace.root, ranks[0]);
    if (tree.children.empty()) continue;
    OwnLoops own = OwnLoopsOf(tree);
    auto same = std::find_if(forms.begin(), forms.end(), [&](const Form& f) {
      return SameForm(f.tree, tree);
    });
    if (same == forms.end()) {
      // Too many to compare: the tree stays as merged.
      if (forms.size() == kMostForms) return {};
      const size_t nodes = CountNodes(tree);
      forms.push_back({std::move(tree), nodes, {}});
      same = forms.end() - 1;
    }
    same->classes.push_back({std::move(ranks), std::move(own), 0});
  }
  std::stable_sort(
      forms.begin(), forms.end(),
      [](const Form& a, const Form& b) { return a.nodes > b.nodes; });
  return forms;
}

Skeleton SkeletonOf(const RankNode& from, size_t form) {
  Skeleton node;
  node.kind = from.node->kind;
  node.call = from.node->call;
  node.site = from.node->site;
  node.on.Add(form);
  if (!from.trips.empty() && from.trips.Max() > 1) node.twice.Add(form);
  for (const RankNode& child : from.children) {
    Pause();
    node.children.push_back(SkeletonOf(child, form));
  }
  return node;
}

}  // namespace

void Canonicalize(Trace* trace) {
  RANKSIGHT_REQUIRE(trace != nullptr);
  if (!RanksAreBelow(trace->root, trace->meta.ranks)) return;
  std::vector<Form> forms = FormsOf(*trace);
  if (forms.empty()) return;
  // One form that nothing was put around.
  if (forms.size() == 1 && forms[0].nodes == CountNodes(*trace) + 1) return;
  Skeleton all;
  std::vector<AlikeRanks> classes;
  for (size_t i = 0; i < forms.size(); ++i) {
    Skeleton tree = SkeletonOf(forms[i].tree, i);
    if (i == 0) {
      all = std::move(tree);
    } else {
      MergeTrees(&all, std::move(tree));
    }
    for (AlikeRanks& c : forms[i].classes) {
      c.form = i;
      classes.push_back(std::move(c));
    }
  }
  UniteSiblings(forms.size(), &all);
  Node laid_out;
  if (LayOut(classes, trace->root, all, &laid_out)) {
    trace->root = std::move(laid_out);
  }
}

}  // namespace ranksight::reduction
