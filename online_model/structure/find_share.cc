#include "online_model/structure/find_share.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Larger wholes have no exact shares (kLargestValue).
constexpr int64_t kMostWhole = kLargestValue;

// Wholes of which all shares seen are floor(whole / parts).
struct Wholes {
  int64_t low = 0, high = kMostWhole;

  bool Narrow(int64_t share, int64_t parts) {
    if (share < 0 || parts < 1 || share > kMostWhole / parts) return false;
    low = std::max(low, share * parts);
    high = std::min(high, share * parts + parts - 1);
    return low <= high;
  }
};

// Summands tried besides none: a halo, a rounding up.
constexpr int64_t kSummands[] = {0, 1, -1, 2, -2};

// What must speak against a coincidence: a whole that one share allows gives
// another by chance in one of as many cases as that share is large. Bits: so
// many expressions and summands are tried (about 2^16), and a margin.
constexpr double kLeastBits = 24;

bool Supported(Samples samples, int64_t add) {
  std::set<int64_t> shares;
  for (const Sample& s : samples) shares.insert(s.value - add);
  double bits = 0;
  for (const int64_t share : shares) {
    if (share < 0) return false;
    if (share != *shares.rbegin()) bits += std::log2(1 + double(share));
  }
  return bits >= kLeastBits;
}

ExpressionPtr Share(const Wholes& wholes, ExpressionPtr parts, int64_t add) {
  Expression e;
  e.op = Op::kShare;
  e.a = ConstantExpression(wholes.low);
  e.b = ConstantExpression(wholes.high);
  e.c = std::move(parts);
  return AffineExpression(1, std::make_shared<const Expression>(std::move(e)),
                          add);
}

}  // namespace

ExpressionPtr FindShare(Samples samples, const std::vector<Sample>& probes,
                        const ExpressionPool& pool) {
  for (const int64_t add : kSummands) {
    if (!Supported(samples, add)) continue;
    for (size_t id = 0; id < pool.size(); ++id) {
      const int64_t* parts = pool.values(id);
      Wholes wholes;
      bool fits = true;
      for (size_t i = 0; i < probes.size() && fits; ++i) {
        fits = wholes.Narrow(probes[i].value - add, parts[i]);
      }
      if (!fits) continue;
      const ExpressionPtr divisor = pool.Build(id);
      for (size_t i = 0; i < samples.size() && fits; ++i) {
        fits = wholes.Narrow(samples[i].value - add,
                             divisor->At(samples[i].where));
      }
      if (fits) return Share(wholes, divisor, add);
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
