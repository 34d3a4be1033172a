#include "online_model/synthesize/inputs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "online_model/synthesize/same_streams.h"
#include "reduction/api/merge.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Param;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

Status Check(std::span<const Trace> inputs, int64_t ranks) {
  std::map<int64_t, int> sizes;
  for (const Trace& t : inputs) ++sizes[t.meta.ranks];
  if (sizes.size() < 3) {
    return Status::Usage(
        "extrapolation needs traces of at least three rank counts, got " +
        std::to_string(sizes.size()));
  }
  if (ranks < 1) return Status::Usage("the target needs at least one rank");
  for (const Trace& t : inputs) {
    const std::string which =
        "trace of " + std::to_string(t.meta.ranks) + " ranks";
    if (t.meta.program != inputs[0].meta.program ||
        t.meta.build_id != inputs[0].meta.build_id) {
      return Status::Usage(which + " is of another program or build: " +
                           t.meta.program + ", not " + inputs[0].meta.program);
    }
    if (!t.meta.complete) return Status::No(which + " is incomplete");
  }
  return Status::Ok();
}

void ForgetChance(Trace* trace) {
  reduction::ForgetMatched(trace);
  reduction::JoinArrivals(trace);
}

// Of one size, from other runs: times may differ, and what receives from any
// source happened to match.
Status CheckRepeated(const Trace& first, const Trace& again) {
  std::vector<Trace> both{first, again};
  for (Trace& t : both) ForgetChance(&t);
  Status s = Align(both);
  if (s.ok())
    s = CompareStreams(both[1], both[0], {"is", "in another"}).status();
  if (s.code() != reduction::StatusCode::kNo) return s;
  return Status::No("two runs of " + std::to_string(first.meta.ranks) +
                    " ranks differ, so that laws of one are none of the "
                    "program: " +
                    s.message());
}

// Takes out loops of nothing, which a trace that was made or written by others
// may have. Aligned trees have the same ones.
void DropEmptyLoops(Node* node) {
  for (Node& child : node->children) DropEmptyLoops(&child);
  std::erase_if(node->children, [](const Node& child) {
    return !child.is_event() && child.children.empty();
  });
}

// Those stated, and dims that rank 0 gave its first MPI_Cart_create, where it
// made one.
Shapes KnownDims(std::span<const Trace> traces, const Shapes& stated) {
  Shapes dims = stated;
  for (const Trace& t : traces) {
    ForEachEvent(t.root, [&](const Node& n) {
      if (n.call != reduction::Call::MPI_Cart_create_) return;
      const auto params = reduction::Info(n.call).params;
      for (size_t i = 0; i < n.params.size(); ++i) {
        if (params[i] != Param::kDims) continue;
        const auto given = n.params[i].At(0).Expand(kMaxDims + 1);
        int64_t product = 1;
        for (const int64_t d : given) product *= d;
        if (product == t.meta.ranks && int(given.size()) <= kMaxDims) {
          dims.try_emplace(t.meta.ranks, given);
        }
      }
    });
  }
  return dims;
}

// Whether MPI_Dims_create made a grid of all ranks with so many sides, all of
// them free, and made it as we do: not every MPI does.
bool MpiMade(const reduction::Meta& about, int sides) {
  if (!about.made_dims) return false;
  return std::any_of(
      about.made_dims->begin(), about.made_dims->end(),
      [&](const reduction::MadeDims& made) {
        return made.nodes == about.ranks && int(made.dims.size()) == sides &&
               std::count(made.asked.begin(), made.asked.end(), 0) == sides &&
               made.dims == DimsCreate(made.nodes, sides);
      });
}

std::set<int> SidesMadeByMpi(std::span<const Trace> traces) {
  std::set<int> all;
  for (int sides = 2; sides <= kMaxDims; ++sides) {
    const bool made =
        std::all_of(traces.begin(), traces.end(),
                    [sides](const Trace& t) { return MpiMade(t.meta, sides); });
    if (made) all.insert(sides);
  }
  return all;
}

}  // namespace

Result<std::vector<Trace>> OneOfEachSize(std::span<const Trace> inputs) {
  std::map<int64_t, const Trace*> first;
  for (const Trace& t : inputs) {
    const auto [at, added] = first.try_emplace(t.meta.ranks, &t);
    if (added) continue;
    if (Status s = CheckRepeated(*at->second, t); !s.ok()) return s;
  }
  std::vector<Trace> out;
  for (const auto& [ranks, trace] : first) {
    out.push_back(*trace);
    ForgetChance(&out.back());
  }
  return out;
}

MadeBy WhoMade(const reduction::Meta& about, const DimsRule& rule) {
  if (!about.made_dims) return MadeBy::kUnknown;
  return rule.kind == DimsRule::Kind::kBalanced && MpiMade(about, rule.ndims)
             ? MadeBy::kMpi
             : MadeBy::kProgram;
}

Result<std::vector<Trace>> AlignedInputs(std::span<const Trace> inputs,
                                         int64_t ranks) {
  Status s = Check(inputs, ranks);
  if (!s.ok()) return s;
  auto traces = OneOfEachSize(inputs);
  if (!traces.ok()) return traces.status();
  s = Align(*traces);
  if (!s.ok()) return s;
  for (Trace& t : *traces) DropEmptyLoops(&t.root);
  return traces;
}

std::vector<int64_t> SizesOf(std::span<const Trace> traces) {
  std::vector<int64_t> sizes;
  for (const Trace& t : traces) sizes.push_back(t.meta.ranks);
  return sizes;
}

std::vector<DimsRule> RulesFor(std::span<const Trace> traces,
                               std::span<const SeenPeers> peers,
                               const Shapes& lines, const Shapes& stated) {
  std::vector<DimsRule> rules =
      CandidateRules(SizesOf(traces), KnownDims(traces, stated), peers,
                     SidesMadeByMpi(traces), lines);
  std::erase_if(rules, [&](const DimsRule& rule) {
    return std::ranges::any_of(stated, [&](const auto& known) {
      return rule.DimsFor(known.first) != known.second;
    });
  });
  // Some grid of four sides, which change with the factors of a number,
  // explains almost any numbers. A program that makes such a one itself talks
  // along it.
  constexpr int kManySides = 4;
  std::erase_if(rules, [&](const DimsRule& rule) {
    return rule.kind == DimsRule::Kind::kBalanced && rule.ndims >= kManySides &&
           !IsGridStated(traces, stated) &&
           WhoMade(traces.back().meta, rule) == MadeBy::kProgram &&
           SidesTaken(rule, peers, true) != (1u << rule.ndims) - 1;
  });
  return rules;
}

bool IsGridStated(std::span<const Trace> traces, const Shapes& stated) {
  return KnownDims(traces, stated).size() == traces.size();
}

std::vector<Grid> GridsOf(const DimsRule& rule, std::span<const Trace> traces) {
  std::vector<Grid> grids;
  for (const Trace& t : traces) {
    grids.push_back(*rule.GridFor(t.meta.ranks));
  }
  return grids;
}

}  // namespace ranksight::online_model
