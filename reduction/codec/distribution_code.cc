#include "reduction/codec/distribution_code.h"

#include "reduction/codec/parts.h"

namespace ranksight::reduction {

void WriteDistribution(const Distribution& d, bool small, ByteWriter* out) {
  const Sketch sketch = d.sketch();
  out->U8(small ? 1 : 0);
  out->Varint(d.count());
  out->Varint(Zigzag(uint64_t(d.min())));
  out->Varint(uint64_t(d.max()) - uint64_t(d.min()));
  out->Varint(Zigzag(uint64_t(d.sum())));
  const double squares = sketch.moments().sum_squares;
  small ? out->Float(squares) : out->Double(squares);
  WriteHistogram(sketch, small, out);
  WriteSpread(d.ranks(), small, out);
}

Distribution ReadDistribution(ByteReader* in) {
  const uint8_t form = in->U8();
  if (form > 1) in->Fail("unknown form of a distribution");
  const bool small = form == 1;
  Moments m;
  m.count = in->Varint();
  // Modulo 2^64: a damaged file may say anything, and Restore looks at what
  // comes of it.
  const uint64_t min = Unzigzag(in->Varint());
  const uint64_t max = min + in->Varint();
  const uint64_t sum = Unzigzag(in->Varint());
  m.sum_squares = small ? in->Float() : in->Double();
  Sketch sketch;
  ReadHistogram(m, small, in, &sketch);
  const Moments ranks = ReadSpread(small, in);
  Distribution d;
  if (in->ok() && !Distribution::Restore(sketch, int64_t(min), int64_t(max),
                                         int64_t(sum), ranks, &d)) {
    in->Fail("a distribution breaks its rules");
  }
  return d;
}

}  // namespace ranksight::reduction
