#include "online_model/synthesize/box_sequence.h"

#include <algorithm>
#include <iterator>
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
    const Affine count = box.Constant(part.digits[i].size);
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

// The law at places 0 .. n - 1.
void AppendPlaces(const ScalarLaw& law, const Box& box, int64_t n,
                  BoxTerms* out) {
  std::vector<Box> pending{box.WithPlaces(n)};
  while (!pending.empty()) {
    const Box part = std::move(pending.back());
    pending.pop_back();
    try {
      AppendTerm(TermOf(ValueOn(law, part), box, part), out);
    } catch (const Cut& cut) {
      if (part.digits[cut.digit].dim != Digit::kPlace) throw;
      std::vector<Box> parts = Parts(part, cut);
      std::move(parts.rbegin(), parts.rend(), std::back_inserter(pending));
    }
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
    AppendPlaces(law.values[0], box, n, out);
    return;
  }
  if (n > Round::kMost) throw Status::No("a law follows too long a loop");
  Box at = box;
  at.length = n;
  for (at.place = 0; at.place < n; ++at.place) {
    const int64_t runs = on.RunsAt(at.place);
    for (int64_t j = 0; j < runs; ++j) {
      const size_t which = std::min(size_t(j), law.values.size() - 1);
      AppendTerm(One(ValueOn(law.values[which], at), box), out);
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

Section ColumnOf(const Affine& v, const Box& box) {
  Term t{v.constant, 0, 1, {}};
  for (size_t i = box.digits.size(); i-- > 0;) {
    const uint64_t n = uint64_t(box.digits[i].size);
    if (t.count == 1 && t.body.empty()) {
      t.stride = v.by[i];
      t.count = n;
    } else if (v.by[i] == t.stride * int64_t(t.count)) {
      t.count *= n;
    } else {
      t = Term{0, v.by[i], n, {t}};
    }
  }
  Section section;
  (void)Section::FromTerms({t}, &section);
  return section;
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
  const std::vector<Affine> runs = Parts(parent.runs, parent.box, cut);
  std::vector<BoxParent> parts;
  for (const Box& box : Parts(parent.box, cut)) {
    parts.push_back({box, runs[parts.size()], {}});
  }
  for (const BoxRound& round : parent.rounds) {
    const auto iterations = Parts(round.iterations, parent.box, cut);
    const auto each = Parts(round.each, parent.box, cut);
    for (size_t i = 0; i < parts.size(); ++i) {
      parts[i].rounds.push_back({iterations[i], each[i], round.runs});
    }
  }
  return parts;
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
        AppendPlaces(law.values[0], box, n, &p.period);
      }
      break;
    }
    case SequenceLaw::Form::kByIteration:
      AppendRuns(law, parent.rounds[size_t(law.loop)], box, &p.period);
      break;
    case SequenceLaw::Form::kByPlace:
      for (const int64_t n : lengths) {
        if (n < 1) continue;
        AppendPlaces(law.values[0], box, n, &p.period);
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
