#include <algorithm>
#include <utility>
#include <vector>

#include "reduction/codec/parts.h"

namespace ranksight::reduction {
namespace {

constexpr int kQuantileCodes = 15;

// Bits of an event's flags. Moments are numbered as in Six.
constexpr int kSimpleBit = 0;  // + i: moments i are one value, count times
constexpr int kCountBit = 6;   // + i - 2: count of moments i is not expected
constexpr uint64_t kAllFlags = (uint64_t{1} << 10) - 1;

// Moments of an event in the order they are written: first compute, first
// call, compute, call, rank compute, rank call. Those with an even number
// and below 4 give the counts that the others are expected to have.
bool IsRankSpread(int i) { return i >= 4; }

struct Six {
  Moments moments[6];
};

Six SixOf(const EventTimes& t) {
  return {{t.first_compute, t.first_call, t.compute.moments(), t.call.moments(),
           t.rank_compute, t.rank_call}};
}

bool IsSimple(const Moments& m) {
  const double n = static_cast<double>(m.count);
  return m.min == m.max && m.sum == n * m.min &&
         m.sum_squares == n * m.min * m.min;
}

void WriteBody(const Moments& m, bool simple, bool small, bool spread,
               ByteWriter* out) {
  const auto number = [&](double v) {
    // Means over occurrences are no whole numbers, and need not be exact.
    small&& spread ? out->Float(v) : out->Double(v);
  };
  if (m.count == 0) return;
  number(m.min);
  if (simple) return;
  number(m.max);
  number(m.sum);
  small ? out->Float(m.sum_squares) : out->Double(m.sum_squares);
}

Moments ReadBody(uint64_t count, bool simple, bool small, bool spread,
                 ByteReader* in) {
  const auto number = [&] {
    return small && spread ? in->Float() : in->Double();
  };
  Moments m;
  m.count = count;
  if (count == 0) return m;
  m.min = number();
  if (simple) {
    const double n = static_cast<double>(count);
    m.max = m.min;
    m.sum = n * m.min;
    m.sum_squares = n * m.min * m.min;
    return m;
  }
  m.max = number();
  m.sum = number();
  m.sum_squares = small ? in->Float() : in->Double();
  return m;
}

// n elements in k groups as equal as whole numbers allow; where group i
// starts.
uint64_t StartOf(int i, int k, uint64_t n) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(n) * i / k);
}

int CodesOf(uint64_t count) {
  return static_cast<int>(std::min<uint64_t>(count, kQuantileCodes));
}

// The bucket of the middle element of each group.
std::vector<int> Quantiles(const Sketch& s, int k) {
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
  WriteBody(m, false, small, true, out);
}

Moments ReadSpread(bool small, ByteReader* in) {
  const uint64_t count = in->Varint();
  return ReadBody(count, false, small, true, in);
}

void WriteMoments(const Moments& m, ByteWriter* out) {
  out->Varint(m.count);
  WriteBody(m, false, false, false, out);
}

Moments ReadMoments(ByteReader* in) {
  const uint64_t count = in->Varint();
  return ReadBody(count, false, false, false, in);
}

// Flags, the counts of the firsts and of the rest as differences to the
// event before, counts that are not as expected, the moments, the
// histograms.
void TimesWriter::Write(const EventTimes& t) {
  const Six six = SixOf(t);
  const uint64_t first = six.moments[0].count, rest = six.moments[2].count;
  uint64_t flags = 0;
  ByteWriter counts;
  for (int i = 0; i < 6; ++i) {
    const Moments& m = six.moments[i];
    if (IsSimple(m)) flags |= uint64_t{1} << (kSimpleBit + i);
    const uint64_t expected = i == 2 || i == 3 ? rest : first;
    if (m.count == expected) continue;
    const int bit = i == 1 ? 0 : i == 3 ? 1 : i - 2;
    flags |= uint64_t{1} << (kCountBit + bit);
    counts.Varint(m.count);
  }
  out_->Varint(flags);
  out_->Varint(Zigzag(first - first_count_));
  out_->Varint(Zigzag(rest - rest_count_));
  out_->Raw(counts.bytes());
  for (int i = 0; i < 6; ++i) {
    WriteBody(six.moments[i], (flags >> (kSimpleBit + i) & 1) != 0, small_,
              IsRankSpread(i), out_);
  }
  WriteHistogram(t.compute, small_, out_);
  WriteHistogram(t.call, small_, out_);
  first_count_ = first;
  rest_count_ = rest;
}

void TimesReader::Read(EventTimes* t) {
  const uint64_t flags = in_->Varint();
  if (flags > kAllFlags) in_->Fail("unknown flags of times");
  first_count_ += Unzigzag(in_->Varint());
  rest_count_ += Unzigzag(in_->Varint());
  uint64_t counts[6];
  for (int i = 0; i < 6; ++i) {
    counts[i] = i == 2 || i == 3 ? rest_count_ : first_count_;
    if (i == 0 || i == 2) continue;
    const int bit = i == 1 ? 0 : i == 3 ? 1 : i - 2;
    if ((flags >> (kCountBit + bit) & 1) != 0) counts[i] = in_->Varint();
  }
  Six six;
  for (int i = 0; i < 6; ++i) {
    six.moments[i] = ReadBody(counts[i], (flags >> (kSimpleBit + i) & 1) != 0,
                              small_, IsRankSpread(i), in_);
  }
  t->first_compute = six.moments[0];
  t->first_call = six.moments[1];
  ReadHistogram(six.moments[2], small_, in_, &t->compute);
  ReadHistogram(six.moments[3], small_, in_, &t->call);
  t->rank_compute = six.moments[4];
  t->rank_call = six.moments[5];
}

}  // namespace ranksight::reduction
