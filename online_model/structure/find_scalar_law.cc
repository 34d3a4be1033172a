#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "online_model/structure/cut_another_way.h"
#include "online_model/structure/cut_whole.h"
#include "online_model/structure/dims_rule.h"
#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"
#include "online_model/structure/find_block_product.h"
#include "online_model/structure/find_border.h"
#include "online_model/structure/find_by_places.h"
#include "online_model/structure/find_clamped.h"
#include "online_model/structure/find_dealt.h"
#include "online_model/structure/find_expression.h"
#include "online_model/structure/find_face.h"
#include "online_model/structure/find_folded.h"
#include "online_model/structure/find_halves.h"
#include "online_model/structure/find_levels.h"
#include "online_model/structure/find_number.h"
#include "online_model/structure/find_opposite.h"
#include "online_model/structure/find_owner.h"
#include "online_model/structure/find_parity.h"
#include "online_model/structure/find_part_of_number.h"
#include "online_model/structure/find_parts.h"
#include "online_model/structure/find_pieces.h"
#include "online_model/structure/find_rank_tree.h"
#include "online_model/structure/find_rest.h"
#include "online_model/structure/find_room.h"
#include "online_model/structure/find_share.h"
#include "online_model/structure/find_sparse.h"
#include "online_model/structure/find_split.h"
#include "online_model/structure/find_task_count.h"
#include "online_model/structure/find_there.h"
#include "online_model/structure/find_tiles.h"
#include "online_model/structure/find_travelling.h"
#include "online_model/structure/find_turns.h"
#include "online_model/structure/find_window.h"
#include "online_model/structure/level_conditions.h"
#include "online_model/structure/line_forms.h"
#include "online_model/structure/mix_hash.h"
#include "online_model/structure/scalar_law.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Samples = std::span<const Sample>;

// Displacements that any sample suggests, nearest first, and every choice of
// periodic dimensions.
std::optional<ScalarLaw> FindNeighbour(Samples samples, int ndims) {
  std::set<std::pair<int64_t, Displacement>> candidates;
  size_t looked = 0;
  for (const Sample& s : samples) {
    if (reduction::IsSpecial(s.value) || s.value < 0 ||
        s.value >= s.where.ranks()) {
      continue;
    }
    const Coordinates to = s.where.grid->At(s.value);
    Displacement by{};
    int64_t length = 0;
    for (int d = 0; d < ndims; ++d) {
      const int64_t n = s.where.dim(d);
      by[size_t(d)] = to[size_t(d)] - s.where.at[size_t(d)];
      if (2 * by[size_t(d)] > n) by[size_t(d)] -= n;
      if (2 * by[size_t(d)] <= -n && n > 2) by[size_t(d)] += n;
      length += std::abs(by[size_t(d)]);
    }
    Displacement back = by;
    for (int64_t& v : back) v = -v;
    candidates.insert({length, by});
    candidates.insert({length, back});
    if (++looked == 64) break;
  }
  for (const auto& [length, by] : candidates) {
    for (unsigned mask = 0; mask < 1u << ndims; ++mask) {
      ScalarLaw law;
      law.kind = ScalarLaw::Kind::kNeighbour;
      law.by = by;
      law.periodic = mask;
      law.ndims = ndims;
      if (Fits(law, samples)) return law;
    }
  }
  return std::nullopt;
}

std::optional<ScalarLaw> FindOnLine(Samples samples) {
  const Sample& s = samples[0];
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kNeighbour;
  law.on_line = true;
  law.periodic = 1;
  for (const int64_t by :
       {s.value - s.where.rank, s.value - s.where.rank - s.where.ranks(),
        s.value - s.where.rank + s.where.ranks()}) {
    law.by = {by};
    if (Fits(law, samples)) return law;
  }
  return std::nullopt;
}

std::optional<ScalarLaw> FindXor(Samples samples) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kXor;
  law.constant = samples[0].where.rank ^ samples[0].value;
  if (!Fits(law, samples)) return std::nullopt;
  return law;
}

// The law of equal blocks. Where all inputs divide a whole, none tells where a
// remainder goes, so that there is no value where one is left.
ScalarLaw EqualBlocks(const ScalarLaw& blocks) {
  const auto kind = blocks.dim == kPlaceDimension ? Feature::Kind::kLength
                                                  : Feature::Kind::kDim;
  return OfExpression(AffineExpression(
      1,
      Combine(Expression::Op::kDivideExactly,
              ConstantExpression(blocks.constant * blocks.scale),
              FeatureExpression({kind, std::max(blocks.dim, 0), nullptr})),
      blocks.add));
}

// The whole is the sum over one line of parts: along a dimension of the grid,
// or along the list.
std::optional<ScalarLaw> FindBlock(Samples samples, int dim) {
  std::map<const Grid*, std::map<int64_t, int64_t>> parts;
  for (const Sample& s : samples) {
    const auto [it, added] =
        parts[s.where.grid].try_emplace(s.where.Place(dim), s.value);
    if (!added && it->second != s.value) return std::nullopt;
  }
  for (const Sample& s : samples) {
    if (int64_t(parts[s.where.grid].size()) != s.where.Length(dim)) {
      return std::nullopt;
    }
  }
  int64_t differences = 0;
  for (const auto& [grid, values] : parts) {
    for (const auto& [x, v] : values) {
      differences = std::gcd(differences, v - values.begin()->second);
    }
  }
  for (const int64_t scale :
       {differences, int64_t{8}, int64_t{4}, int64_t{1}}) {
    if (scale == 0) continue;
    const auto& [grid, values] = *parts.begin();
    for (int64_t add : {int64_t{0}, scale, 2 * scale}) {
      int64_t whole = 0;
      for (const auto& [x, v] : values) whole += (v - add) / scale;
      ScalarLaw law;
      law.kind = ScalarLaw::Kind::kBlock;
      law.dim = dim;
      law.scale = scale;
      law.add = add;
      law.constant = whole;
      if (whole <= 0 || !Fits(law, samples)) continue;
      return differences == 0 ? EqualBlocks(law) : law;
    }
  }
  return std::nullopt;
}

// Equal blocks and a summand may be shares that all happen to be whole.
std::optional<ScalarLaw> AmongShares(std::optional<ScalarLaw> law,
                                     Samples samples,
                                     const SearchSpace& space) {
  if (!law || law->kind != ScalarLaw::Kind::kExpression) return law;
  law->expression = AmongShares(law->expression, samples, space);
  return law->expression == nullptr ? std::nullopt : std::move(law);
}

// Blocks of a list of two or three that may be cut in several ways, which are
// alike there; nothing of others.
std::optional<ScalarLaw> CutAnyWay(const std::optional<ScalarLaw>& block,
                                   Samples samples, const SearchSpace& space) {
  if (!block || block->kind != ScalarLaw::Kind::kBlock) return std::nullopt;
  const Line line{block->dim, space.ndims};
  const auto values = ValuesOn(samples, line);
  if (!values) return std::nullopt;
  const PartOfWhole part{What::kSize, block->scale, block->add,
                         block->constant};
  ExpressionPtr law = part.Law(*values, line, space);
  if (law == nullptr || law->op != Expression::Op::kAgreed) return std::nullopt;
  return OfExpression(std::move(law));
}

// Wholes that it shares out in equal parts, or of which it says what is left;
// or in shares, where its likeliest form tells which of two it is.
void NoteWholesShared(const Expression& law, std::set<int64_t>* wholes) {
  using Op = Expression::Op;
  ForEachExpression(law, [wholes](const Expression& e) {
    const bool divides = e.op == Op::kDivideExactly && e.a->op == Op::kConstant;
    if (divides || IsWholeModulo(e)) wholes->insert(e.a->value);
  });
  const Expression* likeliest = &law;
  while (likeliest->op == Op::kAgreed) likeliest = likeliest->a.get();
  ForEachExpression(*likeliest, [wholes](const Expression& e) {
    if (e.op != Op::kShare || e.b->value - e.a->value > 1) return;
    wholes->insert({e.a->value, e.b->value});
  });
}

void NoteWhatIsLeft(const ScalarLaw& law, const SearchSpace& space) {
  const ExpressionPtr e = ExpressionOf(law);
  if (e == nullptr || space.said == nullptr || !SaysWhatIsLeft(*e)) return;
  space.said->Add(law);
  if (space.wholes) NoteWholesShared(*e, space.wholes.get());
}

void NoteWhole(const std::optional<ScalarLaw>& law, const SearchSpace& space) {
  if (space.wholes != nullptr && law && law->kind == ScalarLaw::Kind::kBlock) {
    space.wholes->insert(law->constant);
  }
}

// The requests of a list that has a place for each neighbour a rank may have:
// those there are, the latest last, then none.
std::optional<ScalarLaw> FindCountdown(Samples samples,
                                       const SearchSpace& space) {
  using Op = Expression::Op;
  const ExpressionPtr place =
      FeatureExpression({Feature::Kind::kPosition, 0, nullptr});
  for (const auto* lists : {&space.lists, &space.posted}) {
    for (const auto& list : *lists) {
      const ExpressionPtr left =
          Combine(Op::kSubtract,
                  FeatureExpression({Feature::Kind::kDegree, 0, list}), place);
      ScalarLaw law =
          OfExpression(Combine(Op::kMaximum, left, ConstantExpression(0)));
      if (Fits(law, samples)) return law;
    }
  }
  return std::nullopt;
}

// Whether a rank is, or comes before or after, what a hint gives: programs
// send nothing to themselves, and one of two first.
std::optional<ScalarLaw> FindByHints(Samples samples,
                                     const SearchSpace& space) {
  using Op = Expression::Op;
  const ExpressionPtr own =
      FeatureExpression({Feature::Kind::kRank, 0, nullptr});
  for (const ExpressionPtr& hint : space.hints) {
    if (!TakesHint(space, *hint)) continue;
    for (const ExpressionPtr& condition :
         {Combine(Op::kEqual, hint, own), Combine(Op::kLess, hint, own),
          Combine(Op::kLess, own, hint)}) {
      for (const bool holds : {true, false}) {
        ScalarLaw law = OfExpression(
            holds ? condition : AffineExpression(-1, condition, 1));
        if (Fits(law, samples)) return law;
      }
    }
  }
  return std::nullopt;
}

// A law of the user's, as it is or times a constant plus a constant.
std::optional<ScalarLaw> FindOwn(Samples samples, const SearchSpace& space) {
  for (const auto& own : space.own) {
    ScalarLaw law = OfExpression(OwnExpression(own));
    if (Fits(law, samples)) return law;
  }
  if (AnySpecial(samples)) return std::nullopt;
  const Sample& first = samples[0];
  for (const auto& own : space.own) {
    const int64_t v0 = own->At(first.where);
    for (const Sample& s : samples) {
      const int64_t dv = own->At(s.where) - v0, to = s.value - first.value;
      if (v0 == kNotWhole || dv == 0) continue;
      if (dv + v0 == kNotWhole || to % dv != 0) break;
      const int64_t a = to / dv;
      ScalarLaw law = OfExpression(
          AffineExpression(a, OwnExpression(own), first.value - a * v0));
      if (a != 0 && Fits(law, samples)) return law;
      break;
    }
  }
  return std::nullopt;
}

// A little more or less than what another law says, or so many times as much:
// a halo around a block of which that has shown the size.
std::optional<ScalarLaw> FindFromSaid(Samples samples,
                                      const SearchSpace& space) {
  constexpr int64_t kMostMore = 8;
  if (space.said == nullptr || space.ranked) return std::nullopt;
  for (const ExpressionPtr& part : space.said->parts()) {
    const int64_t said = part->At(samples[0].where);
    if (said == kNotWhole || said == 0) continue;
    const __int128 more = __int128(samples[0].value) - said;
    ScalarLaw law;
    if (-kMostMore <= more && more <= kMostMore) {
      law = OfExpression(AffineExpression(1, part, int64_t(more)));
    } else if (samples[0].value > 0 && samples[0].value % said == 0) {
      law = OfExpression(AffineExpression(samples[0].value / said, part, 0));
    } else {
      continue;
    }
    if (Fits(law, samples)) return law;
  }
  return std::nullopt;
}

// Laws this short are taken without looking further: a feature and a small
// constant or two. Larger is faster and takes more accidents for laws.
constexpr double kShortLaw = 8;

// A place of a list, or a rank, and any one number is as short: a tag may begin
// at 300. Of sizes it is not: 29 - N is 210/N on 13 to 16 ranks.
bool IsShort(const std::optional<ScalarLaw>& law) {
  using Kind = Feature::Kind;
  if (!law) return false;
  const auto is_place = [](const Feature& f) {
    return f.kind == Kind::kPosition || f.kind == Kind::kRank;
  };
  const bool begins_at = law->kind == ScalarLaw::Kind::kAffine &&
                         law->terms.size() == 1 && law->terms[0].first == 1 &&
                         is_place(law->terms[0].second);
  return begins_at || law->cost() <= kShortLaw;
}

bool Halved(Samples samples) {
  return std::all_of(samples.begin(), samples.end(), [](const Sample& s) {
    return IsPowerOfTwo(s.where.ranks());
  });
}

std::optional<ScalarLaw> FindBesideRoot(Samples samples,
                                        const SearchSpace& space);
std::optional<ScalarLaw> FindBesideEnd(Samples samples,
                                       const SearchSpace& space,
                                       Feature::Kind end);
std::optional<ScalarLaw> FindAtBorder(Samples samples,
                                      const SearchSpace& space);

std::optional<ScalarLaw> Search(Samples samples, const SearchSpace& space) {
  std::vector<Feature> features =
      GridFeatures(space.ndims, space.array, space.counts, Halved(samples));
  for (const auto& list : space.lists) {
    features.push_back({Feature::Kind::kDegree, 0, list});
  }
  for (const auto& list : space.posted) {
    features.push_back({Feature::Kind::kDegree, 0, list});
  }
  if (auto law = FindConstant(samples)) return law;
  if (auto law = FindOwn(samples, space)) return law;
  if (auto law = FindPartOfNumber(samples, space)) return law;
  if (space.rests && space.said != nullptr && !space.array) {
    auto known = space.said->ShareOfWholeLeft(samples);
    if (known == nullptr && !space.ranked && !AnySpecial(samples)) {
      known = FindRest(samples, space);
    }
    if (known != nullptr) return OfExpression(std::move(known));
  }
  if (space.ranked) {
    if (auto law = FindNeighbour(samples, space.ndims)) return law;
    // Whom all have alike is none of theirs.
    if (DependOnSizeOnly(samples) && !AnySpecial(samples)) {
      SearchSpace plain = space;
      plain.ranked = plain.rests = false;
      if (auto law = Search(samples, plain)) return law;
    }
    if (auto law = FindOnLine(samples)) return law;
    if (auto law = FindXor(samples)) return law;
    if (space.array) {
      auto turns = FindTurns(samples, space.ndims);
      if (turns == nullptr) turns = FindFoldedPeer(samples);
      if (turns == nullptr) turns = FindPowersAway(samples, space);
      if (turns != nullptr) return OfExpression(std::move(turns));
    }
    auto parity = FindNextByParity(samples, space);
    if (parity != nullptr) return OfExpression(std::move(parity));
  }
  if (space.counts) {
    if (auto law = FindByHints(samples, space)) return law;
    // Hardly anything else looks like it: textbooks have said what it is made
    // of.
    auto folded = FindFoldedCount(samples);
    if (folded != nullptr) {
      ScalarLaw law = OfExpression(std::move(folded));
      if (space.said != nullptr) space.said->Add(law);
      return law;
    }
  }
  if (space.array && !space.ranked && !AnySpecial(samples)) {
    auto e = FindTravelling(samples, space.ndims);
    if (e == nullptr) e = FindDealt(samples, space.ndims);
    if (e == nullptr) e = FindPieces(samples, space);
    if (e == nullptr) e = FindHalves(samples);
    if (e != nullptr) return OfExpression(std::move(e));
  }
  if (space.counts) {
    auto others = FindAllButFirst(samples, space);
    if (others != nullptr) return OfExpression(std::move(others));
  }
  std::optional<ScalarLaw> best = FindSimple(samples, features);
  // Programs often call nothing where there is nobody to talk to.
  std::vector<Feature> conditions = features;
  conditions.push_back({Feature::Kind::kAlone, 0, nullptr});
  Keep(FindGuarded(samples, conditions), &best);
  if (IsShort(best)) return best;
  // Those who take theirs may come later, and show the whole.
  if (space.counts && space.said != nullptr && MayBeAllButFirst(samples)) {
    space.said->NoteTooLittle();
  }
  if (!AnySpecial(samples)) {
    auto law = space.array ? FindOwner(samples, space)
                           : FindNumber(samples, space.ndims);
    if (law != nullptr) return OfExpression(std::move(law));
  }
  if (space.counts && space.array && space.said && AreConditions(samples)) {
    ExpressionPtr there = FindWhereThereIs(samples, space.said->distances());
    if (there != nullptr) Keep(OfExpression(std::move(there)), &best);
  }
  if (space.counts) {
    if (auto law = FindLevelCondition(samples, space)) return law;
    auto parity = FindGuardByParity(samples, space);
    if (parity != nullptr) Keep(OfExpression(std::move(parity)), &best);
    auto border = space.array ? nullptr : FindBorder(samples, space.ndims);
    if (border != nullptr) Keep(OfExpression(std::move(border)), &best);
  }
  if (space.array && !space.posted.empty()) {
    if (auto law = FindCountdown(samples, space)) return law;
  }
  if (!AnySpecial(samples)) {
    if (!space.array && !space.ranked && !space.counts) {
      auto face = FindFace(samples, space.ndims);
      if (face != nullptr) return OfExpression(std::move(face));
    }
    for (int d = 0; d < space.ndims; ++d) {
      auto block = FindBlock(samples, d);
      NoteWhole(block, space);
      Keep(AmongShares(std::move(block), samples, space), &best);
    }
    if (space.array) {
      auto block = FindBlock(samples, kPlaceDimension);
      NoteWhole(block, space);
      // A sum that gives the same there is shorter, and no cut.
      if (auto any = CutAnyWay(block, samples, space)) return any;
      Keep(std::move(block), &best);
    }
    auto tiles = FindTiles(samples, space.ndims);
    if (tiles != nullptr) Keep(OfExpression(std::move(tiles)), &best);
    if (!best) {
      if (auto law = FindFromSaid(samples, space)) return law;
    }
    // Parts that sum up to one whole at all sizes are no sums of sides, though
    // a few sizes have these, too.
    if (!best) {
      auto part = FindParts(samples, space);
      if (part == nullptr) part = FindProductOfParts(samples, space);
      if (part == nullptr) part = FindBlockProduct(samples, space);
      if (part != nullptr) return OfExpression(std::move(part));
    }
    Keep(FindSum(samples, features), &best);
    if (space.counts) {
      ExpressionPtr clamped = FindClamped(samples, space);
      if (clamped != nullptr) Keep(OfExpression(std::move(clamped)), &best);
    }
  }
  if (IsShort(best)) return best;
  if (space.counts) {
    auto tasks = FindTaskCount(samples, space.ndims, space.certain);
    // What the pool gives as well is shorter now and then, and no count.
    if (tasks != nullptr) return OfExpression(std::move(tasks));
  }
  if (space.array) Keep(FindThere(samples, space), &best);
  if (IsShort(best)) return best;
  Keep(FindExpression(samples, space), &best);
  if (!best && !space.ranked && !AnySpecial(samples)) {
    ExpressionPtr put = space.array ? FindProgression(samples, space)
                                    : FindSumOverSides(samples, space);
    if (put == nullptr && space.array) put = FindWindow(samples, space);
    if (put == nullptr && space.array) put = FindSparse(samples, space);
    if (put != nullptr) return OfExpression(std::move(put));
  }
  if (!best && space.array) {
    best = FindByPlaces(
        samples, space,
        [](Samples some, const SearchSpace& at) { return Search(some, at); });
  }
  // Where what it predicts is compared next the likely whole will do, of how
  // often something is done: lists have laws of other forms.
  if (!best && !space.certain && space.counts && space.rests && !space.array &&
      !AnySpecial(samples)) {
    const auto rests = PossibleRests(samples, space.ndims);
    if (!rests.empty()) return OfExpression(rests[0].law);
  }
  if (!best) best = FindBesideRoot(samples, space);
  if (space.ranked) return best;
  for (const auto end : {Feature::Kind::kZeroRank, Feature::Kind::kEndRank}) {
    if (!best) best = FindBesideEnd(samples, space, end);
  }
  if (!best) best = FindAtBorder(samples, space);
  return best;
}

// One value on some ranks, where the condition holds, and a law on the others.
std::optional<ScalarLaw> FindBeside(Samples same, Samples others,
                                    Feature::Kind condition,
                                    const SearchSpace& space) {
  const auto value = FindConstant(same);
  if (!value) return std::nullopt;
  const auto elsewhere = Search(others, space);
  if (!elsewhere) return std::nullopt;
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kGuarded;
  law.constant = value->constant;
  law.condition = {condition, 0, nullptr};
  law.otherwise = std::make_shared<const ScalarLaw>(*elsewhere);
  return law;
}

// What one rank has can follow the size alone: as if all had it, for searches
// that ask for every part of a line.
std::vector<Sample> OnAllRanks(Samples of_one) {
  std::vector<Sample> all;
  for (const Sample& s : of_one) {
    for (int64_t r = 0; r < s.where.ranks(); ++r) {
      Context there(*s.where.grid, r);
      there.position = s.where.position;
      there.length = s.where.length;
      all.push_back({there, s.value});
    }
  }
  return all;
}

// Rank 0 deals out and gathers, always alike, and the others follow a law; or
// it alone has something that follows one.
std::optional<ScalarLaw> FindBesideRoot(Samples samples,
                                        const SearchSpace& space) {
  using Kind = Feature::Kind;
  std::vector<Sample> root, others;
  for (const Sample& s : samples) {
    (s.where.rank == 0 ? root : others).push_back(s);
  }
  if (root.empty() || others.empty()) return std::nullopt;
  if (auto law = FindBeside(root, others, Kind::kZeroRank, space)) return law;
  // A rank alone has no others, and what it has would be looked for again.
  const auto is_alone = [](const Sample& s) { return s.where.ranks() == 1; };
  if (std::any_of(root.begin(), root.end(), is_alone)) return std::nullopt;
  return FindBeside(others, OnAllRanks(root), Kind::kOtherRank, space);
}

// Of a chain the first or the last follows a law of the size, and all others
// another one.
std::optional<ScalarLaw> FindBesideEnd(Samples samples,
                                       const SearchSpace& space,
                                       Feature::Kind end) {
  // What all have alike would be looked for again, on and on.
  if (DependOnSizeOnly(samples)) return std::nullopt;
  const ExpressionPtr is_end = FeatureExpression(end);
  std::vector<Sample> of_end, others;
  for (const Sample& s : samples) {
    (is_end->At(s.where) == 1 ? of_end : others).push_back(s);
  }
  const auto is_alone = [](const Sample& s) { return s.where.ranks() == 1; };
  if (of_end.empty() || others.empty() || std::ranges::any_of(of_end, is_alone))
    return std::nullopt;
  // Short, lest all that has no law is looked for twice.
  const auto features =
      GridFeatures(space.ndims, space.array, space.counts, Halved(samples));
  const auto there = FindSimple(of_end, features);
  const ExpressionPtr a = there ? ExpressionOf(*there) : nullptr;
  if (a == nullptr) return std::nullopt;
  const auto elsewhere = Search(others, space);
  const ExpressionPtr b = elsewhere ? ExpressionOf(*elsewhere) : nullptr;
  if (b == nullptr) return std::nullopt;
  ScalarLaw law = OfExpression(SelectExpression(is_end, a, b));
  return Fits(law, samples) ? std::optional(law) : std::nullopt;
}

// Nothing within the grid, and a law at its border; or the other way round.
std::optional<ScalarLaw> FindAtBorder(Samples samples,
                                      const SearchSpace& space) {
  if (space.array || AreConditions(samples)) return std::nullopt;
  if (auto size = FindBorderSize(samples, space.ndims)) {
    return OfExpression(std::move(size));
  }
  std::vector<Sample> has_some, some;
  for (const Sample& s : samples) {
    has_some.push_back({s.where, s.value != 0});
    if (s.value != 0) some.push_back(s);
  }
  const ExpressionPtr border = FindBorder(has_some, space.ndims);
  if (border == nullptr) return std::nullopt;
  const auto there = Search(some, space);
  const ExpressionPtr e = there ? ExpressionOf(*there) : nullptr;
  if (e == nullptr) return std::nullopt;
  return OfExpression(SelectExpression(border, e, ConstantExpression(0)));
}

uint64_t HashOf(Samples samples, const SearchSpace& space) {
  uint64_t hash = (space.array ? 1 : 0) + (space.ranked ? 2 : 0) +
                  (space.counts ? 4 : 0) + (space.posted.empty() ? 0 : 8) +
                  (space.rests ? 16 : 0);
  const auto mix = [&hash](int64_t v) { hash = MixHash(hash, uint64_t(v)); };
  for (const Sample& s : samples) {
    mix(s.where.ranks());
    mix(s.where.rank);
    mix(s.where.position);
    mix(s.where.length);
    mix(s.value);
  }
  return hash;
}

std::optional<ScalarLaw> Find(Samples samples, const SearchSpace& space) {
  if (auto law = FindConstant(samples)) return law;
  if (space.points && !space.array && !space.ranked && space.along &&
      space.ndims > 1) {
    if (auto law = FindOneLevel(samples, space)) return law;
  }
  if (space.points && !space.array && space.ranked && Halved(samples)) {
    if (auto law = FindNextOnOneLevel(samples, space)) return law;
  }
  if (space.cache == nullptr) return Search(samples, space);
  const uint64_t key = HashOf(samples, space);
  const auto it = space.cache->find(key);
  if (it != space.cache->end() && !it->second) {
    // More may have been said since.
    return AnySpecial(samples) ? std::nullopt : FindFromSaid(samples, space);
  }
  if (it != space.cache->end() && Fits(*it->second, samples)) return it->second;
  return (*space.cache)[key] = Search(samples, space);
}

ScalarLaw LawWithoutRemainders(ScalarLaw law, Samples samples) {
  if (law.kind == ScalarLaw::Kind::kExpression) {
    law.expression = WithoutRemainders(law.expression, samples);
  }
  return law;
}

bool HasTooLittle(const SearchSpace& space) {
  return space.said != nullptr && space.said->has_too_little();
}

// Whether a long condition, or a long law with cases, says of all runs but one
// what a short law says of them: by that run alone one of many was chosen.
bool IsOneRunsAlone(const ScalarLaw& law, Samples samples,
                    const SearchSpace& space) {
  const bool has_cases = law.kind == ScalarLaw::Kind::kGuarded ||
                         (law.expression != nullptr &&
                          law.expression->op == Expression::Op::kSelect);
  if (law.cost() <= kShortLaw || (!has_cases && !AreConditions(samples))) {
    return false;
  }
  std::set<const Grid*> runs;
  for (const Sample& s : samples) runs.insert(s.where.grid);
  constexpr size_t kFewestRuns = 3;
  if (runs.size() < kFewestRuns) return false;
  const auto features =
      GridFeatures(space.ndims, space.array, space.counts, Halved(samples));
  return std::ranges::any_of(runs, [&](const Grid* run) {
    std::vector<Sample> others;
    std::ranges::copy_if(
        samples, std::back_inserter(others),
        [run](const Sample& s) { return s.where.grid != run; });
    const auto simple = FindSimple(others, features);
    return simple && simple->cost() <= kShortLaw && !Fits(*simple, samples);
  });
}

// Of a law that the samples show, and another by the form of the line's others,
// neither is taken for more than what both say.
std::optional<ScalarLaw> WhereBothAgree(const ScalarLaw& shown,
                                        const ScalarLaw& like) {
  ExpressionPtr a = ExpressionOf(shown), b = ExpressionOf(like);
  if (a == nullptr || b == nullptr) return shown;
  return OfExpression(AgreedExpression(std::move(a), std::move(b)));
}

}  // namespace

std::optional<ScalarLaw> FindScalarLaw(Samples samples,
                                       const SearchSpace& space) {
  if (samples.empty()) return std::nullopt;
  if (space.partner != nullptr) return FindOfPartner(samples, space);
  // The loop around has shown what those are made of, however long they are.
  if (space.levels) return FindOnLevels(samples, space);
  const bool waited = HasTooLittle(space);
  auto law = Find(samples, space);
  // What a grid says at length it may say by chance.
  if (!law || law->cost() > kShortLaw) {
    Keep(FindRankTree(samples, space), &law);
  }
  const auto says_enough = [&](const ScalarLaw& found) {
    return !IsOneRunsAlone(found, samples, space) &&
           (SaysEnough(samples, found, space.said.get()) ||
            (!space.certain && space.forms == nullptr));
  };
  bool enough = law && says_enough(*law);
  if (space.room && !enough && !AnySpecial(samples)) {
    const ExpressionPtr room = FindRoom(samples, space);
    if (room != nullptr) law = OfExpression(room), enough = says_enough(*law);
  }
  if (space.forms != nullptr && !FindConstant(samples)) {
    auto like = space.forms->Find(samples, enough ? law : std::nullopt);
    // A law that waits for more to be said may be another one then.
    const bool waits = !waited && HasTooLittle(space);
    if (enough && !waits) space.forms->Note(*law, samples);
    if (like && enough && space.certain) {
      NoteWhatIsLeft(*law, space);
      like = WhereBothAgree(*law, *like);
    }
    if (like) return LawWithoutRemainders(*like, samples);
  }
  if (space.certain && !enough && space.said) {
    if (space.rests && !space.array && !space.ranked && !AnySpecial(samples) &&
        TellTogether(samples, space.ndims, space.said.get())) {
      law = Search(samples, space);
      if (law && says_enough(*law)) {
        return LawWithoutRemainders(*law, samples);
      }
    }
    if (law) space.said->NoteTooLittle();
  }
  if (!law || (space.certain && !enough)) return std::nullopt;
  law = LawWithoutRemainders(*law, samples);
  if (space.room_for_all && !FindConstant(samples) && !AnySpecial(samples)) {
    // What one face says for all may be the longest of them.
    const ExpressionPtr room = FindRoom(samples, space);
    if (room != nullptr) law = WhereBothAgree(*law, OfExpression(room));
  }
  if (space.said) space.said->Add(*law);
  if (space.said && space.ranked && space.array) {
    space.said->NoteDistanceOf(*law);
  }
  if (space.wholes && law->expression != nullptr) {
    NoteWholesShared(*law->expression, space.wholes.get());
  }
  return AmongDivisions(*law, samples, space);
}

}  // namespace ranksight::online_model
