#include "online_model/structure/line_forms.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <utility>

#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// One number of a law, and what it is a little more than: 47 where there is 46.
// One that is next to nothing is no number that a caller chooses.
struct FormNumber {
  int64_t low = 0, high = 0;
};
constexpr int64_t kLeastNumber = 2;
constexpr int64_t kLeastShifted = 8;
constexpr int64_t kMostApart = 2;
// Laws of more numbers are not asked for other ones.
constexpr size_t kMostNumbers = 3;
// Numbers that give the same samples; more are no answer.
constexpr size_t kMostThatGive = 16;
// Where a law does not grow with a number, so many are tried, and so many at
// most around the one that a value suggests.
constexpr int64_t kMostTried = 512, kMostAround = 4096;
// Divisible by all small numbers of ranks, for laws that divide exactly.
constexpr int64_t kLarge = 720720 * int64_t{1024};
// Forms that are tried for some samples.
constexpr size_t kMostForms = 16;

// Of several ways to say it the first, which is the shortest.
ExpressionPtr FirstAgreed(const ExpressionPtr& e) {
  if (e == nullptr || e->op == Op::kConstant || e->op == Op::kFeature) return e;
  if (e->op == Op::kAgreed) return FirstAgreed(e->a);
  Expression first = *e;
  first.a = FirstAgreed(e->a);
  first.b = FirstAgreed(e->b);
  first.c = FirstAgreed(e->c);
  return std::make_shared<const Expression>(std::move(first));
}

// The expression in it that has the numbers; nullptr where there is none.
ExpressionPtr CoreOf(const ScalarLaw& law) {
  if (law.kind == ScalarLaw::Kind::kThere) return CoreOf(*law.otherwise);
  return FirstAgreed(ExpressionOf(law));
}

ScalarLaw WithCore(const ScalarLaw& law, ExpressionPtr core) {
  if (law.kind != ScalarLaw::Kind::kThere) return OfExpression(std::move(core));
  ScalarLaw there = law;
  there.otherwise =
      std::make_shared<const ScalarLaw>(WithCore(*law.otherwise, core));
  return there;
}

std::vector<FormNumber> NumbersOf(const Expression& core) {
  std::set<int64_t> values;
  std::map<int64_t, int64_t> wholes;  // of shares: from, to
  ForEachExpression(core, [&](const Expression& e) {
    if (e.op == Op::kConstant && e.value >= kLeastNumber) {
      values.insert(e.value);
    }
    if (e.op == Op::kShare) wholes[e.a->value] = e.b->value;
  });
  std::vector<FormNumber> numbers;
  for (const int64_t v : values) {
    const auto is_near = [v, &wholes](const FormNumber& n) {
      const auto whole = wholes.find(n.low);
      return v - n.high <= (n.low < kLeastShifted ? 0 : kMostApart) ||
             (whole != wholes.end() && v <= whole->second);
    };
    if (!numbers.empty() && is_near(numbers.back())) {
      numbers.back().high = v;
    } else {
      numbers.push_back({v, v});
    }
  }
  return numbers;
}

// The same with another number.
ExpressionPtr WithNumber(const ExpressionPtr& e, const FormNumber& number,
                         int64_t now) {
  if (e == nullptr || e->op == Op::kFeature) return e;
  if (e->op == Op::kConstant) {
    const bool is_it = number.low <= e->value && e->value <= number.high;
    return is_it ? ConstantExpression(e->value - number.low + now) : e;
  }
  if (e->op == Op::kShare) {
    // Of a whole that was seen up to what it leaves, not of a summand.
    const bool is_it = number.low <= e->a->value && e->a->value <= number.high;
    const ExpressionPtr parts = WithNumber(e->c, number, now);
    return is_it ? ShareExpression(now, now, parts)
                 : ShareExpression(e->a->value, e->b->value, parts);
  }
  Expression other = *e;
  other.a = WithNumber(e->a, number, now);
  other.b = WithNumber(e->b, number, now);
  other.c = WithNumber(e->c, number, now);
  return std::make_shared<const Expression>(std::move(other));
}

// What laws of one form have in common: all but their numbers.
std::string NameOf(const ScalarLaw& law,
                   const std::vector<FormNumber>& numbers) {
  ExpressionPtr core = CoreOf(law);
  for (size_t i = 0; i < numbers.size(); ++i) {
    core = WithNumber(core, numbers[i], kLarge + int64_t(i) * 1000);
  }
  return WithCore(law, std::move(core)).ToString();
}

// Numbers that the law may have, by how it grows with them at one sample.
std::vector<int64_t> NumbersTried(const ScalarLaw& law,
                                  const ExpressionPtr& core,
                                  const FormNumber& number, Samples samples) {
  const ScalarLaw least = WithCore(law, WithNumber(core, number, 0));
  const ScalarLaw most = WithCore(law, WithNumber(core, number, kLarge));
  const Sample* best = nullptr;
  double steepest = 0, from = 0;
  for (const Sample& s : samples.first(std::min<size_t>(samples.size(), 64))) {
    const int64_t low = least.At(s.where), high = most.At(s.where);
    if (low == kNotWhole || high == kNotWhole) continue;
    const double slope = double(high - low) / double(kLarge);
    if (slope <= steepest) continue;
    best = &s, steepest = slope, from = double(low);
  }
  int64_t first = 1, last = kMostTried;
  // Less than one for so many: they cap it, and no value tells it.
  if (best != nullptr && steepest * kMostAround > 1) {
    const double at = (double(best->value) - from) / steepest;
    const double around = std::min<double>(
        (double(best->where.ranks()) + 2) / steepest, double(kMostAround));
    if (std::abs(at) > double(kLargestValue)) return {};
    first = std::max<int64_t>(1, int64_t(at - around));
    last = int64_t(at + around);
  }
  std::vector<int64_t> all;
  for (int64_t v = first; v <= last; ++v) all.push_back(v);
  return all;
}

// The laws that give the samples with another number.
void FindWith(const ScalarLaw& law, const ExpressionPtr& core,
              const FormNumber& number, Samples samples,
              std::vector<ScalarLaw>* found) {
  for (const int64_t v : NumbersTried(law, core, number, samples)) {
    ScalarLaw other = WithCore(law, WithNumber(core, number, v));
    if (!Fits(other, samples)) continue;
    found->push_back(std::move(other));
    if (found->size() > kMostThatGive) return;
  }
}

std::vector<int64_t> CommonDivisors(Samples samples) {
  int64_t all = 0;
  for (const Sample& s : samples) all = std::gcd(all, s.value);
  std::vector<int64_t> divisors;
  for (int64_t d = 1; d <= std::min<int64_t>(all, kMostTried); ++d) {
    if (all % d == 0) divisors.push_back(d);
  }
  return divisors;
}

// The laws of a form that give the samples: with one other number, or with two
// of which one is a factor of all values.
std::vector<ScalarLaw> OfForm(const ScalarLaw& law, Samples samples) {
  const ExpressionPtr core = CoreOf(law);
  const std::vector<FormNumber> numbers = NumbersOf(*core);
  std::vector<ScalarLaw> found;
  for (const FormNumber& n : numbers) FindWith(law, core, n, samples, &found);
  if (!found.empty() || numbers.size() < 2) return found;
  const std::vector<int64_t> divisors = CommonDivisors(samples);
  for (const FormNumber& factor : numbers) {
    for (const int64_t v : divisors) {
      const ExpressionPtr scaled = WithNumber(core, factor, v);
      for (const FormNumber& n : numbers) {
        // What now looks like the other number would change with it.
        const bool apart = v < n.low || v > n.high;
        if (&n == &factor || !apart) continue;
        FindWith(law, scaled, n, samples, &found);
        if (found.size() > kMostThatGive) return found;
      }
    }
  }
  return found;
}

bool DividesExactly(const Expression& core) {
  bool has = false;
  ForEachExpression(core, [&has](const Expression& e) {
    has = has || e.op == Op::kDivideExactly;
  });
  return has;
}

bool AreOfPlaces(Samples samples) { return samples[0].where.length > 0; }

}  // namespace

void LineForms::Note(const ScalarLaw& law, Samples samples) {
  const ExpressionPtr core = CoreOf(law);
  if (core == nullptr || AnySpecial(samples)) return;
  const std::vector<FormNumber> numbers = NumbersOf(*core);
  if (numbers.empty() || numbers.size() > kMostNumbers) return;
  Form& form = noted_[NameOf(law, numbers)];
  if (!form.laws.insert(law.ToString()).second) return;
  form.law = law;
  form.divides_exactly = DividesExactly(*core);
  form.of_places = AreOfPlaces(samples);
  form.bits += BitsOf(samples) - law.cost();
}

std::set<std::string> LineForms::NamesOf(const Forms& forms) {
  std::set<std::string> names;
  for (const auto& [name, form] : forms) names.insert(name);
  return names;
}

void LineForms::BeginSearch() {
  known_ = std::move(noted_);
  noted_.clear();
}

bool LineForms::MayFindMore(bool is_missing) const {
  return noted_.size() >= (is_missing ? 1 : 2) &&
         NamesOf(noted_) != NamesOf(known_);
}

std::optional<ScalarLaw> LineForms::Find(
    Samples samples, const std::optional<ScalarLaw>& own) const {
  if (known_.empty() || AnySpecial(samples)) return std::nullopt;
  std::string name;
  if (own && CoreOf(*own) != nullptr) {
    name = NameOf(*own, NumbersOf(*CoreOf(*own)));
  }
  std::vector<std::pair<std::string, const Form*>> forms;
  for (const auto& [key, form] : known_) {
    if (form.of_places != AreOfPlaces(samples)) continue;
    forms.emplace_back(key, &form);
  }
  // What has a value everywhere before what has none where something is left.
  std::stable_sort(forms.begin(), forms.end(),
                   [](const auto& a, const auto& b) {
                     const Form &x = *a.second, &y = *b.second;
                     if (x.divides_exactly != y.divides_exactly) {
                       return y.divides_exactly;
                     }
                     return x.bits > y.bits;
                   });
  if (forms.size() > kMostForms) forms.resize(kMostForms);
  const double seen = BitsOf(samples);
  for (const auto& [key, form] : forms) {
    if (key == name) return std::nullopt;
    std::vector<ScalarLaw> laws = OfForm(form->law, samples);
    if (laws.empty() || laws.size() > kMostThatGive) continue;
    // The number, and which of the forms.
    double cost = std::log2(double(forms.size()));
    for (const FormNumber& n : NumbersOf(*CoreOf(laws[0]))) {
      cost += ConstantCost(n.low);
    }
    if (seen < cost) continue;
    if (laws.size() == 1) return laws[0];
    ExpressionPtr agreed = CoreOf(laws[0]);
    for (size_t i = 1; i < laws.size(); ++i) {
      agreed = AgreedExpression(std::move(agreed), CoreOf(laws[i]));
    }
    return WithCore(laws[0], std::move(agreed));
  }
  return std::nullopt;
}

}  // namespace ranksight::online_model
