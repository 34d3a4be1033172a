#include "reduction/codec/int_list.h"

#include <algorithm>
#include <bit>

#include "reduction/api/contract.h"
#include "reduction/api/pause.h"

namespace ranksight::reduction {
namespace {

struct Block {
  uint64_t base = 0;
  int width = 0;  // bits of a number less base
};

Block BlockOf(std::span<const uint64_t> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, static_cast<int>(std::bit_width(*high - *low))};
}

template <class F>
void ForEachBlock(std::span<const uint64_t> values, F f) {
  for (size_t i = 0; i < values.size(); i += kPackedBlock) {
    Pause();
    f(values.subspan(i, std::min(kPackedBlock, values.size() - i)));
  }
}

template <class F>
void ForEachRun(std::span<const uint64_t> values, F f) {
  for (size_t i = 0; i < values.size();) {
    Pause();
    size_t end = i + 1;
    while (end < values.size() && values[end] == values[i]) ++end;
    f(values[i], end - i);
    i = end;
  }
}

size_t PackedBytes(size_t n, int width) { return (n * width + 7) / 8; }

ListMode BestMode(std::span<const uint64_t> values) {
  const auto differs = [&](uint64_t v) { return v != values[0]; };
  if (std::none_of(values.begin(), values.end(), differs)) {
    return ListMode::kEqual;
  }
  size_t plain = 0, runs = 0, packed = 0;
  ForEachRun(values, [&](uint64_t v, size_t n) {
    const auto size = static_cast<size_t>(VarintSize(v));
    plain += size * n;
    runs += size + VarintSize(n - 1);
  });
  ForEachBlock(values, [&](std::span<const uint64_t> part) {
    const Block b = BlockOf(part);
    packed += VarintSize(b.base) + 1 + PackedBytes(part.size(), b.width);
  });
  // Of equally short ones the plainest, so that each list has one form.
  if (plain <= runs && plain <= packed) return ListMode::kPlain;
  return runs <= packed ? ListMode::kRuns : ListMode::kPacked;
}

void WriteBlock(std::span<const uint64_t> values, ByteWriter* out) {
  const Block b = BlockOf(values);
  out->Varint(b.base);
  out->U8(static_cast<uint8_t>(b.width));
  unsigned __int128 bits = 0;
  int filled = 0;
  for (const uint64_t v : values) {
    bits |= static_cast<unsigned __int128>(v - b.base) << filled;
    for (filled += b.width; filled >= 8; filled -= 8, bits >>= 8) {
      out->U8(static_cast<uint8_t>(bits));
    }
  }
  if (filled > 0) out->U8(static_cast<uint8_t>(bits));
}

void ReadBlock(size_t n, ByteReader* in, std::vector<uint64_t>* values) {
  RANKSIGHT_REQUIRE(values != nullptr);
  const uint64_t base = in->Varint();
  const int width = in->U8();
  if (width > 64) {
    in->Fail("a packed number is too wide");
    return;
  }
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const auto raw = in->Raw(PackedBytes(n, width));
  unsigned __int128 bits = 0;
  int filled = 0;
  size_t next = 0;
  for (size_t i = 0; i < n && in->ok(); ++i) {
    for (; filled < width; filled += 8) {
      bits |= static_cast<unsigned __int128>(raw[next++]) << filled;
    }
    const uint64_t v = static_cast<uint64_t>(bits) & mask;
    // base + v would wrap around.
    if (v > ~base) {
      in->Fail("a packed number is too large");
      return;
    }
    values->push_back(base + v);
    bits >>= width;
    filled -= width;
  }
  if (bits != 0) in->Fail("padding is not zero");
}

void ReadRuns(uint64_t n, ByteReader* in, std::vector<uint64_t>* values) {
  while (values->size() < n && in->ok()) {
    Pause();
    const uint64_t v = in->Varint();
    const uint64_t more = in->Varint();
    if (more >= n - values->size()) {
      in->Fail("a run is longer than its list");
      return;
    }
    values->insert(values->end(), more + 1, v);
  }
}

}  // namespace

void WriteList(std::span<const uint64_t> values, ByteWriter* out) {
  if (values.empty()) return;
  if (values.size() == 1) return out->Varint(values[0]);
  // One value needs no mode, and none needs nothing: the reader knows how many
  // there are.
  const ListMode mode = BestMode(values);
  out->U8(static_cast<uint8_t>(mode));
  switch (mode) {
    case ListMode::kEqual:
      out->Varint(values[0]);
      break;
    case ListMode::kPlain:
      ForEachBlock(values, [out](auto part) {
        for (const uint64_t v : part) out->Varint(v);
      });
      break;
    case ListMode::kRuns:
      ForEachRun(values, [out](uint64_t v, size_t n) {
        out->Varint(v);
        out->Varint(n - 1);
      });
      break;
    case ListMode::kPacked:
      ForEachBlock(values, [out](auto part) { WriteBlock(part, out); });
      break;
  }
}

void WriteSignedList(std::span<const int64_t> values, ByteWriter* out) {
  std::vector<uint64_t> codes;
  codes.reserve(values.size());
  for (const int64_t v : values) codes.push_back(CodeOfSigned(v));
  WriteList(codes, out);
}

std::vector<uint64_t> ReadList(uint64_t n, ByteReader* in) {
  std::vector<uint64_t> values;
  // Before anything is allocated: no more elements than the bytes justify.
  if (n == 0 || !in->Spend(n)) return values;
  values.reserve(n);
  const uint8_t mode = n == 1 ? uint8_t{1} : in->U8();
  switch (static_cast<ListMode>(mode)) {
    case ListMode::kEqual:
      values.assign(n, in->Varint());
      break;
    case ListMode::kPlain:
      for (uint64_t i = 0; i < n && in->ok(); ++i) {
        Pause();
        values.push_back(in->Varint());
      }
      break;
    case ListMode::kRuns:
      ReadRuns(n, in, &values);
      break;
    case ListMode::kPacked:
      while (values.size() < n && in->ok()) {
        Pause();
        ReadBlock(std::min<uint64_t>(kPackedBlock, n - values.size()), in,
                  &values);
      }
      break;
    default:
      in->Fail("unknown list mode");
  }
  if (!in->ok()) values.clear();
  return values;
}

std::vector<int64_t> ReadSignedList(uint64_t n, ByteReader* in) {
  const std::vector<uint64_t> codes = ReadList(n, in);
  std::vector<int64_t> values(codes.size());
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!SignedOfCode(codes[i], &values[i])) {
      in->Fail("a number is out of range");
      return {};
    }
  }
  return values;
}

}  // namespace ranksight::reduction
