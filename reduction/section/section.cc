#include "reduction/api/section.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/section/tail_index.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

bool IsSingle(const Term& t) { return t.body.empty() && t.count == 1; }

// Most sections are columns over ranks, and most of these one value.
bool IsOneValue(const TermList& terms) {
  return terms.size() == 1 && terms[0].stride == 0 && terms[0].body.empty();
}

bool ValidTerm(const Term& t, int depth) {
  if (t.count < 1 || depth > Section::kMaxDepth) return false;
  if (t.body.empty()) return t.count > 1 || t.stride == 0;
  if (t.count < 2 || t.value != 0) return false;
  return std::all_of(t.body.begin(), t.body.end(), [depth](const Term& b) {
    return ValidTerm(b, depth + 1);
  });
}

// Largest (or smallest) value of a list of terms.
template <bool kLargest>
int64_t Extreme(std::span<const Term> terms) {
  const auto further = [](int64_t a, int64_t b) {
    return kLargest ? std::max(a, b) : std::min(a, b);
  };
  int64_t best = FirstValue(terms.front());
  for (const Term& t : terms) {
    const int64_t first = t.body.empty() ? t.value : Extreme<kLargest>(t.body);
    const int64_t last = first + t.stride * int64_t(t.count - 1);
    best = further(best, further(first, last));
  }
  return best;
}

// Sums wrap: they are used for totals of counts, where the caller bounds.
uint64_t SumOf(std::span<const Term> terms) {
  uint64_t sum = 0;
  for (const Term& t : terms) {
    const uint64_t n = t.count;
    const uint64_t pairs = n % 2 == 0 ? (n / 2) * (n - 1) : n * ((n - 1) / 2);
    const uint64_t base = t.body.empty() ? uint64_t(t.value) : SumOf(t.body);
    const uint64_t width = t.body.empty() ? 1 : TermsSize(t.body);
    sum += base * n + uint64_t(t.stride) * pairs * width;
  }
  return sum;
}

uint64_t BodyBytes(std::span<const Term> terms) {
  // Of more terms every so many-th is looked at. Doubling it halves the error.
  constexpr size_t kSample = 1024;
  const size_t step = 1 + terms.size() / kSample;
  uint64_t bytes = 0;
  for (size_t i = 0; i < terms.size(); i += step) {
    const Term& t = terms[i];
    bytes += step * (t.body.capacity() * sizeof(Term) + BodyBytes(t.body));
  }
  return bytes;
}

}  // namespace

Section Section::Constant(int64_t v, uint64_t count) {
  return Run(v, 0, count);
}

Section Section::Run(int64_t first, int64_t stride, uint64_t count) {
  Section s;
  if (count == 0) return s;
  s.terms_.push_back({first, count == 1 ? 0 : stride, count, {}});
  s.size_ = count;
  return s;
}

Section Section::Of(std::span<const int64_t> values) {
  Section s;
  for (const int64_t v : values) s.Append(v);
  return s;
}

bool Section::FromTerms(std::vector<Term> terms, Section* out) {
  RANKSIGHT_REQUIRE(out != nullptr);
  *out = Section();
  for (const Term& t : terms) {
    if (!ValidTerm(t, 1)) return false;
  }
  const uint64_t size = TermsSize(terms);
  if (size > uint64_t{1} << 62) return false;
  out->terms_ = TermList(std::make_move_iterator(terms.begin()),
                         std::make_move_iterator(terms.end()));
  out->size_ = size;
  return true;
}

void Section::TailDeleter::operator()(TailIndex* tail) const { delete tail; }

Section& Section::operator=(const Section& other) {
  if (this != &other) *this = Section(other);
  return *this;
}

void Section::Append(int64_t v) { AppendRun(v, 1); }

// What one run, or none, goes on with needs no folding: value by value gives
// the same.
bool Section::GrowOnlyRun(int64_t v, uint64_t count) {
  if (terms_.empty()) {
    terms_.push_back({v, 0, count, {}});
  } else {
    Term& run = terms_[0];
    if (terms_.size() > 1 || !run.body.empty()) return false;
    const bool more =
        run.stride == 0
            ? run.value == v
            : count == 1 && run.value + run.stride * int64_t(run.count) == v;
    if (!more) return false;
    run.count += count;
  }
  size_ += count;
  // The index would have to be told of the longer run; it is made again when a
  // search needs it.
  if (tail_ != nullptr) tail_->Clear();
  return true;
}

void Section::AppendRun(int64_t v, uint64_t count) {
  if (count == 0 || GrowOnlyRun(v, count)) return;
  if (tail_ == nullptr) tail_.reset(new TailIndex());
  if (tail_->end() != terms_.size()) tail_->Cover(terms_);
  size_ += count;
  // One value at a time while folding may act on it, so that batches leave
  // no mark; the rest of a long run at once.
  for (; count > 0; --count) {
    if (LongRunOf(v)) {
      terms_.back().count += count;
      tail_->UpdateLast(terms_.back());
      return;
    }
    AppendOne(v);
  }
}

void Section::AppendOne(int64_t v) {
  if (!terms_.empty() && !ExtendLastRun(v)) {
    if (terms_.back().count > kOpenRun) FoldTail();
    Push({v, 0, 1, {}});
  } else if (terms_.empty()) {
    Push({v, 0, 1, {}});
  }
  if (terms_.back().count <= kOpenRun || !terms_.back().body.empty()) {
    FoldTail();
  }
}

// Whether the last term is a run of v so long that folding waits for its end.
bool Section::LongRunOf(int64_t v) const {
  if (terms_.empty()) return false;
  const Term& run = terms_.back();
  return run.body.empty() && run.stride == 0 && run.value == v &&
         (run.count >= kOpenRun || terms_.size() == 1);
}

void Section::AppendAll(std::span<const int64_t> block) {
  for (const int64_t v : block) Append(v);
}

namespace {

// The place of the last repetition among the last `most` terms; terms.size() if
// there is none.
size_t LastRepetition(std::span<const Term> terms, size_t most) {
  const size_t least = terms.size() - std::min(most, terms.size());
  for (size_t at = terms.size(); at > least; --at) {
    if (!terms[at - 1].body.empty()) return at - 1;
  }
  return terms.size();
}

}  // namespace

// Whether no term before the repetition, of those that are looked at, can come
// to equal it, or to hold its equal at its end, while its count grows. What
// comes after it are runs.
bool Section::StandsAlone(size_t repetition) const {
  const Term& last = terms_[repetition];
  if (last.stride != 0) return false;
  const size_t seen = std::min(repetition, TailIndex::kDecisive);
  const Term* const end = terms_.begin() + repetition;
  return std::none_of(end - seen, end, [&](const Term& t) {
    return !t.body.empty() &&
           (t.body.size() == last.body.size() || !t.body.back().body.empty());
  });
}

void Section::AppendRepeated(std::span<const int64_t> block, uint64_t count) {
  if (block.empty() || count == 0) return;
  if (count == 1) return AppendAll(block);
  const auto differs = [&](int64_t v) { return v != block[0]; };
  if (std::none_of(block.begin(), block.end(), differs)) {
    AppendRun(block[0], count * block.size());
    return;
  }
  // Rounds laid out one by one before and after the jump, so that whatever
  // folds at either end folds as ever.
  constexpr uint64_t kRoundsAtTheEnd = 2;
  // A repetition that does not stand alone now hardly will. Doubling it lays
  // out less in rare cases, and takes up to a microsecond more each time.
  int tries = 8;
  size_t terms = 0, place = 0;
  uint64_t last = 0, grown = 0;
  std::vector<Term> after;  // the repetition
  for (; count > 0; --count) {
    AppendAll(block);
    if (tries == 0) continue;
    // What stands behind a repetition of what was appended is shorter.
    const size_t at =
        LastRepetition({terms_.data(), terms_.size()}, block.size() + 1);
    if (at == terms_.size()) continue;
    const uint64_t now = terms_[at].count;
    const std::vector<Term> rest(terms_.begin() + at + 1, terms_.end());
    // All that a round adds are then `grown` repetitions.
    bool steady = terms_.size() == terms && at == place && rest == after &&
                  now - last == grown && now > last &&
                  TermsSize(terms_[at].body) * grown == block.size();
    if (steady) {
      --tries;
      steady = StandsAlone(at);
    }
    grown = now - last;
    last = now;
    terms = terms_.size();
    place = at;
    after = rest;
    if (!steady || count <= kRoundsAtTheEnd + 1) continue;
    const uint64_t jump = count - 1 - kRoundsAtTheEnd;
    terms_[at].count += grown * jump;
    tail_->Update({terms_.data(), terms_.size()}, at);
    size_ += jump * block.size();
    count -= jump;
    last = terms_[at].count;
  }
}

// One run that goes on with another one, as most columns over ranks do: what
// value by value gives, too, since a lone run only grows.
bool Section::ExtendOnlyRun(const Section& other) {
  if (terms_.size() != 1 || other.terms_.size() != 1) return false;
  Term& run = terms_[0];
  const Term& more = other.terms_[0];
  if (!run.body.empty() || !more.body.empty()) return false;
  if (more.count > 1 && more.stride != run.stride) return false;
  if (run.count == 1 && more.value != run.value) return false;
  if (run.value + run.stride * int64_t(run.count) != more.value) return false;
  run.count += more.count;
  size_ += more.count;
  if (tail_ != nullptr) tail_->Clear();
  return true;
}

void Section::Append(const Section& other) {
  if (terms_.empty()) {
    *this = other;
    return;
  }
  if (ExtendOnlyRun(other)) return;
  SectionCursor cursor(&other);
  while (!cursor.done()) {
    uint64_t count = 0;
    const int64_t v = cursor.NextRun(&count);
    AppendRun(v, count);
  }
}

// Lengthens the run that gave the last value if v goes on with it.
bool Section::ExtendLastRun(int64_t v) {
  if (!terms_.back().body.empty() && !UnrollToExtend(v)) return false;
  Term& last = terms_.back();
  if (last.value + last.stride * int64_t(last.count) != v) return false;
  ++last.count;
  tail_->UpdateLast(last);
  return true;
}

// A repetition whose last run goes on was closed too early: takes its last
// round off and lays it out as terms.
bool Section::UnrollToExtend(int64_t v) {
  int64_t shift = 0;
  const Term& run = LastRun(terms_.back(), &shift);
  const int64_t next = run.value + shift + run.stride * int64_t(run.count);
  if (next != v) return false;
  while (!terms_.back().body.empty()) {
    Term repeat = std::move(terms_.back());
    DropLast(1);
    std::vector<Term> round = repeat.body;
    // The last round is count - 1 strides on from the body.
    const int64_t delta = repeat.stride * int64_t(repeat.count - 1);
    for (Term& t : round) ShiftTerm(&t, delta);
    // Two rounds less one are one, and that is its terms.
    if (repeat.count == 2) {
      for (Term& t : repeat.body) Push(std::move(t));
    } else {
      --repeat.count;
      Push(std::move(repeat));
    }
    for (Term& t : round) Push(std::move(t));
  }
  return true;
}

size_t Section::Window() const {
  return terms_.size() < kIrregular ? TailIndex::kWindow : kIrregularWindow;
}

void Section::FoldTail() {
  RANKSIGHT_REQUIRE(!terms_.empty());
  while (terms_.size() > 1) {
    if (!tail_->IsEnough()) tail_->Cover(terms_);
    if (!ExtendRepetition() && !CreateRepetition() && !CreateStridedRun() &&
        !CreateShiftedRepetition()) {
      return;
    }
  }
}

// ..., R(body, n), body  ->  ..., R(body, n + 1)
bool Section::ExtendRepetition() {
  const size_t n = terms_.size();
  for (size_t back = tail_->FindRound(0, Window()); back != 0;
       back = tail_->FindRound(back, Window())) {
    Term& repeat = terms_[n - 1 - back];
    // A next round would be `count` strides on from the first.
    const int64_t delta = repeat.stride * int64_t(repeat.count);
    bool same = true;
    for (size_t i = 0; same && i < back; ++i) {
      same = IsShifted(repeat.body[i], terms_[n - back + i], delta);
    }
    if (!same) continue;
    ++repeat.count;
    DropLast(back);
    tail_->UpdateLast(terms_.back());
    return true;
  }
  return false;
}

// ..., X, X  ->  ..., R(X, 2) for the shortest list of terms X.
bool Section::CreateRepetition() {
  for (size_t k = tail_->FindSquare(0, Window()); k != 0;
       k = tail_->FindSquare(k, Window())) {
    if (!std::equal(terms_.end() - k, terms_.end(), terms_.end() - 2 * k)) {
      continue;
    }
    Term repeat{0, 0, 2, {terms_.end() - k, terms_.end()}};
    Replace(2 * k, std::move(repeat));
    return true;
  }
  return false;
}

// Four single values in arithmetic progression become a run. Three would
// make runs of many neighbour lists by coincidence, on some ranks only.
bool Section::CreateStridedRun() {
  const size_t n = terms_.size();
  if (n < 4 || !IsSingle(terms_[n - 1]) || !IsSingle(terms_[n - 2])) {
    return false;
  }
  const int64_t stride = terms_[n - 1].value - terms_[n - 2].value;
  for (size_t i = n - 4; i < n - 2; ++i) {
    if (!IsSingle(terms_[i]) ||
        terms_[i + 1].value - terms_[i].value != stride) {
      return false;
    }
  }
  Term run{terms_[n - 4].value, stride, 4, {}};
  Replace(4, std::move(run));
  return true;
}

// ..., X, X+d, X+2d  ->  ..., R(X, 3, stride d), X longer than one value.
bool Section::CreateShiftedRepetition() {
  const size_t n = terms_.size();
  const size_t most = std::min({kShiftWindow, Window(), n / 3});
  for (size_t k = tail_->FindShift(0, most); k != 0;
       k = tail_->FindShift(k, most)) {
    const Term* block = terms_.data() + (n - 3 * k);
    // Single values make a strided run instead.
    if (k == 1 && IsSingle(block[0])) continue;
    const int64_t d = FirstValue(block[k]) - FirstValue(block[0]);
    bool same = true;
    for (size_t i = 0; same && i < 2 * k; ++i) {
      same = IsShifted(block[i], block[i + k], d);
    }
    if (!same) continue;
    Term repeat{0, d, 3, {block, block + k}};
    Replace(3 * k, std::move(repeat));
    return true;
  }
  return false;
}

void Section::Push(Term t) {
  RANKSIGHT_REQUIRE(t.count > 0);
  tail_->Push(t);
  terms_.push_back(std::move(t));
}

void Section::DropLast(size_t count) {
  RANKSIGHT_REQUIRE(count <= terms_.size());
  terms_.Cut(terms_.size() - count);
  tail_->Cut(terms_.size());
}

void Section::Replace(size_t drop, Term t) {
  RANKSIGHT_REQUIRE(drop <= terms_.size());
  DropLast(drop);
  Push(std::move(t));
}

bool Section::IsConstant() const { return size_ <= 1 || Min() == Max(); }

int64_t Section::At(uint64_t i) const {
  RANKSIGHT_REQUIRE(i < size());
  if (i < size_ / 2) return ValueAt(terms_, i);
  uint64_t first = size_;
  for (size_t k = terms_.size(); k-- > 0;) {
    first -= TermSize(terms_[k]);
    if (i >= first) return ValueAt({&terms_[k], 1}, i - first);
  }
  return 0;
}
int64_t Section::Sum() const { return int64_t(SumOf(terms_)); }
int64_t Section::Min() const {
  RANKSIGHT_REQUIRE(!empty());
  return IsOneValue(terms_) ? terms_[0].value : Extreme<false>(terms_);
}
int64_t Section::Max() const {
  RANKSIGHT_REQUIRE(!empty());
  return IsOneValue(terms_) ? terms_[0].value : Extreme<true>(terms_);
}

std::vector<int64_t> Section::Expand(uint64_t limit) const {
  std::vector<int64_t> values;
  values.reserve(std::min(limit, size_));
  for (SectionCursor c(this); !c.done() && values.size() < limit;) {
    values.push_back(c.Next());
  }
  return values;
}

uint64_t Section::memory_bytes() const {
  const uint64_t terms = terms_.allocated() ? terms_.capacity() : 0;
  const uint64_t tail = tail_ == nullptr ? 0 : tail_->memory_bytes();
  return terms * sizeof(Term) + tail + BodyBytes(terms_);
}

bool Section::SameValues(const Section& other) const {
  if (size_ != other.size_) return false;
  if (*this == other) return true;
  SectionCursor a(this), b(&other);
  while (!a.done()) {
    if (a.Next() != b.Next()) return false;
  }
  return true;
}

}  // namespace ranksight::reduction
