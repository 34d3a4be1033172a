// Distributions as bytes (FORMAT.md, "Distributions").
// Thread-safety: pure functions.
#pragma once

#include "reduction/api/distribution.h"
#include "reduction/base/bytes.h"

namespace ranksight::reduction {

// small: quantiles in place of all buckets, the spread of ranks as floats.
void WriteDistribution(const Distribution& d, bool small, ByteWriter* out);
Distribution ReadDistribution(ByteReader* in);

}  // namespace ranksight::reduction
