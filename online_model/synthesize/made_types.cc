#include "online_model/synthesize/made_types.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "online_model/structure/expression.h"
#include "online_model/structure/find_affine.h"
#include "online_model/structure/find_place_law.h"
#include "online_model/structure/find_there.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Param;
using Op = Expression::Op;
using Patterns = std::span<const RankPattern>;

// Types with more dimensions are none of a program.
constexpr size_t kMostFactors = 16;
// Calls in turn, each with other values.
constexpr size_t kMostInTurn = 64;

bool IsMade(Param p) {
  return p == Param::kMadeSize || p == Param::kMadeExcess;
}

ExpressionPtr Product(ExpressionPtr a, ExpressionPtr b) {
  if (a == nullptr || b == nullptr) return nullptr;
  return Combine(Op::kMultiply, std::move(a), std::move(b));
}

ExpressionPtr Difference(ExpressionPtr a, ExpressionPtr b) {
  if (a == nullptr || b == nullptr) return nullptr;
  return Combine(Op::kSubtract, std::move(a), std::move(b));
}

// Whether it goes through the ranks, as where a root makes a type of the block
// of each.
bool IsOverRanks(const SequenceLaw& law) {
  return law.form == SequenceLaw::Form::kByElement && law.prefix.empty() &&
         law.values.size() == 1 &&
         law.values[0].kind == ScalarLaw::Kind::kThere;
}

// Whether it has a value for each neighbour that a rank has, as where a type is
// made of the rows of the block next to it.
bool IsBySlot(const SequenceLaw& law) {
  return law.form == SequenceLaw::Form::kBySlot && !law.peers &&
         law.prefix.empty();
}

// What calls of one node are given, each in turn, for each rank, or for each
// neighbour.
class Given {
 public:
  Given(Call call, const NodeLaw& law)
      : params_(reduction::Info(call).params), law_(law) {}

  // Values before the parameter's begin again; 0 where it has no such law.
  size_t Period(Param p) const {
    const SequenceLaw* law = Of(p);
    return law == nullptr ? 0 : law->values.size();
  }
  // Of the call, in turn; nullptr where there is none.
  ExpressionPtr At(Param p, size_t turn) const {
    const SequenceLaw* law = Of(p);
    if (law == nullptr) return nullptr;
    if (!IsOverRanks(*law)) {
      return ExpressionOf(law->values[turn % law->values.size()]);
    }
    const auto places = PlacesThere(law->values[0]);
    return places.empty() ? nullptr : places[turn % places.size()];
  }
  // The first that goes through the ranks, or has a value for each neighbour;
  // nullptr where none does.
  const SequenceLaw* OverRanks() const { return First(IsOverRanks); }
  const SequenceLaw* BySlot() const { return First(IsBySlot); }
  std::optional<int64_t> Constant(Param p) const {
    const ExpressionPtr e = Period(p) == 1 ? At(p, 0) : nullptr;
    if (e == nullptr || e->op != Op::kConstant) return std::nullopt;
    return e->value;
  }
  // Of the values of a list of so many.
  ExpressionPtr ProductOf(Param list, size_t turn, size_t many) const {
    ExpressionPtr product;
    for (size_t i = 0; i < many; ++i) {
      ExpressionPtr factor = At(list, turn * many + i);
      product = i == 0 ? factor : Product(std::move(product), factor);
    }
    return product;
  }

 private:
  const SequenceLaw* First(bool (*is_such)(const SequenceLaw&)) const {
    for (const Param p : params_) {
      const SequenceLaw* law = Of(p);
      if (law != nullptr && is_such(*law)) return law;
    }
    return nullptr;
  }
  const SequenceLaw* Of(Param p) const {
    const auto at = std::find(params_.begin(), params_.end(), p);
    if (at == params_.end()) return nullptr;
    const auto i = size_t(at - params_.begin());
    if (law_.absent[i] || law_.missing[i]) return nullptr;
    const SequenceLaw& law = law_.params[i];
    const bool in_turn = law.form == SequenceLaw::Form::kPositional &&
                         law.prefix.empty() && !law.values.empty();
    return in_turn || IsOverRanks(law) || IsBySlot(law) ? &law : nullptr;
  }

  std::span<const Param> params_;
  const NodeLaw& law_;
};

struct Lengths {
  ExpressionPtr size, extent;
};

// In units of the type that it is made of.
Lengths BlocksInTurn(const Given& given, size_t turn) {
  const ExpressionPtr many = given.At(Param::kItemCount, turn);
  const ExpressionPtr block = given.At(Param::kBlock, turn);
  const ExpressionPtr before = Product(Difference(many, ConstantExpression(1)),
                                       given.At(Param::kStride, turn));
  if (before == nullptr || block == nullptr) return {};
  return {Product(many, block), Combine(Op::kAdd, before, block)};
}

Lengths PartInTurn(const Given& given, size_t turn) {
  const auto sides = given.Constant(Param::kDimCount);
  if (!sides || *sides < 1 || *sides > int64_t{kMostFactors}) return {};
  return {given.ProductOf(Param::kSubsizes, turn, size_t(*sides)),
          given.ProductOf(Param::kDims, turn, size_t(*sides))};
}

Lengths LengthsInTurn(Call call, const Given& given, size_t turn) {
  switch (call) {
    case Call::MPI_Type_contiguous_: {
      const ExpressionPtr many = given.At(Param::kItemCount, turn);
      return {many, many};
    }
    case Call::MPI_Type_vector_:
      return BlocksInTurn(given, turn);
    case Call::MPI_Type_create_subarray_:
      return PartInTurn(given, turn);
    default:
      return {};
  }
}

// Until all that the calls are given begins again.
size_t TurnsOf(const Given& given) {
  size_t turns = 1;
  for (const Param p : {Param::kItemCount, Param::kBlock, Param::kStride,
                        Param::kDims, Param::kSubsizes}) {
    turns = std::lcm(turns, std::max<size_t>(1, given.Period(p)));
    if (turns > kMostInTurn) return 0;
  }
  return turns;
}

// Whether each rank has one value, however often: then a list is none.
bool AllAlike(Patterns patterns) {
  return std::all_of(patterns.begin(), patterns.end(), [](const auto& p) {
    return p.pattern.prefix.empty() && p.pattern.period.size() == 1;
  });
}

// The law of one value for each of the ranks that `like` goes through.
SequenceLaw OfEachRank(const SequenceLaw& like, const ExpressionPtr& there) {
  SequenceLaw law;
  law.form = like.form;
  law.length = like.length;
  const int64_t each = like.values[0].each();
  for (auto& [factor, feature] : law.length.terms) factor /= each;
  law.length.constant /= each;
  ScalarLaw value;
  value.kind = ScalarLaw::Kind::kThere;
  value.otherwise = std::make_shared<const ScalarLaw>(OfExpression(there));
  law.values = {std::move(value)};
  return law;
}

// The pattern is checked by who asks.
std::optional<SequenceLaw> Made(Call call, Param made, const NodeLaw& law,
                                Patterns patterns) {
  const Given given(call, law);
  // Of the type that it is made of, which has no gaps.
  const auto unit = given.Constant(Param::kTypeSize);
  if (!unit || given.Constant(Param::kTypeExcess) != 0) return std::nullopt;
  const auto at = [&](size_t turn) -> ExpressionPtr {
    const Lengths lengths = LengthsInTurn(call, given, turn);
    ExpressionPtr e = made == Param::kMadeSize
                          ? lengths.size
                          : Difference(lengths.extent, lengths.size);
    return e == nullptr ? nullptr : AffineExpression(*unit, e, 0);
  };
  const SequenceLaw* ranks = given.OverRanks();
  if (ranks != nullptr && !AllAlike(patterns)) {
    const ExpressionPtr e = at(0);
    return e == nullptr ? std::nullopt : std::optional(OfEachRank(*ranks, e));
  }
  SequenceLaw all;
  if (const SequenceLaw* slots = given.BySlot()) {
    all.form = slots->form;
    all.list = slots->list;
  }
  for (size_t turn = 0; turn < TurnsOf(given); ++turn) {
    const ExpressionPtr e = at(turn);
    if (e == nullptr) return std::nullopt;
    all.values.push_back(OfExpression(e));
  }
  if (all.values.empty()) return std::nullopt;
  return all;
}

// The samples of each place in turn; none where ranks have other periods.
std::vector<std::vector<Sample>> PlacesOf(Patterns patterns) {
  std::vector<std::vector<Sample>> places;
  size_t most = 1;
  for (const RankPattern& p : patterns) {
    if (!p.pattern.prefix.empty() || p.pattern.period.empty()) return {};
    most = std::lcm(most, p.pattern.period.size());
    if (most > kMostInTurn) return {};
  }
  places.resize(most);
  for (const RankPattern& p : patterns) {
    for (size_t k = 0; k < most; ++k) {
      places[k].push_back(
          {p.where, p.pattern.period[k % p.pattern.period.size()]});
    }
  }
  return places;
}

}  // namespace

bool IsTypeLength(Param p) {
  return IsMade(p) || p == Param::kTypeSize || p == Param::kTypeExcess ||
         p == Param::kRecvTypeSize || p == Param::kRecvTypeExcess ||
         p == Param::kTargetTypeSize || p == Param::kTargetTypeExcess ||
         p == Param::kTypeSizes || p == Param::kTypeExcesses ||
         p == Param::kRecvTypeSizes || p == Param::kRecvTypeExcesses;
}

std::optional<SequenceLaw> MadeTypes::Find(Call call, size_t param,
                                           const NodeLaw& law,
                                           Patterns patterns) {
  const Param p = reduction::Info(call).params[param];
  if (!IsTypeLength(p)) return std::nullopt;
  auto found = IsMade(p) ? Made(call, p, law, patterns) : Used(patterns);
  if (found && !ExplainsAll(*found, patterns)) found.reset();
  if (!found) {
    waits_ = true;
    return std::nullopt;
  }
  found->support = SupportOf(patterns);
  if (IsMade(p) && (IsOverRanks(*found) || IsBySlot(*found))) {
    lists_.push_back(*found);
    return found;
  }
  for (const ScalarLaw& v : found->values) {
    const bool kept = std::any_of(
        laws_.begin(), laws_.end(),
        [&](const ScalarLaw& k) { return k.ToString() == v.ToString(); });
    if (IsMade(p) && !kept) laws_.push_back(v);
  }
  return found;
}

std::optional<SequenceLaw> MadeTypes::Used(Patterns patterns) {
  const bool lists = !AllAlike(patterns);
  for (auto law = lists_.rbegin(); lists && law != lists_.rend(); ++law) {
    if (ExplainsAll(*law, patterns)) return *law;
  }
  if (laws_.empty()) return std::nullopt;
  SequenceLaw all;
  bool any_made = false;
  for (const std::vector<Sample>& samples : PlacesOf(patterns)) {
    auto law = FindConstant(samples);
    // The latest first: when it was found more was known.
    for (auto made = laws_.rbegin(); !law && made != laws_.rend(); ++made) {
      if (!Fits(*made, samples)) continue;
      law = *made;
      any_made = true;
    }
    if (!law) return std::nullopt;
    all.values.push_back(std::move(*law));
  }
  return any_made ? std::optional(std::move(all)) : std::nullopt;
}

}  // namespace ranksight::online_model
