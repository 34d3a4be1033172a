#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "online_model/structure/cut_another_way.h"
#include "online_model/structure/cut_whole.h"
#include "online_model/structure/dims_rule.h"
#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"
#include "online_model/structure/find_beside.h"
#include "online_model/structure/find_block_product.h"
#include "online_model/structure/find_border.h"
#include "online_model/structure/find_by_places.h"
#include "online_model/structure/find_clamped.h"
#include "online_model/structure/find_dealt.h"
#include "online_model/structure/find_expression.h"
#include "online_model/structure/find_face.h"
#include "online_model/structure/find_folded.h"
#include "online_model/structure/find_halves.h"
#include "online_model/structure/find_known.h"
#include "online_model/structure/find_levels.h"
#include "online_model/structure/find_number.h"
#include "online_model/structure/find_opposite.h"
#include "online_model/structure/find_owner.h"
#include "online_model/structure/find_parity.h"
#include "online_model/structure/find_part_of_number.h"
#include "online_model/structure/find_parts.h"
#include "online_model/structure/find_peer.h"
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

std::optional<ScalarLaw> Search(Samples samples, const SearchSpace& space) {
  std::vector<Feature> features = FeaturesFor(samples, space);
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
    best = FindByPlaces(samples, space, Search);
  }
  // Where what it predicts is compared next the likely whole will do, of how
  // often something is done: lists have laws of other forms.
  if (!best && !space.certain && space.counts && space.rests && !space.array &&
      !AnySpecial(samples)) {
    const auto rests = PossibleRests(samples, space.ndims);
    if (!rests.empty()) return OfExpression(rests[0].law);
  }
  if (!best) best = FindBesideRoot(samples, space, Search);
  if (space.ranked) return best;
  for (const auto end : {Feature::Kind::kZeroRank, Feature::Kind::kEndRank}) {
    if (!best) best = FindBesideEnd(samples, space, end, Search);
  }
  if (!best) best = FindAtBorder(samples, space, Search);
  return best;
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
  if (space.points && !space.array && space.ranked && AreHalved(samples)) {
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
