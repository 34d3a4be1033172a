#include "online_model/synthesize/box_sequence.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "online_model/structure/box_value.h"
#include "online_model/structure/expression.h"

namespace ranksight::online_model {
namespace {

using reduction::Column;
using reduction::ParameterPiece;
using reduction::Section;
using reduction::Status;
using reduction::Term;

// Rows of a triangle of ranks: some hundred bytes each.
constexpr size_t kMostRows = 1 << 20;

// Longest list laid out place by place.
constexpr size_t kMostTerms = 1 << 16;

bool Same(const Affine& a, const Affine& b) {
  return a.constant == b.constant && a.by == b.by;
}

// v without its last digits, those that count places.
Affine OnRanks(Affine v, const Box& box) {
  v.by.resize(box.digits.size());
  return v;
}

void AppendTerm(BoxTerm term, BoxTerms* out) {
  if (!out->empty() && term.body.empty() && out->back().body.empty() &&
      term.stride == 0 && out->back().stride == 0 &&
      Same(out->back().value, term.value)) {
    out->back().count = Add(out->back().count, term.count);
    return;
  }
  if (out->size() >= kMostTerms) {
    throw Status::No("a law gives a list of more than " +
                     std::to_string(kMostTerms) + " different places");
  }
  out->push_back(std::move(term));
}

BoxTerm One(const Affine& value, const Box& box) {
  return {value, 0, box.Constant(1), {}};
}

// The run, or nest of runs, of a value on the places of `part`.
BoxTerm TermOf(const Affine& v, const Box& box, const Box& part) {
  BoxTerm term = One(OnRanks(v, box), box);
  for (size_t i = part.digits.size(); i-- > box.digits.size();) {
    const Affine count = OnRanks(part.digits[i].size, box);
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
    return (*nest)->stride == term.stride && Same((*nest)->count, term.count);
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

// Where a digit behind the first one of places is cut, the first one is gone
// through one by one.
Cut OfFirst(const Box& box, const Box& at) {
  const Affine& count = at.digits[box.digits.size()].size;
  if (!count.IsConstant()) {
    throw Status::No("a law cuts a nested list elsewhere on each rank");
  }
  return {box.digits.size(), at.Constant(count.constant / 2), false};
}

// The law at the places of `all`, which are those of a list on `box`, in their
// order.
BoxTerms PlacesOf(const ScalarLaw& law, const Box& box, const Box& all) {
  BoxTerms out;
  std::vector<Box> pending{all};
  while (!pending.empty()) {
    const Box at = std::move(pending.back());
    pending.pop_back();
    try {
      AppendTerm(TermOf(ValueOn(law, at), box, at), &out);
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

void AppendPlaces(const ScalarLaw& law, const Box& box, const Box& all,
                  BoxTerms* out) {
  for (BoxTerm& term : PlacesOf(law, box, all)) {
    AppendTerm(std::move(term), out);
  }
}

void AppendRuns(const SequenceLaw& law, const BoxRound& round, const Box& box,
                BoxTerms* out) {
  Round on;
  on.iterations = ConstantOf(round.iterations, box);
  on.runs = round.runs;
  if (on.runs.empty()) on.each = ConstantOf(round.each, box);
  if (law.step > 1) on = Grouped(on, law.step);
  const int64_t n = on.iterations, each = on.each;
  if (n == 0) throw Status::No("a law follows a loop of changing length");
  if (each == 1 || (each > 1 && law.values.size() == 1 && n == 1)) {
    AppendPlaces(law.values[0], box, box.WithPlaces(n), out);
    return;
  }
  if (n > Round::kMost) throw Status::No("a law follows too long a loop");
  for (int64_t k = 0, end = 0; k < n; k = end) {
    const int64_t runs = on.RunsAt(k);
    end = k + 1;
    while (runs == 1 && end < n && on.RunsAt(end) == 1) ++end;
    const Box at = box.WithPlaces(n, k, end);
    for (int64_t j = 0; j < runs; ++j) {
      const size_t which = std::min(size_t(j), law.values.size() - 1);
      AppendPlaces(law.values[which], box, at, out);
    }
  }
}

void AppendSlots(const SequenceLaw& law, const Box& box, BoxTerms* out) {
  for (size_t i = 0; i < law.list->slots.size(); ++i) {
    const auto rank = DisplacedOn(box, law.list->slots[i], law.list->periodic);
    if (!rank) continue;
    AppendTerm(One(law.peers ? *rank : ValueOn(law.values[i], box), box), out);
  }
}

Affine Length(const BoxTerms& terms, const Box& box) {
  Affine n = box.Constant(0);
  for (const BoxTerm& t : terms) {
    n = Add(n, t.body.empty() ? t.count
                              : Multiply(t.count, Length(t.body, box), box));
  }
  return n;
}

// The first n values. REQUIRES: n is no more than there are.
BoxTerms Head(const BoxTerms& terms, int64_t n, const Box& box) {
  BoxTerms head;
  for (const BoxTerm& t : terms) {
    if (n == 0) break;
    const int64_t count = ConstantOf(t.count, box);
    if (!t.body.empty()) {
      const int64_t inner = ConstantOf(Length(t.body, box), box);
      if (inner * count <= n) {
        head.push_back(t);
        n -= inner * count;
        continue;
      }
      throw Status::No("a law ends within a nested list");
    }
    BoxTerm part = t;
    part.count = box.Constant(std::min(count, n));
    if (part.count.Is(1)) part.stride = 0;
    n -= part.count.constant;
    head.push_back(std::move(part));
  }
  return head;
}

// The values of v, which digits from i on move, at `y` of those before: a nest
// of runs, in which a digit that sizes depend on is one run for each value.
class ColumnMaker {
 public:
  ColumnMaker(const Affine& v, const Box& box)
      : v_(v), box_(box), y_(box.digits.size()) {}

  Section Make() {
    Section section;
    (void)Section::FromTerms(From(0, v_.constant), &section);
    return section;
  }

 private:
  std::vector<Term> From(size_t i, int64_t first) {
    if (i == y_.size()) return {Term{first, 0, 1, {}}};
    const int64_t n = SizeOf(i);
    std::vector<Term> terms;
    if (!IsUsed(i)) {
      Repeat(uint64_t(n), v_.by[i], From(i + 1, first), &terms);
      return terms;
    }
    for (y_[i] = 0; y_[i] < n; ++y_[i]) {
      for (Term& t : From(i + 1, first + v_.by[i] * y_[i])) {
        Append(std::move(t), &terms);
      }
    }
    return terms;
  }

  int64_t SizeOf(size_t i) const {
    const Affine& size = box_.digits[i].size;
    int64_t n = size.constant;
    for (size_t j = 0; j < i; ++j) n += size.by[j] * y_[j];
    return n;
  }

  bool IsUsed(size_t i) const {
    return std::any_of(box_.digits.begin() + long(i) + 1, box_.digits.end(),
                       [i](const Digit& d) { return d.size.by[i] != 0; });
  }

  // The terms n times, moved by `by` each time.
  static void Repeat(uint64_t n, int64_t by, std::vector<Term> terms,
                     std::vector<Term>* out) {
    Term& t = terms[0];
    const bool run = terms.size() == 1 && t.body.empty();
    if (n > 1 && run && t.count == 1) {
      t.stride = by;
      t.count = n;
    } else if (n > 1 && run && by == t.stride * int64_t(t.count)) {
      t.count *= n;
    } else if (n > 1) {
      Term nest{0, by, n, {}};
      for (Term& inner : terms) nest.body.push_back(std::move(inner));
      terms = {std::move(nest)};
    }
    *out = std::move(terms);
  }

  static void Append(Term t, std::vector<Term>* terms) {
    if (!terms->empty() && terms->back().body.empty() && t.body.empty() &&
        t.stride == 0 && terms->back().stride == 0 &&
        t.value == terms->back().value) {
      terms->back().count += t.count;
      return;
    }
    if (terms->size() >= kMostRows) {
      throw Status::No("a law gives more than " + std::to_string(kMostRows) +
                       " classes of ranks");
    }
    terms->push_back(std::move(t));
  }

  const Affine& v_;
  const Box& box_;
  std::vector<int64_t> y_;
};

Section ColumnOf(const Affine& v, const Box& box) {
  if (v.IsConstant()) return Section::Constant(v.constant, RanksOf(box));
  return ColumnMaker(v, box).Make();
}

void AddColumns(const BoxTerms& terms, const Box& box, bool ranked,
                ParameterPiece* piece) {
  for (const BoxTerm& t : terms) {
    const size_t at = piece->shape.size();
    piece->shape.push_back(0);
    Column value;
    value.relative = ranked && t.body.empty();
    const bool moves =
        value.relative && !reduction::IsSpecial(t.value.constant);
    value.values =
        ColumnOf(moves ? Add(t.value, box.Rank(), -1) : t.value, box);
    piece->columns.push_back(std::move(value));
    piece->columns.push_back({false, ColumnOf(box.Constant(t.stride), box)});
    piece->columns.push_back({false, ColumnOf(t.count, box)});
    AddColumns(t.body, box, ranked, piece);
    piece->shape[at] = uint32_t(piece->shape.size() - at - 1);
  }
}

BoxRound Nested(const BoxRound& around, const BoxPattern& trips,
                const Box& box) {
  const BoxRound none{box.Constant(0), box.Constant(0), {}};
  if (around.iterations.Is(0) || !trips.prefix.empty()) return none;
  const BoxTerms& list = trips.period;
  const bool one =
      list.size() == 1 && list[0].body.empty() && list[0].stride == 0;
  if (around.runs.empty() && one) {
    return {around.iterations, Multiply(around.each, list[0].value, box), {}};
  }
  // Concrete from here on.
  Round round;
  round.iterations = ConstantOf(around.iterations, box);
  round.each = ConstantOf(around.each, box);
  round.runs = around.runs;
  const Rounds inner = Within(Rounds{round}, Pattern{{}, NumbersOf(list, box)});
  return {box.Constant(inner[0].iterations), box.Constant(inner[0].each),
          inner[0].runs};
}

}  // namespace

BoxParent Everywhere(const Grid& grid) {
  BoxParent all;
  all.box = Box::All(grid);
  all.runs = all.box.Constant(1);
  return all;
}

std::vector<BoxParent> Parts(const BoxParent& parent, const Cut& cut) {
  std::vector<BoxParent> parts;
  for (Part& part : Parts(parent.box, cut)) {
    BoxParent inner{{}, part.Of(parent.runs), {}};
    for (const BoxRound& r : parent.rounds) {
      inner.rounds.push_back({part.Of(r.iterations), part.Of(r.each), r.runs});
    }
    inner.box = std::move(part.box);
    parts.push_back(std::move(inner));
  }
  return parts;
}

uint64_t RanksOf(const Box& box) {
  const bool rectangle =
      std::all_of(box.digits.begin(), box.digits.end(),
                  [](const Digit& d) { return d.size.IsConstant(); });
  uint64_t n = 1;
  for (const Digit& d : box.digits) n *= uint64_t(d.size.constant);
  return rectangle ? n : ColumnMaker(box.Constant(0), box).Make().size();
}

BoxPattern PatternOn(const SequenceLaw& law, const BoxParent& parent,
                     const std::vector<int64_t>& lengths) {
  const Box& box = parent.box;
  BoxPattern p;
  for (const ScalarLaw& l : law.prefix) {
    AppendTerm(One(ValueOn(l, box), box), &p.prefix);
  }
  switch (law.form) {
    case SequenceLaw::Form::kPositional:
      for (const ScalarLaw& l : law.values) {
        AppendTerm(One(ValueOn(l, box), box), &p.period);
      }
      break;
    case SequenceLaw::Form::kBySlot:
      AppendSlots(law, box, &p.period);
      break;
    case SequenceLaw::Form::kByElement: {
      const int64_t n = ConstantOf(ValueOn(law.length, box), box);
      if (n > 0) {
        AppendPlaces(law.values[0], box, box.WithPlaces(n), &p.period);
      }
      break;
    }
    case SequenceLaw::Form::kByIteration:
      AppendRuns(law, parent.rounds[size_t(law.loop)], box, &p.period);
      break;
    case SequenceLaw::Form::kByPlace:
      for (const int64_t n : lengths) {
        if (n < 1) continue;
        AppendPlaces(law.values[0], box, box.WithPlaces(n), &p.period);
      }
      break;
  }
  return p;
}

BoxTerms Repeat(const BoxPattern& pattern, const Affine& count,
                const Box& box) {
  const BoxTerms& period = pattern.period;
  const bool one = pattern.prefix.empty() && period.size() == 1 &&
                   period[0].body.empty() && period[0].stride == 0;
  if (one) return {{period[0].value, 0, count, {}}};
  int64_t left = ConstantOf(count, box);
  const int64_t before = ConstantOf(Length(pattern.prefix, box), box);
  BoxTerms terms = Head(pattern.prefix, std::min(left, before), box);
  left -= std::min(left, before);
  if (left == 0) return terms;
  const int64_t n = ConstantOf(Length(period, box), box);
  if (n == 0) throw Status::No("a law gives an empty list");
  if (left / n > 1) {
    terms.push_back({box.Constant(0), 0, box.Constant(left / n), period});
  } else if (left / n == 1) {
    terms.insert(terms.end(), period.begin(), period.end());
  }
  for (BoxTerm& t : Head(period, left % n, box)) terms.push_back(std::move(t));
  return terms;
}

Affine Sum(const BoxTerms& terms, const Box& box) {
  Affine sum = box.Constant(0);
  for (const BoxTerm& t : terms) {
    const Affine one = t.body.empty() ? t.value : Sum(t.body, box);
    sum = Add(sum, Multiply(one, t.count, box));
    if (t.stride == 0) continue;
    const int64_t n = ConstantOf(t.count, box);
    const int64_t inner =
        t.body.empty() ? 1 : ConstantOf(Length(t.body, box), box);
    sum = Add(sum, box.Constant(n * (n - 1) / 2 * inner), t.stride);
  }
  return sum;
}

std::vector<int64_t> NumbersOf(const BoxTerms& terms, const Box& box) {
  std::vector<int64_t> numbers;
  for (const BoxTerm& t : terms) {
    const int64_t n = ConstantOf(t.count, box);
    const std::vector<int64_t> body =
        t.body.empty() ? std::vector<int64_t>{ConstantOf(t.value, box)}
                       : NumbersOf(t.body, box);
    for (int64_t i = 0; i < n; ++i) {
      for (const int64_t v : body) numbers.push_back(v + i * t.stride);
      if (numbers.size() > kMostTerms) {
        throw Status::No("a law gives too long a list");
      }
    }
  }
  return numbers;
}

std::vector<BoxRound> Within(const std::vector<BoxRound>& rounds,
                             const BoxPattern& trips, const Box& box) {
  std::vector<BoxRound> inner;
  for (const BoxRound& r : rounds) inner.push_back(Nested(r, trips, box));
  return inner;
}

// See Around in structure/rounds.h.
BoxRound RoundOf(const BoxPattern& trips, const Box& box) {
  BoxRound own{box.Constant(0), box.Constant(1), {}};
  bool same = trips.prefix.empty();
  for (const BoxTerm& t : trips.period) {
    if (t.value.Is(0) && t.stride == 0 && t.body.empty()) continue;
    same = same && t.stride == 0 && t.body.empty() &&
           (own.iterations.Is(0) || Same(own.iterations, t.value));
    own.iterations = t.value;
  }
  if (!same) own.iterations = box.Constant(0);
  return own;
}

ParameterPiece PieceOf(const BoxTerms& terms, const Box& box, bool ranked) {
  ParameterPiece piece;
  piece.ranks = ColumnOf(box.Rank(), box);
  AddColumns(terms, box, ranked, &piece);
  return piece;
}

}  // namespace ranksight::online_model
