#include "online_model/structure/sequence_law.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ranksight::online_model {
namespace {

void AppendRuns(const SequenceLaw& law, const Context& c, const Round& round,
                std::vector<int64_t>* out) {
  Context at = c;
  at.length = round.iterations;
  for (at.position = 0; at.position < at.length; ++at.position) {
    const size_t runs = size_t(round.RunsAt(at.position));
    for (size_t j = 0; j < runs; ++j) {
      out->push_back(law.values[std::min(j, law.values.size() - 1)].At(at));
    }
  }
}

// Of each neighbour that exists, in each iteration.
void AppendSlots(const SequenceLaw& law, const Context& c, const Round& round,
                 std::vector<int64_t>* out) {
  if (round.iterations > Round::kMost) return;
  if (!law.HasValuesFor(round.iterations)) return;
  const std::vector<int> kept = law.list->Kept(c);
  Context at = c;
  at.length = round.iterations;
  for (at.position = 0; at.position < at.length; ++at.position) {
    for (const int slot : kept) {
      out->push_back(law.values[law.InLoop(at.position, size_t(slot))].At(at));
    }
  }
}

// Of the neighbour that each iteration in which the node runs is for.
void AppendLoopSlots(const SequenceLaw& law, const Context& c,
                     const Round& round, std::vector<int64_t>* out) {
  const std::vector<int> kept = law.list->Kept(c);
  const bool fits = round.IsWithin(kMaxPatternValues) && !kept.empty() &&
                    round.iterations % int64_t(kept.size()) == 0;
  for (int64_t k = 0; k < round.iterations && fits; ++k) {
    const auto slot = size_t(kept[size_t(k) % kept.size()]);
    const int64_t value =
        law.peers ? *law.list->Rank(c, slot) : law.values[slot].At(c);
    out->insert(out->end(), size_t(round.RunsAt(k)), value);
  }
}

// The laws in turn at the places of lists of these lengths in turn, up to where
// both begin again.
void AppendRows(const std::vector<ScalarLaw>& laws, const Context& c,
                const std::vector<int64_t>& lengths,
                std::vector<int64_t>* out) {
  Context at = c;
  const size_t rows = RowCount(laws.size(), lengths.size());
  for (size_t i = 0; i < rows; ++i) {
    at.length = lengths[i % lengths.size()];
    for (at.position = 0; at.position < at.length; ++at.position) {
      out->push_back(laws[i % laws.size()].At(at));
    }
  }
}

// kByRuns.
void AppendRepeated(const SequenceLaw& law, const Context& c,
                    std::vector<int64_t>* out) {
  Context at = c;
  at.length = std::clamp<int64_t>(law.length.At(c), 0, kMostRows);
  for (at.position = 0; at.position < at.length; ++at.position) {
    const int64_t times = law.values[1].At(at);
    if (times < 0 || times > kMostRows) continue;
    out->insert(out->end(), size_t(times), law.values[0].At(at));
  }
}

}  // namespace

std::vector<int64_t> RowsOf(int64_t count, bool falling) {
  std::vector<int64_t> lengths;
  if (count > kMostRows) return lengths;
  for (int64_t n = 1; n <= count; ++n) lengths.push_back(n);
  if (falling) std::reverse(lengths.begin(), lengths.end());
  return lengths;
}

std::vector<int64_t> PartsOf(size_t parts, int64_t length) {
  if (length < 1 || length > kMostRows) return {};
  return std::vector<int64_t>(parts, length);
}

std::vector<int64_t> VisitsOf(const Round& round) {
  return round.visits.empty() ? std::vector{round.iterations} : round.visits;
}

Pattern SequenceLaw::At(const Context& c, const Rounds& rounds,
                        const std::vector<int64_t>& lengths) const {
  Pattern p;
  for (const ScalarLaw& law : prefix) p.prefix.push_back(law.At(c));
  if (form == Form::kPositional || form == Form::kAscending) {
    for (const ScalarLaw& law : values) p.period.push_back(law.At(c));
    if (form == Form::kAscending) std::ranges::sort(p.period);
  } else if (form == Form::kBySlot) {
    for (const int slot : list->Kept(c)) {
      p.period.push_back(peers ? *list->Rank(c, size_t(slot))
                               : values[size_t(slot)].At(c));
    }
  } else if (form == Form::kByElement) {
    Context at = c;
    at.length = std::max<int64_t>(length.At(c), 0);
    for (at.position = 0; at.position < at.length; ++at.position) {
      p.period.push_back(values[0].At(at));
    }
  } else if (form == Form::kByPlace) {
    AppendRows(values, c, lengths, &p.period);
  } else if (form == Form::kBySlotInLoop) {
    AppendSlots(*this, c, rounds[size_t(loop)], &p.period);
  } else if (form == Form::kByLoopSlot) {
    AppendLoopSlots(*this, c, rounds[size_t(loop)], &p.period);
  } else if (form == Form::kByVisit) {
    AppendRows(values, c, VisitsOf(rounds[size_t(loop)]), &p.period);
  } else if (form == Form::kByRuns) {
    AppendRepeated(*this, c, &p.period);
  } else if (form == Form::kByParts) {
    AppendRows(values, c, PartsOf(values.size(), length.At(c)), &p.period);
  } else if (form == Form::kByRows) {
    AppendRows(values, c, RowsOf(length.At(c), falling), &p.period);
  } else {
    const Round& round = rounds[size_t(loop)];
    if (round.iterations <= Round::kMost) {
      AppendRuns(*this, c, Grouped(round, step), &p.period);
    }
  }
  p.period = Shortest(std::move(p.period));
  return p;
}

double SequenceLaw::cost() const {
  double sum = 0;
  for (const ScalarLaw& l : prefix) sum += 1 + l.cost();
  if (peers) {
    for (const Displacement& by : list->slots) {
      sum += 1;
      for (const int64_t v : by) sum += ConstantCost(v);
    }
    return sum;
  }
  for (const ScalarLaw& l : values) sum += 1 + l.cost();
  return HasLength() ? sum + length.cost() : sum;
}

bool SequenceLaw::UsesBits() const {
  const auto bits = [](const ScalarLaw& l) { return l.UsesBits(); };
  return std::any_of(prefix.begin(), prefix.end(), bits) ||
         std::any_of(values.begin(), values.end(), bits) ||
         (HasLength() && length.UsesBits());
}

bool SequenceLaw::Uses(Feature::Kind kind, int index) const {
  const auto uses = [&](const ScalarLaw& l) { return l.Uses(kind, index); };
  return std::any_of(prefix.begin(), prefix.end(), uses) ||
         std::any_of(values.begin(), values.end(), uses) ||
         (HasLength() && uses(length));
}

std::string SequenceLaw::ToString() const {
  std::string text;
  for (const ScalarLaw& law : prefix) text += law.ToString() + ", then ";
  if (form == Form::kByElement) {
    return text + values[0].ToString() + " for k < " + length.ToString();
  }
  if (form == Form::kByPlace || form == Form::kByVisit ||
      form == Form::kByParts) {
    for (size_t i = 0; i < values.size(); ++i) {
      text += (i > 0 ? "; " : "") + values[i].ToString();
    }
    if (form == Form::kByParts) {
      return text + " for k < " + length.ToString() + " in each part in turn";
    }
    text += form == Form::kByPlace
                ? " for k < n in each array"
                : " in iteration k of n of each visit of loop " +
                      std::to_string(loop + 1);
    return text + (values.size() > 1 ? " in turn" : "");
  }
  if (form == Form::kByRuns) {
    return text + values[0].ToString() + ", " + values[1].ToString() +
           " times each, for k < " + length.ToString();
  }
  if (form == Form::kByRows) {
    return text + values[0].ToString() + " for k < n in each of " +
           length.ToString() + " rows, n from 1 " + (falling ? "down" : "on");
  }
  if (form == Form::kByIteration) {
    for (size_t j = 0; j < values.size(); ++j) {
      text += (j > 0 ? "; " : "") + values[j].ToString();
    }
    text += " in iteration k of loop " + std::to_string(loop + 1);
    if (step > 1) text += ", " + std::to_string(step) + " as one";
    return text;
  }
  if (HasList()) {
    text += list->ToString();
    if (form == Form::kByLoopSlot) {
      text += " by iteration of loop " + std::to_string(loop + 1);
    }
    if (peers) return text;
    text += " -> ";
  }
  for (size_t k = 0; k < values.size() && k < 8; ++k) {
    if (k > 0) text += "; ";
    text += values[k].ToString();
  }
  if (values.size() > 8) text += "; ...";
  if (form == Form::kAscending) text += " in ascending order";
  if (form == Form::kBySlotInLoop) {
    text += " in iteration k of loop " + std::to_string(loop + 1);
  }
  return text;
}

std::string SequenceLaw::SupportText() const {
  return "[" + std::to_string(support.ranks) + " ranks of " +
         std::to_string(support.runs) + " runs]";
}

}  // namespace ranksight::online_model
