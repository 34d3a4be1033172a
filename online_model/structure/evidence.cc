#include "online_model/structure/evidence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Samples = std::span<const Sample>;

// Bits to choose one of the pairs that are tried: each number may be what is
// left of several wholes, and each other one the share.
constexpr double kManyPairs = 8;
// Bits by which a law must be shorter: of laws that are no shorter one in six
// still gives the samples.
constexpr double kMargin = 2.5;
// ScalarLaw::cost() orders laws, and counts choosing one of many features or
// operations as if there were two or four. Bits that the choice adds.
constexpr double kChoice = 4;
// By which a law is likelier that has a feature and an operation of others in
// it: a program that shares something out does so again. Less than kMargin,
// lest laws are sure by that alone.
constexpr double kLikeOthers = 2;
// A logarithm of a side takes two or three values in all runs of a series, and
// of all rules some gives a grid on which these and another number are what is
// looked for. Alone it is what programs that go along a side by halves have.
constexpr double kLogOfSide = 3;

// Of laws that must agree the first is the shortest.
const Expression& Shortest(const Expression& e) {
  return e.op == Expression::Op::kAgreed ? Shortest(*e.a) : e;
}

// The features and operations that a law is made of. One that it takes again
// is not chosen again.
class Parts {
 public:
  Parts(const ScalarLaw& law, const SaidParts* said) : said_(said) { See(law); }
  // Bits that choosing them takes.
  double choices() const {
    const auto is_again = [this](const auto& part) {
      return said_ != nullptr && said_->HasUsed(part);
    };
    const double all =
        double(features_.size() + kinds_.size() + ops_.size() + known_.size());
    const bool any_again =
        std::any_of(features_.begin(), features_.end(), is_again) &&
        std::any_of(ops_.begin(), ops_.end(), is_again);
    return kChoice * all - (any_again ? kLikeOthers : 0);
  }
  int64_t logs_of_sides() const {
    return std::count_if(features_.begin(), features_.end(), [](const auto& f) {
      return f.first == Feature::Kind::kLog2Dim;
    });
  }

 private:
  void See(const Feature& f) { features_.insert({f.kind, f.index}); }
  void See(const Expression& e) {
    if (e.op == Expression::Op::kConstant) return;
    if (e.op == Expression::Op::kFeature) return See(e.feature);
    if (said_ != nullptr && said_->Has(e)) {
      known_.insert(e.ToString());
      return;
    }
    ops_.insert(e.op);
    for (const ExpressionPtr& part : {e.a, e.b, e.c}) {
      if (part != nullptr) See(*part);
    }
  }
  void See(const ScalarLaw& law) {
    if (law.expression != nullptr) return See(Shortest(*law.expression));
    for (const auto& [factor, feature] : law.terms) See(feature);
    if (law.kind == ScalarLaw::Kind::kGuarded) See(law.condition);
    if (law.kind != ScalarLaw::Kind::kAffine) kinds_.insert(int(law.kind));
    if (law.otherwise != nullptr) See(*law.otherwise);
  }

  const SaidParts* said_;
  std::set<std::pair<Feature::Kind, int>> features_;
  std::set<int> kinds_;
  std::set<Expression::Op> ops_;
  std::set<std::string> known_;
};

// Bits of an expression of which a part or a number that stands in it again is
// said once.
double CostOf(const Expression& e, std::set<std::string>* said) {
  using Op = Expression::Op;
  if (e.op == Op::kFeature) return e.cost();
  if (!said->insert(e.ToString()).second) return std::min(e.cost(), 1.0);
  // What stands in a share is in its cost in a way of its own.
  if (e.op == Op::kShare) return e.cost();
  double bits = e.cost();
  for (const ExpressionPtr& part : {e.a, e.b, e.c}) {
    if (part != nullptr) bits += CostOf(*part, said) - part->cost();
  }
  return bits;
}

double CostOf(const ScalarLaw& law, const SaidParts* known) {
  std::set<std::string> said;
  if (known != nullptr) said = known->texts();
  double bits = law.cost();
  if (law.expression != nullptr) {
    bits += CostOf(Shortest(*law.expression), &said) - law.expression->cost();
  }
  if (law.otherwise != nullptr) {
    bits += CostOf(*law.otherwise, known) - law.otherwise->cost();
  }
  return bits;
}

bool IsFeature(const ScalarLaw& law) {
  return law.kind == ScalarLaw::Kind::kAffine && law.constant == 0 &&
         law.terms.size() == 1 && law.terms[0].first == 1;
}

double Length(const ScalarLaw& law, const SaidParts* said) {
  const Parts parts(law, said);
  const double logs = IsFeature(law) ? 0 : double(parts.logs_of_sides());
  return CostOf(law, said) + parts.choices() + kLogOfSide * logs;
}

// Of the user's own no accident is to be feared.
bool IsOwn(const Expression& e) {
  if (e.op == Expression::Op::kOwn) return true;
  for (const ExpressionPtr& part : {e.a, e.b, e.c}) {
    if (part != nullptr && IsOwn(*part)) return true;
  }
  return false;
}

// Bits that numbers take one after the other, when those seen before are
// likely to come again, and a new one as likely as any of them.
class Coder {
 public:
  void Add(int64_t value) {
    int64_t& seen = seen_[value];
    bits_ += std::log2(double(all_ + 1));
    bits_ -= seen > 0 ? std::log2(double(seen)) : 0;
    if (seen == 0) bits_ += 1 + ConstantCost(value);
    ++seen, ++all_;
  }
  double bits() const { return bits_; }

 private:
  std::map<int64_t, int64_t> seen_;
  int64_t all_ = 0;
  double bits_ = 0;
};

// Programs often call nothing where there is nobody to talk to. How they run on
// one rank that run itself tells.
bool LeavesOutOne(const ScalarLaw& law) {
  return law.kind == ScalarLaw::Kind::kGuarded &&
         law.condition.kind == Feature::Kind::kAlone;
}

ExpressionPtr ShareOf(int64_t whole, const ExpressionPtr& parts) {
  return Combine(Expression::Op::kDivide, ConstantExpression(whole), parts);
}

bool SaysEnoughOfMore(Samples samples, const ScalarLaw& law,
                      const SaidParts* said) {
  return SaysEnough(OfMoreThanOneRank(samples), law, said);
}

bool IsOfEnd(Feature::Kind kind) {
  using Kind = Feature::Kind;
  return kind == Kind::kZeroRank || kind == Kind::kEndRank ||
         kind == Kind::kOtherRank;
}

// A law of the first or the last rank, and one of all others.
struct OfOneRank {
  Feature is_one;
  ScalarLaw of_one, of_others;
};

// The parts of a law that has one for such a rank alone.
std::optional<OfOneRank> OneAndOthers(const ScalarLaw& law) {
  const ExpressionPtr& e = law.expression;
  const bool selects = e != nullptr && e->op == Expression::Op::kSelect &&
                       e->a->op == Expression::Op::kFeature &&
                       IsOfEnd(e->a->feature.kind) &&
                       e->b->op != Expression::Op::kConstant &&
                       e->c->op != Expression::Op::kConstant;
  if (!selects) return std::nullopt;
  return OfOneRank{e->a->feature, OfExpression(e->b), OfExpression(e->c)};
}

// What the others have alike says no more because one has something else: each
// part is to be sure of its own samples.
bool SaysEnoughOfEach(Samples samples, const OfOneRank& law,
                      const SaidParts* said) {
  std::vector<Sample> one, others;
  for (const Sample& s : samples) {
    (law.is_one.At(s.where) == 1 ? one : others).push_back(s);
  }
  const auto is_sure = [said](const std::vector<Sample>& some,
                              const ScalarLaw& part) {
    return some.empty() || SaysEnough(some, part, said);
  };
  return is_sure(one, law.of_one) && is_sure(others, law.of_others);
}

// The one value of all runs but the smallest.
std::optional<int64_t> SameBeyondSmallest(Samples samples) {
  int64_t smallest = INT64_MAX;
  for (const Sample& s : samples) {
    smallest = std::min(smallest, s.where.ranks());
  }
  std::optional<int64_t> value;
  for (const Sample& s : samples) {
    if (s.where.ranks() == smallest) continue;
    if (value && *value != s.value) return std::nullopt;
    value = s.value;
  }
  return value;
}

// Whether one end of the ranks has a law of its own in it, and it asks of a
// rank only whether it is an end.
bool AsksForEndsOnly(const ScalarLaw& law) {
  using Op = Expression::Op;
  using Kind = Feature::Kind;
  const ExpressionPtr e = law.expression;
  bool only = e != nullptr, has_end = false;
  if (only) {
    ForEachExpression(*e, [&only, &has_end](const Expression& part) {
      has_end =
          has_end || (part.op == Op::kSelect && part.b->op != Op::kConstant &&
                      part.c->op != Op::kConstant);
      const Kind kind = part.feature.kind;
      const bool is_of_rank = part.op == Op::kMove || part.op == Op::kCells ||
                              part.op == Op::kOwn || part.op == Op::kBits ||
                              part.op == Op::kBlock;
      const bool is_known = part.op != Op::kFeature ||
                            part.feature.IsOfSize() || IsOfEnd(kind) ||
                            kind == Kind::kPosition || kind == Kind::kLength;
      only = only && !is_of_rank && is_known;
    });
  }
  return only && has_end;
}

// Those of them that say more: of what a run has alike on all ranks one at each
// place of a list; where the law sees ends alone, one of each.
std::vector<Sample> OneOfAlike(Samples samples, const ScalarLaw& law) {
  using Key = std::tuple<const Grid*, int64_t, int64_t>;
  const auto depends_on = [samples](auto&& key) {
    std::map<Key, int64_t> values;
    return std::ranges::all_of(samples, [&](const Sample& s) {
      return values.try_emplace(key(s), s.value).first->second == s.value;
    });
  };
  const bool ranks_alike = depends_on(
      [](const Sample& s) { return Key(s.where.grid, 0, s.where.position); });
  const bool places_alike = depends_on(
      [](const Sample& s) { return Key(s.where.grid, s.where.rank, 0); });
  const bool ends_only = !AreConditions(samples) && AsksForEndsOnly(law);
  if (!ranks_alike && !ends_only) return {samples.begin(), samples.end()};
  std::vector<Sample> ones;
  std::set<Key> had;
  for (const Sample& s : samples) {
    const Context& c = s.where;
    int64_t rank = ranks_alike ? 0 : 1;
    if (!ranks_alike && c.rank == 0) rank = 0;
    if (!ranks_alike && c.rank == c.ranks() - 1) rank = 2;
    const int64_t place = places_alike && ends_only ? 0 : c.position;
    if (had.insert(Key(c.grid, rank, place)).second) ones.push_back(s);
  }
  return ones;
}

// As far from the nearer end of each side of a grid twice as long.
Context OnTwice(const Context& c, const Grid& twice) {
  Coordinates at = c.at;
  for (int d = 0; d < twice.size(); ++d) {
    if (2 * at[size_t(d)] >= c.dim(d)) at[size_t(d)] += c.dim(d);
  }
  Context there(twice, twice.RankOf(at));
  there.position = c.position;
  there.length = c.length;
  return there;
}

// Whether it differs between ranks, or places of a list.
bool SaysPlace(const Expression& law) {
  bool says = false;
  ForEachExpression(law, [&says](const Expression& e) {
    says = says || e.op == Expression::Op::kBlock ||
           (e.op == Expression::Op::kFeature && !e.feature.IsOfSize());
  });
  return says;
}

// What was the same everywhere goes on, also where the smallest run, too small
// for much, is an exception: a law that says so needs no more, unless it says
// of ranks what each run has alike on all of them. A logarithm that says
// otherwise of a grid of twice the largest sides has seen one step of what it
// takes for many.
bool GoesOn(int64_t value, Samples samples, const ScalarLaw& law) {
  const Grid* largest = samples[0].where.grid;
  for (const Sample& s : samples) {
    if (s.where.ranks() > largest->ranks()) largest = s.where.grid;
  }
  Grid twice = *largest;
  for (int64_t& d : twice.dims) d *= 2;
  return std::all_of(samples.begin(), samples.end(), [&](const Sample& s) {
    return s.where.grid != largest || law.At(OnTwice(s.where, twice)) == value;
  });
}

}  // namespace

void SaidParts::Add(const ScalarLaw& law) { Add(ExpressionOf(law), false); }

void SaidParts::Add(const ExpressionPtr& e, bool is_one_of_several) {
  if (e == nullptr || e->op == Expression::Op::kConstant) return;
  if (e->op == Expression::Op::kFeature) {
    used_features_.insert(e->feature.kind);
    return;
  }
  used_ops_.insert(e->op);
  // Of several the shortest, lest a part never has a value.
  if (e->op == Expression::Op::kAgreed) {
    if (texts_.insert(e->ToString()).second && agreed_.size() < kMostParts) {
      agreed_.push_back(e);
    }
    return Add(e->a, true);
  }
  for (const ExpressionPtr& part : {e->a, e->b, e->c}) {
    Add(part, is_one_of_several);
  }
  const std::string text = e->ToString();
  const bool is_new = texts_.insert(text).second;
  if (is_new && IsWholeModulo(*e)) {
    left_.push_back({e->a->value, e->a->value, e->b});
  } else if (is_new && e->op == Expression::Op::kShare) {
    shared_.push_back({e->a->value, e->b->value, e->c});
  }
  const bool is_part = !(is_one_of_several && SaysPlace(*e)) &&
                       !HasAgreed(*e) && parts_.size() < kMostParts &&
                       part_texts_.insert(text).second;
  if (is_part) parts_.push_back(e);
}

void SaidParts::AddNumber(int64_t number) {
  const bool is_new =
      std::find(numbers_.begin(), numbers_.end(), number) == numbers_.end();
  if (number < 2 || !is_new || numbers_.size() >= kMostParts) return;
  numbers_.push_back(number);
  texts_.insert(ConstantExpression(number)->ToString());
}

void SaidParts::NoteDistanceOf(const ScalarLaw& peer) {
  std::optional<Distance> distance = DistanceOf(peer);
  if (!distance || distances_.size() >= kMostParts) return;
  const std::string text =
      std::to_string(distance->dim) + distance->by->ToString();
  if (distance_texts_.insert(text).second) {
    distances_.push_back(*std::move(distance));
  }
}

void SaidParts::AddDoubted(Doubted doubted) {
  if (doubted_.size() < kMostParts) doubted_.push_back(std::move(doubted));
}

ExpressionPtr SaidParts::ShareOfWholeLeft(Samples samples) const {
  for (const SharedWhole& left : left_) {
    ExpressionPtr share = ShareOf(left.low, left.parts);
    if (Gives(*share, samples)) return share;
  }
  return nullptr;
}

bool SaidParts::Has(const Expression& e) const {
  return !texts_.empty() && texts_.count(e.ToString()) > 0;
}

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
  const auto features = FeaturesFor(samples, space);
  return std::ranges::any_of(runs, [&](const Grid* run) {
    std::vector<Sample> others;
    std::ranges::copy_if(
        samples, std::back_inserter(others),
        [run](const Sample& s) { return s.where.grid != run; });
    const auto simple = FindSimple(others, features);
    return simple && simple->cost() <= kShortLaw && !Fits(*simple, samples);
  });
}

bool DependOnSizeOnly(Samples samples) {
  std::map<const Grid*, int64_t> values;
  return std::all_of(samples.begin(), samples.end(), [&](const Sample& s) {
    return values.try_emplace(s.where.grid, s.value).first->second == s.value;
  });
}

double BitsOf(Samples samples) {
  const bool once = DependOnSizeOnly(samples);
  std::set<const Grid*> had;
  Coder coder;
  for (const Sample& s : samples) {
    if (once && !had.insert(s.where.grid).second) continue;
    coder.Add(s.value);
  }
  return coder.bits();
}

bool SaysEnough(Samples samples, const ScalarLaw& law, const SaidParts* said) {
  if (FindConstant(samples)) return true;
  // Of a condition who keeps it says what each part alone cannot.
  const auto of_one = AreConditions(samples) ? std::nullopt : OneAndOthers(law);
  if (of_one) return SaysEnoughOfEach(samples, *of_one, said);
  const std::optional<int64_t> same = SameBeyondSmallest(samples);
  const bool once = DependOnSizeOnly(samples);
  const ExpressionPtr said_as = ExpressionOf(law);
  const bool says_place = said_as != nullptr && SaysPlace(*said_as);
  if (same && !(once && says_place) && GoesOn(*same, samples, law)) return true;
  if (LeavesOutOne(law)) {
    return SaysEnoughOfMore(samples, *law.otherwise, said);
  }
  if (law.expression != nullptr && IsOwn(*law.expression)) return true;
  const double needed = Length(law, said) + kMargin;
  // One value but for the smallest run is said in two numbers; that a logarithm
  // gives it for many sizes is nothing more.
  const bool two = law.UsesBits() && same.has_value();
  std::set<int64_t> had_value;
  Coder coder;
  const auto ones = once ? OneOfEachSize(samples) : OneOfAlike(samples, law);
  for (const Sample& s : ones) {
    if (two && !had_value.insert(s.value).second) continue;
    coder.Add(s.value);
    if (coder.bits() >= needed) break;
  }
  return coder.bits() >= needed;
}

bool SaysWhatIsLeft(const Expression& law) {
  bool says = false;
  ForEachExpression(
      law, [&says](const Expression& e) { says = says || IsWholeModulo(e); });
  return says;
}

std::vector<Sample> OneOfEachSize(Samples samples) {
  std::vector<Sample> ones;
  std::set<const Grid*> had;
  for (const Sample& s : samples) {
    if (had.insert(s.where.grid).second) ones.push_back(s);
  }
  return ones;
}

namespace {

// The share of the whole of which `rests` are what is left, where that gives
// `shares`, and both say enough for both.
ExpressionPtr ShareBeside(const Rest& rest, Samples rests, Samples shares,
                          const SaidParts& said) {
  const ExpressionPtr share = ShareOf(rest.whole, rest.parts);
  if (!Gives(*share, shares)) return nullptr;
  SaidParts both = said;
  both.Add(OfExpression(rest.law));
  const double length = Length(OfExpression(rest.law), &said) +
                        Length(OfExpression(share), &both) -
                        ConstantCost(rest.whole);
  const bool enough =
      BitsOf(shares) + BitsOf(rests) >= length + kMargin + kManyPairs;
  return enough ? share : nullptr;
}

// What depends on the size alone: all samples, or those of rank 0 where the
// others have one value.
std::vector<Sample> OfSizes(Samples samples) {
  if (DependOnSizeOnly(samples)) return OneOfEachSize(samples);
  std::vector<Sample> root, others;
  for (const Sample& s : samples) {
    (s.where.rank == 0 ? root : others).push_back(s);
  }
  const bool alone = !root.empty() && !others.empty() && FindConstant(others) &&
                     DependOnSizeOnly(root);
  return alone ? OneOfEachSize(root) : std::vector<Sample>();
}

}  // namespace

bool TellTogether(Samples samples, int ndims, SaidParts* said) {
  SaidParts::Doubted mine{OfSizes(samples), {}};
  if (mine.samples.empty()) return false;
  mine.rests = PossibleRests(mine.samples, ndims);
  const auto tell = [said](const Rest& rest, Samples rests, Samples shares) {
    const auto share = ShareBeside(rest, rests, shares, *said);
    if (share == nullptr) return false;
    said->Add(OfExpression(rest.law));
    said->Add(OfExpression(share));
    return true;
  };
  for (const SaidParts::Doubted& other : said->doubted()) {
    for (const Rest& rest : other.rests) {
      if (tell(rest, other.samples, mine.samples)) return true;
    }
    for (const Rest& rest : mine.rests) {
      if (tell(rest, mine.samples, other.samples)) return true;
    }
  }
  said->AddDoubted(std::move(mine));
  said->NoteTooLittle();
  return false;
}

}  // namespace ranksight::online_model
