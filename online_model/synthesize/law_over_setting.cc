#include "online_model/synthesize/law_over_setting.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "online_model/synthesize/node_law.h"

namespace ranksight::online_model {
namespace {

using Range = NumberedLaw::Range;

// What tells kinds of laws apart: all numbers but the amounts.
std::vector<int64_t> KindOf(NumberedLaw law) {
  for (const auto& amount : law.amounts) law.numbers[amount.at] = 0;
  return std::move(law.numbers);
}

// Of two laws that say the same in all runs the one or the other (kAgreed).
enum class Alternative { kBoth, kFirst, kSecond };

ExpressionPtr Choose(const ExpressionPtr& e, Alternative which) {
  if (e == nullptr) return e;
  if (e->op == Expression::Op::kAgreed) {
    return Choose(which == Alternative::kFirst ? e->a : e->b, which);
  }
  Expression copy = *e;
  for (ExpressionPtr* part : {&copy.a, &copy.b, &copy.c}) {
    *part = Choose(*part, which);
  }
  return std::make_shared<const Expression>(std::move(copy));
}

void Choose(ScalarLaw* law, Alternative which) {
  law->expression = Choose(law->expression, which);
  if (law->otherwise == nullptr) return;
  ScalarLaw otherwise = *law->otherwise;
  Choose(&otherwise, which);
  law->otherwise = std::make_shared<const ScalarLaw>(std::move(otherwise));
}

SequenceLaw Chosen(const SequenceLaw& law, Alternative which) {
  SequenceLaw out = law;
  if (which == Alternative::kBoth) return out;
  for (ScalarLaw& l : out.prefix) Choose(&l, which);
  for (ScalarLaw& l : out.values) Choose(&l, which);
  Choose(&out.length, which);
  return out;
}

bool HasAlternatives(const SequenceLaw& law) {
  bool has = false;
  ForEachScalarLaw(law, [&](const ScalarLaw& l) {
    ForEachExpression(l, [&](const Expression& e) {
      has = has || e.op == Expression::Op::kAgreed;
    });
  });
  return has;
}

// Whether both say the same on every rank of the runs. False where that takes
// the rounds of a loop, which only runs have.
bool SaysTheSame(const SequenceLaw& law, const LawAt& known) {
  if (law.FollowsLoop() || known.law->FollowsLoop()) return false;
  for (const Grid& grid : known.grids) {
    // Of lists as most are: a place for each rank. Whoever asks compares runs.
    const std::vector<int64_t> lengths{grid.ranks()};
    for (int64_t r = 0; r < grid.ranks(); ++r) {
      const Context where(grid, r);
      if (!(law.At(where, {}, lengths) == known.law->At(where, {}, lengths))) {
        return false;
      }
    }
  }
  return true;
}

// Laws of places of a list, and of how many in a row.
struct Stretch {
  const ScalarLaw* law;
  int64_t count = 1;
};

std::vector<Stretch> StretchesOf(const std::vector<ScalarLaw>& places,
                                 bool each_alone) {
  const auto numbers = [](const ScalarLaw& law) {
    SequenceLaw alone;
    alone.values = {law};
    return NumbersOf(alone);
  };
  std::vector<Stretch> out;
  for (const ScalarLaw& law : places) {
    if (!each_alone && !out.empty() &&
        numbers(*out.back().law) == numbers(law)) {
      ++out.back().count;
    } else {
      out.push_back({&law, 1});
    }
  }
  return out;
}

bool IsList(const SequenceLaw& law) {
  return law.form == SequenceLaw::Form::kPositional ||
         law.form == SequenceLaw::Form::kBySlot;
}

// Whether both are lists of one kind, of which each place has its law.
bool AreListsAlike(const SequenceLaw& a, const SequenceLaw& b) {
  if (!IsList(a) || a.form != b.form || a.peers != b.peers) return false;
  return a.form == SequenceLaw::Form::kPositional || *a.list == *b.list;
}

}  // namespace

std::optional<SequenceLaw> LawOverSetting::ListAt(int64_t value) const {
  SequenceLaw list = list_;
  list.prefix.clear();
  list.values.clear();
  for (size_t p = 0; p < places_.size(); ++p) {
    const auto law = places_[p].law.At(value);
    const int64_t count = places_[p].count.LowAt(value);
    if (!law || count < 0 || count > int64_t(kMaxPatternValues)) {
      return std::nullopt;
    }
    auto& to = p < in_prefix_ ? list.prefix : list.values;
    to.insert(to.end(), size_t(count), law->values[0]);
  }
  return list.values.empty() ? std::nullopt : std::optional(std::move(list));
}

std::optional<SequenceLaw> LawOverSetting::At(int64_t value) const {
  if (!places_.empty()) return ListAt(value);
  std::vector<int64_t> numbers = like_.numbers;
  for (size_t a = 0; a < amounts_.size(); ++a) {
    const bool is_high = like_.amounts[a].range == Range::kHigh;
    const int64_t v =
        is_high ? amounts_[a].HighAt(value) : amounts_[a].LowAt(value);
    if (v == kNotWhole) return std::nullopt;
    numbers[like_.amounts[a].at] = v;
  }
  return LawOf(numbers, ndims_, own_);
}

class LawOverSettingSearch {
 public:
  LawOverSettingSearch(std::span<const LawAt> known, int64_t wanted,
                       int most_free, const OwnLaws& own)
      : known_(known), wanted_(wanted), most_free_(most_free) {
    found_.ndims_ = known[0].grids[0].size();
    found_.own_ = own;
  }

  std::optional<LawOverSetting> Run() {
    // By kind; laws that say one thing of two also as each of them.
    struct Alike {
      std::vector<int64_t> values;
      std::vector<NumberedLaw> laws;
      double cost = 0;
      bool as_found = true;
    };
    std::map<std::vector<int64_t>, Alike> kinds;
    for (const LawAt& k : known_) {
      for (const Alternative which :
           {Alternative::kBoth, Alternative::kFirst, Alternative::kSecond}) {
        if (which != Alternative::kBoth && !HasAlternatives(*k.law)) break;
        const SequenceLaw law = Chosen(*k.law, which);
        NumberedLaw numbered = NumberedOf(law);
        Alike& alike = kinds[KindOf(numbered)];
        alike.values.push_back(k.value);
        alike.laws.push_back(std::move(numbered));
        alike.cost = law.cost();
        if (which != Alternative::kBoth) alike.as_found = false;
      }
    }
    std::vector<const Alike*> order;
    for (const auto& [kind, alike] : kinds) order.push_back(&alike);
    // What most values say, all as it was found, and of as many what says more:
    // a law that is shorter at one value may be so by chance.
    std::ranges::stable_sort(order, [](const Alike* a, const Alike* b) {
      return std::tuple(a->laws.size(), a->as_found, a->cost) >
             std::tuple(b->laws.size(), b->as_found, b->cost);
    });
    for (const Alike* alike : order) {
      const bool all = alike->laws.size() == known_.size();
      if (all && alike->as_found && Fit(alike->values, alike->laws)) {
        return found_;
      }
      if (alike->laws.size() > 1 && Fit(alike->values, alike->laws) &&
          HoldsEverywhere()) {
        return found_;
      }
    }
    for (const Alike* alike : order) {
      for (size_t i = 0; i < alike->laws.size(); ++i) {
        if (FitOne(alike->values[i], alike->laws[i])) return found_;
      }
    }
    return std::nullopt;
  }

 private:
  // A law for each amount of laws of one kind.
  bool Fit(const std::vector<int64_t>& values,
           const std::vector<NumberedLaw>& laws) {
    found_.like_ = laws[0];
    found_.amounts_.clear();
    const auto& amounts = laws[0].amounts;
    for (size_t a = 0; a < amounts.size(); ++a) {
      const bool is_range = amounts[a].range == Range::kLow &&
                            a + 1 < amounts.size() &&
                            amounts[a + 1].range == Range::kHigh;
      const size_t low = amounts[a].at;
      const size_t high = amounts[is_range ? a + 1 : a].at;
      std::vector<KnownAmount> known;
      for (size_t i = 0; i < laws.size(); ++i) {
        known.push_back(
            {values[i], laws[i].numbers[low], laws[i].numbers[high]});
      }
      const auto law = FindAmountLaw(known, wanted_, most_free_);
      if (!law) return false;
      found_.amounts_.push_back(*law);
      if (!is_range) continue;
      found_.amounts_.push_back(*law);
      ++a;
    }
    return true;
  }

  bool HoldsEverywhere() const {
    return std::ranges::all_of(known_, [&](const LawAt& k) {
      const auto law = found_.At(k.value);
      return law && SaysTheSame(*law, k);
    });
  }

  // The kind was found at one value: what its amounts are elsewhere is tried,
  // the same ones alike.
  bool FitOne(int64_t value, const NumberedLaw& law) {
    constexpr size_t kMostDifferent = 4;
    std::vector<int64_t> different;
    for (const auto& amount : law.amounts) {
      const int64_t v = law.numbers[amount.at];
      if (amount.range != Range::kNone) return false;
      if (std::ranges::find(different, v) == different.end()) {
        different.push_back(v);
      }
    }
    if (different.size() > kMostDifferent) return false;
    std::vector<std::vector<AmountLaw>> choices;
    for (const int64_t v : different) {
      choices.push_back(AmountLawsThrough({value, v, v}));
    }
    found_.like_ = law;
    std::vector<size_t> chosen(different.size());
    while (true) {
      found_.amounts_.clear();
      for (const auto& amount : law.amounts) {
        const auto at = std::ranges::find(different, law.numbers[amount.at]);
        const size_t i = size_t(at - different.begin());
        found_.amounts_.push_back(choices[i][chosen[i]]);
      }
      if (HoldsEverywhere()) return true;
      size_t i = 0;
      while (i < chosen.size() && ++chosen[i] == choices[i].size()) {
        chosen[i++] = 0;
      }
      if (i == chosen.size()) return false;
    }
  }

  const std::span<const LawAt> known_;
  const int64_t wanted_;
  const int most_free_;
  LawOverSetting found_;
};

// Places of a list may have laws of other kinds at some value each, and there
// may be more of them.
std::optional<LawOverSetting> PlaceByPlace(std::span<const LawAt> known,
                                           int64_t wanted, int most_free,
                                           const OwnLaws& own) {
  LawOverSetting found;
  found.list_ = *known[0].law;
  bool as_long = true;
  for (const LawAt& k : known) {
    if (!AreListsAlike(*k.law, found.list_)) return std::nullopt;
    as_long = as_long && k.law->prefix.size() == found.list_.prefix.size() &&
              k.law->values.size() == found.list_.values.size();
  }
  if (as_long && found.list_.prefix.empty() && found.list_.values.size() < 2) {
    return std::nullopt;
  }
  for (const auto part : {&SequenceLaw::prefix, &SequenceLaw::values}) {
    std::vector<std::vector<Stretch>> stretches;
    for (const LawAt& k : known) {
      stretches.push_back(StretchesOf(k.law->*part, as_long));
      if (stretches.back().size() != stretches[0].size()) return std::nullopt;
    }
    for (size_t p = 0; p < stretches[0].size(); ++p) {
      std::vector<SequenceLaw> alone(known.size());
      std::vector<LawAt> at(known.begin(), known.end());
      std::vector<KnownAmount> counts;
      for (size_t i = 0; i < known.size(); ++i) {
        const Stretch& stretch = stretches[i][p];
        alone[i].values = {*stretch.law};
        at[i].law = &alone[i];
        counts.push_back({known[i].value, stretch.count, stretch.count});
      }
      auto law = FindLawOverSetting(at, wanted, most_free, own);
      auto count = FindAmountLaw(counts, wanted, most_free);
      if (!law || !count) return std::nullopt;
      found.places_.push_back({std::move(*law), std::move(*count)});
    }
    if (part == &SequenceLaw::prefix) found.in_prefix_ = found.places_.size();
  }
  return found;
}

std::optional<LawOverSetting> FindLawOverSetting(std::span<const LawAt> known,
                                                 int64_t wanted, int most_free,
                                                 const OwnLaws& own) {
  auto law = LawOverSettingSearch(known, wanted, most_free, own).Run();
  return law ? law : PlaceByPlace(known, wanted, most_free, own);
}

}  // namespace ranksight::online_model
