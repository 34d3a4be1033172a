#include "tests/idioms/likeness.h"

#include <cmath>
#include <set>
#include <utility>

#include "reduction/api/rank_walk.h"

namespace ranksight::idioms {
namespace {

using reduction::Request;

struct Sums {
  double messages = 0, bytes = 0;
  std::set<std::pair<int64_t, int64_t>> pairs;
};

void Add(int64_t rank, const Request& r, Sums* sums) {
  const bool both = r.kind == Request::Kind::kBoth;
  if (!both && r.kind != Request::Kind::kSend) return;
  const int64_t to = both ? r.send_peer : r.peer;
  if (reduction::IsSpecial(to)) return;
  sums->messages += 1;
  sums->bytes += double(both ? r.send_bytes : r.bytes);
  sums->pairs.insert({rank, to});
}

Sums SumsOf(const reduction::Trace& trace) {
  Sums sums;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto walk = reduction::RankWalk::Open(trace, rank);
    if (!walk.ok()) continue;
    while (walk->Next()) {
      const auto& info = reduction::Info(walk->event().call());
      if (info.family == reduction::Family::kPointToPoint) {
        if (!info.makes_persistent) {
          Add(rank, reduction::MessageOf(walk->event()), &sums);
        }
      } else if (info.collective) {
        sums.bytes += double(reduction::SendBytes(walk->event()));
      }
      for (const Request& r : walk->started()) Add(rank, r, &sums);
    }
  }
  return sums;
}

double PercentOff(double is, double should) {
  if (should == 0) return is == 0 ? 0 : 100;
  return 100 * std::abs(is - should) / should;
}

}  // namespace

Likeness LikenessOf(const reduction::Trace& twin,
                    const reduction::Trace& real) {
  const Sums a = SumsOf(twin), b = SumsOf(real);
  return {PercentOff(a.messages, b.messages), PercentOff(a.bytes, b.bytes),
          PercentOff(double(a.pairs.size()), double(b.pairs.size()))};
}

}  // namespace ranksight::idioms
