#include "tests/idioms/likeness.h"

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "reduction/api/message_kind.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::idioms {
namespace {

using reduction::Param;
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

// By call and site, as estimates name these.
using SumsBySite = std::map<std::pair<std::string, std::string>, Sums>;

// Of a call that sends what it sends, else what it receives; `unknown` gets
// those that receive from anybody.
SumsBySite SumsOfSites(const reduction::Trace& trace,
                       std::set<std::pair<std::string, std::string>>* unknown) {
  SumsBySite sites;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto walk = reduction::RankWalk::Open(trace, rank);
    if (!walk.ok()) continue;
    while (walk->Next()) {
      const auto& e = walk->event();
      const auto& info = reduction::Info(e.call());
      if (reduction::MessageKindOf(e.call()) == reduction::MessageKind::kNone) {
        continue;
      }
      const std::pair at{std::string(info.name),
                         reduction::ToString(trace.sites, e.site)};
      // What makes a persistent request says what it would send each time.
      const int64_t other = e.Get(Param::kPeer);
      if (other == reduction::kPeerAny) unknown->insert(at);
      if (reduction::IsSpecial(other)) continue;
      Sums& sums = sites[at];
      sums.messages += 1;
      sums.bytes += double(e.Get(Param::kCount) * e.Get(Param::kTypeSize));
      sums.pairs.insert({rank, other});
    }
  }
  return sites;
}

bool IsWithin(double is, double said, double width) {
  return std::abs(is - said) <= width + 0.5;  // they are whole numbers
}

}  // namespace

Likeness LikenessOf(const reduction::Trace& twin,
                    const reduction::Trace& real) {
  const Sums a = SumsOf(twin), b = SumsOf(real);
  return {PercentOff(a.messages, b.messages), PercentOff(a.bytes, b.bytes),
          PercentOff(double(a.pairs.size()), double(b.pairs.size()))};
}

Inside InsideOf(const reduction::Trace& twin, const reduction::Trace& real) {
  std::set<std::pair<std::string, std::string>> unknown;
  SumsBySite sites = SumsOfSites(real, &unknown);
  Inside inside;
  for (const reduction::SiteEstimate& e : twin.meta.estimates) {
    const std::pair at{e.call, e.site};
    // Nothing is said of collectives.
    if (unknown.contains(at) ||
        (e.messages == 0 && e.messages_width == 0 && !sites.contains(at))) {
      continue;
    }
    const Sums& is = sites[at];
    ++inside.sites;
    inside.messages += IsWithin(is.messages, e.messages, e.messages_width);
    inside.bytes += IsWithin(is.bytes, e.bytes, e.bytes_width);
    inside.partners +=
        IsWithin(double(is.pairs.size()), e.partners, e.partners_width);
  }
  return inside;
}

}  // namespace ranksight::idioms
