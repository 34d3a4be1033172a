#include "online_model/synthesize/box_places.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "online_model/structure/box_value.h"
#include "online_model/structure/expression.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

// A list that is not as long on all ranks and gets more terms than this, as
// one that goes around in another length, is made for each length.
constexpr size_t kMostTermsOfAnyLength = 64;
// More stages or levels than any program has.
constexpr int64_t kFewPlaces = 64;

// v without its last digits, those that count places.
Affine OnRanks(Affine v, const Box& box) {
  v.by.resize(box.digits.size());
  return v;
}

// The run, or nest of runs, of a value on the places of `part`.
BoxTerm TermOf(const Affine& v, const Box& box, const Box& part) {
  BoxTerm term = One(OnRanks(v, box), box);
  for (size_t i = part.digits.size(); i-- > box.digits.size();) {
    const Affine count = OnRanks(part.digits[i].size, box);
    if (count.Is(1)) continue;
    if (term.body.empty() && term.count.Is(1)) {
      term.stride = v.by[i];
      term.count = count;
    } else {
      BoxTerm outer{box.Constant(0), v.by[i], count, {}};
      outer.body.push_back(std::move(term));
      term = std::move(outer);
    }
  }
  return term;
}

size_t PlaceDigits(const Box& box, const Box& at) {
  return at.digits.size() - box.digits.size();
}

// Adds what comes at the places of `at`, where the first of two digits of
// places goes around a nest and the second one, or what a cut left of it, is
// within. False where the law does not do the same each time around.
bool AddToNest(const ScalarLaw& law, const Box& box, const Box& at,
               std::optional<BoxTerm>* nest) {
  if (PlaceDigits(box, at) > 2) return false;
  try {
    BoxTerm term = TermOf(ValueOn(law, at), box, at);
    if (term.body.empty()) {
      const BoxTerm one{term.value, 0, box.Constant(1), {}};
      term = {box.Constant(0), term.stride, term.count, {one}};
    }
    if (!*nest) {
      *nest = std::move(term);
      return true;
    }
    BoxTerms& body = (*nest)->body;
    body.insert(body.end(), term.body.begin(), term.body.end());
    return (*nest)->stride == term.stride && (*nest)->count == term.count;
  } catch (Cut& cut) {
    if (at.digits[cut.digit].dim != Digit::kPlace) {
      cut.at = OnRanks(std::move(cut.at), box);
      throw;
    }
    if (cut.digit == box.digits.size()) return false;
    const std::vector<Part> parts = Parts(at, cut);
    return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
      return AddToNest(law, box, part.box, nest);
    });
  }
}

// The places of `at`, of which the cut is behind the first digit of places, as
// one nest; nothing where they are none, or a deeper one.
std::optional<BoxTerm> NestOf(const ScalarLaw& law, const Box& box,
                              const Box& at, const Cut& cut) {
  if (PlaceDigits(box, at) != 2) return std::nullopt;
  std::optional<BoxTerm> nest;
  for (const Part& part : Parts(at, cut)) {
    if (!AddToNest(law, box, part.box, &nest)) return std::nullopt;
  }
  return nest;
}

// Whether a part of the law is a power of two of the place, so that each place
// is a case of its own.
bool PowersOfPlace(const Feature& f) {
  using Kind = Feature::Kind;
  return f.kind == Kind::kPower || f.kind == Kind::kBackPower ||
         f.kind == Kind::kPowerLeft || f.kind == Kind::kWithBit;
}

bool PowersOfPlace(const Expression& e) {
  if (e.op == Expression::Op::kFeature) return PowersOfPlace(e.feature);
  return std::ranges::any_of(
      std::initializer_list<const ExpressionPtr*>{&e.a, &e.b, &e.c},
      [](const ExpressionPtr* part) {
        return *part != nullptr && PowersOfPlace(**part);
      });
}

bool PowersOfPlace(const ScalarLaw& law) {
  return law.kind == ScalarLaw::Kind::kExpression &&
         PowersOfPlace(*law.expression);
}

// The places of `all`, which are those of a list on `box`, to begin with, last
// first. Where all of a short list will be cut into single ones they are
// taken as such at once: cuts cost more than to look at a place.
std::vector<Box> FirstBoxes(const ScalarLaw& law, const Box& box,
                            const Box& all) {
  if (PlaceDigits(box, all) != 1 || !all.length.IsConstant() ||
      !PowersOfPlace(law)) {
    return {all};
  }
  const Affine& size = all.digits.back().size;
  if (!size.IsConstant() || size.constant > kFewPlaces) return {all};
  const int64_t first = all.place.constant;
  std::vector<Box> places;
  for (int64_t k = first + size.constant; k-- > first;) {
    places.push_back(box.WithPlaces(all.length.constant, k, k + 1));
  }
  return places;
}

// Throws a Cut where the list is not as long on all ranks.
void RequireOneLength(const Box& at, const Box& box) {
  (void)ConstantOf(OnRanks(at.length, box), box);
}

// Where a digit behind the first one of places is cut, the first one is gone
// through one by one.
Cut OfFirst(const Box& box, const Box& at) {
  const Affine& count = at.digits[box.digits.size()].size;
  if (!count.IsConstant()) {
    RequireOneLength(at, box);
    throw Status::No("a law cuts a nested list elsewhere on each rank");
  }
  return {box.digits.size(), at.Constant(count.constant / 2), false};
}

// The law at the places of `all`, which are those of a list on `box`, in their
// order.
BoxTerms PlacesOf(const ScalarLaw& law, const Box& box, const Box& all) {
  BoxTerms out;
  std::vector<Box> pending = FirstBoxes(law, box, all);
  while (!pending.empty()) {
    const Box at = std::move(pending.back());
    pending.pop_back();
    try {
      AppendTerm(TermOf(ValueOn(law, at), box, at), &out);
      if (out.size() > kMostTermsOfAnyLength) RequireOneLength(all, box);
    } catch (Cut& cut) {
      if (at.digits[cut.digit].dim != Digit::kPlace) {
        cut.at = OnRanks(std::move(cut.at), box);
        throw;
      }
      std::vector<Part> parts = Parts(at, cut);
      if (cut.digit > box.digits.size() && parts.size() > 1) {
        if (auto nest = NestOf(law, box, at, cut)) {
          AppendTerm(std::move(*nest), &out);
          continue;
        }
        parts = Parts(at, OfFirst(box, at));
      }
      for (size_t i = parts.size(); i-- > 0;) {
        pending.push_back(std::move(parts[i].box));
      }
    }
  }
  return out;
}

}  // namespace

void AppendPlaces(const ScalarLaw& law, const Box& box, const Box& all,
                  BoxTerms* out) {
  for (BoxTerm& term : PlacesOf(law, box, all)) {
    AppendTerm(std::move(term), out);
  }
}

void AppendList(const ScalarLaw& law, const Box& box, const Affine& n,
                BoxTerms* out) {
  const bool one = IsLess(n, box.Constant(2), box);
  const Affine length = one ? box.Constant(1) : n;
  AppendPlaces(law, box, box.WithPlaces(length), out);
}

}  // namespace ranksight::online_model
