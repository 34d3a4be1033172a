#include "reduction/section/tail_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "reduction/api/contract.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

// Terms known beyond those that decide, before some are forgotten. Doubling it
// forgets half as often and takes 20 bytes more for each.
constexpr size_t kSlack = TailIndex::kWindow;
constexpr uint32_t kNever = UINT32_MAX;
// Terms that are searched one by one: most sections have no more. Doubling it
// spares memory, and takes twice as long at the end.
constexpr size_t kFew = 32;
// Terms whose hash is looked for at once. Doubling it finds less that is no
// repetition, and compares more short ones.
constexpr size_t kAtOnce = 8;

// Sums are polynomials in this, modulo 2^64: a block's hash follows from two.
constexpr uint64_t kBase = 0x9E3779B97F4A7C15u;

constexpr auto kPowers = [] {
  std::array<uint64_t, TailIndex::kWindow + 1> powers{1};
  for (size_t i = 1; i < powers.size(); ++i) {
    powers[i] = powers[i - 1] * kBase;
  }
  return powers;
}();

// Sixteen bytes at a time, wherever they lie.
using Sixteen = uint8_t __attribute__((vector_size(16)));
constexpr size_t kSixteen = 16;

Sixteen SixteenAt(const uint8_t* at) {
  Sixteen b;
  std::memcpy(&b, at, sizeof b);
  return b;
}

// How many bytes behind the last one set; kSixteen where none is.
size_t BehindLastSet(const Sixteen& b) {
  uint64_t halves[2];
  std::memcpy(halves, &b, sizeof halves);
  constexpr bool kLittle = std::endian::native == std::endian::little;
  const auto behind = [](uint64_t half) {
    return size_t(kLittle ? std::countl_zero(half) : std::countr_zero(half)) /
           8;
  };
  return halves[1] != 0 ? behind(halves[1])
                        : sizeof halves[1] + behind(halves[0]);
}

bool AnySet(const Sixteen& b) {
  uint64_t halves[2];
  std::memcpy(halves, &b, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

// The first k in from..limit with end[-1 - k] == byte; above limit if none.
size_t FindBack(const uint8_t* end, size_t from, size_t limit, uint8_t byte) {
  size_t k = from;
  const Sixteen wanted = Sixteen{} + byte;
  for (; k + kSixteen <= limit + 1; k += kSixteen) {
    // Mostly it is in none of the next: two at once.
    for (; k + 2 * kSixteen <= limit + 1; k += 2 * kSixteen) {
      const uint8_t* const at = end - k - 2 * kSixteen;
      const Sixteen any = Sixteen(SixteenAt(at) == wanted) |
                          Sixteen(SixteenAt(at + kSixteen) == wanted);
      if (AnySet(any)) break;
    }
    if (k + kSixteen > limit + 1) break;
    const Sixteen same = Sixteen(SixteenAt(end - k - kSixteen) == wanted);
    const size_t behind = BehindLastSet(same);
    if (behind < kSixteen) return k + behind;
  }
  while (k <= limit && end[-1 - int64_t(k)] != byte) ++k;
  return k;
}

}  // namespace

// Invariants: holds a byte each of the terms known, or is not there while they
// are few.
struct TailIndex::Bytes {
  static constexpr size_t kMost = kDecisive + kSlack;
  std::array<uint8_t, kMost> rounds;  // the last of Known::round
  std::array<uint8_t, kMost> groups;  // of a hash of the kAtOnce up to there
};

void TailIndex::BytesDeleter::operator()(Bytes* bytes) const { delete bytes; }

void TailIndex::Clear() {
  first_ = repetitions_ = longest_ = 0;
  known_.clear();
}

void TailIndex::Cover(std::span<const Term> terms) {
  Clear();
  const size_t known = std::min(terms.size(), kDecisive + kSlack / 2);
  first_ = terms.size() - known;
  // Called when terms are about to be appended.
  constexpr size_t kMore = 4;
  known_.reserve(known + kMore);
  for (const Term& term : terms.subspan(first_)) Add(term);
}

uint8_t TailIndex::GroupByte(size_t place) const {
  uint64_t group = known_[place].sum;
  if (place >= kAtOnce) {
    group -= known_[place - kAtOnce].sum * kPowers[kAtOnce];
  }
  return uint8_t((group * kBase) >> 56);
}

void TailIndex::NoteBytes(size_t place) {
  bytes_->rounds[place] = uint8_t(known_[place].round);
  bytes_->groups[place] = GroupByte(place);
}

void TailIndex::Add(const Term& term) {
  const size_t place = size();
  const uint64_t before = place == 0 ? 0 : known_[place - 1].sum;
  const bool repeats = !term.body.empty();
  repetitions_ += size_t{repeats};
  longest_ = std::max(longest_, term.body.size());
  const uint32_t hash = HashTerm(term);
  // The hash of all terms so far, so that the hash of any stretch is a
  // difference of two.
  known_.push_back({before * kBase + hash, FirstValue(term),
                    repeats ? uint32_t(end() + term.body.size()) : kNever,
                    hash});
  // Few terms are compared as they are; bytes are kept where searching them
  // pays.
  if (place < kFew) return;
  if (bytes_ == nullptr) bytes_.reset(new Bytes);
  if (place == kFew) {
    for (size_t i = 0; i < place; ++i) NoteBytes(i);
  }
  NoteBytes(place);
}

void TailIndex::Push(const Term& term) {
  if (size() >= kDecisive + kSlack) Forget(kSlack / 2);
  Add(term);
}

void TailIndex::Forget(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    repetitions_ -= size_t{known_[i].round != kNever};
  }
  known_.erase(known_.begin(), known_.begin() + long(count));
  first_ += count;
  for (size_t i = 0; i < size(); ++i) NoteBytes(i);
}

void TailIndex::Cut(size_t end) {
  RANKSIGHT_REQUIRE(end >= first_);
  for (; this->end() > end; known_.pop_back()) {
    repetitions_ -= size_t{known_.back().round != kNever};
  }
}

void TailIndex::Update(std::span<const Term> terms, size_t from) {
  if (from < first_) return Cover(terms);
  Cut(from);
  for (const Term& term : terms.subspan(from)) Add(term);
}

void TailIndex::UpdateLast(const Term& term) {
  Cut(end() - 1);
  Add(term);
}

size_t TailIndex::FindRound(size_t above, size_t window) const {
  RANKSIGHT_REQUIRE(window <= kWindow);
  if (repetitions_ == 0) return 0;
  const size_t n = size();
  const size_t limit = std::min({n - 1, window, longest_});
  const auto due = uint32_t(end() - 1);
  for (size_t back = above + 1; back <= limit; ++back) {
    if (n > kFew) {
      back = FindBack(&bytes_->rounds[n], back, limit, uint8_t(due));
      if (back > limit) break;
    }
    if (known_[n - 1 - back].round == due) return back;
  }
  return 0;
}

bool TailIndex::IsSquare(size_t length) const {
  const size_t n = size();
  const uint64_t before = n == 2 * length ? 0 : known_[n - 2 * length - 1].sum;
  const uint64_t middle = known_[n - length - 1].sum;
  const uint64_t power = kPowers[length];
  return known_[n - 1].sum - middle * power == middle - before * power;
}

size_t TailIndex::FindSquare(size_t above, size_t window) const {
  const size_t n = size();
  const size_t limit = std::min(n / 2, window);
  for (size_t length = above + 1; length <= limit; ++length) {
    if (length >= kAtOnce && n > kFew) {
      const uint8_t* const end = &bytes_->groups[n];
      length = FindBack(end, length, limit, end[-1]);
      if (length > limit) break;
    }
    if (known_[n - 1].hash != known_[n - 1 - length].hash) continue;
    if (IsSquare(length)) return length;
  }
  return 0;
}

size_t TailIndex::FindShift(size_t above, size_t most) const {
  RANKSIGHT_REQUIRE(3 * most <= size());
  const Known* const end = known_.data() + size();
  const auto value = [&](size_t back) {
    return uint64_t(end[-int64_t(back)].value);
  };
  for (size_t k = above + 1; k <= most; ++k) {
    // The last terms of the blocks, then the first ones.
    const uint64_t delta = value(1) - value(k + 1);
    if (delta == 0 || value(k + 1) - value(2 * k + 1) != delta) continue;
    if (value(k) - value(2 * k) == delta &&
        value(2 * k) - value(3 * k) == delta) {
      return k;
    }
  }
  return 0;
}

uint64_t TailIndex::memory_bytes() const {
  return known_.capacity() * sizeof(Known) +
         (bytes_ == nullptr ? 0 : sizeof(Bytes));
}

}  // namespace ranksight::reduction
