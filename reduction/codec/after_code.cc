#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "reduction/api/contract.h"
#include "reduction/codec/parts.h"

namespace ranksight::reduction {
namespace {

using Part = ComputeParts::Part;

// Any predecessor is 0, none 1, call site i is i + 2.
int64_t CodeOf(Predecessor after) {
  if (after == kAnyPredecessor) return 0;
  return after == kNoPredecessor ? 1 : int64_t{after} + 2;
}

constexpr int kCountBits = 4;
static_assert(ComputeParts::kMost < 1 << kCountBits);

// In small traces what is not a mean needs no more than the upper half of a
// float, a part in 256.
enum class Round { kDown, kNearest, kUp };
// Larger ones would round up to infinity.
constexpr float kMostHalf = 3e38F;

// The float whose upper half is written.
uint32_t HalfOf(double v, Round round) {
  RANKSIGHT_REQUIRE(v >= 0);
  const auto bits = std::bit_cast<uint32_t>(std::min(ToFloat(v), kMostHalf));
  const uint32_t more = round == Round::kDown      ? 0
                        : round == Round::kNearest ? 0x8000
                                                   : 0xffff;
  return (bits + more) & 0xffff0000;
}

void WriteHalf(double v, Round round, ByteWriter* out) {
  const uint32_t half = HalfOf(v, round);
  out->U8(static_cast<uint8_t>(half >> 16));
  out->U8(static_cast<uint8_t>(half >> 24));
}

double ReadHalf(ByteReader* in) {
  const uint32_t low = in->U8(), high = in->U8();
  const auto v = std::bit_cast<float>(high << 24 | low << 16);
  if (!std::isfinite(v) || v < 0) in->Fail("no duration or variance");
  return v;
}

// A variance below this share of the mean's square is none: sums do not tell.
constexpr double kNoVariance = 1e-10;

// mean: what a reader takes it to be around. What counts is what a reader gets,
// so that a trace that was read is written as it was.
void WriteVariance(const Moments& m, double mean, ByteWriter* out) {
  const double around = ToFloat(mean);
  const double told =
      std::bit_cast<float>(HalfOf(m.Variance(), Round::kNearest));
  const bool is_told = told > kNoVariance * around * around;
  WriteHalf(is_told ? told : 0, Round::kNearest, out);
}

Moments Around(uint64_t count, double mean, double variance) {
  const double n = static_cast<double>(count);
  return {count, n * mean, n * (mean * mean + variance), 0, 0};
}

void WriteBrief(const Moments& m, ByteWriter* out) {
  out->Varint(m.count);
  if (m.count == 0) return;
  out->Float(m.Mean());
  WriteVariance(m, m.Mean(), out);
  WriteHalf(m.min, Round::kDown, out);
  WriteHalf(m.max, Round::kUp, out);
}

Moments ReadBrief(ByteReader* in) {
  const uint64_t count = in->Varint();
  if (count == 0) return {};
  const double mean = in->Float();
  if (mean < 0) in->Fail("a time below zero");
  Moments m = Around(count, mean, ReadHalf(in));
  m.min = ReadHalf(in);
  m.max = ReadHalf(in);
  return m;
}

}  // namespace

bool HasPredecessors(const EventTimes& t) {
  return t.first_after.size() > 0 || t.rest_after.size() > 0;
}

void AfterWriter::Write(const Node& event) {
  const ComputeParts& firsts = event.times.first_after;
  const ComputeParts& rests = event.times.rest_after;
  out_->U8(static_cast<uint8_t>(firsts.size() | rests.size() << kCountBits));
  WritePredecessors(firsts);
  WritePredecessors(rests);
  for (const Part& p : firsts.apart()) {
    small_ ? WriteBrief(p.compute.first, out_)
           : WriteMoments(p.compute.first, out_);
  }
  for (const Part& p : rests.apart()) WriteRest(p.compute);
  last_site_ = event.site;
}

void AfterWriter::WriteRest(const TimeSummary& compute) {
  const Moments& rest = compute.rest.moments();
  small_ ? WriteBrief(rest, out_) : WriteMoments(rest, out_);
  WriteHistogram(compute.rest, small_, out_);
  if (!small_) return WriteMoments(compute.ranks, out_);
  out_->Varint(compute.ranks.count);
  if (compute.ranks.count > 0) WriteVariance(compute.ranks, rest.Mean(), out_);
}

void AfterWriter::WritePredecessors(const ComputeParts& parts) {
  int64_t last = CodeOf(last_site_);
  const auto write = [&](Predecessor after) {
    out_->Signed(CodeOf(after) - last);
    last = CodeOf(after);
  };
  if (parts.sole()) write(*parts.sole());
  for (const Part& p : parts.apart()) write(p.after);
}

void AfterReader::Read(Node* event) {
  const uint8_t counts = in_->U8();
  ComputeParts& first_after = event->times.first_after;
  ComputeParts& rest_after = event->times.rest_after;
  auto firsts =
      ReadPredecessors(counts & ((1 << kCountBits) - 1), &first_after);
  auto rests = ReadPredecessors(counts >> kCountBits, &rest_after);
  for (Part& p : firsts) {
    p.compute.first = small_ ? ReadBrief(in_) : ReadMoments(in_);
  }
  for (Part& p : rests) ReadRest(&p.compute);
  if (!in_->ok()) return;
  if (!firsts.empty()) first_after = ComputeParts::Of(std::move(firsts));
  if (!rests.empty()) rest_after = ComputeParts::Of(std::move(rests));
  last_site_ = event->site;
}

void AfterReader::ReadRest(TimeSummary* compute) {
  const Moments rest = small_ ? ReadBrief(in_) : ReadMoments(in_);
  if (!in_->ok()) return;
  ReadHistogram(rest, small_, in_, &compute->rest);
  if (!small_) {
    compute->ranks = ReadMoments(in_);
    return;
  }
  const uint64_t ranks = in_->Varint();
  if (ranks == 0) return;
  compute->ranks = Around(ranks, rest.Mean(), ReadHalf(in_));
  compute->ranks.min = rest.min;
  compute->ranks.max = rest.max;
}

std::vector<Part> AfterReader::ReadPredecessors(size_t count,
                                                ComputeParts* sole) {
  if (count > ComputeParts::kMost) {
    in_->Fail("too many predecessors");
    return {};
  }
  std::vector<Part> parts(count > 1 ? count : 0);
  int64_t code = CodeOf(last_site_);
  for (size_t i = 0; i < count && in_->ok(); ++i) {
    // Each as the difference to the one before; the first to where the last
    // event stood.
    const int64_t before = code;
    code += in_->Signed();
    if (code < 0 || code >= static_cast<int64_t>(sites_) + 2) {
      in_->Fail("no such call site");
    } else if (count == 1) {
      *sole = ComputeParts::Of(Of(code));
    } else if (code == 0 || (i > 0 && Of(code) <= Of(before))) {
      in_->Fail("predecessors are out of order");
    } else {
      parts[i].after = Of(code);
    }
  }
  return parts;
}

Predecessor AfterReader::Of(int64_t code) {
  if (code == 0) return kAnyPredecessor;
  return code == 1 ? kNoPredecessor : static_cast<Predecessor>(code - 2);
}

}  // namespace ranksight::reduction
