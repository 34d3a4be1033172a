#include "reduction/codec/section_code.h"

#include <algorithm>
#include <utility>

#include "reduction/api/pause.h"
#include "reduction/codec/int_list.h"

namespace ranksight::reduction {
namespace {

// From here on columns beat terms one by one even when nothing repeats.
constexpr size_t kOneByOneMax = 8;
constexpr uint64_t kSaturated = uint64_t{1} << 63;

constexpr uint64_t kHasBody = 1, kHasStride = 2, kHasCount = 4;

// Terms in preorder.
struct FlatTerms {
  std::vector<uint64_t> bodies;  // number of terms in the body, 0: a run
  std::vector<int64_t> values;   // of the runs only
  std::vector<int64_t> strides;
  std::vector<uint64_t> counts;  // less one
  size_t size() const { return bodies.size(); }
  void Clear() {
    bodies.clear();
    values.clear();
    strides.clear();
    counts.clear();
  }
  void Append(const FlatTerms& more) {
    const auto append = [](const auto& from, auto* to) {
      to->insert(to->end(), from.begin(), from.end());
    };
    append(more.bodies, &bodies);
    append(more.values, &values);
    append(more.strides, &strides);
    append(more.counts, &counts);
  }
};

void Flatten(std::span<const Term> terms, FlatTerms* flat) {
  for (const Term& t : terms) {
    flat->bodies.push_back(t.body.size());
    if (t.body.empty()) flat->values.push_back(t.value);
    flat->strides.push_back(t.stride);
    flat->counts.push_back(t.count - 1);
    Flatten(t.body, flat);
  }
}

// Rebuilds terms from their preorder, consuming positions of flat.
class Builder {
 public:
  Builder(const FlatTerms& flat, ByteReader* in) : flat_(flat), in_(in) {}

  // The next section, made of exactly `nodes` terms in preorder.
  Section Next(uint64_t nodes) {
    const size_t end = node_ + nodes;
    std::vector<Term> terms;
    terms.reserve(nodes);
    while (node_ < end && in_->ok()) terms.push_back(NextTerm(end, 1));
    Section section;
    if (!in_->ok()) return section;
    if (!Section::FromTerms(std::move(terms), &section)) {
      in_->Fail("a section breaks its rules");
    } else if (Magnitude(section) > uint64_t(kMaxMagnitude)) {
      section = Section();
      in_->Fail("values of a section are out of range");
    }
    return section;
  }

 private:
  Term NextTerm(size_t end, int depth) {
    Term t;
    const uint64_t body = flat_.bodies[node_];
    t.stride = flat_.strides[node_];
    t.count = flat_.counts[node_] + 1;
    ++node_;
    if (body == 0) {
      t.value = flat_.values[run_++];
      return t;
    }
    if (body > end - node_ || depth >= Section::kMaxDepth) {
      in_->Fail("terms of a section do not nest");
      return t;
    }
    t.body.reserve(body);
    for (uint64_t i = 0; i < body && in_->ok(); ++i) {
      if (node_ >= end) {
        in_->Fail("terms of a section do not nest");
        break;
      }
      t.body.push_back(NextTerm(end, depth + 1));
    }
    return t;
  }

  const FlatTerms& flat_;
  ByteReader* in_;
  size_t node_ = 0;
  size_t run_ = 0;
};

void WriteColumns(const FlatTerms& flat, ByteWriter* out) {
  WriteList(flat.bodies, out);
  WriteSignedList(flat.values, out);
  WriteSignedList(flat.strides, out);
  WriteList(flat.counts, out);
}

FlatTerms ReadColumns(uint64_t n, ByteReader* in) {
  FlatTerms flat;
  flat.bodies = ReadList(n, in);
  const auto runs = std::count(flat.bodies.begin(), flat.bodies.end(), 0);
  flat.values = ReadSignedList(static_cast<uint64_t>(runs), in);
  flat.strides = ReadSignedList(n, in);
  flat.counts = ReadList(n, in);
  for (const uint64_t c : flat.counts) {
    if (c >= kSaturated) in->Fail("a count is too large");
  }
  return flat;
}

void WriteOneByOne(const FlatTerms& flat, ByteWriter* out) {
  size_t run = 0;
  for (size_t i = 0; i < flat.size(); ++i) {
    const bool body = flat.bodies[i] != 0;
    const uint64_t first_count = body ? 1 : 0;
    const bool count = flat.counts[i] > first_count;
    const uint64_t x = body ? flat.bodies[i] : CodeOfSigned(flat.values[run++]);
    // The top bits of x are free: values stay below 2^62.
    out->Varint(x << 3 | (body ? kHasBody : 0) |
                (flat.strides[i] != 0 ? kHasStride : 0) |
                (count ? kHasCount : 0));
    if (flat.strides[i] != 0) out->Signed(flat.strides[i]);
    if (count) out->Varint(flat.counts[i] - first_count - 1);
  }
}

bool FitsOneByOne(const FlatTerms& flat) {
  return flat.size() <= kOneByOneMax &&
         std::all_of(flat.values.begin(), flat.values.end(), [](int64_t v) {
           return CodeOfSigned(v) < (uint64_t{1} << 60);
         });
}

FlatTerms ReadOneByOne(uint64_t n, ByteReader* in) {
  FlatTerms flat;
  if (!in->Spend(n)) return flat;
  flat.bodies.reserve(n);
  flat.values.reserve(n);
  flat.strides.reserve(n);
  flat.counts.reserve(n);
  for (uint64_t i = 0; i < n && in->ok(); ++i) {
    // Three bits say what follows; the others are the value, or the length of
    // the body.
    const uint64_t head = in->Varint();
    const bool body = (head & kHasBody) != 0;
    int64_t value = 0;
    if (body ? head >> 3 == 0 : !SignedOfCode(head >> 3, &value)) {
      in->Fail("a term is out of range");
    }
    flat.bodies.push_back(body ? head >> 3 : 0);
    if (!body) flat.values.push_back(value);
    flat.strides.push_back((head & kHasStride) != 0 ? in->Signed() : 0);
    uint64_t count = body ? 1 : 0;
    if ((head & kHasCount) != 0) {
      count += 1 + in->Varint(kSaturated - 3, "a count");
    }
    flat.counts.push_back(count);
  }
  return flat;
}

// Head: 2 x nodes + 1 when the terms follow column by column.
void WriteFlat(const FlatTerms& flat, ByteWriter* out) {
  const bool one_by_one = FitsOneByOne(flat);
  out->Varint(flat.size() << 1 | (one_by_one ? 0 : 1));
  if (one_by_one) {
    WriteOneByOne(flat, out);
  } else {
    WriteColumns(flat, out);
  }
}

uint64_t SaturatingAdd(uint64_t a, uint64_t b) {
  return std::min(a + std::min(b, kSaturated), kSaturated);
}

uint64_t SaturatingProduct(uint64_t a, uint64_t b) {
  const auto p = static_cast<unsigned __int128>(a) * b;
  return p > kSaturated ? kSaturated : static_cast<uint64_t>(p);
}

uint64_t Absolute(int64_t v) {
  return v < 0 ? uint64_t{0} - static_cast<uint64_t>(v)
               : static_cast<uint64_t>(v);
}

uint64_t MagnitudeOf(std::span<const Term> terms) {
  uint64_t most = 0;
  for (const Term& t : terms) {
    const uint64_t base =
        t.body.empty() ? Absolute(t.value) : MagnitudeOf(t.body);
    const uint64_t climb = SaturatingProduct(Absolute(t.stride), t.count - 1);
    most = std::max(most, SaturatingAdd(climb, base));
  }
  return most;
}

size_t Mix(size_t seed, uint64_t v) {
  return (seed ^ v) * 0x9e3779b97f4a7c15u + (seed >> 29);
}

size_t HashTerms(std::span<const Term> terms, size_t seed) {
  for (const Term& t : terms) {
    seed = Mix(seed, static_cast<uint64_t>(t.value));
    seed = Mix(seed, static_cast<uint64_t>(t.stride));
    seed = Mix(seed, t.count);
    seed = HashTerms(t.body, Mix(seed, t.body.size()));
  }
  return seed;
}

}  // namespace

void WriteSection(const Section& section, ByteWriter* out) {
  FlatTerms flat;
  Flatten(section.terms(), &flat);
  WriteFlat(flat, out);
}

Section ReadSection(ByteReader* in) {
  const uint64_t head = in->Varint();
  const FlatTerms flat = (head & 1) != 0 ? ReadColumns(head >> 1, in)
                                         : ReadOneByOne(head >> 1, in);
  return in->ok() ? Builder(flat, in).Next(head >> 1) : Section();
}

void WriteSections(std::span<const Section* const> sections, ByteWriter* out) {
  if (sections.empty()) return;
  ByteWriter separate, together;
  FlatTerms one, all;
  std::vector<uint64_t> sizes;
  for (const Section* s : sections) {
    Pause();
    one.Clear();
    Flatten(s->terms(), &one);
    WriteFlat(one, &separate);
    all.Append(one);
    sizes.push_back(one.size());
  }
  WriteList(sizes, &together);
  WriteColumns(all, &together);
  // Like sections pack better in common columns, single ones better apart. Both
  // are tried: writing costs less than guessing wrong.
  const bool join = together.size() < separate.size();
  out->U8(join ? 1 : 0);
  out->Raw(join ? together.bytes() : separate.bytes());
}

std::vector<Section> ReadSections(uint64_t n, ByteReader* in) {
  std::vector<Section> sections;
  if (n == 0 || !in->Spend(n)) return sections;
  const uint8_t join = in->U8();
  if (join > 1) in->Fail("unknown form of sections");
  if (join == 0) {
    for (uint64_t i = 0; i < n && in->ok(); ++i) {
      Pause();
      sections.push_back(ReadSection(in));
    }
    return sections;
  }
  const std::vector<uint64_t> sizes = ReadList(n, in);
  uint64_t total = 0;
  for (const uint64_t size : sizes) {
    // Before anything is allocated: sizes come from a file that may be
    // anybody's.
    if (size > in->budget() || (total += size) > in->budget()) {
      in->Fail("describes more than its size justifies");
      return sections;
    }
  }
  const FlatTerms flat = ReadColumns(total, in);
  if (!in->ok()) return sections;
  Builder builder(flat, in);
  sections.reserve(n);
  for (const uint64_t size : sizes) {
    Pause();
    sections.push_back(builder.Next(size));
  }
  return sections;
}

uint64_t Magnitude(const Section& section) {
  return MagnitudeOf(section.terms());
}

size_t HashSection(const Section& section, size_t seed) {
  return HashTerms(section.terms(), seed);
}

}  // namespace ranksight::reduction
