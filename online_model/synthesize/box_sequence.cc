#include "online_model/synthesize/box_sequence.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "online_model/structure/box_value.h"
#include "online_model/synthesize/box_places.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

void AppendRuns(const SequenceLaw& law, const BoxRound& round, const Box& box,
                BoxTerms* out) {
  const Affine& length = round.iterations;
  const bool list = round.runs.empty() && round.each.Is(1) && law.step == 1;
  if (list && !IsLess(length, box.Constant(1), box)) {
    return AppendList(law.values[0], box, length, out);
  }
  Round on;
  on.iterations = ConstantOf(length, box);
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

void AppendRows(const std::vector<ScalarLaw>& laws, const Box& box,
                const std::vector<int64_t>& lengths, BoxTerms* out) {
  const size_t rows = RowCount(laws.size(), lengths.size());
  for (size_t i = 0; i < rows; ++i) {
    const int64_t n = lengths[i % lengths.size()];
    if (n > 0) {
      AppendPlaces(laws[i % laws.size()], box, box.WithPlaces(n), out);
    }
  }
}

void AppendRepeated(const SequenceLaw& law, const Box& box, BoxTerms* out) {
  const int64_t n = ConstantOf(ValueOn(law.length, box), box);
  if (uint64_t(n) > uint64_t(kMostRows))
    throw Status::No("a law gives too many runs");
  for (int64_t k = 0; k < n; ++k) {
    const Box at = box.WithPlaces(n, k, k + 1);
    const int64_t times = ConstantOf(ValueOn(law.values[1], at), at);
    if (times < 0) {
      throw Status::No("how often a law repeats a value would be no number");
    }
    if (times == 0) continue;
    BoxTerms one;
    AppendPlaces(law.values[0], box, at, &one);
    one[0].count = box.Constant(times);
    AppendTerm(one[0], out);
  }
}

void AppendAscending(const std::vector<ScalarLaw>& laws, const Box& box,
                     BoxTerms* out) {
  std::vector<Affine> values;
  for (const ScalarLaw& law : laws) {
    const Affine v = ValueOn(law, box);
    auto at = values.end();
    while (at != values.begin() && IsLess(v, *std::prev(at), box)) --at;
    values.insert(at, v);
  }
  for (const Affine& v : values) AppendTerm(One(v, box), out);
}

void AppendSlots(const SequenceLaw& law, const Box& box, BoxTerms* out) {
  for (const auto& [slot, rank] : NeighboursOn(box, *law.list)) {
    AppendTerm(One(law.peers ? rank : ValueOn(law.values[slot], box), box),
               out);
  }
}

// Of each neighbour that exists, in each of n iterations.
void AppendSlotsInLoop(const SequenceLaw& law, const Box& box, int64_t n,
                       BoxTerms* out) {
  if (n > Round::kMost || !law.HasValuesFor(n)) {
    throw Status::No("a loop has more iterations than a law");
  }
  const auto kept = NeighboursOn(box, *law.list);
  for (int64_t k = 0; k < n; ++k) {
    const Box at = box.WithPlaces(n, k, k + 1);
    for (const auto& [slot, rank] : kept) {
      AppendPlaces(law.values[law.InLoop(k, slot)], box, at, out);
    }
  }
}

// Of the neighbour that each iteration in which the node runs is for.
void AppendLoopSlots(const SequenceLaw& law, const BoxRound& round,
                     const Box& box, BoxTerms* out) {
  const int64_t n = ConstantOf(round.iterations, box);
  if (n > Round::kMost) throw Status::No("a law follows too long a loop");
  const auto kept = NeighboursOn(box, *law.list);
  if (kept.empty()) return;
  if (n == 0 || n % int64_t(kept.size()) != 0) {
    throw Status::No("a loop goes through some neighbours more often");
  }
  const int64_t each = round.runs.empty() ? ConstantOf(round.each, box) : 0;
  for (int64_t k = 0; k < n; ++k) {
    const int64_t runs = round.runs.empty() ? each : round.runs[size_t(k)];
    const auto& [slot, rank] = kept[size_t(k) % kept.size()];
    if (runs == 0) continue;
    BoxTerm all = One(law.peers ? rank : ValueOn(law.values[slot], box), box);
    all.count = box.Constant(runs);
    AppendTerm(all, out);
  }
}

// How often a list of n values fits into so many.
Affine RoundsOf(const Affine& values, const Affine& n, const Box& box) {
  if (n.IsConstant()) return FloorDivide(values, n, box);
  for (size_t i = 0; i < n.by.size(); ++i) {
    if (n.by[i] == 0) continue;
    const Affine rounds = box.Constant(values.by[i] / n.by[i]);
    if (values == Multiply(rounds, n, box)) return rounds;
    break;
  }
  return FloorDivide(values, box.Constant(ConstantOf(n, box)), box);
}

BoxRound Nested(const BoxRound& around, const BoxPattern& trips,
                const Box& box) {
  const BoxRound none{box.Constant(0), box.Constant(0), {}, around.once, {}};
  if (!around.visits.empty()) {
    const bool once = trips.prefix.empty() &&
                      NumbersOf(trips.period, box) == std::vector<int64_t>{1};
    return once ? around : none;
  }
  if (around.iterations.Is(0) || !trips.prefix.empty()) return none;
  const BoxTerms& list = trips.period;
  const bool one =
      list.size() == 1 && list[0].body.empty() && list[0].stride == 0;
  if (around.runs.empty() && one) {
    return {around.iterations,
            Multiply(around.each, list[0].value, box),
            {},
            around.once,
            {}};
  }
  // Concrete from here on.
  Round round;
  round.iterations = ConstantOf(around.iterations, box);
  round.each = ConstantOf(around.each, box);
  round.runs = around.runs;
  round.once = around.once;
  const Rounds inner = Within(Rounds{round}, Pattern{{}, NumbersOf(list, box)});
  return {box.Constant(inner[0].iterations),
          box.Constant(inner[0].each),
          inner[0].runs,
          around.once,
          {}};
}

}  // namespace

std::vector<BoxParent> Everywhere(const Grid& grid) {
  std::vector<BoxParent> all;
  for (Box& box : Box::All(grid)) {
    const Affine once = box.Constant(1);
    all.push_back({std::move(box), once, {}});
  }
  return all;
}

std::vector<BoxParent> Parts(const BoxParent& parent, const Cut& cut) {
  std::vector<BoxParent> parts;
  for (Part& part : Parts(parent.box, cut)) {
    BoxParent inner{{}, part.Of(parent.runs), {}};
    for (const BoxRound& r : parent.rounds) {
      inner.rounds.push_back(
          {part.Of(r.iterations), part.Of(r.each), r.runs, r.once, r.visits});
    }
    inner.box = std::move(part.box);
    parts.push_back(std::move(inner));
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
    case SequenceLaw::Form::kAscending:
      AppendAscending(law.values, box, &p.period);
      break;
    case SequenceLaw::Form::kBySlot:
      AppendSlots(law, box, &p.period);
      break;
    case SequenceLaw::Form::kByElement: {
      const Affine n = ValueOn(law.length, box);
      if (!IsLess(n, box.Constant(1), box)) {
        AppendList(law.values[0], box, n, &p.period);
      }
      break;
    }
    case SequenceLaw::Form::kByIteration:
      AppendRuns(law, parent.rounds[size_t(law.loop)], box, &p.period);
      break;
    case SequenceLaw::Form::kByPlace:
      AppendRows(law.values, box, lengths, &p.period);
      break;
    case SequenceLaw::Form::kBySlotInLoop:
      AppendSlotsInLoop(
          law, box, ConstantOf(parent.rounds[size_t(law.loop)].iterations, box),
          &p.period);
      break;
    case SequenceLaw::Form::kByLoopSlot:
      AppendLoopSlots(law, parent.rounds[size_t(law.loop)], box, &p.period);
      break;
    case SequenceLaw::Form::kByVisit: {
      const BoxRound& round = parent.rounds[size_t(law.loop)];
      AppendRows(law.values, box,
                 round.visits.empty()
                     ? std::vector{ConstantOf(round.iterations, box)}
                     : round.visits,
                 &p.period);
      break;
    }
    case SequenceLaw::Form::kByParts: {
      const Affine n = ValueOn(law.length, box);
      if (IsLess(n, box.Constant(1), box)) break;
      for (const ScalarLaw& part : law.values) {
        AppendList(part, box, n, &p.period);
      }
      break;
    }
    case SequenceLaw::Form::kByRuns:
      AppendRepeated(law, box, &p.period);
      break;
    case SequenceLaw::Form::kByRows:
      AppendRows(law.values, box,
                 RowsOf(ConstantOf(ValueOn(law.length, box), box), law.falling),
                 &p.period);
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
  Affine left = count;
  BoxTerms terms;
  if (!pattern.prefix.empty()) {
    const int64_t all = ConstantOf(count, box);
    const int64_t before = ConstantOf(Length(pattern.prefix, box), box);
    terms = Head(pattern.prefix, std::min(all, before), box);
    left = box.Constant(all - std::min(all, before));
  }
  if (left.Is(0)) return terms;
  const Affine n = Length(period, box);
  if (n.Is(0)) throw Status::No("a law gives an empty list");
  const Affine rounds = RoundsOf(left, n, box);
  if (!IsLess(rounds, box.Constant(2), box)) {
    terms.push_back({box.Constant(0), 0, rounds, period});
  } else if (IsEqual(rounds, box.Constant(1), box)) {
    terms.insert(terms.end(), period.begin(), period.end());
  }
  left = Add(left, Multiply(rounds, n, box), -1);
  for (BoxTerm& t : Head(period, ConstantOf(left, box), box)) {
    terms.push_back(std::move(t));
  }
  return terms;
}

std::vector<BoxRound> Within(const std::vector<BoxRound>& rounds,
                             const BoxPattern& trips, const Box& box) {
  std::vector<BoxRound> inner;
  for (const BoxRound& r : rounds) inner.push_back(Nested(r, trips, box));
  return inner;
}

std::vector<BoxRound> Around(std::vector<BoxRound> rounds,
                             const BoxPattern& trips, const Box& box,
                             bool visits) {
  BoxRound own{box.Constant(0), box.Constant(1), {}, rounds.empty(), {}};
  bool same = trips.prefix.empty();
  for (const BoxTerm& t : trips.period) {
    if (t.value.Is(0) && t.stride == 0 && t.body.empty()) continue;
    same = same && t.stride == 0 && t.body.empty() &&
           (own.iterations.Is(0) || own.iterations == t.value);
    own.iterations = t.value;
  }
  if (!same) own.iterations = box.Constant(0);
  if (!same && visits && trips.prefix.empty()) {
    own.visits = NumbersOf(trips.period, box);
  }
  rounds.push_back(std::move(own));
  return rounds;
}

}  // namespace ranksight::online_model
