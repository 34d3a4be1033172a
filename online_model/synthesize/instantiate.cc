#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "online_model/structure/expression.h"
#include "online_model/synthesize/box_piece.h"
#include "online_model/synthesize/box_sequence.h"
#include "online_model/synthesize/box_terms.h"
#include "online_model/synthesize/law_code.h"
#include "online_model/synthesize/node_law.h"
#include "online_model/synthesize/node_name.h"
#include "online_model/synthesize/telling_run.h"
#include "online_model/synthesize/vanishing_amounts.h"
#include "reduction/api/distribution.h"
#include "reduction/api/total.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Param;
using reduction::Parameter;
using reduction::ParameterPiece;
using reduction::Result;
using reduction::Section;
using reduction::Status;
using reduction::Trace;

// Up to so many ranks parameters take the form that recording gives them,
// rank by rank: fewest pieces, smallest files. Beyond, a piece for each box.
constexpr int64_t kFewRanks = 1024;
// More boxes than this are single ranks that differ: folded rank by rank
// while there are at most kMostSingleRanks of them.
constexpr size_t kManyPieces = 256;
constexpr uint64_t kMostSingleRanks = 1 << 17;

// A law that needs more parts than this is not one of few classes of ranks:
// about 1 GB.
constexpr size_t kMostParts = 1 << 20;

using Pieces = reduction::ParameterPieces;

// Calls f with each part of the parent's box on which it does not throw.
template <class F>
void ForParts(const BoxParent& parent, F&& f) {
  std::vector<BoxParent> pending{parent};
  size_t parts = 1;
  while (!pending.empty()) {
    const BoxParent at = std::move(pending.back());
    pending.pop_back();
    try {
      f(at);
    } catch (const Cut& cut) {
      if (++parts > kMostParts) {
        throw Status::No("a law gives more than " + std::to_string(kMostParts) +
                         " classes of ranks");
      }
      for (BoxParent& part : Parts(at, cut)) pending.push_back(std::move(part));
    }
  }
}

// " of rank 3 of 12": the first of the box.
std::string RankText(const Box& box) {
  return " rank " + std::to_string(box.Rank().constant);
}

std::string OfRankText(const Box& box) {
  return " of" + RankText(box) + " of " + std::to_string(box.grid->ranks());
}

// Whether a count is 0 on all ranks of the box; throws a Cut where it is on
// some, a Status where it is negative.
bool IsNone(const Affine& count, const Box& box) {
  if (IsLess(count, box.Constant(0), box)) {
    throw Status::No("the trip count" + OfRankText(box) + " would be " +
                     std::to_string(count.constant));
  }
  return IsEqual(count, box.Constant(0), box);
}

// Rank by rank, as a run that is recorded folds it.
Parameter Refolded(const Parameter& from, bool ranked) {
  Parameter folded;
  for (const auto& [rank, section] : from.ByRank()) {
    Section values;
    values.Append(section);
    folded.Add(rank, values, ranked);
  }
  return folded;
}

Status MakeParameter(Pieces pieces, int64_t ranks, bool ranked,
                     Parameter* out) {
  const size_t count = pieces.size();
  uint64_t held = 0;
  for (const ParameterPiece& p : pieces) held += p.ranks.size();
  if (!Parameter::FromPieces(std::move(pieces), out)) {
    return Status::Internal("a law gave a parameter that breaks the format");
  }
  if (ranks <= kFewRanks || (count > kManyPieces && held <= kMostSingleRanks)) {
    *out = Refolded(*out, ranked);
  }
  return Status::Ok();
}

bool FollowsVisits(const SequenceLaw& law) {
  return law.form == SequenceLaw::Form::kByVisit;
}

bool FollowsLoop(const SequenceLaw& law) { return law.FollowsLoop(); }

// Whether it holds of any law from here down.
template <class F>
bool AnyLaw(const NodeLaw& law, F&& holds) {
  return holds(law.trips) ||
         std::any_of(law.params.begin(), law.params.end(), holds) ||
         std::any_of(law.children.begin(), law.children.end(),
                     [&](const NodeLaw& l) { return AnyLaw(l, holds); });
}

void Append(const SequenceLaw& law, std::vector<int64_t>* key) {
  const std::vector<int64_t> numbers = NumbersOf(law);
  key->insert(key->end(), numbers.begin(), numbers.end());
}

void Append(const Affine& v, std::vector<int64_t>* key) {
  key->push_back(v.constant);
  key->insert(key->end(), v.by.begin(), v.by.end());
}

// All that a parameter with this law depends on.
std::vector<int64_t> KeyOf(const SequenceLaw& law,
                           const std::vector<BoxParent>& runs, bool ranked) {
  std::vector<int64_t> key{ranked, int64_t(runs.size())};
  for (const BoxParent& parent : runs) {
    const Box& box = parent.box;
    key.push_back(int64_t(box.digits.size()));
    Append(box.rank, &key);
    for (const Affine& v : box.coordinates) Append(v, &key);
    for (const Digit& d : box.digits) Append(d.size, &key);
    Append(parent.runs, &key);
    key.push_back(int64_t(parent.rounds.size()));
    for (const BoxRound& r : parent.rounds) {
      Append(r.iterations, &key);
      Append(r.each, &key);
      key.push_back(r.once);
      key.push_back(int64_t(r.runs.size()));
      key.insert(key.end(), r.runs.begin(), r.runs.end());
      key.push_back(int64_t(r.visits.size()));
      key.insert(key.end(), r.visits.begin(), r.visits.end());
    }
  }
  Append(law, &key);
  return key;
}

class Maker {
 public:
  // like: the largest run.
  Maker(const Grid& grid, const Node& like, const reduction::Sites& sites)
      : grid_(grid), like_(like), sites_(sites) {}

  // What a Status that is thrown is about; nullptr before the first.
  const Node* node() const { return node_; }

  Status AddChildren(const NodeLaw& law, const Node& like,
                     const std::vector<BoxParent>& parents, Node* node) {
    for (size_t c = 0; c < like.children.size(); ++c) {
      const Node& model = like.children[c];
      node_ = &model;
      Node child;
      child.kind = model.kind;
      child.call = model.call;
      child.site = model.site;
      const Result<const Trips*> trips = TripsOf(law.children[c], parents);
      if (!trips.ok()) return trips.status();
      const std::vector<BoxParent>& runs = (*trips)->runs;
      if (runs.empty()) continue;
      child.trips = (*trips)->made;
      Status s = child.is_event()
                     ? AddParams(law.children[c], runs, &child)
                     : AddChildren(law.children[c], model, runs, &child);
      if (!s.ok()) return s;
      if (child.is_event() || !child.children.empty()) {
        node->children.push_back(std::move(child));
      }
    }
    return Status::Ok();
  }

 private:
  struct Trips {
    Parameter made;
    std::vector<BoxParent> runs;  // where there are any
  };

  // Nodes of one loop, as the call sites for each side of a level, often run
  // under the same condition.
  Result<const Trips*> TripsOf(const NodeLaw& law,
                               const std::vector<BoxParent>& parents) {
    const bool rounds = AnyLaw(law, FollowsLoop);
    std::vector<int64_t> key = KeyOf(law.trips, parents, rounds);
    const auto known = trips_.find(key);
    if (known != trips_.end()) return &known->second;
    Trips trips;
    const Status s = MakeTrips(law, parents, rounds, &trips);
    if (!s.ok()) return s;
    return &trips_.emplace(std::move(key), std::move(trips)).first->second;
  }

  Status MakeTrips(const NodeLaw& law, const std::vector<BoxParent>& parents,
                   bool rounds, Trips* out) {
    const bool visits = rounds && AnyLaw(law, FollowsVisits);
    Pieces pieces;
    for (const BoxParent& parent : parents) {
      ForParts(parent, [&](const BoxParent& part) {
        const Box& box = part.box;
        const BoxPattern pattern = PatternOn(law.trips, part);
        const BoxTerms trips = Repeat(pattern, part.runs, box);
        CheckNumbers(trips, box, law.trips, "trip count");
        BoxParent inner{box, Sum(trips, box), {}};
        if (IsNone(inner.runs, box)) return;
        if (rounds) {
          inner.rounds =
              Around(Within(part.rounds, pattern, box), pattern, box, visits);
        }
        pieces.push_back(PieceOf(trips, box, false));
        out->runs.push_back(std::move(inner));
      });
    }
    return MakeParameter(std::move(pieces), grid_.ranks(), false, &out->made);
  }

  // Every number is one, and trip counts are no less than 0.
  void CheckNumbers(const BoxTerms& terms, const Box& box,
                    const SequenceLaw& law, const std::string& what) const {
    for (const BoxTerm& t : terms) {
      CheckNumbers(t.body, box, law, what);
      if (t.value.constant == kNotWhole) {
        throw OpenAtTarget("the " + what + ", by its law " + law.ToString() +
                               ", would be no whole number, or not one alone",
                           grid_.ranks(), "on" + RankText(box));
      }
      if (what == "trip count" && t.body.empty()) (void)IsNone(t.value, box);
    }
  }

  // No number is that of a rank beyond the last.
  void CheckRanks(const BoxTerms& terms, const Box& box, const SequenceLaw& law,
                  const std::string& what) const {
    const Affine ranks = box.Constant(grid_.ranks());
    for (const BoxTerm& t : terms) {
      CheckRanks(t.body, box, law, what);
      // On each rank the largest of a run is its first or its last.
      const Affine steps = Add(t.count, box.Constant(1), -1);
      const Affine last = Add(t.value, steps, std::max<int64_t>(t.stride, 0));
      if (t.body.empty() && !IsLess(last, ranks, box)) {
        throw Status::No("the " + what + OfRankText(box) +
                         " would be a rank that is not there by its law, " +
                         law.ToString());
      }
    }
  }

  // Nobody sends less than nothing. Nor nothing where everybody sent something
  // so far: many programs then send no message at all.
  void CheckAmounts(const BoxTerms& terms, const Box& box,
                    const SequenceLaw& law, size_t param,
                    const std::string& what) const {
    for (const BoxTerm& t : terms) {
      CheckAmounts(t.body, box, law, param, what);
      const Affine steps = Add(t.count, box.Constant(1), -1);
      const Affine least = Add(t.value, steps, std::min<int64_t>(t.stride, 0));
      if (t.body.empty() && IsLess(least, box.Constant(0), box)) {
        throw Status::No("the " + what + OfRankText(box) +
                         " would be less than 0 by its law, " + law.ToString());
      }
      if (t.body.empty() && !IsLess(box.Constant(0), least, box) &&
          !MayHaveNone(param)) {
        throw OpenAtTarget(
            "the " + what + ", by its law " + law.ToString() +
                ", would be 0, as it is in no run, and who has nothing to send "
                "may make other calls",
            grid_.ranks(), "on" + RankText(box));
      }
    }
  }

  Status AddParams(const NodeLaw& law, const std::vector<BoxParent>& runs,
                   Node* node) {
    const auto params = reduction::Info(node->call).params;
    node->params.resize(params.size());
    for (size_t i = 0; i < params.size(); ++i) {
      if (law.absent[i]) continue;
      const Status s = AddParam(law, runs, i, node);
      if (!s.ok()) return s;
    }
    return Status::Ok();
  }

  // The parameter that gives an array's length; all of them for a scalar.
  static size_t LengthOf(reduction::Call call, size_t i) {
    const auto params = reduction::Info(call).params;
    if (!reduction::IsArray(params[i])) return params.size();
    const auto at = std::find(params.begin(), params.end(),
                              reduction::LengthOf(call, params[i]));
    return size_t(at - params.begin());
  }

  Status AddParam(const NodeLaw& law, const std::vector<BoxParent>& runs,
                  size_t i, Node* node) {
    const auto params = reduction::Info(node->call).params;
    const bool ranked = reduction::IsRank(params[i]);
    const size_t length = LengthOf(node->call, i);
    const std::string name(reduction::ParamWords(params[i]));
    std::vector<int64_t> key = KeyOf(law.params[i], runs, ranked);
    if (length < params.size()) Append(law.params[length], &key);
    Parameter& made = made_[std::move(key)];
    if (!made.empty()) {
      node->params[i] = made;
      return Status::Ok();
    }
    Pieces pieces;
    for (const BoxParent& parent : runs) {
      ForParts(parent, [&](const BoxParent& part) {
        const BoxTerms terms =
            length < params.size()
                ? ArrayOn(law.params[i], law.params[length], part)
                : Repeat(PatternOn(law.params[i], part), part.runs, part.box);
        CheckNumbers(terms, part.box, law.params[i], name);
        if (ranked) CheckRanks(terms, part.box, law.params[i], name);
        if (reduction::IsAmount(params[i])) {
          CheckAmounts(terms, part.box, law.params[i], i, name);
        }
        if (terms.empty()) return;
        pieces.push_back(PieceOf(terms, part.box, ranked));
      });
    }
    const Status s =
        MakeParameter(std::move(pieces), grid_.ranks(), ranked, &made);
    node->params[i] = made;
    return s;
  }

  static BoxTerms ArrayOn(const SequenceLaw& law, const SequenceLaw& length,
                          const BoxParent& part) {
    const BoxPattern lengths = PatternOn(length, part);
    const Affine count = Sum(Repeat(lengths, part.runs, part.box), part.box);
    if (IsNone(count, part.box)) return {};
    std::vector<int64_t> each;
    if (law.form == SequenceLaw::Form::kByPlace) {
      each = NumbersOf(lengths.period, part.box);
    }
    return Repeat(PatternOn(law, part, each), count, part.box);
  }

  // Whether the line that is made has 0 for the parameter somewhere in the run,
  // or is of a call that no rank leaves out by itself.
  bool MayHaveNone(size_t param) const {
    if (!MayBeLeftOut(node_->call)) return true;
    if (!with_none_) AddLinesWithNone(like_, sites_, &with_none_.emplace());
    return with_none_->contains(KnownLaws::LineOf(*node_, sites_, param));
  }

  const Grid& grid_;
  const Node& like_;
  const reduction::Sites& sites_;
  mutable std::optional<std::set<KnownLaws::Line>> with_none_;  // when asked
  const Node* node_ = nullptr;
  // Parameters made so far, by KeyOf and the law of an array's length: programs
  // receive as they send, and do alike along each direction.
  std::map<std::vector<int64_t>, Parameter> made_;
  std::map<std::vector<int64_t>, Trips> trips_;  // by KeyOf
};

}  // namespace

Result<Node> Instantiate(const NodeLaw& law, const Node& like,
                         const reduction::Sites& sites, const Grid& grid) {
  Node root;
  Maker maker(grid, like, sites);
  try {
    const Status s = maker.AddChildren(law, like, Everywhere(grid), &root);
    if (!s.ok()) return s;
  } catch (const Status& s) {
    return Status(s.code(), NameOf(*maker.node(), sites) + ": " + s.message());
  }
  return root;
}

Result<Trace> InstantiateTrace(const NodeLaw& law, const Trace& like,
                               const Grid& grid) {
  auto root = Instantiate(law, like.root, like.sites, grid);
  if (!root.ok()) return root.status();
  Trace made;
  made.meta.ranks = grid.ranks();
  made.sites = like.sites;
  made.root = std::move(*root);
  return made;
}

}  // namespace ranksight::online_model
