#include "online_model/twin/laws_that_hold.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "online_model/structure/rival_rules.h"
#include "online_model/synthesize/inputs.h"
#include "online_model/synthesize/run_searches.h"
#include "online_model/synthesize/see_lines.h"
#include "online_model/synthesize/see_peers.h"
#include "online_model/synthesize/symbolic.h"
#include "online_model/synthesize/vanishing_amounts.h"
#include "online_model/twin/rounded_law.h"
#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Result;
using reduction::Status;
using reduction::Trace;
using TellShare = std::function<void(double share)>;
// A place in the tree, and a parameter there.
using NodeParameter = std::pair<int, int>;

// Where trips have no law, nothing can follow them.
void ForgetTrips(NodeLaw* law) {
  law->trips_missing = true;
  for (size_t i = 0; i < law->params.size(); ++i) {
    if (!law->absent[i] && !law->params[i].IsOneNumber())
      law->missing[i] = true;
  }
  for (NodeLaw& child : law->children) ForgetTrips(&child);
}

void Forget(NodeLaw* law, int param) {
  if (param < 0) return ForgetTrips(law);
  law->missing[size_t(param)] = true;
}

// A law of amounts that gives no number somewhere gives one rounded: true.
bool Round(const Node& like, NodeLaw* law, const BadLaw& bad,
           std::set<NodeParameter>* rounded) {
  if (bad.param < 0) return false;
  const reduction::Param param =
      reduction::Info(like.call).params[size_t(bad.param)];
  const NodeParameter place{bad.node, bad.param};
  if (!reduction::IsAmount(param) || rounded->contains(place)) return false;
  SequenceLaw* of = &law->params[size_t(bad.param)];
  auto nearest = RoundedLaw(*of);
  if (!nearest) return false;
  *of = std::move(*nearest);
  rounded->insert(place);
  return true;
}

// What the other lacks is missing here, too.
void TakeOverMissing(const NodeLaw& from, NodeLaw* to) {
  if (from.trips_missing) ForgetTrips(to);
  for (size_t i = 0; i < from.missing.size(); ++i) {
    if (from.missing[i] && !to->absent[i] && !to->params[i].IsOneNumber()) {
      to->missing[i] = true;
    }
  }
  for (size_t c = 0; c < from.children.size(); ++c) {
    TakeOverMissing(from.children[c], &to->children[c]);
  }
}

std::vector<NodeLaw*> LawsInOrder(NodeLaw* root) {
  std::vector<NodeLaw*> all{root};
  for (NodeLaw& child : root->children) {
    const auto inside = LawsInOrder(&child);
    all.insert(all.end(), inside.begin(), inside.end());
  }
  return all;
}

// apart: how far values may be.
bool IsSame(const ValueList& a, const ValueList& b, int64_t apart) {
  if (a.size() != b.size()) return false;
  for (uint64_t k = 0; k < a.size(); ++k) {
    const int64_t one = a.At(k), other = b.At(k);
    // Numbers that are no amounts may lie further apart than can be said.
    if (one != other && (apart == 0 || std::abs(one - other) > apart)) {
      return false;
    }
  }
  return true;
}

bool HasNone(const ValueList& values) {
  const uint64_t different = values.IsConstant() ? 1 : values.size();
  for (uint64_t k = 0; k < std::min(different, values.size()); ++k) {
    if (values.At(k) == 0) return true;
  }
  return false;
}

// The first law that says something else than the run does. One that is rounded
// may be one beside it.
std::optional<BadLaw> WrongLaw(const TwinTree& tree, const RankRun& by_law,
                               const RankRun& measured,
                               const std::set<NodeParameter>& rounded) {
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (item.copied) continue;
    const NodeRun& law = by_law.nodes[n];
    const NodeRun& is = measured.nodes[n];
    if (law.starts != is.starts) return BadLaw{int(n), -1};
    if (is.empty()) continue;
    for (size_t i = 0; i < law.params.size(); ++i) {
      if (item.law->absent[i] || item.law->missing[i]) continue;
      // Of a length that has no law.
      const size_t length = LengthIndexOf(item.like->call, i);
      if (length < law.params.size() && item.law->missing[length]) continue;
      const int64_t apart = rounded.contains({int(n), int(i)}) ? 1 : 0;
      if (!IsSame(law.params[i], is.params[i], apart)) {
        return BadLaw{int(n), int(i)};
      }
    }
  }
  return std::nullopt;
}

// Marks laws that do not give what the run did. Those that only give no whole
// number there are rounded.
void KeepThoseThatHold(const Trace& run, const Grid& grid, NodeLaw* laws,
                       std::set<NodeParameter>* rounded) {
  const std::vector<const Node*> nodes = NodesOf(run.root);
  const std::vector<NodeLaw*> in_order = LawsInOrder(laws);
  for (int64_t rank = 0; rank < run.meta.ranks;) {
    const TwinTree tree = TreeOf(run.root, *laws);
    BadLaw bad;
    const auto by_law = RunByLaw(tree, grid, rank, &bad);
    if (by_law.ok()) {
      const auto wrong =
          WrongLaw(tree, *by_law, MeasuredRun(nodes, tree, rank), *rounded);
      if (!wrong) {
        ++rank;
        continue;
      }
      bad = *wrong;
    } else if (Round(*nodes[size_t(bad.node)], in_order[size_t(bad.node)], bad,
                     rounded)) {
      continue;
    }
    Forget(in_order[size_t(bad.node)], bad.param);
  }
}

// What smaller runs foretell but for a remainder stands for all runs, too: what
// else gives all values of these was held against none.
void TakeOverRounded(const std::set<NodeParameter>& rounded, NodeLaw* from,
                     NodeLaw* to) {
  const std::vector<NodeLaw*> held = LawsInOrder(from);
  const std::vector<NodeLaw*> laws = LawsInOrder(to);
  for (const auto& [node, param] : rounded) {
    NodeLaw* law = laws[size_t(node)];
    const auto i = size_t(param);
    if (held[size_t(node)]->missing[i]) continue;
    law->params[i] = held[size_t(node)]->params[i];
    law->missing[i] = false;
  }
}

std::set<KnownLaws::Line> LinesWithNone(const std::vector<Trace>& traces) {
  std::set<KnownLaws::Line> lines;
  for (const Trace& t : traces) AddLinesWithNone(t.root, t.sites, &lines);
  return lines;
}

// Amounts of messages that come to nothing though no run has that, by node.
std::set<NodeParameter> Vanishing(const TwinTree& tree,
                                  const reduction::Sites& sites,
                                  const RankRun& run,
                                  const std::set<KnownLaws::Line>& with_none) {
  std::set<NodeParameter> found;
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.like->is_event() || item.copied || run.nodes[n].empty() ||
        !MayBeLeftOut(item.like->call)) {
      continue;
    }
    const auto params = reduction::Info(item.like->call).params;
    for (size_t i = 0; i < run.nodes[n].params.size(); ++i) {
      if (item.law->missing[i] || !reduction::IsAmount(params[i]) ||
          !HasNone(run.nodes[n].params[i])) {
        continue;
      }
      const auto line = KnownLaws::LineOf(*item.like, sites, i);
      if (!with_none.contains(line)) found.insert({int(n), int(i)});
    }
  }
  return found;
}

// A grid of processes whose sides by law are not as many as its ranks.
std::optional<BadLaw> WrongSides(const TwinTree& tree, const RankRun& run) {
  using reduction::Param;
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    const NodeRun& of = run.nodes[n];
    if (!item.like->is_event() || item.copied || of.empty() ||
        item.like->call != reduction::Call::MPI_Cart_create_) {
      continue;
    }
    const auto place = [&](Param p) {
      return size_t(reduction::ParamPlace(item.like->call, p));
    };
    const size_t sides = place(Param::kDims), size = place(Param::kCommSize);
    const uint64_t runs = of.starts.back();
    if (item.HasNoLaw(sides) || of.params[size].size() != runs ||
        of.params[LengthIndexOf(item.like->call, sides)].size() != runs) {
      continue;
    }
    for (uint64_t k = 0; k < runs; ++k) {
      const int64_t ranks = of.params[size].At(k);
      int64_t product = 1;
      for (const int64_t side : of.ListAt(item.like->call, sides, k)) {
        product *= side;
      }
      // Ranks that are left over have none.
      if (ranks > 0 && product != ranks) return BadLaw{int(n), int(sides)};
    }
  }
  return std::nullopt;
}

bool HasOpenAmount(const Node& like, const NodeLaw& law) {
  const auto params = reduction::Info(like.call).params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (!law.absent[i] && law.missing[i] && reduction::IsAmount(params[i])) {
      return true;
    }
  }
  return false;
}

// What ranks of a collective give and take has to go together: with a law that
// is rounded on one side and none on the other it would not.
void ForgetHalfRounded(const std::vector<const Node*>& nodes,
                       const std::vector<NodeLaw*>& laws,
                       std::set<NodeParameter>* rounded) {
  using reduction::MessageKind;
  std::set<SiteKey> open;
  for (size_t n = 1; n < nodes.size(); ++n) {
    if (!nodes[n]->is_event() || !HasOpenAmount(*nodes[n], *laws[n])) continue;
    open.insert(SiteOf(*nodes[n]));
  }
  std::erase_if(*rounded, [&](const NodeParameter& at) {
    const Node& like = *nodes[size_t(at.first)];
    if (reduction::MessageKindOf(like.call) != MessageKind::kNone ||
        !open.contains(SiteOf(like))) {
      return false;
    }
    Forget(laws[size_t(at.first)], at.second);
    return true;
  });
}

// Of fewer elements rounding is more than a tenth off, and always the same way:
// halves of one element would all become one. What is drawn like others comes
// to its sum. Twice as many let fewer laws be rounded.
constexpr int64_t kFewElements = 5;

std::optional<BadLaw> RoundedToFew(const RankRun& run,
                                   const std::set<NodeParameter>& rounded) {
  for (const auto& [node, param] : rounded) {
    const NodeRun& of = run.nodes[size_t(node)];
    if (of.empty() || size_t(param) >= of.params.size()) continue;
    const ValueList& values = of.params[size_t(param)];
    const uint64_t different = values.IsConstant() ? 1 : values.size();
    for (uint64_t k = 0; k < std::min(different, values.size()); ++k) {
      if (values.At(k) < kFewElements) return BadLaw{node, param};
    }
  }
  return std::nullopt;
}

// Marks laws that give no number at the target, not even rounded, and says
// which give nothing where all runs have something. tell: told which share of
// the ranks was asked.
void KeepThoseWithValues(const Trace& like,
                         const std::set<KnownLaws::Line>& with_none,
                         const TellShare& tell, LawsThatHold* laws) {
  const std::vector<const Node*> nodes = NodesOf(like.root);
  const std::vector<NodeLaw*> in_order = LawsInOrder(&laws->root);
  std::set<NodeParameter> vanishing;
  for (int64_t rank = 0; rank < laws->target.ranks();) {
    BadLaw bad;
    bool gives_none = false;
    const TwinTree tree = TreeOf(like.root, laws->root);
    for (; rank < laws->target.ranks(); ++rank) {
      const auto run = RunByLaw(tree, laws->target, rank, &bad);
      gives_none = !run.ok();
      if (gives_none) break;
      auto wrong = WrongSides(tree, *run);
      if (!wrong) wrong = RoundedToFew(*run, laws->rounded);
      if (wrong) {
        bad = *wrong;
        break;
      }
      vanishing.merge(Vanishing(tree, like.sites, *run, with_none));
      if (tell) tell(double(rank + 1) / double(laws->target.ranks()));
    }
    if (rank == laws->target.ranks()) break;
    NodeLaw* law = in_order[size_t(bad.node)];
    if (gives_none &&
        Round(*nodes[size_t(bad.node)], law, bad, &laws->rounded)) {
      continue;
    }
    Forget(law, bad.param);
    laws->rounded.erase({bad.node, bad.param});
  }
  std::erase_if(laws->rounded, [&in_order](const NodeParameter& at) {
    return in_order[size_t(at.first)]->missing[size_t(at.second)];
  });
  ForgetHalfRounded(nodes, in_order, &laws->rounded);
  for (const auto& [node, param] : vanishing) {
    // Of those that still have a law.
    if (in_order[size_t(node)]->missing[size_t(param)]) continue;
    laws->rounded.erase({node, param});
    laws->vanishing.insert(SiteOf(*nodes[size_t(node)]));
    ++laws->vanished;
  }
}

void Count(const NodeLaw& law, uint64_t* exact, uint64_t* missing) {
  for (size_t i = 0; i < law.params.size(); ++i) {
    if (!law.absent[i]) ++(law.missing[i] ? *missing : *exact);
  }
  for (const NodeLaw& child : law.children) {
    ++(child.trips_missing ? *missing : *exact);
    Count(child, exact, missing);
  }
}

// Whether the laws work on bits, which so many ranks do not fill.
bool IsForPowersOfTwo(const LawsThatHold& laws, int64_t ranks) {
  return OnlyPowersOfTwo(laws.root, laws.grids) && !IsPowerOfTwo(ranks);
}

// Whether the laws, found on these grids, also hold on the target's.
bool HoldAtTarget(const LawsThatHold& laws, const Node& like) {
  if (IsForPowersOfTwo(laws, laws.target.ranks())) return false;
  const std::vector<int64_t> only = OnlySides(laws.root, like, laws.grids);
  for (size_t d = 0; d < only.size(); ++d) {
    if (only[d] != 0 && only[d] != laws.target.dims[d]) return false;
  }
  return true;
}

LawsThatHold LawsOn(const std::vector<Trace>& traces, std::vector<Grid> grids,
                    const ExtrapolationRequest& request,
                    RunSearches* searches) {
  LawsThatHold laws;
  laws.grids = std::move(grids);
  const std::span<const Trace> known(traces.data(), traces.size() - 1);
  const std::span<const Grid> on(laws.grids.data(), known.size());
  NodeLaw held = KnownOrFoundLawsThatThereAre(searches, known, on,
                                              PartOf(request, 0, 0.5));
  KeepThoseThatHold(traces.back(), laws.grids.back(), &held, &laws.rounded);
  laws.root = KnownOrFoundLawsThatThereAre(searches, traces, laws.grids,
                                           PartOf(request, 0.5, 0.5), &held);
  TakeOverMissing(held, &laws.root);
  TakeOverRounded(laws.rounded, &held, &laws.root);
  KeepThoseThatHold(traces.back(), laws.grids.back(), &laws.root,
                    &laws.rounded);
  return laws;
}

// The grid that the request's ranks form by the rule; nothing where they form
// none.
std::optional<Grid> TargetOf(const DimsRule& rule,
                             const ExtrapolationRequest& request) {
  const auto dims = request.dims.empty() ? rule.DimsFor(request.ranks)
                                         : std::optional(request.dims);
  if (!dims || int(dims->size()) != rule.ndims ||
      !IsOrdered(*dims, rule.order)) {
    return std::nullopt;
  }
  Grid target{*dims, rule.order};
  if (target.ranks() != request.ranks) return std::nullopt;
  return target;
}

// Of one of so many grids that laws are evaluated on.
TellShare TellPart(const TellTwin& tell, size_t before, size_t grids) {
  if (!tell) return {};
  return [&tell, before, grids](double share) {
    tell(TwinStep::kEvaluating, (double(before) + share) / double(grids));
  };
}

// What is known of them at the target alone.
LawsThatHold AtTarget(LawsThatHold laws, Grid target, const Trace& like,
                      const std::set<KnownLaws::Line>& with_none,
                      const TellShare& tell) {
  laws.target = std::move(target);
  KeepThoseWithValues(like, with_none, tell, &laws);
  Count(laws.root, &laws.exact, &laws.missing);
  const uint64_t unsure = laws.vanished + laws.rounded.size();
  laws.exact -= unsure;
  laws.missing += unsure;
  return laws;
}

}  // namespace

NodeLaw NoLawsFor(const Node& root) {
  NodeLaw law;
  law.missing.resize(root.params.size(), true);
  law.absent.resize(root.params.size(), false);
  law.params.resize(root.params.size());
  for (const Node& child : root.children) {
    law.children.push_back(NoLawsFor(child));
  }
  return law;
}

LawsByGrid::LawsByGrid(const std::vector<Trace>& traces,
                       const ExtrapolationRequest& request)
    : traces_(traces),
      peers_(SeePeers(traces)),
      with_none_(LinesWithNone(traces)) {
  const auto searches = SearchesOf(request, traces);
  const auto rules =
      RulesFor(traces, peers_, SeeLines(traces), request.input_dims);
  const double part = 1 / double(rules.size());
  const auto find = [&](const DimsRule& rule) -> ByRule {
    return {rule, LawsOn(traces, GridsOf(rule, traces),
                         PartOf(request, double(rules_.size()) * part, part),
                         searches.get())};
  };
  // No other grid has more laws than one of which nothing is missing. Where
  // that is not so at the target, what is found here is kept for below.
  for (const DimsRule& rule : rules) {
    if (request.ranks < 1 || searches == nullptr) break;
    if (FoundThroughout(*searches, GridsOf(rule, traces), request) == nullptr) {
      continue;
    }
    ByRule found = find(rule);
    if (!SaysAllAt(found, request)) continue;
    rules_.push_back(std::move(found));
    return;
  }
  for (const DimsRule& rule : rules) {
    if (!rules_.empty() && request.stop && !request.stop().ok()) break;
    rules_.push_back(find(rule));
  }
}

bool LawsByGrid::SaysAllAt(const ByRule& found,
                           const ExtrapolationRequest& request) const {
  const auto target = TargetOf(found.rule, request);
  if (!target) return false;
  const LawsThatHold laws =
      AtTarget(found.laws, *target, traces_.back(), with_none_, {});
  return laws.missing == 0 && HoldAtTarget(laws, traces_.back().root) &&
         IsCertain(found.rule, request);
}

bool LawsByGrid::IsCertain(const DimsRule& rule,
                           const ExtrapolationRequest& request) const {
  if (!request.dims.empty()) return true;
  return CheckSidesTaken(rule, traces_, peers_, request).ok() &&
         CheckOtherRules(
             rule,
             OtherRules(rule, SizesOf(traces_), {},
                        WhoMade(traces_.back().meta, rule), request.ranks),
             SizesOf(traces_), request)
             .ok();
}

const Result<LawsThatHold>& LawsByGrid::At(
    const ExtrapolationRequest& request) {
  Target target{request.ranks, request.dims};
  if (!last_ || last_->first != target) {
    last_.emplace(std::move(target), FindAt(request));
  }
  return last_->second;
}

bool LawsByGrid::HasGridFor(const ExtrapolationRequest& request) const {
  return std::ranges::any_of(rules_, [&](const ByRule& by_rule) {
    return TargetOf(by_rule.rule, request) &&
           !IsForPowersOfTwo(by_rule.laws, request.ranks);
  });
}

Result<LawsThatHold> LawsByGrid::FindAt(
    const ExtrapolationRequest& request) const {
  const Node& like = traces_.back().root;
  std::optional<LawsThatHold> best;
  size_t done = 0;
  for (const auto& [rule, on_rule] : rules_) {
    const auto target = TargetOf(rule, request);
    LawsThatHold laws = AtTarget(
        on_rule, target.value_or(on_rule.grids.back()), traces_.back(),
        with_none_, TellPart(request.tell_twin, done++, rules_.size()));
    // Whether it holds changes nothing then.
    const bool is_worse = best && laws.exact <= best->exact;
    if (is_worse && !laws.FollowsLaws()) continue;
    // What is soon known first: other rules are many.
    const bool holds_there =
        target && HoldAtTarget(laws, like) && IsCertain(rule, request);
    // A later grid is none of the program; nor is one that explains less, at a
    // number of ranks that the program cannot have.
    const bool is_told = !best || (IsForPowersOfTwo(laws, request.ranks) &&
                                   !best->FollowsLaws());
    if (!holds_there && laws.FollowsLaws() && is_told) {
      return Status::No("it follows laws throughout, which do not hold at " +
                        std::to_string(request.ranks) + " ranks");
    }
    if (!holds_there) continue;
    if (!best || laws.exact > best->exact) best = std::move(laws);
  }
  if (!best) {
    return Status::No(std::to_string(request.ranks) +
                      " ranks form no grid that the inputs form");
  }
  return std::move(*best);
}

}  // namespace ranksight::online_model
