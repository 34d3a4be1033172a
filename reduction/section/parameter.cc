#include "reduction/api/parameter.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "reduction/api/call.h"
#include "reduction/api/contract.h"
#include "reduction/api/distribution.h"
#include "reduction/api/pause.h"
#include "reduction/section/ascending.h"
#include "reduction/section/piece_index.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

uint32_t AppendShape(std::span<const Term> terms, Shape* shape) {
  uint32_t entries = 0;
  for (const Term& t : terms) {
    const size_t at = shape->size();
    shape->push_back(0);
    const uint32_t inside = AppendShape(t.body, shape);
    (*shape)[at] = inside;
    entries += 1 + inside;
  }
  return entries;
}

void AppendNumbers(std::span<const Term> terms, std::vector<int64_t>* numbers) {
  for (const Term& t : terms) {
    numbers->push_back(t.value);
    numbers->push_back(t.stride);
    numbers->push_back(int64_t(t.count));
    AppendNumbers(t.body, numbers);
  }
}

// What a rank repeats once is no repetition, though others of its piece repeat
// it more often.
std::vector<Term> BuildTerms(const Shape& shape, size_t begin, size_t end,
                             const std::vector<int64_t>& numbers) {
  RANKSIGHT_REQUIRE(begin <= end && end <= shape.size());
  RANKSIGHT_REQUIRE(numbers.size() >= 3 * end);
  std::vector<Term> terms;
  terms.reserve(end - begin);
  for (size_t i = begin; i < end; i += 1 + shape[i]) {
    Term t{
        numbers[3 * i], numbers[3 * i + 1], uint64_t(numbers[3 * i + 2]), {}};
    if (t.count == 1) t.stride = 0;
    std::vector<Term> body =
        BuildTerms(shape, i + 1, i + 1 + shape[i], numbers);
    // Its body stands for itself then, as in any section.
    if (t.count == 1 && !body.empty()) {
      std::move(body.begin(), body.end(), std::back_inserter(terms));
      continue;
    }
    t.body = std::move(body);
    terms.push_back(std::move(t));
  }
  return terms;
}

bool ShapeNests(const Shape& shape, size_t begin, size_t end, int depth) {
  if (depth > Section::kMaxDepth) return false;
  while (begin < end) {
    const size_t inside = shape[begin];
    if (inside > end - begin - 1) return false;
    if (!ShapeNests(shape, begin + 1, begin + 1 + inside, depth + 1)) {
      return false;
    }
    begin += 1 + inside;
  }
  return true;
}

int64_t Relative(int64_t v, int64_t rank) {
  return IsSpecial(v) ? v : v - rank;
}

int64_t Absolute(int64_t v, int64_t rank) {
  return IsSpecial(v) ? v : int64_t(uint64_t(v) + uint64_t(rank));
}

int64_t LastRank(const RankSet& set) { return set.At(set.size() - 1); }

// Most sections are a single run, which needs no lists of terms and numbers.
bool IsRun(const Shape& shape) { return shape.size() == 1; }
constexpr int64_t kMostInRun = int64_t{1} << 62;  // as in any section

Section SectionOf(const Shape& shape, const std::vector<int64_t>& numbers) {
  if (IsRun(shape) && numbers[2] <= kMostInRun) {
    return Section::Run(numbers[0], numbers[1], uint64_t(numbers[2]));
  }
  Section section;
  (void)Section::FromTerms(BuildTerms(shape, 0, shape.size(), numbers),
                           &section);
  return section;
}

// Walks a column; most are one run, for which that takes no allocation.
class ColumnCursor {
 public:
  explicit ColumnCursor(const Column& c) {
    const Term& t = c.values.terms()[0];
    if (c.values.terms().size() > 1 || !t.body.empty()) {
      cursor_.emplace(&c.values);
      return;
    }
    next_ = t.value;
    stride_ = t.stride;
  }
  int64_t Next() {
    if (cursor_) return cursor_->Next();
    const int64_t v = next_;
    next_ = int64_t(uint64_t(next_) + uint64_t(stride_));
    return v;
  }

 private:
  std::optional<SectionCursor> cursor_;
  int64_t next_ = 0, stride_ = 0;
};

// number(c): of column c.
template <class Number>
Section SectionAt(const ParameterPiece& piece, int64_t rank,
                  const Number& number_at) {
  // A strided run's value is relative like any other; strides and counts
  // never are. A term with a body has value 0, absolute.
  const ShortList<Column, 3>& columns = piece.columns;
  const auto number = [&](size_t c) {
    const int64_t v = number_at(c);
    return columns[c].relative ? Absolute(v, rank) : v;
  };
  if (IsRun(piece.shape) && number(2) <= kMostInRun) {
    return Section::Run(number(0), number(1), uint64_t(number(2)));
  }
  std::vector<int64_t> numbers;
  numbers.reserve(columns.size());
  for (size_t c = 0; c < columns.size(); ++c) numbers.push_back(number(c));
  return SectionOf(piece.shape, numbers);
}

bool IsLong(const Section& section) {
  return section.terms().size() > kLongSection;
}

// Whether finding one rank in the piece takes longer than it need.
bool IsLong(const ParameterPiece& piece) {
  return piece.ranks.size() > kLongSection &&
         (IsLong(piece.ranks) ||
          std::any_of(piece.columns.begin(), piece.columns.end(),
                      [](const Column& c) { return IsLong(c.values); }));
}

Section SectionAt(const IndexedPieces& pieces, const PieceIndex& index,
                  int64_t rank) {
  for (size_t p = 0; p < pieces.get().size(); ++p) {
    const int64_t position = index.PositionOf(p, rank);
    if (position < 0) continue;
    return SectionAt(pieces.get()[p], rank, [&](size_t column) {
      return index.ColumnAt(p, column, uint64_t(position));
    });
  }
  return Section();
}

// Whether a's rank sets all lie below b's.
bool AllBelow(const ParameterPieces& a, const ParameterPieces& b) {
  int64_t highest = -1;
  for (const auto& p : a) highest = std::max(highest, LastRank(p.ranks));
  return std::all_of(b.begin(), b.end(), [highest](const ParameterPiece& p) {
    return p.ranks.At(0) > highest;
  });
}

bool SameLayout(const ParameterPiece& a, const ParameterPiece& b) {
  return a.shape == b.shape &&
         std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(),
                    [](const Column& x, const Column& y) {
                      return x.relative == y.relative;
                    });
}

ParameterPiece PieceOf(int64_t rank, const Section& section, bool ranked) {
  RANKSIGHT_REQUIRE(rank >= 0);
  ParameterPiece piece;
  AppendShape(section.terms(), &piece.shape);
  std::vector<int64_t> numbers;
  AppendNumbers(section.terms(), &numbers);
  piece.ranks = Section::Constant(rank, 1);
  piece.columns.reserve(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i % kTermsAPause == 0) Pause();
    Column& c = piece.columns.emplace_back();
    c.relative = ranked && i % 3 == 0 && piece.shape[i / 3] == 0;
    c.values.Append(c.relative ? Relative(numbers[i], rank) : numbers[i]);
  }
  return piece;
}

// False where none of the pieces has the layout of this one.
bool AppendToOne(ParameterPieces* pieces, const ParameterPiece& piece) {
  for (ParameterPiece& p : *pieces) {
    if (!SameLayout(p, piece)) continue;
    p.ranks.Append(piece.ranks);
    for (size_t i = 0; i < p.columns.size(); ++i) {
      Pause();
      p.columns[i].values.Append(piece.columns[i].values);
    }
    return true;
  }
  return false;
}

void AppendPiece(ParameterPieces* pieces, ParameterPiece&& piece) {
  if (!AppendToOne(pieces, piece)) pieces->push_back(std::move(piece));
}

void AppendCopy(ParameterPieces* pieces, const ParameterPiece& piece) {
  if (AppendToOne(pieces, piece)) return;
  ParameterPiece copy{piece.ranks, piece.shape, {}};
  copy.columns.reserve(piece.columns.size());
  for (const Column& c : piece.columns) {
    Pause();
    copy.columns.push_back(c);
  }
  pieces->push_back(std::move(copy));
}

// Adds a rank to the piece of the ranks whose sections are one run.
void AppendRun(int64_t rank, const Term& run, bool ranked,
               ParameterPieces* pieces) {
  const int64_t value = ranked ? Relative(run.value, rank) : run.value;
  for (ParameterPiece& p : *pieces) {
    if (!IsRun(p.shape) || p.columns[0].relative != ranked) continue;
    p.ranks.Append(rank);
    p.columns[0].values.Append(value);
    p.columns[1].values.Append(run.stride);
    p.columns[2].values.Append(int64_t(run.count));
    return;
  }
  // No piece has ranks like it: it begins one.
  const auto column = [](bool relative, int64_t v) {
    return Column{relative, Section::Constant(v, 1)};
  };
  pieces->push_back({Section::Constant(rank, 1),
                     {0},
                     {column(ranked, value), column(false, run.stride),
                      column(false, int64_t(run.count))}});
}

}  // namespace

IndexedPieces::IndexedPieces(IndexedPieces&& other) noexcept
    : pieces_(std::move(other.Change())) {}

IndexedPieces::~IndexedPieces() { delete index(); }

ParameterPieces& IndexedPieces::Change() {
  delete index_.exchange(nullptr, std::memory_order_acq_rel);
  return pieces_;
}

const PieceIndex& IndexedPieces::MakeIndex() const {
  auto made = std::make_unique<const PieceIndex>(pieces_);
  const PieceIndex* there = nullptr;
  if (index_.compare_exchange_strong(there, made.get(),
                                     std::memory_order_acq_rel)) {
    return *made.release();
  }
  return *there;
}

void Parameter::Add(int64_t rank, const Section& section, bool ranked) {
  RANKSIGHT_REQUIRE(rank >= 0);
  if (section.empty()) return;
  if (distribution_ != nullptr) {
    return MergeDistribution(Distribution::Of(section));
  }
  ParameterPieces& pieces = ChangePieces();
  const std::span<const Term> terms = section.terms();
  if (terms.size() == 1 && terms[0].body.empty()) {
    Pause();
    return AppendRun(rank, terms[0], ranked, &pieces);
  }
  AppendPiece(&pieces, PieceOf(rank, section, ranked));
}

Parameter Parameter::Of(Distribution d) {
  Parameter p;
  if (d.count() == 0) return p;
  p.distribution_ = std::make_shared<const Distribution>(std::move(d));
  return p;
}

void Parameter::MergeDistribution(Distribution all) {
  if (distribution_ != nullptr) {
    all.Merge(*distribution_);
  } else {
    for (const auto& [rank, section] : ByRank()) {
      Pause();
      all.Merge(Distribution::Of(section));
    }
  }
  pieces_ = {};
  distribution_ = std::make_shared<const Distribution>(std::move(all));
}

bool Parameter::operator==(const Parameter& other) const {
  const auto &a = distribution_, &b = other.distribution_;
  if ((a == nullptr) != (b == nullptr)) return false;
  return (identity() == other.identity() || pieces() == other.pieces()) &&
         (a == b || *a == *b);
}

namespace {

// In which order two rank sets join, true for a rank of a; nothing if one is
// in both.
std::optional<std::vector<bool>> Interleave(const RankSet& a,
                                            const RankSet& b) {
  const auto mine = a.Expand(), theirs = b.Expand();
  std::vector<bool> order;
  order.reserve(mine.size() + theirs.size());
  auto m = mine.begin();
  auto t = theirs.begin();
  while (m != mine.end() || t != theirs.end()) {
    const bool from_a = t == theirs.end() || (m != mine.end() && *m <= *t);
    if (from_a && t != theirs.end() && *m == *t) return std::nullopt;
    order.push_back(from_a);
    from_a ? ++m : ++t;
  }
  return order;
}

Section Joined(const std::vector<bool>& order, const Section& a,
               const Section& b) {
  if (a.IsConstant() && b.IsConstant() && a.At(0) == b.At(0)) {
    return Section::Constant(a.At(0), order.size());
  }
  Section all;
  SectionCursor mine(&a), theirs(&b);
  for (const bool from_a : order) {
    all.Append(from_a ? mine.Next() : theirs.Next());
  }
  return all;
}

// Joins pieces of one layout column by column, whatever the order of their
// ranks. False where they have a rank in common.
bool JoinPieces(ParameterPiece* a, const ParameterPiece& b) {
  RANKSIGHT_REQUIRE(a != nullptr);
  const auto order = Interleave(a->ranks, b.ranks);
  if (!order) return false;
  a->ranks = Joined(*order, a->ranks, b.ranks);
  for (size_t i = 0; i < a->columns.size(); ++i) {
    Pause();
    Section& values = a->columns[i].values;
    values = Joined(*order, values, b.columns[i].values);
  }
  return true;
}

}  // namespace

void Parameter::Merge(Parameter other, bool ranked) {
  if (other.empty()) return;
  if (distribution_ != nullptr && other.distribution_ == nullptr) {
    std::swap(*this, other);
  }
  if (other.distribution_ != nullptr) {
    return MergeDistribution(*other.distribution_);
  }
  // Two short ways, which nearly all merges take: the other's ranks lie behind
  // all of these, or both are one piece of the same layout.
  if (AllBelow(pieces(), other.pieces())) return AppendAll(std::move(other));
  if (pieces().size() == 1 && other.pieces().size() == 1 &&
      SameLayout(pieces()[0], other.pieces()[0]) &&
      JoinPieces(&ChangePieces()[0], other.pieces()[0])) {
    return;
  }
  // Else rank by rank, as if all were added in order; who is in both keeps what
  // is here.
  auto mine = ByRank(), theirs = other.ByRank();
  Parameter merged;
  auto a = mine.begin();
  auto b = theirs.begin();
  while (a != mine.end() || b != theirs.end()) {
    const bool from_a =
        b == theirs.end() || (a != mine.end() && a->first <= b->first);
    if (from_a && b != theirs.end() && a->first == b->first) ++b;
    Pause();
    const auto& [rank, section] = from_a ? *a++ : *b++;
    merged.Add(rank, section, ranked);
  }
  *this = std::move(merged);
}

// REQUIRES: all of other's ranks are greater than those present.
void Parameter::AppendAll(Parameter other) {
  ParameterPieces& mine = ChangePieces();
  if (other.is_shared()) {
    for (const ParameterPiece& p : other.pieces()) AppendCopy(&mine, p);
    return;
  }
  for (ParameterPiece& p : other.ChangePieces()) {
    Pause();
    AppendPiece(&mine, std::move(p));
  }
}

Section Parameter::At(int64_t rank) const {
  const IndexedPieces& kept = pieces_.get();
  if (kept.index() != nullptr) return SectionAt(kept, *kept.index(), rank);
  for (const ParameterPiece& p : pieces()) {
    const int64_t position = PositionOf(p.ranks, rank);
    if (position < 0) continue;
    if (IsLong(p)) return SectionAt(kept, kept.MakeIndex(), rank);
    return SectionAt(p, rank, [&](size_t column) {
      return p.columns[column].values.At(uint64_t(position));
    });
  }
  return Section();
}

std::vector<std::pair<int64_t, Section>> Parameter::ByRank() const {
  std::vector<std::pair<int64_t, Section>> all;
  for (const ParameterPiece& p : pieces()) {
    Pause();
    std::vector<ColumnCursor> columns(p.columns.begin(), p.columns.end());
    std::vector<int64_t> numbers(columns.size());
    // All columns are walked beside the ranks: to look for each rank in each
    // would cost O(terms) a time.
    for (SectionCursor ranks(&p.ranks); !ranks.done();) {
      const int64_t rank = ranks.Next();
      for (size_t i = 0; i < columns.size(); ++i) {
        const int64_t v = columns[i].Next();
        numbers[i] = p.columns[i].relative ? Absolute(v, rank) : v;
      }
      all.emplace_back(rank, SectionOf(p.shape, numbers));
    }
  }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return all;
}

bool Parameter::Has(int64_t rank) const {
  const PieceIndex* index = pieces_.get().index();
  for (size_t p = 0; p < pieces().size(); ++p) {
    const int64_t position = index != nullptr
                                 ? index->PositionOf(p, rank)
                                 : PositionOf(pieces()[p].ranks, rank);
    if (position >= 0) return true;
  }
  return false;
}

RankSet Parameter::Ranks() const {
  if (pieces().size() == 1) return pieces()[0].ranks;
  std::vector<int64_t> ranks;
  for (const ParameterPiece& p : pieces()) {
    const auto more = p.ranks.Expand();
    ranks.insert(ranks.end(), more.begin(), more.end());
  }
  std::sort(ranks.begin(), ranks.end());
  return Section::Of(ranks);
}

Parameter Parameter::Slice(int64_t low, int64_t high, int64_t delta) const {
  RANKSIGHT_REQUIRE(low <= high);
  Parameter out;
  out.distribution_ = distribution_;
  for (const ParameterPiece& p : pieces()) {
    ParameterPiece piece;
    piece.shape = p.shape;
    std::vector<SectionCursor> values;
    for (const Column& c : p.columns) {
      values.emplace_back(&c.values);
      piece.columns.emplace_back().relative = c.relative;
    }
    for (SectionCursor ranks(&p.ranks); !ranks.done();) {
      const int64_t rank = ranks.Next();
      // What is held relative needs no change: it means the new rank.
      const bool inside = low <= rank && rank < high;
      if (inside) piece.ranks.Append(rank + delta);
      for (size_t i = 0; i < values.size(); ++i) {
        const int64_t v = values[i].Next();
        if (inside) piece.columns[i].values.Append(v);
      }
    }
    if (!piece.ranks.empty()) out.ChangePieces().push_back(std::move(piece));
  }
  return out;
}

bool Parameter::FromPieces(ParameterPieces pieces, Parameter* out) {
  RANKSIGHT_REQUIRE(out != nullptr);
  *out = Parameter();
  for (const ParameterPiece& p : pieces) {
    Pause();
    if (p.ranks.empty() || p.shape.empty() ||
        p.columns.size() != 3 * p.shape.size() ||
        !ShapeNests(p.shape, 0, p.shape.size(), 1) || !IsAscending(p.ranks) ||
        p.ranks.Min() < 0) {
      return false;
    }
    for (size_t i = 0; i < p.columns.size(); ++i) {
      if (i % kTermsAPause == 0) Pause();
      if (p.columns[i].values.size() != p.ranks.size()) return false;
      // Only values of runs are ranks; strides, counts and bodies are not.
      if (p.columns[i].relative && (i % 3 != 0 || p.shape[i / 3] != 0)) {
        return false;
      }
      if (i % 3 == 2 && p.columns[i].values.Min() < 1) return false;
    }
  }
  out->pieces_ = CopyOnWrite(IndexedPieces(std::move(pieces)));
  return true;
}

}  // namespace ranksight::reduction
