#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "reduction/api/contract.h"
#include "reduction/codec/container.h"
#include "reduction/codec/parts.h"

namespace ranksight::reduction {
namespace {

constexpr int kQuantileCodes = 15;

// Bits of an event's flags. Moments are numbered as in Six.
constexpr int kSimpleBit = 0;  // + i: moments i are one value, count times
constexpr int kCountBit = 6;   // moments 1, 3, 4, 5: count is not expected
constexpr int kFirstBit = 10;  // + i - 4: moments i are moments i - 4
constexpr int kSumBit = 12;    // + i - 4: the sum of moments i is expected
constexpr int kFlags = 14;

uint64_t Bit(int i) { return uint64_t{1} << i; }

uint64_t AllFlags(uint64_t version) {
  return Bit(version < kFirstsRepeated ? kFirstBit : kFlags) - 1;
}

// Moments whose count that of moments i is expected to be.
constexpr int kCountOf[] = {0, 0, 2, 2, 0, 0};
int CountBit(int i) { return kCountBit + (i == 1 ? 0 : i == 3 ? 1 : i - 2); }

bool IsRankSpread(int i) { return i >= 4; }

// One value for all occurrences.
Moments Simple(uint64_t count, double value) {
  const double n = static_cast<double>(count);
  return {count, n * value, n * value * value, value, value};
}

// The sum of the ranks' means when all have as many occurrences.
double ExpectedSum(const Moments& all, uint64_t ranks) {
  if (all.count == 0) return 0;
  return all.sum * static_cast<double>(ranks) / static_cast<double>(all.count);
}

// Which numbers a reader gets as floats: in small traces, sums of squares and
// all of spreads. Means over occurrences need not be exact.
struct Precision {
  bool small, spread;

  double Kept(double v) const { return small && spread ? ToFloat(v) : v; }
  Moments Kept(Moments m) const {
    m.min = Kept(m.min);
    m.max = Kept(m.max);
    m.sum = Kept(m.sum);
    if (small) m.sum_squares = ToFloat(m.sum_squares);
    return m;
  }
  bool AreAlike(const Moments& a, const Moments& b) const {
    return Kept(a) == Kept(b);
  }
  void Write(double v, ByteWriter* out) const {
    small&& spread ? out->Float(v) : out->Double(v);
  }
  double Read(ByteReader* in) const {
    return small && spread ? in->Float() : in->Double();
  }
};

void WriteBody(const Moments& m, bool with_sum, Precision precision,
               ByteWriter* out) {
  precision.Write(m.min, out);
  precision.Write(m.max, out);
  if (with_sum) precision.Write(m.sum, out);
  precision.small ? out->Float(m.sum_squares) : out->Double(m.sum_squares);
}

// All but the count, and the sum unless asked for.
void ReadBody(bool with_sum, Precision precision, ByteReader* in, Moments* m) {
  m->min = precision.Read(in);
  m->max = precision.Read(in);
  if (with_sum) m->sum = precision.Read(in);
  m->sum_squares = precision.small ? in->Float() : in->Double();
}

void CheckDurations(const Moments& m, ByteReader* in) {
  if (m.min < 0 || m.max < 0 || m.sum < 0 || m.sum_squares < 0) {
    in->Fail("a time below zero");
  }
}

// n elements in k groups as equal as whole numbers allow; where group i
// starts.
uint64_t StartOf(int i, int k, uint64_t n) {
  RANKSIGHT_REQUIRE(k > 0 && i >= 0 && i <= k);
  return static_cast<uint64_t>(static_cast<unsigned __int128>(n) * i / k);
}

int CodesOf(uint64_t count) {
  return static_cast<int>(std::min<uint64_t>(count, kQuantileCodes));
}

// The bucket of the middle element of each group.
std::vector<int> Quantiles(const Sketch& s, int k) {
  RANKSIGHT_REQUIRE(k >= 0);
  uint64_t total = 0;
  for (const uint64_t c : s.counts()) total += c;
  std::vector<int> codes;
  size_t bucket = 0;
  uint64_t below = 0;  // elements in buckets before `bucket`
  for (int i = 0; i < k && total > 0; ++i) {
    const uint64_t start = StartOf(i, k, total);
    const uint64_t middle = start + (StartOf(i + 1, k, total) - start) / 2;
    const uint64_t wanted = std::min(middle, total - 1);
    while (below + s.counts()[bucket] <= wanted) below += s.counts()[bucket++];
    codes.push_back(s.first_bucket() + static_cast<int>(bucket));
  }
  codes.resize(static_cast<size_t>(k), 0);
  return codes;
}

// The first code as a byte; for the others as many 1 bits as buckets up,
// then a 0 bit, lowest bit first.
void WriteQuantiles(const Sketch& s, ByteWriter* out) {
  const std::vector<int> codes = Quantiles(s, CodesOf(s.moments().count));
  if (codes.empty()) return;
  out->U8(static_cast<uint8_t>(codes[0]));
  uint8_t byte = 0;
  int filled = 0;
  const auto put = [&](int bit) {
    byte = static_cast<uint8_t>(byte | bit << filled);
    if (++filled == 8) {
      out->U8(byte);
      byte = 0;
      filled = 0;
    }
  };
  for (size_t i = 1; i < codes.size(); ++i) {
    for (int up = codes[i - 1]; up < codes[i]; ++up) put(1);
    put(0);
  }
  if (filled > 0) out->U8(byte);
}

std::vector<int> ReadCodes(int k, ByteReader* in) {
  // Buckets ascend, so after the first a bit is enough: 1 goes on to the next
  // bucket, 0 takes this one.
  std::vector<int> codes = {in->U8()};
  uint8_t byte = 0;
  int filled = 0;
  int code = codes[0];
  while (static_cast<int>(codes.size()) < k && in->ok()) {
    if (filled == 0) {
      byte = in->U8();
      filled = 8;
    }
    if ((byte & 1) != 0) {
      ++code;
    } else {
      codes.push_back(code);
    }
    byte >>= 1;
    --filled;
    if (code >= Sketch::kBuckets) in->Fail("no such bucket");
  }
  if (byte != 0) in->Fail("padding is not zero");
  if (code >= Sketch::kBuckets) in->Fail("no such bucket");
  return codes;
}

void ReadQuantiles(const Moments& m, ByteReader* in, Sketch* s) {
  const int k = CodesOf(m.count);
  if (k == 0) return s->Restore(m, 0, {});
  const std::vector<int> codes = ReadCodes(k, in);
  if (!in->ok()) return;
  std::vector<uint64_t> counts(
      static_cast<size_t>(codes.back() - codes.front() + 1));
  for (int i = 0; i < k; ++i) {
    counts[static_cast<size_t>(codes[i] - codes[0])] +=
        StartOf(i + 1, k, m.count) - StartOf(i, k, m.count);
  }
  s->Restore(m, codes[0], std::move(counts));
}

void WriteBuckets(const Sketch& s, ByteWriter* out) {
  out->U8(static_cast<uint8_t>(s.first_bucket()));
  out->Varint(s.counts().size());
  for (const uint64_t c : s.counts()) out->Varint(c);
}

void ReadBuckets(const Moments& m, ByteReader* in, Sketch* s) {
  const int first = in->U8();
  const uint64_t n = in->Varint(Sketch::kBuckets, "a histogram");
  if (first + n > Sketch::kBuckets) in->Fail("no such bucket");
  std::vector<uint64_t> counts;
  for (uint64_t i = 0; i < n && in->ok(); ++i) counts.push_back(in->Varint());
  if (in->ok()) s->Restore(m, first, std::move(counts));
}

}  // namespace

void WriteHistogram(const Sketch& s, bool small, ByteWriter* out) {
  small ? WriteQuantiles(s, out) : WriteBuckets(s, out);
}

void ReadHistogram(const Moments& m, bool small, ByteReader* in, Sketch* s) {
  small ? ReadQuantiles(m, in, s) : ReadBuckets(m, in, s);
}

void WriteSpread(const Moments& m, bool small, ByteWriter* out) {
  out->Varint(m.count);
  if (m.count > 0) WriteBody(m, true, {small, true}, out);
}

Moments ReadSpread(bool small, ByteReader* in) {
  Moments m;
  m.count = in->Varint();
  if (m.count > 0) ReadBody(true, {small, true}, in, &m);
  return m;
}

void WriteMoments(const Moments& m, ByteWriter* out) {
  out->Varint(m.count);
  if (m.count > 0) WriteBody(m, true, {false, false}, out);
}

Moments ReadMoments(ByteReader* in) {
  Moments m;
  m.count = in->Varint();
  if (m.count > 0) ReadBody(true, {false, false}, in, &m);
  CheckDurations(m, in);
  return m;
}

// Flags, the counts of the firsts and of the rest as differences to the
// event before, counts that are not as expected, the moments, the
// histograms.
void TimesWriter::Write(const EventTimes& t) {
  const Six six = {t.compute.first,          t.call.first,
                   t.compute.rest.moments(), t.call.rest.moments(),
                   t.compute.ranks,          t.call.ranks};
  ByteWriter counts, bodies;
  uint64_t flags = 0;
  for (int i = 0; i < 6; ++i) flags |= WriteOne(six, i, &counts, &bodies);
  out_->Varint(flags);
  out_->Varint(Zigzag(six[0].count - first_count_));
  out_->Varint(Zigzag(six[2].count - rest_count_));
  out_->Raw(counts.bytes());
  out_->Raw(bodies.bytes());
  WriteHistogram(t.compute.rest, small_, out_);
  WriteHistogram(t.call.rest, small_, out_);
  first_count_ = six[0].count;
  rest_count_ = six[2].count;
}

uint64_t TimesWriter::WriteOne(const Six& six, int i, ByteWriter* counts,
                               ByteWriter* bodies) const {
  const Moments& m = six[i];
  const Precision precision{small_, IsRankSpread(i)};
  // Where each rank makes the call once, the spread over ranks is that of the
  // first occurrences: a bit says so.
  if (precision.spread && m.count > 0 && precision.AreAlike(m, six[i - 4])) {
    return Bit(kFirstBit + i - 4);
  }
  uint64_t flags = 0;
  if (m.count != six[kCountOf[i]].count) {
    flags |= Bit(CountBit(i));
    counts->Varint(m.count);
  }
  if (precision.AreAlike(m, Simple(m.count, precision.Kept(m.min)))) {
    if (m.count > 0) precision.Write(m.min, bodies);
    return flags | Bit(kSimpleBit + i);
  }
  // The sum over ranks usually follows from that over occurrences.
  const bool is_expected =
      precision.spread &&
      precision.Kept(m.sum) == precision.Kept(ExpectedSum(six[i - 2], m.count));
  WriteBody(m, !is_expected, precision, bodies);
  return is_expected ? flags | Bit(kSumBit + i - 4) : flags;
}

void TimesReader::Read(EventTimes* t) {
  const uint64_t flags = in_->Varint();
  if (flags > AllFlags(version_)) in_->Fail("unknown flags of times");
  // Counts differ little from those of the event before, so differences are
  // kept.
  first_count_ += Unzigzag(in_->Varint());
  rest_count_ += Unzigzag(in_->Varint());
  Six six;
  for (int i = 0; i < 6; ++i) {
    six[i].count = i == 2 || i == 3 ? rest_count_ : first_count_;
    const bool has_count = i != 0 && i != 2 && (flags & Bit(CountBit(i))) != 0;
    if (has_count) six[i].count = in_->Varint();
  }
  for (int i = 0; i < 6 && in_->ok(); ++i) {
    ReadOne(flags, i, &six);
    CheckDurations(six[i], in_);
  }
  if (!in_->ok()) return;
  t->compute.first = six[0];
  t->call.first = six[1];
  ReadHistogram(six[2], small_, in_, &t->compute.rest);
  ReadHistogram(six[3], small_, in_, &t->call.rest);
  t->compute.ranks = six[4];
  t->call.ranks = six[5];
}

void TimesReader::ReadOne(uint64_t flags, int i, Six* six) {
  Moments& m = (*six)[i];
  const Precision precision{small_, IsRankSpread(i)};
  const auto spread_has = [&](int bit) {
    return precision.spread && (flags & Bit(bit + i - 4)) != 0;
  };
  if (spread_has(kFirstBit)) {
    m = (*six)[i - 4];
  } else if (m.count == 0) {
    return;
  } else if ((flags & Bit(kSimpleBit + i)) != 0) {
    m = Simple(m.count, precision.Read(in_));
  } else {
    const bool is_expected = spread_has(kSumBit);
    ReadBody(!is_expected, precision, in_, &m);
    if (!is_expected) return;
    m.sum = precision.Kept(ExpectedSum((*six)[i - 2], m.count));
    if (!std::isfinite(m.sum)) in_->Fail("a sum is too large");
  }
}

}  // namespace ranksight::reduction
