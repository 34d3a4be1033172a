#include "reduction/api/amounts.h"

#include <algorithm>
#include <array>
#include <span>

#include "reduction/api/call.h"
#include "reduction/api/distribution.h"

namespace ranksight::reduction {
namespace {

// A whole number that knows when it has become too large for its 128 bits.
class Wide {
 public:
  using Number = __int128;
  Wide(Number value = 0) : value_(value) {}  // NOLINT(runtime/explicit)

  Wide& operator+=(const Wide& b) {
    overflowed_ |= b.overflowed_;
    overflowed_ |= __builtin_add_overflow(value_, b.value_, &value_);
    return *this;
  }
  friend Wide operator+(Wide a, const Wide& b) { return a += b; }
  friend Wide operator*(Wide a, const Wide& b) {
    a.overflowed_ |= b.overflowed_;
    a.overflowed_ |= __builtin_mul_overflow(a.value_, b.value_, &a.value_);
    return a;
  }
  uint64_t AsAmount() const {
    const bool fits = !overflowed_ && value_ >= 0 && value_ < Number{kTooMany};
    return fits ? static_cast<uint64_t>(value_) : kTooMany;
  }

 private:
  Number value_;
  bool overflowed_ = false;
};

// 0 + 1 + ... + (n - 1)
Wide Triangle(uint64_t n) {
  return n % 2 == 0 ? Wide(n / 2) * (Wide(n) + -1) : Wide(n / 2) * n;
}

int64_t Number(int64_t value) { return IsSpecial(value) ? 0 : value; }

struct SumAndSize {
  Wide sum, size;
};

SumAndSize Add(std::span<const Term> terms) {
  SumAndSize all;
  for (const Term& term : terms) {
    const SumAndSize once =
        term.body.empty() ? SumAndSize{Number(term.value), 1} : Add(term.body);
    all.sum += once.sum * term.count +
               Wide(term.stride) * Triangle(term.count) * once.size;
    all.size += once.size * term.count;
  }
  return all;
}

Wide WideSum(const Section& values) { return Add(values.terms()).sum; }

bool AllConstant(const ParameterPiece& piece, size_t column_of_term) {
  for (size_t i = column_of_term; i < piece.columns.size(); i += 3) {
    if (!piece.columns[i].values.IsConstant()) return false;
  }
  return true;
}

// Adds up a piece whose strides and counts are the same on all its ranks: a
// term's values then count as often on each of them.
class PieceSum {
 public:
  explicit PieceSum(const ParameterPiece& piece) : piece_(piece) {}

  Wide All() {
    while (at_ < piece_.shape.size()) Add(1, 0);
    return sum_;
  }

 private:
  int64_t First(size_t term, size_t which) const {
    return piece_.columns[3 * term + which].values.At(0);
  }
  // `times` is how often the term stands in the sequence, `shift` what the
  // strides around it add to one value, summed over those times.
  void Add(const Wide& times, const Wide& shift) {
    const size_t term = at_++;
    const auto count = static_cast<uint64_t>(First(term, 2));
    const Wide steps = Wide(First(term, 1)) * Triangle(count);
    if (piece_.shape[term] == 0) {
      const Column& value = piece_.columns[3 * term];
      Wide values = WideSum(value.values);
      if (value.relative) values += WideSum(piece_.ranks);
      sum_ += times * count * values +
              Wide(piece_.ranks.size()) * (shift * count + times * steps);
      return;
    }
    const size_t end = at_ + piece_.shape[term];
    while (at_ < end) Add(times * count, shift * count + times * steps);
  }

  const ParameterPiece& piece_;
  size_t at_ = 0;
  Wide sum_;
};

Wide SumByRank(const Parameter& parameter, const Section& ranks) {
  Wide sum;
  for (SectionCursor at(&ranks); !at.done();) {
    sum += WideSum(parameter.At(at.Next()));
  }
  return sum;
}

// Whether the products and the sum that the bytes of an event are made of fit.
bool Fits(const Event& e, Param count, Param counts, Param size, Param sizes) {
  Wide sum;
  const auto each = e.GetArray(counts), size_of = e.GetArray(sizes);
  for (size_t i = 0; i < each.size(); ++i) {
    const int64_t own = i < size_of.size() ? size_of[i] : e.Get(size);
    sum += Wide(Number(each[i])) * Number(own);
  }
  sum += Wide(Number(e.Get(count))) * Number(e.Get(size)) *
         Number(e.Get(Param::kPartitions, 1)) *
         (GivesShares(e.call()) ? Number(e.comm_size) : 1);
  return sum.AsAmount() <= uint64_t{INT64_MAX};
}

bool Fits(const Event& e) {
  return Fits(e, Param::kCount, Param::kCounts, Param::kTypeSize,
              Param::kTypeSizes) &&
         Fits(e, Param::kRecvCount, Param::kRecvCounts, Param::kRecvTypeSize,
              Param::kRecvTypeSizes);
}

}  // namespace

uint64_t AmountOf(int64_t value) {
  const int64_t number = Number(value);
  return number < 0 ? kTooMany : static_cast<uint64_t>(number);
}

uint64_t Plus(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kTooMany : sum;
}

uint64_t Times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kTooMany : product;
}

uint64_t SumOf(const Section& values) { return WideSum(values).AsAmount(); }

uint64_t SumOverRanks(const Parameter& values) {
  if (values.distribution() != nullptr) {
    return AmountOf(values.distribution()->sum());
  }
  Wide sum;
  for (const ParameterPiece& piece : values.pieces()) {
    sum += AllConstant(piece, 1) && AllConstant(piece, 2)
               ? PieceSum(piece).All()
               : SumByRank(values, piece.ranks);
  }
  return sum.AsAmount();
}

uint64_t SentBy(const Event& event) {
  return Fits(event) ? AmountOf(SendBytes(event)) : kTooMany;
}

uint64_t PostedBy(const Event& event) {
  return Fits(event) ? AmountOf(RecvBytes(event)) : kTooMany;
}

Status TooManyBytes() {
  return Status::BadInput("too many bytes to be counted");
}

}  // namespace ranksight::reduction
